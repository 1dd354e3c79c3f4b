/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Defines symbol visibility, the attribute that makes an ignored status a warning, that of
 * functions of nothing but their arguments, across which gcc knows what nobody initialized, and
 * what is asked of the compiler.
 */
#ifndef STRIA_EXPORT_H
#define STRIA_EXPORT_H

/*
 * Marks what the library exports. On Windows the library itself is compiled with STRIA_EXPORTS
 * defined, and who links an archive defines STRIA_STATIC.
 */
#if defined(_WIN32) && defined(STRIA_EXPORTS)
#define STRIA_API __declspec(dllexport)
#elif defined(_WIN32) && !defined(STRIA_STATIC)
#define STRIA_API __declspec(dllimport)
#elif defined(__GNUC__) && !defined(_WIN32)
#define STRIA_API __attribute__((visibility("default")))
#else
#define STRIA_API
#endif

#if defined(__GNUC__)
#define STRIA_MUST_USE           __attribute__((warn_unused_result))
#define STRIA_PRINTF(fmt, first) __attribute__((format(printf, fmt, first)))
#define STRIA_CONST              __attribute__((const))
#else
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

/* Ends the compilation where a condition does not hold; NAME says which. */
#if defined(__cplusplus) && __cplusplus >= 201103L
#define STRIA_ASSERT(name, condition) static_assert(condition, #name)
#elif !defined(__cplusplus) && defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define STRIA_ASSERT(name, condition) _Static_assert(condition, #name)
#else
#define STRIA_ASSERT(name, condition) typedef char stria_assert_##name[(condition) ? 1 : -1]
#endif

#endif
