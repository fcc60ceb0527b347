/* SPDX-License-Identifier: BSD-3-Clause
 * The notes at the end of a report. */
#include <string.h>

#include "host/memory.h"
#include "model/experiment.h"
#include "study/columns/family.h"
#include "study/columns/lacks.h"
#include "study/columns/watched.h"
#include "study/report/overview.h"
#include "study/report/paragraph.h"
#include "study/report/tasklist.h"
#include "study/words/sentence.h"
#include "study/words/words.h"

enum { MOST_NOTES = 20 };

/* Different sentences of all tasks. */
struct sayings {
    const struct hpm_study *study;
    struct saying {
        char *text;
        bool *is_in; /* by task */
        uint64_t count;
    } * all;
    size_t n, capacity;
    size_t n_more; /* further sentences */
    bool failed;
};

static void
say(struct sayings *sayings, size_t task, uint64_t count, const char *text)
{
    struct saying *saying = NULL;

    for (size_t i = 0; i < sayings->n && saying == NULL; i++) {
        if (strcmp(sayings->all[i].text, text) == 0)
            saying = &sayings->all[i];
    }
    if (saying == NULL && sayings->n >= MOST_NOTES) {
        sayings->n_more++;
        return;
    }
    if (saying == NULL) {
        if (!hpm_memory_grow(&sayings->all, &sayings->capacity, sayings->n + 1,
                             sizeof *saying)) {
            sayings->failed = true;
            return;
        }
        saying = &sayings->all[sayings->n++];
        saying->text = hpm_memory_copy_text(text);
        saying->is_in =
            hpm_memory_new(sayings->study->n_tasks + 1, sizeof(bool));
        if (saying->text == NULL || saying->is_in == NULL) {
            hpm_memory_free(saying->text);
            hpm_memory_free(saying->is_in);
            sayings->n--;
            sayings->failed = true;
            return;
        }
    }
    saying->is_in[task] = true;
    saying->count += count;
}

static const char *
reason_of(enum hpm_state state)
{
    return state == HPM_STATE_BRIEF ? HPM_REASON_BRIEF : hpm_state_name(state);
}

static void
say_of_counters(struct sayings *sayings, size_t i, struct hpm_string *line)
{
    const struct hpm_task *task = &sayings->study->tasks[i];

    for (size_t j = 0; j < task->n_counters; j++) {
        const struct hpm_task_counter *counter = &task->counters[j];
        bool has_value =
            hpm_state_has_value(hpm_said_state(counter->said_state));

        if (counter->reason == NULL && has_value)
            continue;
        hpm_string_clear(line);
        hpm_string_add(line, counter->name);
        hpm_string_add(line, has_value ? ": in part not counted: "
                                       : ": not counted: ");
        hpm_string_add(line,
                       counter->reason != NULL
                           ? counter->reason
                           : reason_of(hpm_said_state(counter->said_state)));
        say(sayings, i, 1, hpm_string_text(line));
    }
    if (task->machine.reason != NULL && task->n_counters > 0) {
        hpm_string_clear(line);
        hpm_string_add(line, "no hardware counters: ");
        hpm_string_add(line, task->machine.reason);
        say(sayings, i, 1, hpm_string_text(line));
    }
}

static void
say_of_run(struct sayings *sayings, size_t i, struct hpm_string *line)
{
    const struct hpm_task *task = &sayings->study->tasks[i];

    if (task->is_complete == HPM_NO || task->reason != NULL) {
        hpm_string_clear(line);
        hpm_string_add(line,
                       sayings->study->kind == HPM_STUDY_SUMMARY
                           ? "one task or more are incomplete, the first: "
                           : "incomplete: ");
        hpm_string_add(line, task->reason != NULL ? task->reason
                                                  : "the file says so");
        say(sayings, i, 1, hpm_string_text(line));
    }
    if (task->exit != NULL && strcmp(task->exit, "0") != 0) {
        bool is_signal = strncmp(task->exit, "signal ", 7) == 0;

        hpm_string_clear(line);
        hpm_string_add(line, is_signal ? "the program was ended by "
                                       : "the program ended with exit status ");
        hpm_string_add(line, task->exit);
        say(sayings, i, 1, hpm_string_text(line));
    }
    for (size_t j = 0; j < task->n_problems; j++) {
        double count = hpm_number_to_real(task->problems[j].count);

        say(sayings, i, count > 1 ? (uint64_t)count : 1,
            task->problems[j].text);
    }
}

static void
add_sayings(struct hpm_string *string, struct sayings *sayings, size_t width)
{
    struct hpm_string line = {0};

    for (size_t i = 0; i < sayings->n; i++) {
        struct saying *saying = &sayings->all[i];
        size_t n_tasks = 0;

        for (size_t j = 0; j < sayings->study->n_tasks; j++)
            n_tasks += saying->is_in[j];
        hpm_string_add(&line, _("note: "));
        hpm_sentence_add(&line, saying->text);
        if (saying->count > n_tasks)
            hpm_string_add_format(&line, _(" (%llu times)"),
                                  (unsigned long long)saying->count);
        hpm_tasklist_add(&line, sayings->study, saying->is_in, _("; in "));
        hpm_paragraph_add_line(string, &line, width);
        hpm_memory_free(saying->text);
        hpm_memory_free(saying->is_in);
    }
    if (sayings->n_more > 0) {
        hpm_string_add_format(&line, _("note: and %zu more of these"),
                              sayings->n_more);
        hpm_paragraph_add_line(string, &line, width);
    }
    string->failed |= sayings->failed;
    hpm_memory_free(sayings->all);
    hpm_string_free(&line);
}

/* The smallest share of the time that a counter was on the hardware. */
static double
smallest_share(const struct hpm_study *study, const struct hpm_quantity *q)
{
    double least = 1.0;

    for (size_t i = 0; i < q->n_columns; i++) {
        for (uint32_t row = 0; row < study->n_rows; row++) {
            double share = hpm_number_to_real(
                hpm_study_number(study, row, q->columns[i], HPM_FIELD_SHARE));

            if (share < least)
                least = share;
        }
    }
    return least;
}

static void
add_shares(struct hpm_string *string, const struct hpm_survey *survey,
           size_t width)
{
    struct hpm_string line = {0};

    for (size_t i = 0; i < survey->n_quantities; i++) {
        const struct hpm_quantity *quantity = &survey->quantities[i];
        double least;

        if (quantity->kind != HPM_QUANTITY_COUNTER)
            continue;
        least = smallest_share(survey->study, quantity);
        if (least >= 1.0)
            continue;
        hpm_string_add_format(&line,
                              _("note: %s: shared the hardware with other "
                                "counters: counted as little as "),
                              quantity->name);
        hpm_string_add_fixed(&line, 100.0 * least, 1);
        /* xgettext:no-c-format */
        hpm_string_add(&line, _(" % of the time, and scaled up"));
        hpm_paragraph_add_line(string, &line, width);
    }
    hpm_string_free(&line);
}

static void
add_flags(struct hpm_string *string, const struct hpm_study *study,
          size_t width)
{
    static const struct {
        unsigned flag;
        const char *text;
    } flags[] = {
        {HPM_ROW_SHORT, N_("(?) hardly take longer than measuring them: do not "
                           "trust their times")},
        {HPM_ROW_OPEN,
         N_("were left open and measured until the library closed them")},
        {HPM_ROW_OVERLAP, N_("overlap others: their exclusive time ends where "
                             "the later one begins")},
        {HPM_ROW_FIRST_CALLS,
         N_("have only the first calls of a function that was too short to be "
            "measured further: the later ones belong to the sections around "
            "them")},
    };
    struct hpm_string line = {0};

    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        size_t n = 0;

        for (size_t j = 0; j < study->n_rows; j++)
            n += (hpm_study_row(study, j)->flags & flags[i].flag) != 0;
        if (n == 0)
            continue;
        hpm_string_add_format(&line, _("note: %zu of %zu records %s"), n,
                              study->n_rows, _(flags[i].text));
        hpm_paragraph_add_line(string, &line, width);
    }
    hpm_string_free(&line);
}

/* Functions that something watched: their times are as good as that is. */
static void
add_watched(struct hpm_string *string, const struct hpm_study *study,
            size_t width)
{
    struct hpm_string line = {0};

    for (int via = HPM_VIA_CALL + 1; via < HPM_N_VIAS; via++) {
        size_t n = 0;

        for (uint32_t i = 0; i < study->n_rows; i++)
            n += hpm_watched_get(study, i).via == via;
        if (n == 0)
            continue;
        hpm_string_add_format(
            &line, _("note: %zu of %zu records are functions, measured by %s"),
            n, study->n_rows, _(hpm_watched_words(via)));
        hpm_paragraph_add_line(string, &line, width);
    }
    hpm_string_free(&line);
}

static void
add_tasks(struct hpm_string *string, const struct hpm_study *study,
          size_t width)
{
    struct hpm_string lines = {0}, line = {0}, note = {0};
    const char *at;

    hpm_lacks_add_lines(study, 0, &lines);
    hpm_family_add_lines(study, &lines);
    at = hpm_string_text(&lines);
    for (size_t length; *at != '\0'; at += length + 1) {
        length = strcspn(at, "\n");
        hpm_string_add_bytes(&note, at, length);
        hpm_string_add(&line, _("note: "));
        hpm_sentence_add(&line, hpm_string_text(&note));
        hpm_string_clear(&note);
        hpm_paragraph_add_line(string, &line, width);
    }
    hpm_string_finish(&lines, &string->failed);
    hpm_string_finish(&line, &string->failed);
    hpm_string_finish(&note, &string->failed);
}

void
hpm_overview_add_notes(struct hpm_string *string,
                       const struct hpm_survey *survey, size_t width)
{
    struct sayings sayings = {.study = survey->study};
    struct hpm_string line = {0};

    add_tasks(string, survey->study, width);
    for (size_t i = 0; i < survey->study->n_tasks; i++) {
        say_of_counters(&sayings, i, &line);
        say_of_run(&sayings, i, &line);
    }
    add_sayings(string, &sayings, width);
    add_shares(string, survey, width);
    add_flags(string, survey->study, width);
    add_watched(string, survey->study, width);
    hpm_string_finish(&line, &string->failed);
}
