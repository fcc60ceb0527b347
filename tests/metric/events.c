/* SPDX-License-Identifier: BSD-3-Clause
 * Does libpfm4 know every event that shipped definitions name for a PMU it
 * knows?  Names are only encoded, so no such machine is needed.
 * tests/cli/foreign-events.py and the PMU lab ask libpfm4 of other
 * architectures. */
#include "config.h"

#include <stdlib.h>

#include "metric/trial.h"
#include "source/pfm.h"
#include "tap.h"

/* Statements for this PMU have the names of PAPI 3, whatever else they are
 * for. */
static const char older_library[] = "opteron";

/* PMUs of libpfm4 4.13 on x86: the test fails if one is missing. */
static const char *const on_x86[] = {"core",
                                     "nhm",
                                     "nhm_ex",
                                     "wsm",
                                     "skx",
                                     "clx",
                                     "icx",
                                     "spr",
                                     "amd64_k8_revf",
                                     "amd64_k8_revg",
                                     "amd64_fam17h_zen2",
                                     "amd64_fam19h_zen3",
                                     "amd64_fam19h_zen4"};

struct tally {
    int known, unknown, untold;
    int n_pmus, n_untold_pmus;
    char untold_pmus[512];
};

static bool
is_for(const struct hpm_spec *spec, const struct hpm_statement *statement,
       const char *pmu)
{
    const struct hpm_range range = spec->arches[statement->arch].pmus;

    for (size_t i = range.first; i < range.first + range.count; i++) {
        if (strcmp(hpm_spec_text(spec, spec->pmus[i]), pmu) == 0)
            return true;
    }
    return false;
}

static void
check_name(const struct hpm_metrics *metrics, const char *pmu, uint32_t name,
           bool is_seen[], int n[3])
{
    const char *text = hpm_spec_text(metrics->spec, name);
    bool is_owned = strncmp(text, pmu, strlen(pmu)) == 0;
    enum hpm_finding finding;

    if (is_seen[name] || metrics->metric_of[name] != 0 ||
        !isnan(metrics->constant_of[name]) ||
        (strstr(text, "::") != NULL && !is_owned))
        return;
    is_seen[name] = true;
    finding = hpm_pfm_find_anywhere(pmu, text);
    n[finding]++;
    if (finding == HPM_FINDING_FAILED)
        printf("# %s has no %s\n", pmu, text);
}

static void
check_statement(const struct hpm_metrics *metrics, const char *pmu,
                const struct hpm_statement *statement, bool is_seen[], int n[3])
{
    const struct hpm_spec *spec = metrics->spec;

    for (size_t i = 0; i < statement->terms.count; i++)
        check_name(metrics, pmu, spec->terms[statement->terms.first + i].name,
                   is_seen, n);
    for (size_t i = 0; i < statement->ops.count; i++) {
        const struct hpm_op *op = &spec->ops[statement->ops.first + i];

        if (op->kind == HPM_OP_NAME || op->kind == HPM_OP_TOTAL)
            check_name(metrics, pmu, op->name, is_seen, n);
    }
}

static void
check_pmu(struct hpm_spec *shipped, const char *pmu, struct tally *tally)
{
    struct hpm_metrics *metrics = choose(shipped, pmu, HPM_FACT_L2);
    bool *is_seen = calloc(shipped->names.n_texts, sizeof(bool));
    int n[3] = {0};
    char sentence[128];

    for (size_t i = 0; i < shipped->n_statements; i++) {
        const struct hpm_statement *statement = &shipped->statements[i];

        if (is_for(shipped, statement, pmu) &&
            (strcmp(pmu, older_library) == 0 ||
             !is_for(shipped, statement, older_library)))
            check_statement(metrics, pmu, statement, is_seen, n);
    }
    free(is_seen);
    hpm_metrics_free(metrics);
    tally->n_pmus++;
    tally->known += n[HPM_FINDING_FOUND];
    tally->unknown += n[HPM_FINDING_FAILED];
    tally->untold += n[HPM_FINDING_UNKNOWN];
    if (n[HPM_FINDING_UNKNOWN] > 0) {
        tally->n_untold_pmus++;
        strncat(tally->untold_pmus, " ",
                sizeof tally->untold_pmus - strlen(tally->untold_pmus) - 1);
        strncat(tally->untold_pmus, pmu,
                sizeof tally->untold_pmus - strlen(tally->untold_pmus) - 1);
        return;
    }
    printf("# %d events for %s\n", n[HPM_FINDING_FOUND], pmu);
    snprintf(sentence, sizeof sentence, "libpfm4 knows all events for %s", pmu);
    ok(n[HPM_FINDING_FAILED] == 0, sentence);
}

static bool
is_first(const struct hpm_spec *spec, size_t pmu)
{
    for (size_t i = 0; i < pmu; i++) {
        if (spec->pmus[i] == spec->pmus[pmu])
            return false;
    }
    return true;
}

static void
check_x86(const struct tally *tally)
{
#if defined(__x86_64__)
    for (size_t i = 0; i < sizeof on_x86 / sizeof on_x86[0]; i++) {
        char word[64], sentence[128], list[600];

        snprintf(list, sizeof list, "%s ", tally->untold_pmus);
        snprintf(word, sizeof word, " %s ", on_x86[i]);
        snprintf(sentence, sizeof sentence, "libpfm4 was asked about %s",
                 on_x86[i]);
        ok(strstr(list, word) == NULL, sentence);
    }
#else
    (void)tally;
    (void)on_x86;
#endif
}

int
main(void)
{
    struct hpm_spec *shipped = read_shipped();
    struct tally tally = {0};

    setenv("LIBPFM_ENCODE_INACTIVE", "1", 1);
    if (!hpm_pfm_is_ready()) {
        skip("libpfm4 knows all events", "built without libpfm4");
        hpm_spec_free(shipped);
        return done();
    }
    for (size_t i = 0; i < shipped->n_pmus; i++) {
        if (is_first(shipped, i))
            check_pmu(shipped, hpm_spec_text(shipped, shipped->pmus[i]),
                      &tally);
    }
    check_x86(&tally);
    printf("# %d events known to libpfm4, %d unknown; %d of %d PMUs that it "
           "does not have here:%s\n",
           tally.known, tally.unknown, tally.untold, tally.n_untold_pmus,
           tally.untold_pmus);
    hpm_spec_free(shipped);
    return done();
}
