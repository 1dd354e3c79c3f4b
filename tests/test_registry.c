/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The rows of the registry against the public headers: each public function is called by a row, or
 * listed below with the reason why none calls it.
 */
#define _GNU_SOURCE

#include <ctype.h>
#include <dirent.h>
#include <fnmatch.h>
#include <regex.h>
#include <stdio.h>
#include <string.h>

#include "lang/origins.h"
#include "lang/registry.h"
#include "support/test.h"

/* Functions that no row of the registry calls; a name that ends in * stands for all that begin
 * so. */
static const struct {
    const char *reason, *names;
} others[] = {
    {"owners and lifetimes",
     "stria_array_* stria_buffer_* stria_small_* stria_ref_* stria_results_* stria_coo_release "
     "stria_csr_release stria_resize_zeroed stria_is_writable stria_view_readonly "
     "stria_view_foreign stria_view_make stria_is_aligned stria_same_view"},
    {"tensors of other libraries", "stria_dlpack_*"},
    {"files", "stria_npy_* stria_npz_* stria_raw_* stria_safetensors_* stria_csv_* stria_png_*"},
    {"plans, expressions and explanations",
     "stria_plan_* stria_copy_plan_* stria_expr_* stria_graph_* stria_walk stria_*_explain "
     "stria_result_empty "
     "stria_result_empty stria_broadcast_shape"},
    {"states that merge, which live between calls",
     "stria_exact_make stria_exact_release stria_exact_add* stria_exact_merge stria_exact_count "
     "stria_exact_result stria_exact_shape stria_exact_counts stria_exact_edges stria_exact_nbytes "
     "stria_exact_write "
     "stria_exact_read"},
    {"functions by name, and text", "stria_call stria_bind stria_bound_* stria_user_register "
                                    "stria_user_unregister stria_core_call stria_function_* "
                                    "stria_eval* stria_prepare*"},
    {"options, threads and the machine",
     "stria_threads stria_set_threads stria_*scratch_limit stria_*keep_limit stria_kept "
     "stria_*_allocator stria_*_blas "
     "stria_blas_describe stria_as_blas_matrix stria_isa_name stria_machine_* "
     "stria_version* stria_fft_forget stria_fft_describe stria_lapack_describe stria_bytes_in_use "
     "stria_last_error "
     "stria_fail stria_status_name"},
    {"dtypes", "stria_dtype_* stria_result_dtype stria_reduction_dtype "
               "stria_record_*"},
    {"single elements", "stria_at stria_get_* stria_set_* stria_weak stria_scalar"},
    {"operations by their numbers, which have rows by their names",
     "stria_elementwise* stria_op_* stria_reduce_dims* stria_reduction_name stria_reduction_count "
     "stria_scan_*"},
    {"what __getitem__ does of some keys", "stria_index stria_view_field*"},
    {"bytes and text of an array", "stria_hash* stria_format* stria_describe stria_compare "
                                   "stria_random_bits"},
    {"results in views of what a row makes",
     "stria_solve stria_triangular_solve stria_inv stria_det stria_slogdet stria_lu_factor "
     "stria_cholesky stria_qr stria_svd stria_eigh stria_eig stria_cond stria_matrix_rank "
     "stria_pinv stria_lstsq stria_hstack stria_vstack stria_dstack stria_column_stack "
     "stria_block_diag stria_repeat stria_tile stria_repeat_interleave stria_roll stria_tril "
     "stria_triu stria_diag stria_diag_embed stria_trace stria_lexsort stria_coo_to_dense"},
    {"other forms of what a row names",
     "stria_coo_matmul* stria_arange_i64 stria_cat* stria_stack* stria_byteswap stria_clone_new "
     "stria_copy* "
     "stria_empty_ordered stria_fill_item stria_full* stria_csr_to_dense* stria_csr_transpose "
     "stria_csr_values stria_repeat_each_new stria_storage_offset stria_take* "
     "stria_view_shape_order "
     "stria_linspace_complex"},
};

enum { MOST = 1024, LONGEST = 64 };
static char declared[MOST][LONGEST];
static int count;

/* Reads the names of the functions that a header declares. */
static void read_header(const char *path)
{
    char text[1 << 17];
    regex_t declaration;
    regmatch_t match[2];
    FILE *const file = fopen(path, "r");
    assert_non_null(file);
    const size_t size = fread(text, 1, sizeof text - 1, file);
    assert_true(size < sizeof text - 1);
    (void)fclose(file);
    text[size] = 0;
    assert_false(regcomp(&declaration, "STRIA_API [^(;]*[[:space:]*](stria_[A-Za-z0-9_]+)\\(",
                         REG_EXTENDED));
    for (const char *at = text; !regexec(&declaration, at, 2, match, 0); at += match[0].rm_eo) {
        assert_true(count < MOST);
        (void)snprintf(declared[count++], LONGEST, "%.*s", (int)(match[1].rm_eo - match[1].rm_so),
                       at + match[1].rm_so);
    }
    regfree(&declaration);
}

static int read_headers(void **state)
{
    (void)state;
    static const char folder[] = STRIA_TESTS "/../include/stria";
    DIR *const all = opendir(folder);
    assert_non_null(all);
    for (const struct dirent *one; (one = readdir(all));) {
        char path[1024];
        const size_t length = strlen(one->d_name);
        (void)snprintf(path, sizeof path, "%s/%s", folder, one->d_name);
        if (length > 2 && !strcmp(one->d_name + length - 2, ".h")) read_header(path);
    }
    (void)closedir(all);
    assert_true(count > 500);
    return 0;
}

static bool is_declared(const char *name)
{
    int i = 0;
    while (i < count && strcmp(declared[i], name) != 0)
        i++;
    return i < count;
}

/* Whether a row calls the function, or its form that makes an array or checks for overflow. */
static bool has_row(const char *name)
{
    static const char *const forms[] = {"", "_new", "_checked"};
    const struct function *op;
    for (size_t i = 0; (op = stria__registry_row(i)); i++)
        for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) {
            const size_t length = strlen(op->c);
            if (!strncmp(name, op->c, length) && !strcmp(name + length, forms[k])) return true;
        }
    return false;
}

static bool is_listed(const char *names, const char *name)
{
    char copy[2048], *rest = copy;
    (void)snprintf(copy, sizeof copy, "%s", names);
    for (const char *one; (one = strsep(&rest, " "));)
        if (!fnmatch(one, name, 0)) return true;
    return false;
}

TEST(every_function_has_a_row_or_a_reason)
{
    for (int i = 0; i < count; i++) {
        const char *reason = NULL;
        for (size_t k = 0; !reason && k < sizeof others / sizeof *others; k++)
            if (is_listed(others[k].names, declared[i])) reason = others[k].reason;
        if (!reason && !has_row(declared[i]))
            fail_msg("%s has no row, and no reason why", declared[i]);
    }
}

/* Every word of the lists above is a declared function. */
TEST(every_reason_is_of_a_function)
{
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        char copy[2048], *rest = copy;
        (void)snprintf(copy, sizeof copy, "%s", others[k].names);
        for (const char *one; (one = strsep(&rest, " "));) {
            int i = 0;
            while (i < count && (fnmatch(one, declared[i], 0) || has_row(declared[i])))
                i++;
            if (i == count) fail_msg("%s: %s", others[k].reason, one);
        }
    }
}

TEST(every_row_is_whole)
{
    const struct function *op;
    for (size_t i = 0; (op = stria__registry_row(i)); i++) {
        struct signature signature;
        assert_non_null(op->signature);
        if (!stria__signature_read(&signature, op->signature)) fail_msg("%s", op->signature);
        assert_non_null(op->run);
        int names = 1;
        for (size_t k = 0; k < signature.names.length; k++)
            names += signature.names.text[k] == '|';
        const bool plain = op->operation >= 0 && !*op->whose; /* ops that only stria/op.h has */
        if (!plain && (strlen(op->whose) != (size_t)names ||
                       strspn(op->whose, "abtnsi-ABTNSI") != (size_t)names))
            fail_msg("%s: %s", op->signature, op->whose);
        const bool type = !strcmp(op->c, "stria_view") || !strcmp(op->c, "stria_coo");
        if (!type && !is_declared(op->c)) fail_msg("%s: %s", op->signature, op->c);
        const size_t length = strlen(op->doc);
        if (length > 100 || length < 2 || op->doc[length - 1] != '.' ||
            !isupper((unsigned char)*op->doc))
            fail_msg("%s: %s", op->signature, op->doc);
    }
}

/* Whether two rows have the same name, library and parameters, so that no call reaches the
 * second. */
static bool are_the_same(const struct function *a, const struct function *b)
{
    const struct text_span names = stria__signature_names(a->signature);
    const struct text_span second = stria__signature_names(b->signature);
    if (a->world != b->world || strcmp(names.text + names.length, second.text + second.length) != 0)
        return false;
    char copy[256], *rest = copy;
    (void)snprintf(copy, sizeof copy, "%.*s", (int)names.length, names.text);
    for (const char *one; (one = strsep(&rest, "|"));)
        if (stria__span_has(second, one)) return true;
    return false;
}

TEST(no_two_forms_are_the_same)
{
    const struct function *op;
    for (size_t i = 0; (op = stria__registry_row(i)); i++)
        for (size_t k = 0; k < i; k++)
            if (are_the_same(op, stria__registry_row(k))) fail_msg("twice: %s", op->signature);
}

TEST(a_name_of_somebody_is_known)
{
    static const struct {
        const char *row, *name;
        unsigned origins;
    } cases[] = {
        {"permute|permute_dims(self, *dims|axes:dims)", "permute", STRIA_IN_TORCH},
        {"permute|permute_dims(self, *dims|axes:dims)", "permute_dims",
         STRIA_IN_NUMPY | STRIA_IN_ARRAY_API},
        {"transpose(self, *axes:dims?=None)", "transpose", STRIA_IN_NUMPY},
        {"transpose(self, dim0:dim, dim1:dim)", "transpose", STRIA_IN_TORCH},
        {"linalg.diagonal|linalg_diagonal(self, offset:int=0, dim1:dim=-2, dim2:dim=-1)",
         "linalg.diagonal", STRIA_IN_TORCH | STRIA_IN_NUMPY | STRIA_IN_ARRAY_API},
        {"resize_(self, *size:ints)", "resize_", STRIA_IN_TORCH},
        {"compact(self, ratio:any=1)", "compact", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct function *op;
        size_t k = 0;
        while ((op = stria__registry_row(k)) && strcmp(op->signature, cases[i].row) != 0)
            k++;
        assert_non_null(op);
        const struct text_span name = {cases[i].name, strlen(cases[i].name)};
        assert_int_equal(stria__origins(op, name, false), cases[i].origins);
    }
}

TEST_MAIN(read_headers, NULL)
