/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The records of ZIP archives (APPNOTE 6.3), of which each begins with its mark. Numbers lie with
 * their lowest byte first.
 */
#ifndef STRIA_SRC_IO_ZIP_H
#define STRIA_SRC_IO_ZIP_H

/* Marks, and bytes without the name and what else follows: in front of a member, in the directory,
 * at the end, at the end with 64 bits, and what tells where that one is. */
#define ZIP_LOCAL_MARK   "PK\3\4"
#define ZIP_MEMBER_MARK  "PK\1\2"
#define ZIP_END_MARK     "PK\5\6"
#define ZIP_END64_MARK   "PK\6\6"
#define ZIP_LOCATOR_MARK "PK\6\7"
enum { ZIP_LOCAL = 30, ZIP_MEMBER = 46, ZIP_END = 22, ZIP_END64 = 56, ZIP_LOCATOR = 20 };

enum { ZIP_STORED = 0, ZIP_DEFLATED = 8 }; /* methods of packing */
enum { ZIP_IS_ENCRYPTED = 1, ZIP_IS_UTF8 = 1 << 11 /* the name is not ASCII */ }; /* flags */
enum { ZIP_WIDE = 1 };         /* the extra field that has what 32 bits do not hold */
enum { ZIP_RAW_WINDOW = -15 }; /* zlib's argument for deflate without a header of its own */

#endif
