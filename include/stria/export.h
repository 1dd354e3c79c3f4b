/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Defines symbol visibility, the attribute that makes an ignored status a warning, and that of
 * functions of nothing but their arguments, across which gcc knows what nobody initialized.
 */
#ifndef STRIA_EXPORT_H
#define STRIA_EXPORT_H

#if defined(__GNUC__)
#define STRIA_API                __attribute__((visibility("default")))
#define STRIA_MUST_USE           __attribute__((warn_unused_result))
#define STRIA_PRINTF(fmt, first) __attribute__((format(printf, fmt, first)))
#define STRIA_CONST              __attribute__((const))
#else
#define STRIA_API
#define STRIA_MUST_USE
#define STRIA_PRINTF(fmt, first)
#define STRIA_CONST
#endif

/*
 * Marks functions that fill the owner in their first argument, whose old contents they release: gcc
 * warns where an owner is passed that nobody initialized.
 */
#if defined(__has_attribute)
#if __has_attribute(access)
#define STRIA_FILLS __attribute__((access(read_write, 1)))
#endif
#endif
#ifndef STRIA_FILLS
#define STRIA_FILLS
#endif

#endif
