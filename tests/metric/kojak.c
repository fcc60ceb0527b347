/* SPDX-License-Identifier: BSD-3-Clause
 * The counter sets of the KOJAK paper, Tables 2 to 4: which metrics of its
 * hierarchies each set gives, which of them are incomplete ("~"), and what is
 * complete when all sets are combined.
 *
 * Where the tables and the listings of appendix A.2 contradict each other, the
 * listings decide:
 *
 *   POWER4_LX    Table 4 has DATA_ACCESS complete, as the sum of references to
 *                level 1; by the listing hits in levels 2 and 3 and memory are
 *                missing: ~DATA_ACCESS
 *   POWER4_BRT   Table 4 has ~BUSY made of stall cycles; by the listing BUSY
 *                and the stalls are parts of CYCLES, which is measured
 *   POWER4_IFP   Table 4 measures FLOATING_POINT by PM_FPU_FIN; in the listing
 *                that line is a comment: ~FLOATING_POINT
 *   POWER4_MFP   Table 4 has ~STALL, which the listing does not know
 *   OPTERON_IC   Table 2 measures INST_ACCESS by IC_FETCH; in the listing that
 *                line is a comment: it is composed, and complete
 *   OPTERON_FP   Table 2 marks FLOATING_POINT in two of its four lines; by the
 *                listing these four are all its parts: complete
 *   US3_BCS      Table 3 keeps ~BRANCH_PRED_TAKEN and _UNTAKEN, computations
 *                of which one counter is missing; such are not shown (2.1)
 *   US3_ICH      the same of ~INST_HIT_L2$, ~DATA_LOAD_FROM_L2$ and
 *                ~DATA_STORE_INTO_MEM
 *   US3_ETC      Table 3 has P$_READS unmarked above ~PC_port0_rd, its part
 *
 * Combined, four compositions stay incomplete, for these parts cannot be
 * counted: DATA_TLB_HIT, INST_TLB_HIT (UltraSPARC and POWER4), SYNCH (POWER4).
 */
#include "config.h"

#include <stdlib.h>

#include "metric/trial.h"
#include "tap.h"

static const struct {
    const char *pmu;
    const char *listing; /* its names are used */
    const char *prefix;  /* of the sets' names */
    size_t n_sets;
    const char *combined; /* compositions that stay incomplete with all sets
                           * combined */
} platforms[] = {
    {"power4", "power4", "POWER4_", 6,
     "~MEMORY ~TLB_ACCESS ~DATA_TLB_ACCESS ~INST_TLB_ACCESS"},
    {"opteron", "opteron", "OPTERON_", 14, ""},
    {"ultra3", "ultra3", "US3_", 32,
     "~TLB_ACCESS ~DATA_TLB_ACCESS ~INST_TLB_ACCESS"},
};

/* In the order of the listings. */
static const struct {
    const char *set;
    const char *labels;
} sets[] = {
    {"POWER4_LX",
     "~DATA_ACCESS DATA_HIT_L1$ DATA_STORE_INTO_L1$ DATA_LOAD_FROM_L1$ "
     "~TLB_ACCESS ~DATA_TLB_ACCESS DATA_TLB_MISS ~INST_TLB_ACCESS "
     "INST_TLB_MISS"},
    {"POWER4_DC", "~DATA_ACCESS DATA_HIT_L2$ DATA_LOAD_FROM_L2$ DATA_HIT_L3$ "
                  "DATA_LOAD_FROM_L3$ DATA_HIT_MEM DATA_LOAD_FROM_MEM"},
    {"POWER4_IC", "INST_ACCESS INST_PREFETCH INST_HIT_L1$ INST_HIT_L2$ "
                  "INST_HIT_L3$ INST_HIT_MEM"},
    {"POWER4_BRT", "CYCLES INSTRUCTION BRANCH BRANCH_PRED BRANCH_MISP"},
    {"POWER4_IFP", "INSTRUCTION INTEGER ~FLOATING_POINT"},
    {"POWER4_MFP", "CYCLES INSTRUCTION ~FLOATING_POINT ~MEMORY"},

    {"OPTERON_TLB", "TLB_ACCESS DATA_TLB_ACCESS DATA_TLB_HIT DATA_TLB_MISS "
                    "INST_TLB_ACCESS INST_TLB_HIT INST_TLB_MISS"},
    {"OPTERON_IC", "INST_ACCESS INST_HIT_L1$ INST_HIT_L2$ INST_HIT_MEM"},
    {"OPTERON_DC1", "DATA_ACCESS DATA_HIT_L1$"},
    {"OPTERON_DC2", "~DATA_ACCESS DATA_HIT_L2$ DATA_STORE_INTO_L2$ "
                    "DATA_LOAD_FROM_L2$"},
    {"OPTERON_DC3", "~DATA_ACCESS DATA_HIT_MEM DATA_STORE_INTO_MEM "
                    "DATA_LOAD_FROM_MEM"},
    {"OPTERON_ETC", "CYCLES INSTRUCTION"},
    {"OPTERON_BR",
     "~INSTRUCTION BRANCH BRANCH_PRED BRANCH_PRED_TAKEN BRANCH_PRED_UNTAKEN "
     "BRANCH_MISP BRANCH_MISP_TAKEN BRANCH_MISP_UNTAKEN"},
    {"OPTERON_FP", "~INSTRUCTION FLOATING_POINT"},
    {"OPTERON_ST1", "~CYCLES IC_FETCH_STALL ~FR_DISPATCH_STALLS"},
    {"OPTERON_ST2", "~CYCLES ~IC_FETCH_STALL ~FR_DISPATCH_STALLS"},
    {"OPTERON_ST3", "~CYCLES ~IC_FETCH_STALL ~FR_DISPATCH_STALLS"},
    {"OPTERON_FPU", "SIMD"},
    {"OPTERON_MMX", "~HT_TRANSFER HT_MEM_XFER"},
    {"OPTERON_IOX", "~HT_TRANSFER HT_I/O_XFER"},

    {"US3_CPI", "CYCLES INSTRUCTION"},
    {"US3_SCD", "CYCLES ~STALL ~RECIRCULATE Re_DC_miss"},
    {"US3_SCO", "~CYCLES ~STALL ~DISPATCH ~RECIRCULATE ~Re_DC_miss"},
    {"US3_SCE", "~CYCLES ~STALL ~DISPATCH ~RECIRCULATE ~Re_DC_miss"},
    {"US3_SCP", "~CYCLES ~STALL ~DISPATCH ~RECIRCULATE"},
    {"US3_SMP", "~CYCLES ~STALL ~DISPATCH"},
    {"US3_SUS", "~CYCLES ~STALL ~UNIT_USE"},
    {"US3_SST", "~CYCLES ~STALL ~UNIT_USE ~RECIRCULATE"},
    {"US3_SCX", "~CYCLES ~STALL ~RECIRCULATE"},
    {"US3_DCR", "~DATA_ACCESS ~DATA_HIT_L1$ DATA_LOAD_FROM_L1$"},
    {"US3_DCW", "~DATA_ACCESS ~DATA_HIT_L1$ DATA_STORE_INTO_L1$ "
                "~DATA_HIT_L2$ DATA_STORE_INTO_L2$"},
    {"US3_ECM", "~DATA_ACCESS ~DATA_HIT_MEM DATA_LOAD_FROM_MEM"},
    {"US3_ECI", "~DATA_ACCESS ~DATA_HIT_L2$ ~DATA_STORE_INTO_L2$ "
                "~INST_ACCESS INST_HIT_MEM"},
    {"US3_ICH", "INST_ACCESS INST_HIT_L1$"},
    {"US3_FPU", "~INSTRUCTION FLOATING_POINT"},
    {"US3_BMS", "~INSTRUCTION ~BRANCH BRANCH_MISP BRANCH_MISP_TAKEN "
                "BRANCH_MISP_UNTAKEN"},
    {"US3_BCS", ""},
    {"US3_ITL", "INSTRUCTION ~TLB_ACCESS ~INST_TLB_ACCESS INST_TLB_MISS"},
    {"US3_DTL", "CYCLES ~TLB_ACCESS ~DATA_TLB_ACCESS DATA_TLB_MISS"},
    {"US3_ECW", "~SSM_LOCALITY EC_wb"},
    {"US3_ECL", "~SSM_LOCALITY EC_MISSES EC_miss_local"},
    {"US3_ECX", "~SSM_LOCALITY ~EC_MISSES ~EC_miss_local ~EC_wb"},
    {"US3_PCR", "P$_READS PC_port0_rd"},
    {"US3_ETC", "~P$_READS ~PC_port0_rd"},
    {"US3_ECS", ""},
    {"US3_WCM", ""},
    {"US3_SM1", "~MC_STALLS"},
    {"US3_SM2", "~MC_STALLS"},
    {"US3_MC0", "~MC_READS ~MC_WRITES"},
    {"US3_MC1", "~MC_READS ~MC_WRITES"},
    {"US3_MC2", "~MC_READS ~MC_WRITES"},
    {"US3_MC3", "~MC_READS ~MC_WRITES"},
};

/* "PM_CYC 1000, PM_INST_CMPL 1000, " */
static void
add_events(const struct hpm_metrics *metrics, const struct hpm_metric_set *set,
           struct hpm_string *list)
{
    for (size_t i = 0; i < set->inputs.count; i++) {
        struct hpm_input input = metrics->inputs[set->inputs.first + i];

        hpm_string_add_format(list, "%s 1000, ",
                              input.is_metric
                                  ? metrics->metrics[input.index].name
                                  : metrics->leaves[input.index]);
    }
}

static bool
is_new(const struct hpm_spec *listing, size_t i)
{
    for (size_t j = 0; j < i; j++) {
        if (listing->statements[j].name == listing->statements[i].name)
            return false;
    }
    return true;
}

/* The labels of all metrics that a listing defines, in its order; only those
 * with "~" if `is_partial`. */
static void
add_labels(const struct hpm_metrics *metrics, const struct hpm_spec *listing,
           const char *counts, bool is_partial, struct hpm_string *labels)
{
    struct hpm_metric_value *values = evaluate(metrics, counts);

    for (size_t i = 0; i < listing->n_statements; i++) {
        const char *name = hpm_spec_text(listing, listing->statements[i].name);
        size_t metric = hpm_metrics_find(metrics, name);

        if (metric == HPM_NO_METRIC || !is_new(listing, i) ||
            !values[metric].is_present || isnan(values[metric].value) ||
            (is_partial && !values[metric].is_partial))
            continue;
        hpm_string_add_format(labels, "%s%s%s", labels->length > 0 ? " " : "",
                              values[metric].is_partial ? "~" : "", name);
    }
    free(values);
}

static void
test_set(const struct hpm_metrics *metrics, const struct hpm_spec *listing,
         const char *set_name, const char *expected,
         struct hpm_string *combined)
{
    const struct hpm_metric_set *set = hpm_metrics_find_set(metrics, set_name);
    struct hpm_string counts = {0}, labels = {0};
    char sentence[96];

    snprintf(sentence, sizeof sentence, "the labels of the set %s", set_name);
    if (set != NULL) {
        add_events(metrics, set, &counts);
        add_labels(metrics, listing, hpm_string_text(&counts), false, &labels);
        hpm_string_add(combined, hpm_string_text(&counts));
    }
    is_text(set != NULL ? hpm_string_text(&labels) : "no set", expected,
            sentence);
    hpm_string_free(&counts);
    hpm_string_free(&labels);
}

static void
test_platform(struct hpm_spec *shipped, size_t platform)
{
    struct hpm_metrics *metrics =
        choose(shipped, platforms[platform].pmu, HPM_FACT_L2);
    struct hpm_spec *listing = hpm_spec_new();
    struct hpm_string combined = {0}, labels = {0};
    const char *prefix = platforms[platform].prefix;
    char path[64], sentence[96];
    size_t n_sets = 0;

    snprintf(path, sizeof path, "tests/metric/listings/%s.hpm",
             platforms[platform].listing);
    read_file(listing, path, 0);
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
        if (strncmp(sets[i].set, prefix, strlen(prefix)) != 0)
            continue;
        test_set(metrics, listing, sets[i].set, sets[i].labels, &combined);
        n_sets++;
    }
    for (size_t i = 0; i < metrics->n_sets; i++)
        n_sets -= strncmp(metrics->sets[i].name, prefix, strlen(prefix)) == 0;
    snprintf(sentence, sizeof sentence, "all sets %s... are in this test",
             prefix);
    is_count(n_sets, 0, sentence);
    add_labels(metrics, listing, hpm_string_text(&combined), true, &labels);
    snprintf(sentence, sizeof sentence,
             "what stays incomplete with all sets %s... combined", prefix);
    is_text(hpm_string_text(&labels), platforms[platform].combined, sentence);
    hpm_string_free(&combined);
    hpm_string_free(&labels);
    hpm_metrics_free(metrics);
    hpm_spec_free(listing);
}

/* Does each shipped file define what its listing defines? */
static void
test_shipped(struct hpm_spec *shipped, const char *pmu, const char *name)
{
    struct hpm_metrics *metrics = choose(shipped, pmu, HPM_FACT_L2);
    struct hpm_spec *listing = hpm_spec_new();
    char path[64], sentence[96];
    size_t n = 0;

    snprintf(path, sizeof path, "tests/metric/listings/%s.hpm", name);
    read_file(listing, path, 0);
    for (size_t i = 0; i < listing->n_statements; i++) {
        const char *defined =
            hpm_spec_text(listing, listing->statements[i].name);

        n += hpm_metrics_find(metrics, defined) == HPM_NO_METRIC;
    }
    snprintf(sentence, sizeof sentence,
             "the shipped files define all of the %s listing", name);
    is_count(n, 0, sentence);
    hpm_metrics_free(metrics);
    hpm_spec_free(listing);
}

int
main(void)
{
    struct hpm_spec *shipped = read_shipped();

    is_text(hpm_string_text(&shipped->complaints), "",
            "the shipped files have no fault");
    for (size_t i = 0; i < sizeof platforms / sizeof platforms[0]; i++)
        test_platform(shipped, i);
    test_shipped(shipped, NULL, "generic");
    test_shipped(shipped, NULL, "papi");
    for (size_t i = 0; i < sizeof platforms / sizeof platforms[0]; i++)
        test_shipped(shipped, platforms[i].pmu, platforms[i].listing);
    is_text(hpm_string_text(&shipped->complaints), "",
            "nor do they have one on these machines");
    hpm_spec_free(shipped);
    return done();
}
