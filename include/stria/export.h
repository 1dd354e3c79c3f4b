/* SPDX-License-Identifier: BSD-3-Clause */
/* Defines symbol visibility, and the attribute that makes an ignored status a warning. */
#ifndef STRIA_EXPORT_H
#define STRIA_EXPORT_H

#if defined(__GNUC__)
#define STRIA_API __attribute__((visibility("default")))
#define STRIA_MUST_USE __attribute__((warn_unused_result))
#define STRIA_PRINTF(fmt, first) __attribute__((format(printf, fmt, first)))
#else
#define STRIA_API
#define STRIA_MUST_USE
#define STRIA_PRINTF(fmt, first)
#endif

#endif
