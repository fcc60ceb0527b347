/* SPDX-License-Identifier: BSD-3-Clause
 * Names that definitions have: no metric of any processor may be missed because a
 * name of its counters is taken for unknown. */
#include "config.h"

#include "metric/language/definitions.h"
#include "metric/library.h"
#include "metric/trial.h"
#include "study/metric/definednames.h"
#include "tap.h"

static const char text[] =
    "compute FAST = 2 * LONG_NAME:one:two / cycles\n"
    "ratio Share = FAST / PAPI_TOT_INS label \"a word\"\n"
    "measure LEAST = PM_LEAST | skx::FOO.BAR:c=1:i=1\n";

static const struct {
    const char *counter, *how;
    bool is_defined;
} cases[] = {
    {"LONG_NAME:one:two", "as it is written", true},
    {"LONG_NAME.TWO:ONE", "in another order and case", true},
    {"cpu-cycles", "under another name of the kernel's", true},
    {"PERF_COUNT_HW_CPU_CYCLES", "under that of its header", true},
    {"papi_tot_ins", "in small letters", true},
    {"foo:bar:cmask=1:inv", "with its masks spelled out", true},
    {"FAST", "a metric", true},
    {"Share", "a ratio", true},
    {"LONG_NAME:one", "without one of its masks", false},
    {"LONG", "half of it", false},
    {"PM_MOST", "of no definition", false},
    {"", "nothing", false},
};

static void
test_spellings(void)
{
    struct hpm_spec *spec = read_text(text, 0);
    struct hpm_definednames names = {0};

    is_text(hpm_string_text(&spec->complaints), "", "the definitions are good");
    ok(hpm_definednames_add(&names, spec), "their names are known");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char sentence[128];

        snprintf(sentence, sizeof sentence, "'%s', %s, is %s", cases[i].counter,
                 cases[i].how, cases[i].is_defined ? "known" : "not");
        ok(hpm_definednames_may_have(&names, cases[i].counter) ==
               cases[i].is_defined,
           sentence);
    }
    hpm_definednames_clear(&names);
    hpm_spec_free(spec);
}

/* How many counters that the metrics of a PMU need have a name that is not known. */
static size_t
count_unknown(const struct hpm_definednames *names, const char *pmu,
              size_t *n_leaves)
{
    const struct hpm_platform platform = {.pmu = pmu};
    struct hpm_library library;
    struct hpm_error err = {0};
    size_t n = 0;

    if (!hpm_library_open(&library, NULL, &platform, &err))
        return 1;
    for (size_t i = 0; i < library.metrics->n_leaves; i++) {
        if (!hpm_definednames_may_have(names, library.metrics->leaves[i])) {
            printf("# %s: %s\n", pmu, library.metrics->leaves[i]);
            n++;
        }
    }
    *n_leaves += library.metrics->n_leaves;
    hpm_library_close(&library);
    return n;
}

static void
test_shipped(void)
{
    struct hpm_spec *spec = hpm_spec_new();
    struct hpm_definednames names = {0};
    struct hpm_error err = {0};
    size_t n_unknown = 0, n_leaves = 0;

    ok(hpm_definitions_read(spec, NULL, &err) &&
           hpm_definednames_add(&names, spec),
       "all shipped definitions are read");
    for (size_t i = 0; i < spec->n_pmus; i++)
        n_unknown += count_unknown(&names, hpm_spec_text(spec, spec->pmus[i]),
                                   &n_leaves);
    is_count(n_unknown, 0,
             "each counter of the metrics of each processor is known");
    ok(n_leaves > 1000, "these are many");
    hpm_definednames_clear(&names);
    hpm_spec_free(spec);
}

int
main(void)
{
    test_spellings();
    test_shipped();
    return done();
}
