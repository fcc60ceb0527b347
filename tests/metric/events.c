/* SPDX-License-Identifier: BSD-3-Clause
 * Does libpfm4 know every event that shipped definitions name for a PMU it
 * knows?  Names are only encoded, so no such machine is needed. */
#include "config.h"

#include <stdlib.h>

#include "metric/trial.h"
#include "tap.h"

#if HAVE_LIBPFM

#include <perfmon/pfmlib_perf_event.h>
#include <sys/wait.h>
#include <unistd.h>

/* PMUs that are in libpfm4 of every machine of this kind.  Those in front of
 * the names are ours; their events have the names of older libraries. */
static const char *const pmus[] = {"core", "nhm",           "nhm_ex",
                                   "wsm",  "amd64_k8_revf", "amd64_k8_revg"};
static const char *const not_in_libpfm[] = {"opteron"};

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

static bool
is_known(const char *event)
{
    struct perf_event_attr attribute = {0};
    pfm_perf_encode_arg_t argument = {.attr = &attribute,
                                      .size = sizeof argument};

    return pfm_get_os_event_encoding(event, PFM_PLM3, PFM_OS_PERF_EVENT,
                                     &argument) == PFM_SUCCESS;
}

/* 1 if the name is an event and unknown. */
static int
check_name(const struct hpm_metrics *metrics, uint32_t name, int *n_events)
{
    const char *text = hpm_spec_text(metrics->spec, name);

    if (metrics->metric_of[name] != 0 || !isnan(metrics->constant_of[name]) ||
        strstr(text, "::") != NULL)
        return 0;
    ++*n_events;
    if (is_known(text))
        return 0;
    printf("# unknown: %s\n", text);
    return 1;
}

static int
check_statement(const struct hpm_metrics *metrics,
                const struct hpm_statement *statement, int *n_events)
{
    const struct hpm_spec *spec = metrics->spec;
    int n_unknown = 0;

    for (size_t i = 0; i < statement->terms.count; i++)
        n_unknown += check_name(
            metrics, spec->terms[statement->terms.first + i].name, n_events);
    for (size_t i = 0; i < statement->ops.count; i++) {
        const struct hpm_op *op = &spec->ops[statement->ops.first + i];

        if (op->kind == HPM_OP_NAME || op->kind == HPM_OP_TOTAL)
            n_unknown += check_name(metrics, op->name, n_events);
    }
    return n_unknown;
}

/* In a process of its own, for libpfm4 is told the PMU once. */
static int
check_pmu(struct hpm_spec *shipped, const char *pmu)
{
    struct hpm_metrics *metrics = choose(shipped, pmu, HPM_FACT_L2);
    int n_unknown = 0, n_events = 0;

    setenv("LIBPFM_FORCE_PMU", pmu, 1);
    if (pfm_initialize() != PFM_SUCCESS)
        return 2;
    for (size_t i = 0; i < shipped->n_statements; i++) {
        const struct hpm_statement *statement = &shipped->statements[i];

        if (is_for(shipped, statement, pmu) &&
            !is_for(shipped, statement, not_in_libpfm[0]))
            n_unknown += check_statement(metrics, statement, &n_events);
    }
    printf("# %d events for %s\n", n_events, pmu);
    fflush(stdout);
    hpm_metrics_free(metrics);
    return n_unknown > 0 || n_events == 0;
}

int
main(void)
{
    struct hpm_spec *shipped = read_shipped();

    for (size_t i = 0; i < sizeof pmus / sizeof pmus[0]; i++) {
        char sentence[96];
        int status;
        pid_t child = fork();

        if (child == 0)
            _exit(check_pmu(shipped, pmus[i]));
        waitpid(child, &status, 0);
        snprintf(sentence, sizeof sentence, "libpfm4 knows all events for %s",
                 pmus[i]);
        if (WIFEXITED(status) && WEXITSTATUS(status) == 2)
            skip(sentence, "this libpfm4 has no tables of it");
        else
            ok(status == 0, sentence);
    }
    hpm_spec_free(shipped);
    return done();
}

#else

int
main(void)
{
    skip("libpfm4 knows all events", "built without libpfm4");
    return done();
}

#endif
