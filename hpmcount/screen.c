/* SPDX-License-Identifier: BSD-3-Clause
 * The first screen: a short overview of a run. */
#include "hpmcount/screen.h"

#include <math.h>
#include <string.h>

#include "hpmcount/crossings.h"
#include "hpmcount/hinting.h"
#include "report/sections.h"
#include "study/report/hints.h"
#include "study/report/human.h"
#include "study/report/paragraph.h"
#include "study/words/sentence.h"
#include "study/words/words.h"

enum {
    INDENT = 2,
    COLUMN = 19,
    MOST_OTHERS = 3,
    NOTE_INDENT = 6,
    MOST_LINES = 12
};

/* What is left out, step by step in this order, where a narrow terminal needs
 * too many lines. */
enum brevity {
    WITH_ALL,
    WITH_FEWER_WORDS,
    WITHOUT_OTHERS, /* show only the gravest hint */
    WITHOUT_REASON  /* `hpm explain` in the last line has it */
};

struct screen {
    struct hpm_string *string;
    const struct hpm_experiment *experiment;
    struct hpm_derived *derived;
    const struct look *look;
    enum brevity brevity;
};

/* ---- lines ----------------------------------------------------------- */

void
screen_add_entry(struct hpm_string *string, size_t width, const char *word,
                 const char *text)
{
    hpm_paragraph_add_entry_in(string, width, INDENT, word, COLUMN, text);
}

/* Add an entry, and free the text. */
static void
add_entry(const struct screen *screen, const char *word,
          struct hpm_string *text)
{
    screen_add_entry(screen->string, screen->look->width, word,
                     hpm_string_text(text));
    hpm_string_finish(text, &screen->string->failed);
}

/* A count of the definitions by its name; NULL where it is not defined or has
 * no value. */
static const struct hpm_metric_value *
find_value(const struct screen *screen, const char *name)
{
    size_t metric = hpm_metrics_find(screen->derived->metrics, name);
    const struct hpm_metric_value *value;

    if (metric == HPM_NO_METRIC)
        return NULL;
    value = &hpm_derived_values(screen->derived, 0, HPM_SPAN_INCLUSIVE)[metric];
    return value->is_present && !isnan(value->value) ? value : NULL;
}

/* "24.3 G cycles", with a mark for a partial or doubtful value. */
static void
add_value(struct hpm_string *text, const struct hpm_metric_value *value,
          const char *unit)
{
    hpm_human_add(text, value->value, unit);
    if (value->is_partial)
        hpm_string_add(text, " ~");
    if (value->doubt != HPM_DOUBT_NONE || value->state != HPM_STATE_COUNTED)
        hpm_string_add(text, " ?");
}

/* ---- the head -------------------------------------------------------- */

static const struct hpm_resource *
find_resource(const struct hpm_experiment *experiment, const char *name)
{
    for (size_t i = 0; i < experiment->n_resources; i++) {
        const struct hpm_resource *resource = &experiment->resources[i];

        if (strcmp(resource->name, name) == 0)
            return resource;
    }
    return NULL;
}

static const struct hpm_resource *
find_known(const struct hpm_experiment *experiment, const char *name)
{
    const struct hpm_resource *resource = find_resource(experiment, name);

    return resource != NULL && resource->is_known ? resource : NULL;
}

/* " (exit status 3)", " (ended by signal 9)" */
static void
screen_add_failure(struct hpm_string *string, const char *status)
{
    bool is_signal = strncmp(status, "signal ", 7) == 0;

    hpm_string_add(string, " (");
    hpm_string_add_format(
        string, is_signal ? _("ended by signal %s") : _("exit status %s"),
        is_signal ? status + 7 : status);
    hpm_string_add_char(string, ')');
}

void
screen_add_title(struct hpm_string *string, const struct hpm_run *run)
{
    hpm_string_add(string, "\nhpmcount: ");
    hpm_string_add_safe(string, run->program);
    if (run->exit_status == NULL)
        hpm_string_add_format(string, " (%s)", _("still running"));
    else if (strcmp(run->exit_status, "0") != 0)
        screen_add_failure(string, run->exit_status);
    hpm_string_add_char(string, '\n');
}

static void
add_elapsed(const struct screen *screen)
{
    struct hpm_string text = {0};

    hpm_human_add(&text,
                  (double)screen->experiment->records[0].time.total / 1e9, "s");
    add_entry(screen, _("wall clock time"), &text);
}

/* The kernel measures its part by sampling, a hundred to a thousand times a
 * second.  For a short run this says nothing; and no sample in the kernel does
 * not prove a part of 0. */
static const double least_to_divide = 0.1e9;

static void
add_kernel_share(struct hpm_string *text, double kernel, double busy,
                 enum brevity brevity)
{
    struct hpm_string share = {0};

    if (busy < least_to_divide || kernel == 0.0)
        return;
    hpm_human_add(&share, 100.0 * kernel / busy, "%");
    hpm_string_add_format(text,
                          brevity == WITH_ALL ? _("; %s of it in the kernel")
                                              : _("; %s kernel"),
                          hpm_string_text(&share));
    hpm_string_finish(&share, &text->failed);
}

/* Two decimals; a smaller value must not be shown as 0. */
static void
add_busy(struct hpm_string *text, double n_busy)
{
    if (n_busy > 0.0 && n_busy < 0.01)
        hpm_string_add(text, _("less than 0.01"));
    else
        hpm_string_add_fixed(text, n_busy, 2);
}

/* Where getrusage says nothing about the run: show what a replayed file of
 * samples has. */
static void
add_processors_counted(const struct screen *screen)
{
    const struct hpm_metric_value *time = find_value(screen, "CPU_TIME");
    struct hpm_string text = {0};

    if (time != NULL)
        add_value(&text, time, "s");
    else if (screen->experiment->n_resources == 0)
        hpm_string_add(&text, _("not among the samples that are replayed"));
    else
        hpm_string_add(&text, _("not known"));
    add_entry(screen, _("processor time"), &text);
}

/* "1.396 s: 0.31 of 2 processors busy; 1.76 % of it in the kernel"; shorter:
 * "1.396 s: 0.31 of 2 busy; 1.76 % kernel". */
static void
add_processors(const struct screen *screen)
{
    const struct hpm_experiment *experiment = screen->experiment;
    const struct hpm_resource *user = find_known(experiment, "ru::utime");
    const struct hpm_resource *kernel = find_known(experiment, "ru::stime");
    const struct hpm_machine *machine = &experiment->machine;
    int n = machine->n_allowed > 0 ? machine->n_allowed : machine->n_cpus;
    struct hpm_string text = {0};
    double busy;

    if (user == NULL || kernel == NULL) {
        add_processors_counted(screen);
        return;
    }
    busy = (double)user->value + (double)kernel->value;
    hpm_human_add(&text, busy / 1e9, "s");
    if (experiment->run.ns > 0 && n > 0) {
        hpm_string_add(&text, ": ");
        add_busy(&text, busy / (double)experiment->run.ns);
        hpm_string_add_format(&text,
                              screen->brevity > WITH_ALL
                                  ? _(" of %d busy")
                                  : hpm_words_of(" of %d processor busy",
                                                 " of %d processors busy",
                                                 (size_t)n),
                              n);
    }
    add_kernel_share(&text, (double)kernel->value, busy, screen->brevity);
    add_entry(screen, _("processor time"), &text);
}

/* The kernel keeps the peak of the largest process. */
static void
add_memory(const struct screen *screen)
{
    const struct hpm_experiment *experiment = screen->experiment;
    const struct hpm_resource *peak = find_resource(experiment, "ru::maxrss");
    struct hpm_string text = {0};

    if (peak == NULL || peak->value == 0)
        return;
    if (!peak->is_known)
        hpm_string_add(&text, _("at most "));
    hpm_human_add(&text, (double)peak->value * 1024.0, "byte");
    hpm_string_add(&text, peak->is_known ? _(" in the largest process")
                                         : _(", the size of hpmcount's child"));
    add_entry(screen, _("peak memory"), &text);
}

static void
add_head(const struct screen *screen)
{
    screen_add_title(screen->string, &screen->experiment->run);
    add_elapsed(screen);
    add_processors(screen);
    add_memory(screen);
}

/* ---- hardware counters ----------------------------------------------- */

/* "this virtual machine has no PMU": the cause without details and remedy, for
 * one line. */
static void
add_obstacle(struct hpm_string *text, const char *reason)
{
    struct hpm_string shown = {0};
    size_t length;

    if (strncmp(reason, "not ", 4) != 0)
        hpm_string_add(text, _("not counted: "));
    hpm_sentence_add(&shown, reason);
    length = strcspn(hpm_string_text(&shown), ";,(");
    while (length > 0 && shown.text[length - 1] == ' ')
        length--;
    hpm_string_add_bytes(text, hpm_string_text(&shown), length);
    hpm_string_add(text, " (hpm doctor)");
    hpm_string_finish(&shown, &text->failed);
}

/* "34.5 G; 1.42 per cycle; 24.3 G cycles" */
static void
add_counted(struct hpm_string *text,
            const struct hpm_metric_value *instructions,
            const struct hpm_metric_value *cycles)
{
    add_value(text, instructions, "");
    if (cycles == NULL)
        return;
    if (cycles->value > 0.0 && !cycles->is_partial) {
        hpm_string_add(text, "; ");
        hpm_human_add(text, instructions->value / cycles->value, "");
        hpm_string_add(text, _(" per cycle"));
    }
    hpm_string_add(text, "; ");
    add_value(text, cycles, _("cycles"));
}

/* Where the processor has two kinds of cores, a line for each: a ratio over
 * both kinds would describe neither. */
static bool
add_kinds(const struct screen *screen)
{
    static const char *const kinds[][4] = {
        {N_("instructions"), "P_INSTRUCTION", "P_CYCLES", N_(" on P cores")},
        {"", "E_INSTRUCTION", "E_CYCLES", N_(" on E cores")}};
    bool has_both = find_value(screen, kinds[0][1]) != NULL &&
                    find_value(screen, kinds[1][1]) != NULL;

    for (size_t i = 0; i < 2 && has_both; i++) {
        struct hpm_string text = {0};

        add_counted(&text, find_value(screen, kinds[i][1]),
                    find_value(screen, kinds[i][2]));
        hpm_string_add(&text, _(kinds[i][3]));
        add_entry(screen, _(kinds[i][0]), &text);
    }
    return has_both;
}

static void
add_instructions(const struct screen *screen)
{
    const char *reason = screen->experiment->machine.no_counters_reason;
    const struct hpm_metric_value *instructions =
        find_value(screen, "INSTRUCTION");
    struct hpm_string text = {0};

    if (add_kinds(screen))
        return;
    if (instructions != NULL)
        add_counted(&text, instructions, find_value(screen, "CYCLES"));
    else if (reason != NULL)
        add_obstacle(&text, reason);
    else
        hpm_string_add(&text, _("not counted (hpm doctor)"));
    add_entry(screen, _("instructions"), &text);
}

/* ---- hints ------------------------------------------------------------ */

static void
add_human(struct hpm_string *text, const struct hpm_metrics *metrics,
          size_t metric, double value)
{
    const char *unit = metrics->metrics[metric].texts[HPM_TEXT_UNIT];

    hpm_human_add(text, value, unit != NULL ? unit : "");
}

static void
add_others(const struct screen *screen, const struct hpm_ranking *ranking,
           const struct hpm_hint *hints, size_t n)
{
    struct hpm_string text = {0};

    for (size_t i = 1; i < n && i <= MOST_OTHERS; i++) {
        size_t metric = hints[i].metric;

        hpm_string_add(&text, i > 1 ? ", " : "");
        hpm_string_add(&text, ranking->metrics->metrics[metric].shown);
        hpm_string_add_char(&text, ' ');
        add_human(&text, ranking->metrics, metric, hints[i].value);
    }
    add_entry(screen, _("then"), &text);
}

/* The gravest hint with its reason, the others by name. */
static void
add_hints(const struct screen *screen, const struct hpm_ranking *ranking,
          const struct hpm_hint *hints, size_t n)
{
    struct hpm_string text = {0};

    hpm_hints_add_title(&text, ranking, &hints[0], add_human, NULL, NULL);
    add_entry(screen, _("stands out"), &text);
    if (screen->brevity < WITHOUT_REASON) {
        hpm_hints_add_why(&text, ranking, &hints[0], true);
        add_entry(screen, "", &text);
    }
    if (n > 1 && screen->brevity < WITHOUT_OTHERS)
        add_others(screen, ranking, hints, n);
}

static void
add_nothing(const struct screen *screen)
{
    struct hpm_string text = {0};

    if (hinting_is_worth(screen->derived))
        crossings_add(
            &text, screen->derived->metrics,
            hpm_derived_values(screen->derived, 0, HPM_SPAN_INCLUSIVE),
            screen->look->tree.is_chosen, screen->look->tree.precision);
    else
        hpm_string_add(&text, _("no hint is given in a run under 0.1 s"));
    add_entry(screen, _("stands out"), &text);
}

/* With --sample: the number of samples, and the command that shows them. */
static void
add_samples(const struct screen *screen)
{
    const struct hpm_profile *profile = &screen->experiment->profile;
    struct hpm_string text = {0};

    if (profile->n_events == 0)
        return;
    for (size_t i = 0; i < profile->n_events; i++)
        hpm_string_add_format(&text, _("%s%llu of %s"), i > 0 ? ", " : "",
                              (unsigned long long)profile->events[i].n_taken,
                              profile->events[i].name);
    hpm_string_add(&text, ": hpm report --by symbol FILE");
    add_entry(screen, _("samples"), &text);
}

static void
add_more(const struct screen *screen, const struct hpm_ranking *ranking,
         const struct hpm_hint *hints, size_t n)
{
    struct hpm_string text = {0};

    hpm_string_add(&text, _("-v (all)"));
    if (n > 0) {
        const struct hpm_metric *gravest =
            &ranking->metrics->metrics[hints[0].metric];

        if (!hints[0].is_next_measured && !screen->look->is_attached) {
            hpm_string_add(&text, ", ");
            hpm_hints_add_option(&text, ranking->metrics,
                                 gravest->texts[HPM_TEXT_NEXT]);
            hpm_string_add(&text, _(" (next)"));
        }
        hpm_string_add_format(&text, "; hpm explain %s", gravest->shown);
    }
    add_entry(screen, _("more"), &text);
}

static void
add_standing_out(const struct screen *screen)
{
    struct hpm_hint hints[HPM_MAX_HINTS];
    struct hpm_ranking ranking = {0};
    size_t n = 0;

    if (hinting_is_worth(screen->derived)) {
        if (!hinting_rank(&ranking, screen->derived, screen->look)) {
            screen->string->failed = true;
            return;
        }
        n = hpm_ranking_get(&ranking, hints);
    }
    if (n > 0)
        add_hints(screen, &ranking, hints, n);
    else
        add_nothing(screen);
    add_more(screen, &ranking, hints, n);
    hpm_ranking_clear(&ranking);
}

/* ---- public functions ------------------------------------------------ */

void
screen_add_notes(struct hpm_string *string, const struct hpm_string *notes,
                 size_t width)
{
    for (const char *at = hpm_string_text(notes); *at != '\0';) {
        size_t length = strcspn(at, "\n");
        struct hpm_string line = {0}, shown = {0};

        hpm_string_add_bytes(&line, at, length);
        hpm_sentence_add(&shown, hpm_string_text(&line));
        hpm_paragraph_add(string, hpm_string_text(&shown), width, NOTE_INDENT);
        hpm_string_finish(&line, &string->failed);
        hpm_string_finish(&shown, &string->failed);
        at += length + (at[length] == '\n');
    }
}

static void
add_notes(const struct screen *screen)
{
    const struct hpm_experiment *experiment = screen->experiment;
    struct hpm_string notes = {0};

    if (experiment->run.reason != NULL)
        hpm_string_add_format(&notes, N_("note: %s") "\n",
                              experiment->run.reason);
    hpm_sections_add_faults(&notes, experiment, "note: ");
    screen_add_notes(screen->string, &notes, screen->look->width);
    hpm_string_finish(&notes, &screen->string->failed);
}

void
screen_add_head(struct hpm_string *string,
                const struct hpm_experiment *experiment,
                struct hpm_derived *derived, const struct look *look)
{
    const struct screen screen = {string, experiment, derived, look, WITH_ALL};

    add_head(&screen);
}

/* Does not count the empty line before the title. */
static size_t
count_lines(const struct hpm_string *string)
{
    size_t n = 0;

    for (const char *c = hpm_string_text(string); *c != '\0'; c++)
        n += *c == '\n';
    return n > 0 ? n - 1 : 0;
}

void
screen_add_text(struct hpm_string *string,
                const struct hpm_experiment *experiment,
                struct hpm_derived *derived, const struct look *look)
{
    struct hpm_string lines = {0};
    struct screen screen = {&lines, experiment, derived, look, WITH_ALL};

    for (;; screen.brevity++) {
        add_head(&screen);
        add_instructions(&screen);
        add_samples(&screen);
        add_standing_out(&screen);
        if (screen.brevity == WITHOUT_REASON ||
            count_lines(&lines) <= MOST_LINES)
            break;
        hpm_string_clear(&lines);
    }
    hpm_string_add(string, hpm_string_text(&lines));
    hpm_string_finish(&lines, &string->failed);
    screen.string = string;
    add_notes(&screen);
}
