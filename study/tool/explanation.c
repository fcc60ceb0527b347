/* SPDX-License-Identifier: BSD-3-Clause
 * The explanation of a metric, for readers who do not know it. */
#include "study/tool/explanation.h"

#include <math.h>
#include <string.h>

#include "host/memory.h"
#include "study/metric/formula.h"
#include "study/metric/ranking.h"
#include "study/report/hints.h"
#include "study/report/paragraph.h"
#include "study/tool/catalogue.h"
#include "study/words/sentence.h"
#include "study/words/words.h"

enum { INDENT = 2, COLUMN = 13, MAX_USES = 12, MAX_DEPTH = 4 };

struct explanation {
    struct hpm_string *string;
    struct hpm_request *request;
    const struct hpm_metrics *metrics;
    bool *is_told;  /* by metric */
    bool has_needs; /* the first of them was added */
};

static void
add_line(struct explanation *told, const char *word, const char *text)
{
    struct hpm_string shown = {0};

    if (text == NULL || text[0] == '\0')
        return;
    hpm_sentence_add(&shown, text);
    hpm_paragraph_add_entry(told->string, INDENT, _(word), COLUMN,
                            hpm_string_text(&shown));
    hpm_string_finish(&shown, &told->string->failed);
}

/* Add a line made of several pieces, and clear these. */
static void
add_pieces(struct explanation *told, const char *word,
           struct hpm_string *pieces)
{
    add_line(told, word, hpm_string_text(pieces));
    told->string->failed |= pieces->failed;
    hpm_string_free(pieces);
}

/* Append "NAME (its label)". */
static void
add_described(struct hpm_string *text, const struct hpm_metric *metric)
{
    hpm_string_add(text, metric->name);
    if (metric->texts[HPM_TEXT_LABEL] != NULL)
        hpm_string_add_format(text, " (%s)", _(metric->texts[HPM_TEXT_LABEL]));
}

/* ---- how it is computed ---------------------------------------------- */

static const char *
word_of_rule(enum hpm_statement_kind kind, bool is_first)
{
    if (kind == HPM_STATEMENT_MEASURE)
        return is_first ? N_("counter") : N_("or counter");
    if (kind == HPM_STATEMENT_COMPOSE)
        return is_first ? N_("sum") : N_("or sum");
    return is_first ? N_("formula") : N_("or formula");
}

/* Add each rule of the metric, the best first, with its place in the
 * definitions. */
static void
add_rules(struct explanation *told, const struct hpm_metric *metric)
{
    const struct hpm_metrics *metrics = told->metrics;
    size_t first = metric->rules.first;

    for (size_t i = first; i < first + metric->rules.count; i++) {
        const struct hpm_rule *rule = &metrics->rules[i];
        struct hpm_string text = {0};

        hpm_formula_add(&text, metrics, i);
        hpm_string_add_format(
            &text, "%s (%s:%d)",
            rule->is_cut ? _(", as a tree that gives no value") : "",
            hpm_spec_text(metrics->spec, rule->place.file), rule->place.line);
        add_pieces(told, word_of_rule(rule->kind, i == first), &text);
        if (i == first && rule->kind != HPM_STATEMENT_MEASURE) {
            hpm_formula_add_words(&text, metrics, i);
            add_pieces(told, N_("in words"), &text);
        }
    }
}

/* ---- numbers --------------------------------------------------------- */

static void
add_unit(struct explanation *told, const struct hpm_metric *metric)
{
    const char *unit = metric->texts[HPM_TEXT_UNIT];
    bool is_count = !metric->is_ratio;
    struct hpm_string text = {0};

    if (unit == NULL)
        unit = is_count ? N_("a count") : N_("a plain number");
    hpm_string_add(&text, _(unit));
    if (!isnan(metric->least) || is_count) {
        hpm_string_add(&text, _(", from "));
        hpm_string_add_real(&text, isnan(metric->least) ? 0.0 : metric->least);
        if (isnan(metric->most)) {
            hpm_string_add(&text, _(" on"));
        } else {
            hpm_string_add(&text, _(" to "));
            hpm_string_add_real(&text, metric->most);
        }
    }
    add_pieces(told, N_("unit"), &text);
}

static void
add_limit(struct hpm_string *text, const char *word,
          const struct hpm_limit *limit)
{
    if (!limit->is_given)
        return;
    hpm_string_add_format(text, "%s%s %s ", text->length > 0 ? ", " : "", word,
                          limit->is_above ? _("above") : _("below"));
    hpm_string_add_real(text, limit->value);
}

static bool
is_same_limit(const struct hpm_limit *a, const struct hpm_limit *b)
{
    return a->is_given == b->is_given &&
           (!a->is_given ||
            (a->is_above == b->is_above && a->value == b->value));
}

static void
add_limits(struct explanation *told, const struct hpm_metric *metric)
{
    static const char *const words[] = {N_("single"), N_("double")};
    const struct hpm_limits *limits = metric->limits;
    bool is_same = is_same_limit(&limits[0].bad, &limits[1].bad) &&
                   is_same_limit(&limits[0].good, &limits[1].good);

    for (int i = is_same; i < 2; i++) {
        struct hpm_string text = {0};

        add_limit(&text, _("bad"), &limits[i].bad);
        add_limit(&text, _("good"), &limits[i].good);
        if (text.length > 0)
            hpm_string_add(&text, metric->is_of_run
                                      ? _("; of the whole run")
                                      : _("; of one thread or process"));
        add_pieces(told, is_same ? N_("limits") : words[i], &text);
    }
}

/* ---- related metrics ------------------------------------------------- */

static bool
is_same(struct hpm_input a, struct hpm_input b)
{
    return a.is_metric == b.is_metric && a.index == b.index;
}

static bool
uses(const struct hpm_metrics *metrics, const struct hpm_rule *rule,
     struct hpm_input wanted)
{
    for (size_t i = 0; i < rule->inputs.count; i++) {
        struct hpm_input input = metrics->inputs[rule->inputs.first + i];

        if (is_same(input, wanted))
            return true;
    }
    for (size_t i = 0; i < rule->steps.count; i++) {
        const struct hpm_step *step = &metrics->steps[rule->steps.first + i];

        if ((step->kind == HPM_OP_NAME || step->kind == HPM_OP_TOTAL) &&
            is_same(step->input, wanted))
            return true;
    }
    return false;
}

/* Add the metrics computed from this one: first the ratios, which tell more
 * than counts. */
static void
add_users(struct explanation *told, struct hpm_input input)
{
    const struct hpm_metrics *metrics = told->metrics;
    struct hpm_string text = {0};
    size_t n = 0;

    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < metrics->n_metrics; i++) {
            const struct hpm_metric *here = &metrics->metrics[i];

            if (here->rules.count == 0 || here->is_ratio != (pass == 0) ||
                (input.is_metric &&
                 metrics->metrics[input.index].parent == i) ||
                !uses(metrics, &metrics->rules[here->rules.first], input))
                continue;
            if (n++ < MAX_USES)
                hpm_string_add_format(&text, "%s%s", n > 1 ? ", " : "",
                                      here->name);
        }
    }
    if (n > MAX_USES)
        hpm_string_add_format(&text, _(" and %zu more"), n - MAX_USES);
    add_pieces(told, N_("used by"), &text);
}

static void
add_parent(struct explanation *told, const struct hpm_metric *metric)
{
    const struct hpm_metrics *metrics = told->metrics;
    struct hpm_string text = {0};
    const struct hpm_metric *parent;

    if (metric->parent == HPM_NO_METRIC)
        return;
    parent = &metrics->metrics[metric->parent];
    add_described(&text, parent);
    if (parent->limits[HPM_PRECISION_DOUBLE].bad.is_given)
        hpm_string_add(&text, _("; its own limits count where that is bad"));
    add_pieces(told,
               metric->texts[HPM_TEXT_UNDER] != NULL ? N_("under")
                                                     : N_("part of"),
               &text);
}

static const char *
word_of_place(const struct hpm_request *request)
{
    return request->place != NULL ? N_("there") : N_("here");
}

enum { MAX_LACKING = 64 };

/* The names without a counter that a metric needs, each once. */
struct lacking {
    struct hpm_request *request;
    bool *is_seen; /* by metric */
    const char *names[MAX_LACKING];
    size_t n;
};

static void
note_lacking(struct lacking *lacking, const char *name)
{
    for (size_t i = 0; i < lacking->n; i++) {
        if (strcmp(lacking->names[i], name) == 0)
            return;
    }
    if (lacking->n < MAX_LACKING)
        lacking->names[lacking->n++] = name;
}

/* The search has the same order as hpm_request_explain, which finds the first
 * name; false where the input can be counted. */
static bool
find_lacking(struct lacking *lacking, struct hpm_input input, int depth)
{
    const struct hpm_metrics *metrics = lacking->request->metrics;
    const struct hpm_metric *metric;
    const struct hpm_rule *rule;
    bool is_below = false;

    if (hpm_request_ask_input(lacking->request, input) == HPM_FEASIBLE_ALL)
        return false;
    if (!input.is_metric) {
        note_lacking(lacking, metrics->leaves[input.index]);
        return true;
    }
    metric = &metrics->metrics[input.index];
    if (lacking->is_seen[input.index])
        return true;
    lacking->is_seen[input.index] = true;
    if (metric->rules.count > 0 && depth <= HPM_MAX_NESTING) {
        rule = &metrics->rules[metric->rules.first];
        for (size_t i = 0; i < rule->inputs.count; i++)
            is_below |= find_lacking(
                lacking, metrics->inputs[rule->inputs.first + i], depth + 1);
        for (size_t i = 0; i < rule->steps.count; i++) {
            const struct hpm_step *step =
                &metrics->steps[rule->steps.first + i];

            if (step->kind == HPM_OP_NAME || step->kind == HPM_OP_TOTAL)
                is_below |= find_lacking(lacking, step->input, depth + 1);
        }
    }
    if (!is_below)
        note_lacking(lacking, metric->name);
    return true;
}

/* Append all names but the first, which was already given. */
static void
add_others_lacking(struct hpm_string *text, struct hpm_request *request,
                   size_t metric)
{
    struct lacking lacking = {
        .request = request,
        .is_seen = hpm_memory_new(request->metrics->n_metrics, sizeof(bool))};

    if (lacking.is_seen == NULL) {
        text->failed = true;
        return;
    }
    find_lacking(&lacking, (struct hpm_input){true, metric}, 0);
    for (size_t i = 1; i < lacking.n; i++)
        hpm_string_add_format(text, "%s'%s'", i == 1 ? _("; nor can ") : ", ",
                              lacking.names[i]);
    hpm_memory_free(lacking.is_seen);
}

/* Add the events that measure it here, or the obstacle. */
static void
add_here(struct explanation *told, size_t metric)
{
    enum hpm_feasible feasible = hpm_request_ask_metric(told->request, metric);
    struct hpm_string text = {0}, events = {0}, why = {0};

    hpm_string_add(&text, _(hpm_feasible_word(feasible)));
    if (told->request->place != NULL) {
        hpm_string_add(&text, " ");
        hpm_sentence_add(&text, told->request->place);
    }
    if (feasible != HPM_FEASIBLE_ALL) {
        hpm_string_add(&text, _(": it needs "));
        hpm_request_explain(told->request, metric, &why);
        hpm_sentence_add(&text, hpm_string_text(&why));
        add_others_lacking(&text, told->request, metric);
    } else {
        hpm_request_forget(told->request);
        hpm_request_add_metric(told->request, metric);
        hpm_request_add_events(told->request, &events);
        if (events.length > 0)
            hpm_string_add_format(&text, _(", by %s"), events.text);
        if (told->request->place == NULL)
            hpm_string_add_format(&text, ": hpmcount -m %s",
                                  told->metrics->metrics[metric].name);
    }
    hpm_string_finish(&events, &text.failed);
    hpm_string_finish(&why, &text.failed);
    add_pieces(told, word_of_place(told->request), &text);
}

/* ---- what to do ------------------------------------------------------ */

/* Add the names of a list that are metrics here. */
static void
add_names(struct explanation *told, const char *word, struct hpm_range names)
{
    const struct hpm_spec *spec = told->metrics->spec;
    struct hpm_string text = {0};

    for (size_t i = 0; i < names.count; i++) {
        uint32_t name = spec->terms[names.first + i].name;

        if (told->metrics->metric_of[name] != 0)
            hpm_string_add_format(&text, "%s%s", text.length > 0 ? ", " : "",
                                  hpm_spec_text(spec, name));
    }
    add_pieces(told, word, &text);
}

/* Add the time that ranks the hint. */
static void
add_weight(struct explanation *told, const struct hpm_metric *metric)
{
    const struct hpm_metrics *metrics = told->metrics;
    size_t time = hpm_ranking_find_time(metrics, metric);
    size_t part = hpm_ranking_find_part(metrics, metric);
    struct hpm_string text = {0};

    if (part != HPM_NO_METRIC)
        hpm_string_add_format(&text, _("%s percent of "),
                              metrics->metrics[part].name);
    hpm_string_add(&text, time != HPM_NO_METRIC ? metrics->metrics[time].name
                                                : _("the time that passed"));
    if (part == HPM_NO_METRIC)
        hpm_string_add(&text,
                       _(", times how far the value is beyond the limit"));
    hpm_string_add(&text, _("; no hint below a twentieth of the time"));
    add_pieces(told, N_("explains"), &text);
}

static void
add_hint(struct explanation *told, const struct hpm_metric *metric)
{
    struct hpm_string text = {0};

    if (!metric->has_hint)
        return;
    hpm_string_add(told->string, _("\n  Where it is bad, as a hint and no "
                                   "verdict:\n"));
    add_line(told, N_("why"), metric->texts[HPM_TEXT_WHY]);
    add_names(told, N_("look at"), metric->evidence);
    add_weight(told, metric);
    add_names(told, N_("silent for"), metric->unless);
    hpm_hints_add_next(&text, told->metrics, metric->texts[HPM_TEXT_NEXT]);
    add_pieces(told, N_("next"), &text);
    add_line(told, N_("try"), metric->texts[HPM_TEXT_TRY]);
}

/* ---- the metrics it needs -------------------------------------------- */

/* Add "NAME = FORMULA: its label". */
static void
add_need(struct explanation *told, size_t metric, int depth)
{
    const struct hpm_metric *here = &told->metrics->metrics[metric];
    struct hpm_string text = {0};
    size_t column = (size_t)(2 * depth);

    hpm_string_add_format(&text, "%s = ", here->name);
    hpm_formula_add(&text, told->metrics, here->rules.first);
    if (here->texts[HPM_TEXT_LABEL] != NULL)
        hpm_string_add_format(&text, ": %s", _(here->texts[HPM_TEXT_LABEL]));
    hpm_paragraph_add_entry(told->string, column, "", column + 2,
                            hpm_string_text(&text));
    hpm_string_finish(&text, &told->string->failed);
}

static void
add_needs_of(struct explanation *told, size_t metric, int depth)
{
    const struct hpm_metrics *metrics = told->metrics;
    const struct hpm_rule *rule;

    if (metrics->metrics[metric].rules.count == 0 || depth > MAX_DEPTH)
        return;
    rule = &metrics->rules[metrics->metrics[metric].rules.first];
    for (size_t i = 0; i < metrics->n_metrics; i++) {
        if (told->is_told[i] || metrics->metrics[i].rules.count == 0 ||
            !uses(metrics, rule, (struct hpm_input){true, i}))
            continue;
        if (depth == 1)
            hpm_string_add(told->string, told->has_needs
                                             ? ""
                                             : _("\n  What it is made of:\n"));
        told->has_needs = true;
        told->is_told[i] = true;
        add_need(told, i, depth);
        add_needs_of(told, i, depth + 1);
    }
}

/* ---- the whole explanation ------------------------------------------- */

void
hpm_explanation_add(struct hpm_string *string, struct hpm_request *request,
                    size_t metric)
{
    struct explanation told = {string, request, request->metrics, NULL, false};
    const struct hpm_metric *here = &request->metrics->metrics[metric];
    const char *const *texts = here->texts;

    told.is_told = hpm_memory_new(request->metrics->n_metrics, sizeof(bool));
    if (told.is_told == NULL) {
        string->failed = true;
        return;
    }
    told.is_told[metric] = true;
    hpm_string_add(string, here->name);
    if (texts[HPM_TEXT_LABEL] != NULL)
        hpm_string_add_format(string, ": %s", _(texts[HPM_TEXT_LABEL]));
    hpm_string_add_char(string, '\n');
    add_line(&told, N_("shown as"), texts[HPM_TEXT_AS]);
    add_line(&told, N_("meaning"), texts[HPM_TEXT_INFO]);
    add_rules(&told, here);
    add_unit(&told, here);
    add_limits(&told, here);
    add_line(&told, N_("source"), texts[HPM_TEXT_SOURCE]);
    add_line(&told, N_("rises"), texts[HPM_TEXT_RISES]);
    add_line(&told, N_("falls"), texts[HPM_TEXT_FALLS]);
    add_parent(&told, here);
    add_users(&told, (struct hpm_input){true, metric});
    add_line(&told, N_("sample"), texts[HPM_TEXT_SAMPLE]);
    add_here(&told, metric);
    add_hint(&told, here);
    add_needs_of(&told, metric, 1);
    hpm_memory_free(told.is_told);
}

void
hpm_explanation_add_set(struct hpm_string *string, struct hpm_request *request,
                        const struct hpm_metric_set *set)
{
    const struct hpm_metrics *metrics = request->metrics;
    struct explanation told = {string, request, metrics, NULL, false};

    hpm_string_add_format(string,
                          _("%s: a set, counted together by hpmcount -s %s\n"),
                          set->name, set->name);
    add_line(&told, N_("meaning"), set->texts[HPM_TEXT_INFO]);
    for (size_t i = 0; i < set->inputs.count; i++) {
        struct hpm_input input = metrics->inputs[set->inputs.first + i];
        struct hpm_string text = {0};

        if (input.is_metric)
            add_described(&text, &metrics->metrics[input.index]);
        else
            hpm_string_add(&text, metrics->leaves[input.index]);
        hpm_string_add_format(
            &text, ", %s: %s", _(word_of_place(request)),
            _(hpm_feasible_word(hpm_request_ask_input(request, input))));
        add_pieces(&told, i == 0 ? N_("members") : "", &text);
    }
}

/* ---- other names ----------------------------------------------------- */

/* Take the texts of definitions that apply here, or of those that do not.  The
 * latter describe the constant, but the source of their value is not taken. */
static void
take_texts(const struct hpm_metrics *metrics, uint32_t name, bool hold,
           const char *texts[HPM_N_TEXTS])
{
    const struct hpm_spec *spec = metrics->spec;

    for (size_t i = 0; i < spec->n_statements; i++) {
        const struct hpm_statement *here = &spec->statements[i];

        if (here->name != name || !metrics->is_arch_here[here->arch] ||
            metrics->holds[i] != hold)
            continue;
        for (int j = 0; j < HPM_N_TEXTS; j++) {
            if (here->attributes.texts[j] != HPM_NO_NAME &&
                (hold || j != HPM_TEXT_SOURCE))
                texts[j] = hpm_spec_text(spec, here->attributes.texts[j]);
        }
    }
}

static void
add_value(struct hpm_string *value, const struct hpm_metrics *metrics,
          uint32_t name)
{
    const struct hpm_lack *lack = &metrics->constant_lack[name];

    if (isnan(metrics->constant_of[name]) && lack->name != NULL)
        hpm_string_add_format(
            value, _("none here: '%s' is defined only 'if %s%s'"), lack->name,
            lack->is_negated ? "no " : "", lack->fact);
    else
        hpm_string_add_real(value, metrics->constant_of[name]);
}

void
hpm_explanation_add_constant(struct hpm_string *string,
                             const struct hpm_metrics *metrics,
                             const char *name)
{
    const struct hpm_spec *spec = metrics->spec;
    struct explanation told = {string, NULL, metrics, NULL, false};
    uint32_t number = hpm_names_find(&spec->names, name);
    const char *texts[HPM_N_TEXTS] = {NULL};
    struct hpm_string value = {0};

    for (int pass = 0; pass < 2; pass++)
        take_texts(metrics, number, pass == 1, texts);
    hpm_string_add_format(string, _("%s: a constant"), name);
    if (texts[HPM_TEXT_LABEL] != NULL)
        hpm_string_add_format(string, ", %s", _(texts[HPM_TEXT_LABEL]));
    hpm_string_add_char(string, '\n');
    add_value(&value, metrics, number);
    if (!isnan(metrics->constant_of[number]) && texts[HPM_TEXT_UNIT] != NULL)
        hpm_string_add_format(&value, " %s", texts[HPM_TEXT_UNIT]);
    add_pieces(&told, N_("value"), &value);
    add_line(&told, N_("meaning"), texts[HPM_TEXT_INFO]);
    add_line(&told, N_("source"), texts[HPM_TEXT_SOURCE]);
    hpm_string_add_format(&value,
                          _("'const %s = ...' in a file named in HPM_DEFS sets "
                            "another value"),
                          name);
    add_pieces(&told, N_("change"), &value);
}

#define ROOFS                                                                  \
    N_("hpm doctor --roofs, which measures it once and keeps it; before, it "  \
       "has no value")

/* Names that have a value without being counted. */
static const struct given {
    const char *name;
    const char *label;
    const char *unit;
    const char *meaning;
    const char *from;
} given_names[] = {
    {"time::wall", N_("time that passed, the same as IncSec"),
     N_("s, from 0 on"),
     N_("wall clock time of a section or of a whole run; of several threads or "
        "processes together the longest"),
     N_("the toolkit's clock, read at each start and stop; not counted")},
    {"IncSec", N_("time of a section with the sections inside it"),
     N_("s, from 0 on"),
     N_("wall clock time from start to stop, all calls together; formulas have "
        "it "
        "as time::wall"),
     N_("the toolkit's clock, read at each start and stop; not counted")},
    {"ExcSec", N_("time of a section without the sections inside it"),
     N_("s, from 0 on"),
     N_("wall clock time, all calls together; formulas have it as time::wall, "
        "where values are exclusive"),
     N_("IncSec less the time of the sections inside; not counted")},
    {"Count", N_("calls of a section"), N_("a count, from 0 on"),
     N_("how often it was started, recursive calls too"),
     N_("the toolkit, which adds one at each start; no event")},
    {"cpu::mhz", N_("nominal clock of the machine"), "MHz",
     N_("one number for the whole machine, whatever its clock is at the "
        "moment"),
     N_("the kernel (cpufreq base_frequency), else the processor's name, else "
        "the "
        "rate of its time stamp counter; where none tells, it has no value")},
    {"cpu::count", N_("processors of the machine"), N_("a count, from 1 on"),
     N_("processors that are online"),
     N_("the operating system, asked once in each run")},
    {"cpu::allowed", N_("processors that the process may use"),
     N_("a count, from 1 on"),
     N_("set by the batch system, a launcher or taskset; of a task that may "
        "use "
        "all of them its part of the node; none for sections of threads"),
     N_("the operating system and the launcher's environment, asked once in "
        "each "
        "run")},
    {"roof::double_one", N_("operations in double precision of one processor"),
     "FLOP/s",
     N_("no program can do more; roof::double_all of all processors at once, "
        "roof::single_one and roof::single_all in single precision"),
     ROOFS},
    {"roof::memory_one", N_("bytes that one processor reads from memory"),
     "byte/s",
     N_("roof::memory_all all processors at once; L1, L2 and L3 in place of "
        "memory: from these caches"),
     ROOFS},
    {"roof::processors",
     N_("processors that share roof::double_all and the like"),
     N_("a count, from 1 on"), N_("those that hpm doctor --roofs could use"),
     ROOFS}};

#undef ROOFS

static const struct given *
find_given(const char *name)
{
    for (size_t i = 0; i < sizeof given_names / sizeof given_names[0]; i++) {
        if (hpm_string_same_word(name, given_names[i].name))
            return &given_names[i];
    }
    return NULL;
}

bool
hpm_explanation_is_given(const char *name)
{
    return find_given(name) != NULL;
}

void
hpm_explanation_add_given(struct hpm_string *string,
                          const struct hpm_metrics *metrics, const char *name)
{
    struct explanation told = {string, NULL, metrics, NULL, false};
    const struct given *given = find_given(name);
    size_t leaf = hpm_metrics_find_leaf(metrics, given->name);

    hpm_string_add_format(string, "%s: %s\n", given->name, _(given->label));
    add_line(&told, N_("meaning"), given->meaning);
    add_line(&told, N_("unit"), given->unit);
    add_line(&told, N_("from"), given->from);
    if (leaf != SIZE_MAX)
        add_users(&told, (struct hpm_input){false, leaf});
}

void
hpm_explanation_add_event(struct hpm_string *string,
                          struct hpm_request *request, const char *name)
{
    const struct hpm_metrics *metrics = request->metrics;
    struct explanation told = {string, request, metrics, NULL, false};
    struct hpm_input input = {false, hpm_metrics_find_leaf(metrics, name)};
    const char *leaf = metrics->leaves[input.index];
    struct hpm_string text = {0};

    hpm_string_add_format(string, "%s: %s\n", leaf,
                          strncmp(leaf, "ru::", 4) == 0
                              ? _("resource usage, which getrusage(2) gives")
                              : _("an event, which is counted"));
    add_users(&told, input);
    hpm_string_add(&text,
                   hpm_feasible_word(hpm_request_ask_input(request, input)));
    add_pieces(&told, word_of_place(request), &text);
}

void
hpm_explanation_add_legend(struct hpm_string *string)
{
    static const struct {
        const char *mark;
        const char *meaning;
    } marks[] = {
        {"! +",
         N_("beyond its limit 'bad', or 'good'; of several threads or "
            "processes '! 3 of 8': so many are, each by itself, while the "
            "value is of all together")},
        {"?", /* xgettext:no-c-format */
         N_("no verdict, and beside it or in the column 'reason' why: "
            "outside the range of its definition, an input counted less than "
            "90 % of the time or off by more than a tenth, a divisor that is "
            "too small, a limit nearer than the kernel's ticks or a few "
            "events are exact, or a section that takes hardly longer than "
            "its own measuring")},
        {"(shared)",
         N_("counted part of the time and scaled up: several counters "
            "took turns")},
        {"(inferred)", N_("not counted: what the other parts of a known whole "
                          "leave")},
        {"~NAME", N_("a sum some parts of which are missing")},
        {"-",
         N_("no value, and why: not counted, lost, not supported here, or a "
            "division by 0")},
    };

    hpm_string_add(string, _("\nHow values are marked in reports:\n"));
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
        hpm_paragraph_add_entry(string, INDENT, marks[i].mark, COLUMN,
                                _(marks[i].meaning));
}
