/* SPDX-License-Identifier: BSD-3-Clause
 * Checking a file of definitions. */
#include "study/tool/check.h"

#include <string.h>

#include "host/path.h"
#include "metric/binding.h"
#include "metric/language/builtin.h"
#include "metric/language/definitions.h"
#include "metric/making.h"
#include "study/tool/pmus.h"

struct check {
    struct hpm_spec *spec;
    struct hpm_spec *others; /* all definitions except the file's */
    uint32_t file;
    hpm_check_ask *ask;
    void *context;
};

/* A file may name native events of any machine, which this machine cannot
 * check: only a close match is a fault. */
static void
complain_slip(struct check *check, const char *name, struct hpm_position place,
              const char *nearest)
{
    bool is_sure = !hpm_string_same_word(name, nearest) &&
                   hpm_string_distance(name, nearest, 2) < 2;

    if (is_sure)
        hpm_spec_complain(check->spec, place,
                          "'%s' is neither defined nor an event known "
                          "here; did you mean '%s'?",
                          name, nearest);
    else
        hpm_string_add_format(
            &check->spec->complaints,
            "%s: note: '%s' (line %d) is taken for an event of another "
            "machine, not for '%s'\n",
            hpm_spec_text(check->spec, place.file), name, place.line, nearest);
}

/* Is this a name whose possible names are all known, on every machine? */
static bool
is_ours(const char *name)
{
    static const char *const spaces[] = {"sw::", "ru::", "proc::", "time::"};

    for (size_t i = 0; i < sizeof spaces / sizeof spaces[0]; i++) {
        if (strncmp(name, spaces[i], strlen(spaces[i])) == 0)
            return true;
    }
    return false;
}

/* The nearest name among those of other definitions. */
static const char *
nearest_ours(const struct check *check, const char *name)
{
    const char *nearest = NULL;
    unsigned edits = 3;

    for (size_t i = 0; i < check->others->names.n_texts; i++) {
        const char *here = check->others->names.texts[i];
        unsigned n = is_ours(here) ? hpm_string_distance(name, here, edits) : 3;

        if (n < edits) {
            edits = n;
            nearest = here;
        }
    }
    return nearest;
}

static void
complain_ours(struct check *check, const char *name, struct hpm_position place)
{
    const char *nearest = nearest_ours(check, name);

    if (hpm_binding_is_free(name) || check->ask(name, check->context))
        return;
    hpm_spec_complain(check->spec, place,
                      "'%s' is no event of the kernel or of getrusage; %s%s%s",
                      name, nearest != NULL ? "did you mean '" : "",
                      nearest != NULL ? nearest : "hpm-events(7) has them",
                      nearest != NULL ? "'?" : "");
}

/* A misspelled name is not a syntax error, because any name may be an event.
 * It is reported where no event has the name and a defined name is near.
 * Definitions for one PMU may name events that only that PMU knows. */
static void
complain_slips(struct check *check, const struct hpm_metrics *metrics)
{
    for (size_t i = 0; i < metrics->n_leaves; i++) {
        const char *name = metrics->leaves[i];
        uint32_t number = hpm_names_find(&check->spec->names, name);
        const char *nearest;

        if (metrics->leaf_places[i].file != check->file ||
            metrics->metric_of[number] != 0 ||
            hpm_names_find(&check->others->names, name) != HPM_NO_NAME ||
            hpm_spec_find_event(check->spec, NULL, name) != NULL)
            continue;
        if (is_ours(name))
            complain_ours(check, name, metrics->leaf_places[i]);
        if (strchr(name, ':') != NULL)
            continue;
        nearest = hpm_metrics_nearest(metrics, name);
        if (nearest != NULL && !check->ask(name, check->context))
            complain_slip(check, name, metrics->leaf_places[i], nearest);
    }
}

/* Does a metric need this leaf? */
static bool
is_needed(const struct hpm_metrics *metrics, size_t leaf)
{
    for (size_t i = 0; i < metrics->n_inputs; i++) {
        bool is_of_set = false;

        if (metrics->inputs[i].is_metric || metrics->inputs[i].index != leaf)
            continue;
        for (size_t j = 0; j < metrics->n_sets && !is_of_set; j++)
            is_of_set = i - metrics->sets[j].inputs.first <
                        metrics->sets[j].inputs.count;
        if (!is_of_set)
            return true;
    }
    for (size_t i = 0; i < metrics->n_steps; i++) {
        if (metrics->steps[i].kind == HPM_OP_NAME &&
            !metrics->steps[i].input.is_metric &&
            metrics->steps[i].input.index == leaf)
            return true;
    }
    return false;
}

/* Is the name a set?  This is another fault. */
static bool
is_set(const struct hpm_spec *spec, uint32_t name)
{
    for (size_t i = 0; i < spec->n_statements; i++) {
        if (spec->statements[i].kind == HPM_STATEMENT_SET &&
            spec->statements[i].name == name)
            return true;
    }
    return false;
}

/* Each member of a set must be a metric, an event known here, or an event that
 * a definition needs.  Sets for another processor must be behind its arch. */
static void
complain_set(struct check *check, const struct hpm_metrics *metrics,
             const struct hpm_statement *set)
{
    const struct hpm_spec *spec = check->spec;

    for (size_t i = 0; i < set->terms.count; i++) {
        const struct hpm_term *term = &spec->terms[set->terms.first + i];
        const char *name = hpm_spec_text(spec, term->name);
        size_t leaf = metrics->leaf_of[term->name];

        if (metrics->metric_of[term->name] != 0 || strchr(name, ':') != NULL ||
            is_set(spec, term->name) ||
            (leaf != 0 && is_needed(metrics, leaf - 1)) ||
            hpm_names_find(&check->others->names, name) != HPM_NO_NAME ||
            hpm_spec_find_event(spec, NULL, name) != NULL ||
            hpm_metrics_nearest(metrics, name) != NULL ||
            check->ask(name, check->context))
            continue;
        hpm_spec_complain(
            check->spec, term->place,
            "'%s' in the set '%s' is no metric and no event known "
            "here; an event of another processor belongs behind "
            "'arch' and the name of its PMU",
            name, hpm_spec_text(spec, set->name));
    }
}

static void
complain_sets(struct check *check, const struct hpm_metrics *metrics)
{
    const struct hpm_spec *spec = check->spec;

    for (size_t i = 0; i < spec->n_statements; i++) {
        const struct hpm_statement *here = &spec->statements[i];

        if (here->kind == HPM_STATEMENT_SET &&
            here->place.file == check->file &&
            spec->arches[here->arch].pmus.count == 0)
            complain_set(check, metrics, here);
    }
}

/* A metric must not be shown under the name of an event: in files that count
 * the event, the name means the event. */
static void
complain_shown(struct check *check, const struct hpm_metrics *metrics)
{
    for (size_t i = 0; i < metrics->n_metrics; i++) {
        const struct hpm_metric *metric = &metrics->metrics[i];

        if (metric->place.file == check->file &&
            strcmp(metric->shown, metric->name) != 0 &&
            check->ask(metric->shown, check->context))
            hpm_spec_complain(
                check->spec, metric->place,
                "'%s' cannot be shown as '%s', which is the name "
                "of an event; expected a name of its own after as",
                metric->name, metric->shown);
    }
}

/* The nearest name of a set, else of a metric. */
static const char *
nearest_name(const struct hpm_metrics *metrics, const char *name)
{
    const char *nearest = hpm_metrics_nearest_set(metrics, name);

    return nearest != NULL ? nearest : hpm_metrics_nearest(metrics, name);
}

static bool
is_measurable(const struct check *check, const struct hpm_metrics *metrics,
              const char *name)
{
    return strchr(name, ':') != NULL ||
           hpm_metrics_find_set(metrics, name) != NULL ||
           hpm_metrics_find(metrics, name) != HPM_NO_METRIC ||
           check->ask(name, check->context);
}

/* Does the metric itself, in this file, say what to measure next? */
static bool
says_next(const struct check *check, const struct hpm_metrics *metrics,
          const struct hpm_metric *metric)
{
    const struct hpm_metric *other = &metrics->metrics[metric->hint_of];

    return metric->has_hint && metric->hint_place.file == check->file &&
           (metric == other ||
            metric->texts[HPM_TEXT_NEXT] != other->texts[HPM_TEXT_NEXT]);
}

/* What a hint says to measure next may be an event.  Events of a PMU are not
 * all known here: for a PMU only a misspelling is a fault. */
static void
complain_next(struct check *check, const struct hpm_metrics *metrics,
              bool is_any)
{
    for (size_t i = 0; i < metrics->n_metrics; i++) {
        const struct hpm_metric *metric = &metrics->metrics[i];
        const char *next = metric->texts[HPM_TEXT_NEXT];
        const char *nearest;

        if (!says_next(check, metrics, metric) ||
            is_measurable(check, metrics, next))
            continue;
        nearest = nearest_name(metrics, next);
        if (nearest != NULL)
            hpm_spec_complain(check->spec, metric->hint_place,
                              "'%s', to measure next, is no set, metric or "
                              "event known here; did you mean '%s'?",
                              next, nearest);
        else if (is_any)
            hpm_spec_complain(check->spec, metric->hint_place,
                              "'%s', to measure next, is no set, metric or "
                              "event known here",
                              next);
    }
}

/* Check statements behind guards: once with all facts true, once with none. */
static bool
check_guards(struct check *check, const char *pmu, struct hpm_error *err)
{
    for (int i = 0; i < 2; i++) {
        struct hpm_platform platform = {
            .pmu = pmu, .facts = i == 0 ? 0 : ~0u, .known = ~0u};
        struct hpm_metrics *metrics =
            hpm_metrics_new(check->spec, &platform, err);

        if (metrics == NULL)
            return false;
        hpm_metrics_free(metrics);
    }
    return true;
}

static bool
check_for(struct check *check, const char *pmu, struct hpm_error *err)
{
    struct hpm_platform platform = {.pmu = pmu};
    struct hpm_metrics *metrics = hpm_metrics_new(check->spec, &platform, err);

    if (metrics == NULL)
        return false;
    if (pmu == NULL) {
        complain_slips(check, metrics);
        complain_sets(check, metrics);
    }
    complain_shown(check, metrics);
    complain_next(check, metrics, pmu == NULL);
    hpm_metrics_free(metrics);
    return check_guards(check, pmu, err);
}

/* Check each PMU for which the file has statements.  A PMU may be checked
 * several times, but a complaint is only kept once. */
static bool
check_pmus(struct check *check, struct hpm_error *err)
{
    const struct hpm_spec *spec = check->spec;
    size_t last_arch = 0;

    for (size_t i = 0; i < spec->n_statements; i++) {
        size_t arch = spec->statements[i].arch;
        const struct hpm_range pmus = spec->arches[arch].pmus;

        if (spec->statements[i].place.file != check->file || arch == last_arch)
            continue;
        last_arch = arch;
        for (size_t j = pmus.first; j < pmus.first + pmus.count; j++) {
            if (!check_for(check, hpm_spec_text(spec, spec->pmus[j]), err))
                return false;
        }
    }
    return true;
}

/* ---- names of PMUs --------------------------------------------------- */

static void
take_pmu(const char *pmu, void *context)
{
    hpm_names_add(context, pmu, strlen(pmu));
}

/* A misspelled PMU, or a processor that is not known here.  Without libpfm4's
 * names the two cannot be told apart. */
static void
complain_pmu(struct check *check, const struct hpm_names *known, bool has_all,
             size_t pmu)
{
    struct hpm_spec *spec = check->spec;
    const char *name = hpm_spec_text(spec, spec->pmus[pmu]);
    const char *nearest = has_all ? hpm_pmus_nearest(known, name) : NULL;
    struct hpm_position place = spec->pmu_places[pmu];

    if (nearest != NULL)
        hpm_spec_complain(spec, place,
                          "'%s' is no PMU of libpfm4 or of other definitions; "
                          "did you mean '%s'?",
                          name, nearest);
    else
        hpm_string_add_format(
            &spec->complaints, "%s: note: '%s' (line %d) is no PMU of %s\n",
            hpm_spec_text(spec, place.file), name, place.line,
            has_all ? "libpfm4 or of other definitions"
                    : "other definitions; libpfm4, which may know it, is "
                      "missing here");
}

/* Names of processors are known, too. */
static bool
add_processors(struct hpm_names *known, const struct hpm_spec *spec)
{
    for (size_t i = 0; i < spec->n_statements; i++) {
        const struct hpm_statement *here = &spec->statements[i];
        const char *name = hpm_spec_text(spec, here->name);

        if (here->kind == HPM_STATEMENT_PROCESSOR &&
            hpm_names_add(known, name, strlen(name)) == HPM_NO_NAME)
            return false;
    }
    return true;
}

/* The file of a model has the name of the PMU that it is for. */
static bool
is_own_name(const char *file, const char *pmu)
{
    size_t n = strlen(pmu);

    return strncmp(file, pmu, n) == 0 && strcmp(file + n, ".hpm") == 0;
}

/* PMUs of other files: those that programs carry, and the models. */
static bool
add_known(struct hpm_names *known, const struct check *check, const char *file)
{
    return hpm_pmus_add(known, check->spec, file) &&
           hpm_pmus_add(known, check->others, file) &&
           add_processors(known, check->spec);
}

/* A file with the contents of a shipped file has no unknown names. */
static bool
check_names(struct check *check, hpm_check_list *list_pmus,
            struct hpm_error *err)
{
    struct hpm_spec *spec = check->spec;
    struct hpm_names known = {0};
    size_t last_arch = 0, n_defined;
    const char *file = hpm_path_base_name(hpm_spec_text(spec, check->file));
    bool is_good = add_known(&known, check, file);
    bool has_all;

    n_defined = known.n_texts;
    if (list_pmus != NULL)
        list_pmus(take_pmu, &known);
    has_all = list_pmus == NULL || known.n_texts > n_defined;
    for (size_t i = 0; i < spec->n_statements && is_good; i++) {
        size_t arch = spec->statements[i].arch;
        const struct hpm_range pmus = spec->arches[arch].pmus;

        if (spec->statements[i].place.file != check->file || arch == last_arch)
            continue;
        last_arch = arch;
        for (size_t j = pmus.first; j < pmus.first + pmus.count; j++) {
            const char *pmu = hpm_spec_text(spec, spec->pmus[j]);

            if (j < spec->places_capacity &&
                spec->pmu_places[j].file == check->file &&
                hpm_names_find(&known, pmu) == HPM_NO_NAME &&
                !is_own_name(file, pmu))
                complain_pmu(check, &known, has_all, j);
        }
    }
    hpm_names_free(&known);
    return is_good || hpm_error_no_memory(err);
}

/* ---- complaints ------------------------------------------------------ */

/* Is this line about the file?  A fault is "FILE:LINE:...", a note "FILE:
 * ...". */
static bool
is_own(const char *line, const char *path, bool *ret_is_fault)
{
    size_t length = strlen(path);

    if (strncmp(line, path, length) != 0 || line[length] != ':')
        return false;
    *ret_is_fault = line[length + 1] >= '0' && line[length + 1] <= '9';
    return true;
}

/* Does the file replace a shipped one?  A line says so, and what other files
 * then lack is not a fault of this file. */
static bool
is_replacement(const char *path)
{
    for (size_t i = 0; i < hpm_n_builtins; i++) {
        if (strcmp(hpm_path_base_name(path), hpm_builtins[i].name) == 0)
            return true;
    }
    return false;
}

/* Append each fault of the file, and one line for the faults of other files
 * that it causes. */
static size_t
add_complaints(const struct check *check, const char *path,
               struct hpm_string *lines)
{
    const char *line = hpm_string_text(&check->spec->complaints), *first = NULL;
    size_t n_faults = 0, n_others = 0;

    for (; *line != '\0'; line += strcspn(line, "\n") + 1) {
        bool is_fault = false;

        if (is_own(line, path, &is_fault)) {
            n_faults += is_fault;
            hpm_string_add_bytes(lines, line, strcspn(line, "\n") + 1);
        } else if (!is_replacement(path) && n_others++ == 0) {
            first = line;
        }
    }
    if (first == NULL)
        return n_faults;
    hpm_string_add_format(lines,
                          "%s: leaves %zu fault%s in other files; the "
                          "first: %.*s\n",
                          path, n_others, n_others == 1 ? "" : "s",
                          (int)strcspn(first, "\n"), first);
    return n_faults + 1;
}

static size_t
count_statements(const struct check *check)
{
    size_t n = 0;

    for (size_t i = 0; i < check->spec->n_statements; i++)
        n += check->spec->statements[i].place.file == check->file;
    return n;
}

bool
hpm_check_file(const char *path, hpm_check_ask *ask, void *context,
               hpm_check_list *list_pmus, struct hpm_string *lines,
               size_t *ret_n_faults, size_t *ret_n_statements,
               struct hpm_error *err)
{
    struct check check = {hpm_spec_new(), hpm_spec_new(), HPM_NO_NAME, ask,
                          context};
    bool is_good = check.spec != NULL && check.others != NULL;

    if (!is_good) {
        hpm_spec_free(check.spec);
        hpm_spec_free(check.others);
        return hpm_error_no_memory(err);
    }
    is_good = hpm_definitions_read_file(check.spec, path, err) &&
              hpm_definitions_read(check.others, "", err);
    check.file = hpm_names_find(&check.spec->names, path);
    is_good = is_good && check_names(&check, list_pmus, err) &&
              check_for(&check, NULL, err) && check_pmus(&check, err);
    if (is_good) {
        *ret_n_faults = add_complaints(&check, path, lines);
        if (check.spec->n_complaints > HPM_MAX_COMPLAINTS)
            hpm_string_add_format(lines, "%s: and %zu more\n", path,
                                  check.spec->n_complaints -
                                      HPM_MAX_COMPLAINTS);
        *ret_n_statements = count_statements(&check);
    }
    hpm_spec_free(check.spec);
    hpm_spec_free(check.others);
    return is_good;
}
