/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For wheels: takes functions of the C library by the versions that they have had since its first
 * release, so that the extension loads wherever manylinux_2_28 promises. The newer versions lie in
 * another file and do the same. The compiler includes this before everything else, so that it
 * includes nothing itself.
 */
#ifndef STRIA_OLD_GLIBC_H
#define STRIA_OLD_GLIBC_H

#if defined __x86_64__
#define STRIA_OLDEST "GLIBC_2.2.5"
enum { STRIA_STAT_VERSION = 1 };
#else /* aarch64 */
#define STRIA_OLDEST "GLIBC_2.17"
enum { STRIA_STAT_VERSION = 0 };
#endif
#define STRIA_BY_VERSION(name) __asm__(".symver " #name ", " #name "@" STRIA_OLDEST)

STRIA_BY_VERSION(pthread_once);
STRIA_BY_VERSION(pthread_key_create);
STRIA_BY_VERSION(pthread_setspecific);
STRIA_BY_VERSION(pthread_getattr_np);
STRIA_BY_VERSION(pthread_attr_getstack);
STRIA_BY_VERSION(dlopen);
STRIA_BY_VERSION(dlsym);
STRIA_BY_VERSION(dlclose);
STRIA_BY_VERSION(dladdr);

#endif
