/* SPDX-License-Identifier: BSD-3-Clause
 * hpm doctor --verify: do the counters of this machine count correctly? */
#include "config.h"

#include "hpm/verify/verify.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/env.h"
#include "host/memory.h"
#include "hpm/frame/keeping.h"
#include "hpm/frame/machine.h"
#include "hpm/verify/belief.h"
#include "metric/binding.h"
#include "report/table.h"
#include "report/text.h"
#include "source/hardware.h"
#include "source/machine/cpuinfo.h"
#include "study/report/format.h"
#include "study/report/tablewords.h"
#include "study/words/sentence.h"
#include "study/words/words.h"

struct verify {
    struct hpm_inquiry inquiry;
    struct kernels kernels;
    struct trial_event *events;
    struct knowncount *known; /* per event */
    struct belief *beliefs;   /* per event */
    size_t n, capacity, known_capacity, beliefs_capacity;
    struct hpm_string path;  /* the file to which the results are written */
    struct hpm_string lacks; /* a line for each base count that is missing */
    struct hpm_error no_hardware;
    bool has_hardware;
};

/* ---- choosing events ------------------------------------------------ */

static bool
knows_any(const struct knowncount *known)
{
    bool has_any = false;

    for (size_t i = 0; i < N_QUANTITIES; i++)
        has_any |= known->has[i];
    return has_any;
}

/* Walks through memory take long, and show what is counted at misses; they show
 * nothing new about events that the short kernels can test. */
static bool
needs_walks(const struct knowncount *known)
{
    for (size_t i = QUANTITY_L1_MISSES; i <= QUANTITY_TLB_MISSES; i++) {
        if (known->has[i])
            return true;
    }
    return !knows_any(known);
}

static bool
add_event(struct verify *verify, const char *name, size_t leaf,
          struct hpm_error *err)
{
    if (!hpm_memory_grow(&verify->events, &verify->capacity, verify->n + 1,
                         sizeof *verify->events) ||
        !hpm_memory_grow(&verify->known, &verify->known_capacity, verify->n + 1,
                         sizeof *verify->known) ||
        !hpm_memory_grow(&verify->beliefs, &verify->beliefs_capacity,
                         verify->n + 1, sizeof *verify->beliefs))
        return hpm_error_no_memory(err);
    verify->events[verify->n] =
        (struct trial_event){.name = name, .leaf = leaf};
    if (!knowncounts_find(&verify->inquiry.request, name, leaf,
                          &verify->known[verify->n], err))
        return false;
    verify->events[verify->n].is_known = knows_any(&verify->known[verify->n]);
    verify->events[verify->n].needs_walks =
        needs_walks(&verify->known[verify->n]);
    verify->n++;
    return true;
}

/* Add the named events; an event that definitions know under this name is used
 * as they do. */
static bool
add_named(struct verify *verify, const char *list, struct hpm_error *err)
{
    static char names[HPM_MAX_EVENTS * 256];
    size_t length = 0;

    while (*list != '\0') {
        size_t n = strcspn(list, ",");
        const char *slash = memchr(list, '/', n);
        char *name = names + length;

        if (slash != NULL && strchr(slash + 1, '/') != NULL) {
            n = (size_t)(strchr(slash + 1, '/') - list);
            n += strcspn(list + n, ",");
        }
        if (n == 0 || length + n + 1 > sizeof names)
            return hpm_error_set(err, "-e: an empty name, or too many; "
                                      "expected events with commas between");
        memcpy(name, list, n);
        name[n] = '\0';
        length += n + 1;
        if (!add_event(
                verify, name,
                hpm_metrics_find_leaf(verify->inquiry.request.metrics, name),
                err))
            return false;
        list += n + (list[n] == ',');
    }
    return true;
}

static bool
is_used(const struct hpm_request *request, size_t leaf)
{
    const char *name = request->metrics->leaves[leaf];

    return (request->countable[leaf] == HPM_COUNTABLE_YES &&
            request->is_wanted[leaf]) ||
           (request->countable[leaf] == HPM_COUNTABLE_FREE &&
            !hpm_binding_is_free(name));
}

static bool
add_used(struct verify *verify, struct hpm_error *err)
{
    struct hpm_request *request = &verify->inquiry.request;

    for (size_t i = 0; i < request->metrics->n_leaves; i++) {
        if (is_used(request, i) &&
            !add_event(verify, request->metrics->leaves[i], i, err))
            return false;
    }
    return true;
}

/* Note a base count that this machine lacks, and what it needs. */
static void
add_lack(const char *name, void *context)
{
    struct verify *verify = context;
    struct hpm_request *request = &verify->inquiry.request;
    size_t metric = hpm_metrics_find(request->metrics, name);
    struct hpm_string why = {0};

    if (metric == HPM_NO_METRIC ||
        hpm_request_ask_metric(request, metric) == HPM_FEASIBLE_ALL)
        return;
    hpm_request_explain(request, metric, &why);
    hpm_string_add_format(&verify->lacks, "%s: needs %s\n", name,
                          hpm_string_text(&why));
    verify->lacks.failed |= why.failed;
    hpm_string_free(&why);
}

static bool
choose(struct verify *verify, const char *events, struct hpm_error *err)
{
    struct hpm_request *request = &verify->inquiry.request;

    for (size_t i = 0; i < request->metrics->n_metrics; i++)
        hpm_request_ask_metric(request, i);
    hpm_request_add_all(request, SIZE_MAX);
    if (events != NULL)
        return add_named(verify, events, err);
    knowncounts_visit(add_lack, verify);
    return add_used(verify, err);
}

static bool
any_needs_walks(const struct verify *verify)
{
    for (size_t i = 0; i < verify->n; i++) {
        if (verify->events[i].needs_walks)
            return true;
    }
    return false;
}

/* ---- printing -------------------------------------------------------- */

static void
add_machine_line(struct hpm_string *text, const struct verify *verify)
{
    const struct hpm_cpuinfo *cpu = hpm_cpuinfo_get();
    struct utsname system = {0};

    uname(&system);
    hpm_string_add_format(
        text, "%s (%s), PMU %s, %s %s", cpu->name, cpu->identity,
        verify->inquiry.machine.pmu != NULL ? verify->inquiry.machine.pmu
                                            : "unknown",
        system.sysname, system.release);
}

static void
fill_events(struct hpm_table *table, const struct verify *verify)
{
    static const char *const names[] = {"event", "should count", "verdict",
                                        "found"};

    hpm_table_add_columns(table, names, 4, 0);
    for (size_t i = 0; i < verify->n; i++) {
        struct hpm_string what = {0};

        knowncount_add_text(&what, &verify->known[i]);
        hpm_table_add_text(table, verify->events[i].name);
        hpm_table_add_text_or_none(table, hpm_string_text(&what));
        hpm_table_add_text(table, belief_name(verify->beliefs[i].verdict));
        hpm_table_add_text(table, verify->beliefs[i].text);
        hpm_string_free(&what);
    }
}

static void
add_real(struct hpm_table *table, double value)
{
    if (isfinite(value))
        hpm_table_add_real(table, value);
    else
        hpm_table_add_nones(table, 1);
}

/* All counts, for a report of a bug. */
static void
fill_values(struct hpm_table *table, const struct verify *verify)
{
    static const char *const names[] = {"event", "kernel"};
    static const char *const numbers[] = {"rounds", "a round", "spread",
                                          "beside", "least",   "most"};

    hpm_table_add_columns(table, names, 2, 0);
    hpm_table_add_columns(table, numbers, 6, 4);
    for (size_t i = 0; i < verify->n; i++) {
        for (size_t j = 0; j < verify->kernels.n; j++) {
            const struct trial_value *value = &verify->events[i].values[j];
            const struct kernel *kernel = verify->kernels.list[j].kernel;
            struct amount amount = knowncount_amount(&verify->known[i], kernel);
            bool is_known = amount.state == AMOUNT_KNOWN;

            if (!value->is_present)
                continue;
            hpm_table_add_text(table, verify->events[i].name);
            hpm_table_add_text(table, kernel->name);
            add_real(table, value->rounds);
            add_real(table, value->rate);
            add_real(table, value->spread);
            add_real(table, value->offset);
            add_real(table, is_known ? amount.least : (double)NAN);
            add_real(table, is_known ? amount.most : (double)NAN);
        }
    }
}

static size_t
count_wrong(const struct verify *verify)
{
    size_t n = 0;

    for (size_t i = 0; i < verify->n; i++)
        n += belief_is_wrong(verify->beliefs[i].verdict);
    return n;
}

static size_t
count(const struct verify *verify, enum belief_verdict verdict)
{
    size_t n = 0;

    for (size_t i = 0; i < verify->n; i++)
        n += verify->beliefs[i].verdict == verdict;
    return n;
}

static void
add_summary(struct hpm_string *text, const struct verify *verify)
{
    hpm_string_add_format(
        text,
        _("%zu events: %zu right, %zu wrong, %zu of which it is only known "
          "whether they move (%zu do), %zu not tried\n"),
        verify->n, count(verify, BELIEF_RIGHT), count_wrong(verify),
        count(verify, BELIEF_MOVES) + count(verify, BELIEF_STILL),
        count(verify, BELIEF_MOVES),
        count(verify, BELIEF_UNTRIED) + count(verify, BELIEF_UNCOUNTED));
}

static void
add_text(struct hpm_string *text, const struct verify *verify)
{
    struct hpm_table table = {0};

    hpm_string_add(text, _("Do the counters of this machine count right?\n"));
    add_machine_line(text, verify);
    hpm_string_add(text, "\n");
    add_summary(text, verify);
    if (verify->path.length > 0)
        hpm_string_add_format(text, _("kept in %s\n"), verify->path.text);
    hpm_string_add_char(text, '\n');
    fill_events(&table, verify);
    hpm_tablewords_add(text, &table, NULL);
    hpm_table_finish(&table, &text->failed);
    if (verify->kernels.left_out[0] != '\0')
        hpm_string_add_format(text,
                              _("\nkernels that cannot run here, for want of "
                                "instructions, caches, processors or memory: "
                                "%s\n"),
                              verify->kernels.left_out);
    if (verify->lacks.length > 0) {
        hpm_string_add(text, _("\nnot counted here"));
        if (!verify->has_hardware) {
            hpm_string_add(text, " (");
            hpm_sentence_add(text, verify->no_hardware.text);
            hpm_string_add_char(text, ')');
        }
        hpm_string_add(text, ":\n");
        hpm_sentence_add_lines(text, verify->lacks.text, "");
    }
}

static void
add_json(struct hpm_string *text, const struct verify *verify)
{
    struct hpm_table events = {0}, values = {0};
    struct hpm_string machine = {0};

    add_machine_line(&machine, verify);
    hpm_string_add(text, "{\"tool\": \"hpm doctor --verify\",\n"
                         " \"version\": \"" PACKAGE_VERSION "\",\n"
                         " \"format\": 1,\n \"machine\": ");
    hpm_json_add_text(text, hpm_string_text(&machine));
    hpm_string_add(text, ",\n \"kept\": ");
    hpm_json_add_text(text, hpm_string_text(&verify->path));
    hpm_string_add(text, ",\n \"not_counted\": ");
    hpm_json_add_text(text, hpm_string_text(&verify->lacks));
    hpm_string_add(text, ",\n \"events\": ");
    fill_events(&events, verify);
    hpm_json_add_table(text, &events);
    hpm_string_add(text, ",\n \"values\": ");
    fill_values(&values, verify);
    hpm_json_add_table(text, &values);
    hpm_string_add(text, "}\n");
    text->failed |= machine.failed;
    hpm_string_free(&machine);
    hpm_table_finish(&events, &text->failed);
    hpm_table_finish(&values, &text->failed);
}

/* ---- the whole ------------------------------------------------------- */

/* Write the verdicts of all events: else nothing would be known about those
 * left out. */
static bool
keep(struct verify *verify, struct hpm_error *err)
{
    struct hpm_string facts = {0};
    bool is_good;

    for (size_t i = 0; i < verify->n; i++) {
        if (belief_is_wrong(verify->beliefs[i].verdict))
            hpm_string_add_format(&facts, "WRONG:%s %s: %s\n",
                                  verify->events[i].name,
                                  belief_name(verify->beliefs[i].verdict),
                                  verify->beliefs[i].text);
    }
    is_good =
        (!facts.failed || hpm_error_no_memory(err)) &&
        keeping_write("WRONG:", hpm_string_text(&facts), &verify->path, err);
    hpm_string_free(&facts);
    return is_good;
}

static void
judge(struct verify *verify)
{
    for (size_t i = 0; i < verify->n; i++)
        belief_judge(&verify->events[i], &verify->known[i], &verify->kernels,
                     &verify->beliefs[i]);
}

/* Use the second attempt, and tell what the first one found. */
static void
excuse(struct belief *belief, const struct belief *second)
{
    struct belief first = *belief;

    *belief = *second;
    snprintf(belief->text, sizeof belief->text,
             "at a second attempt; at first %s: %.200s",
             belief_name(first.verdict), first.text);
}

/* Other programs, or a virtual machine that loses its processor, may disturb
 * one attempt: an event counts wrongly only if it does so twice. */
static bool
try_wrong_again(struct verify *verify, struct hpm_error *err)
{
    struct trial_event *again =
        hpm_memory_new(count_wrong(verify) + 1, sizeof *again);
    size_t n = 0;
    bool is_good = again != NULL || hpm_error_no_memory(err);

    for (size_t i = 0; is_good && i < verify->n; i++) {
        if (belief_is_wrong(verify->beliefs[i].verdict))
            again[n++] = (struct trial_event){.name = verify->events[i].name,
                                              .leaf = verify->events[i].leaf,
                                              .needs_walks =
                                                  verify->events[i].needs_walks,
                                              .is_known = true};
    }
    is_good = is_good && trial_run(again, n, &verify->kernels,
                                   verify->inquiry.sources, err);
    n = 0;
    for (size_t i = 0; is_good && i < verify->n; i++) {
        struct belief second = {0};

        if (!belief_is_wrong(verify->beliefs[i].verdict))
            continue;
        belief_judge(&again[n], &verify->known[i], &verify->kernels, &second);
        if (!belief_is_wrong(second.verdict)) {
            excuse(&verify->beliefs[i], &second);
            verify->events[i] = again[n];
        }
        n++;
    }
    hpm_memory_free(again);
    return is_good;
}

static enum status
verify_all(struct verify *verify, const char *events, bool is_json)
{
    struct hpm_string text = {0};
    struct hpm_error err;
    bool is_good =
        choose(verify, events, &err) &&
        kernels_open(&verify->kernels, any_needs_walks(verify), &err) &&
        trial_run(verify->events, verify->n, &verify->kernels,
                  verify->inquiry.sources, &err);

    if (is_good) {
        judge(verify);
        is_good = try_wrong_again(verify, &err);
    }
    if (!is_good || (events == NULL && !keep(verify, &err)))
        return subcommand_fail("doctor", &err, NOTHING);
    if (is_json)
        add_json(&text, verify);
    else
        add_text(&text, verify);
    text.failed |= verify->lacks.failed;
    return subcommand_print("doctor", &text,
                            count_wrong(verify) > 0 ? SOME_BAD : GOOD);
}

enum status
verify_run(const char *events, bool is_json)
{
    static struct verify verify;
    const char *source = hpm_env_get(HPM_VARIABLE_SOURCE);
    struct hpm_error err;
    enum status status;

    if (source != NULL &&
        (strcmp(source, "replay") == 0 || strcmp(source, "none") == 0)) {
        hpm_error_set(&err,
                      "HPM_SOURCE=%s counts nothing; unset it to have "
                      "counters verified",
                      source);
        return subcommand_fail("doctor", &err, USAGE);
    }
    if (!machine_inquire("doctor", &verify.inquiry))
        return USAGE;
    verify.has_hardware = hpm_hardware_is_usable(&verify.no_hardware);
    status = verify_all(&verify, events, is_json);
    kernels_close(&verify.kernels);
    hpm_memory_free(verify.events);
    hpm_memory_free(verify.known);
    hpm_memory_free(verify.beliefs);
    hpm_string_free(&verify.path);
    hpm_string_free(&verify.lacks);
    hpm_inquiry_close(&verify.inquiry);
    return status;
}
