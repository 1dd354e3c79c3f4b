/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Machine profiles: what is written is read again; a file that is no profile is refused with its
 * line and changes nothing; the user's own is found; and with random profiles calls give the bits
 * that they give with the built-in numbers.
 */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "machine/profile.h"
#include "move/strategy.h"
#include "stria/stria.h"
#include "support/random.h"
#include "support/test.h"

static const char path[] = "test_profile.machine";

static void write_file(const char *to, const char *text)
{
    FILE *const file = fopen(to, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static stria_status load_text(const char *text)
{
    write_file(path, text);
    return stria_machine_load(path);
}

/* ---- reading --------------------------------------------------------------------------------- */

TEST(test_numbers_are_read)
{
    ok(load_text("# a remark\n\n  rows_ahead = 4096  # 4 KiB\n"
                 "stream_from.tiles=never\ntimes.staged.4.l3 = 1.5\ncpu = other 1 2\n"));
    const struct stria__machine *const m = stria__machine();
    assert_int_equal(m->rows_ahead, 4096);
    assert_true(m->stream_from[WRITE_TILES] == STREAM_NEVER);
    assert_true(m->times[MOVE_STAGED][2][2] == 1.5F);
    assert_int_equal(m->columns_ahead, stria__machine_shipped()->columns_ahead);
    assert_string_equal(stria_machine_profile(), path);
    ok(stria_machine_load(""));
    assert_ptr_equal(stria__machine(), stria__machine_shipped());
    assert_string_not_equal(stria_machine_profile(), path);
}

TEST(test_what_is_wrong_is_refused)
{
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"rows_ahead = 4096\nrows_ahead\n",
         "test_profile.machine, line 2: 'rows_ahead' is no 'name = value'"},
        {"# x = 1\nword # = 2\n", "test_profile.machine, line 2: 'word' is no 'name = value'"},
        {"nothing = 1\n", "test_profile.machine, line 1: there is no number 'nothing'"},
        {"times.nothing.1.l1 = 1\n",
         "test_profile.machine, line 1: there is no number 'times.nothing.1.l1'"},
        {"strip = 4k\n", "test_profile.machine, line 1: strip = '4k' is no number"},
        {"strip = \n", "test_profile.machine, line 1: strip = '' is no number"},
        {"strip = nan\n", "test_profile.machine, line 1: strip = nan, must be 4096 to 32768"},
        {"strip = 1e300\n", "test_profile.machine, line 1: strip = 1e300, must be 4096 to 32768"},
        {"strip = never\n", "test_profile.machine, line 1: strip = never, must be 4096 to 32768"},
        {"cast_places = 0\n", "test_profile.machine, line 1: cast_places = 0, must be 1 to 16"},
        {"times.staged.4.l3 = 0\n",
         "test_profile.machine, line 1: times.staged.4.l3 = 0, must be 0.001 to 1000"},
    };
    ok(load_text("rows_ahead = 512\n"));
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(load_text(bad[i].text), STRIA_ERR_FORMAT);
        assert_string_equal(stria_last_error(), bad[i].message);
        assert_int_equal(stria__machine()->rows_ahead, 512);
    }
    char wide[400];
    memset(wide, 'x', sizeof wide);
    wide[sizeof wide - 1] = 0;
    assert_int_equal(load_text(wide), STRIA_ERR_FORMAT);
    assert_string_equal(stria_last_error(),
                        "test_profile.machine, line 1: longer than 198 characters");
    assert_int_equal(stria_machine_load("no such folder/file"), STRIA_ERR_IO);
    assert_int_equal(stria__machine()->rows_ahead, 512);
    ok(stria_machine_load(""));
}

/* The names of moves are those that explanations print. */
TEST(test_names_of_moves)
{
    for (int i = 0; i < MOVES; i++)
        assert_string_equal(stria__strategy_at(i)->name, stria__move_names[i]);
    assert_null(stria__strategy_at(MOVES));
}

TEST(test_the_own_profile_is_found)
{
    char folder[] = "test_profile.XXXXXX", config[600], file[700], here[400];
    assert_non_null(mkdtemp(folder));
    assert_non_null(getcwd(here, sizeof here));
    (void)snprintf(config, sizeof config, "%s/%s", here, folder);
    assert_int_equal(setenv("XDG_CONFIG_HOME", config, 1), 0);
    ok(stria_machine_load(NULL)); /* no profile is found */
    assert_ptr_equal(stria__machine(), stria__machine_shipped());
    (void)snprintf(file, sizeof file, "%s/stria", config);
    assert_int_equal(mkdir(file, 0777), 0);
    (void)snprintf(file, sizeof file, "%s/stria/machine", config);
    write_file(file, "cpu = other 1 2\nrows_ahead = 512\n");
    ok(stria_machine_load(NULL)); /* a profile of another CPU */
    assert_ptr_equal(stria__machine(), stria__machine_shipped());
    write_file(file, "rows_ahead = 512\n");
    ok(stria_machine_load(NULL));
    assert_string_equal(stria_machine_profile(), file);
    assert_int_equal(stria__machine()->rows_ahead, 512);
    ok(stria_machine_load(""));
    assert_int_equal(setenv("STRIA_MACHINE", path, 1), 0);
    ok(stria_machine_load(NULL)); /* the variable names another profile */
    assert_ptr_equal(stria__machine(), stria__machine_shipped());
    assert_int_equal(unsetenv("STRIA_MACHINE"), 0);
    write_file(file, "strip = 1\n");
    assert_int_equal(stria_machine_load(NULL), STRIA_ERR_FORMAT);
    assert_int_equal(unlink(file), 0);
    *strrchr(file, '/') = 0;
    assert_int_equal(rmdir(file), 0);
    assert_int_equal(rmdir(folder), 0);
}

/* ---- random profiles ------------------------------------------------------------------------- */

static const struct {
    const char *name;
    double least, most;
} bounds[] = {
#define NUMBER(name, member, least, most) {name, (double)(least), (double)(most)},
#include "machine/numbers.def"
#undef NUMBER
};

/* Draws a value between bounds, uniform in its logarithm; now and then a bound itself. */
static double random_value(uint64_t *seed, double least, double most)
{
    const double part = (double)(random_bits(seed) % 1001) / 1000;
    if (part < 0.05) return least;
    if (part > 0.95) return most;
    return floor(exp(log(least + 1) + part * (log(most + 1) - log(least + 1))) - 1);
}

static void random_profile(struct stria__machine *m, uint64_t *seed)
{
    *m = *stria__machine_shipped();
    for (size_t i = 0; i < sizeof bounds / sizeof bounds[0]; i++) {
        const double value = random_value(seed, bounds[i].least, bounds[i].most);
        assert_true(stria__profile_set(m, bounds[i].name,
                                       value < bounds[i].least ? bounds[i].least : value));
    }
    for (int i = 0; i < MOVES * MOVE_ITEMS * MOVE_LEVELS; i++)
        (&m->times[0][0][0])[i] = (float)exp((double)(random_bits(seed) % 1000) / 100 - 5);
}

TEST(test_what_is_written_is_read)
{
    static char text[1 << 16];
    static struct stria__machine m;
    for (uint64_t seed = 1, i = 0; i < 50; i++) {
        struct written to = {text, sizeof text, 0};
        random_profile(&m, &seed);
        stria__profile_write(&to, &m, stria__machine_shipped(), NULL);
        assert_true(to.used < sizeof text);
        ok(load_text(text));
        for (size_t k = 0; k < sizeof bounds / sizeof bounds[0]; k++)
            assert_true(stria__profile_get(stria__machine(), bounds[k].name) ==
                        stria__profile_get(&m, bounds[k].name));
        const float *const a = &m.times[0][0][0], *const b = &stria__machine()->times[0][0][0];
        for (int k = 0; k < MOVES * MOVE_ITEMS * MOVE_LEVELS; k++)
            assert_true(fabsf(a[k] - b[k]) <= 0.01F * a[k]);
        /* Random changes of the bytes: the file is read or refused. */
        for (int k = 0; k < 20; k++) {
            text[random_bits(&seed) % to.used] = (char)random_bits(&seed);
            (void)load_text(text);
        }
    }
    ok(stria_machine_load(""));
}

static const char *const texts[] = {
    "x + y.T",
    "(x[:, ::2] * 3 + y[:, 1::2]).T.contiguous()",
    "x.T.contiguous()",
    "x[::2, ::3].T.contiguous()",
    "x[:, ::-1].contiguous()",
    "x[:, :1].expand(x.shape).contiguous()",
    "x.view(15, 20, 300).permute(2, 0, 1).contiguous()",
    "x.to(torch.float64).T.contiguous()",
    "x.T.to(torch.int16)",
    "x[:, ::2].to(torch.float64)",
    "x.sum()",
    "x.sum(0)",
    "x.T.sum(1)",
    "x[:, ::2].sum(1)",
    "x.view(15, 20, 300).sum((0, 2))",
    "x.var(1)",
    "x.T.var(1)",
    "x.amax(0)",
    "x.T.argmax(1)",
    "x.cumsum(0)",
    "x.T.cumsum(0)",
    "x.prod(1)",
    "x.flip(0)[:, 3:].contiguous()",
    "x[:, [5, 3, 3, 200]]",
    "x.sort(1)[0]",
    "torch.median(x, 1)[0]",
    "x @ y.T",
    "np.exp(x) * y",
    "x.repeat(2, 3)",
    "x.roll(7, 1)",
    "torch.where(x < y, x, y.T)",
    "torch.stack([x, y], 2)",
};

enum { TEXTS = sizeof texts / sizeof texts[0], SIDE = 300 };

static void compute_all(const stria_named *named, stria_hash128 *hashes)
{
    for (int i = 0; i < TEXTS; i++) {
        stria_results r = {0};
        if (stria_eval(&r, texts[i], 2, named, NULL) != STRIA_OK)
            fail_msg("%s: %s", texts[i], stria_last_error());
        ok(stria_hash(&hashes[i], &r.one.view, NULL));
        stria_results_release(&r);
    }
}

TEST(test_bits_do_not_depend_on_profiles)
{
    static struct stria__machine m;
    static stria_hash128 expected[TEXTS], hashes[TEXTS];
    RELEASED stria_array x = {0}, y = {0};
    const char *const sweep = getenv("STRIA_SWEEP");
    const int profiles = !sweep ? 30 : strcmp(sweep, "full") == 0 ? 300 : 10;
    uint64_t seed = 7;
    const int64_t shape[] = {SIDE, SIDE};
    ok(stria_empty(&x, stria_dtype_of(STRIA_F32), 2, shape));
    ok(stria_empty(&y, stria_dtype_of(STRIA_F32), 2, shape));
    for (int i = 0; i < SIDE * SIDE; i++) {
        ((float *)(void *)x.view.data)[i] = (float)(random_bits(&seed) % 2000) / 64 - 15;
        ((float *)(void *)y.view.data)[i] = (float)(random_bits(&seed) % 2000) / 64 - 15;
    }
    const stria_named named[] = {{"x", &x.view}, {"y", &y.view}};
    compute_all(named, expected);
    for (int i = 0; i < profiles; i++) {
        random_profile(&m, &seed);
        stria__machine_use(&m);
        compute_all(named, hashes);
        for (int k = 0; k < TEXTS; k++)
            if (memcmp(&hashes[k], &expected[k], sizeof hashes[k]) != 0)
                fail_msg("profile %d: other bits of %s", i, texts[k]);
    }
    stria__machine_use(NULL);
}

static int forget_file(void **state)
{
    (void)state;
    (void)unlink(path);
    return stria_machine_load("") != STRIA_OK;
}

TEST_MAIN(NULL, forget_file)
