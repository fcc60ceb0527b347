/* SPDX-License-Identifier: BSD-3-Clause
 * What a report begins and ends with. */
#include "report/overview.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "report/format.h"

enum { MOST_NAMES = 3, MOST_HOSTS = 4, MOST_NOTES = 20 };

/* ---- prose ----------------------------------------------------------- */

void
hpm_overview_add_prose(struct hpm_string *string, const char *text,
                       size_t width, size_t indent)
{
    struct hpm_string safe = {0};
    size_t column = 0;
    const char *word;

    hpm_text_add_safe(&safe, text);
    word = hpm_string_text(&safe);
    while (*word != '\0') {
        size_t blanks = strspn(word, " ");
        size_t length = strcspn(word + blanks, " ");
        size_t columns = 0;

        for (size_t i = 0; i < length; i++)
            columns += ((unsigned char)word[blanks + i] & 0xc0) != 0x80;
        if (width > 0 && column > indent && column + blanks + columns > width) {
            hpm_string_add_char(string, '\n');
            for (column = 0; column < indent; column++)
                hpm_string_add_char(string, ' ');
            blanks = 0;
            word += strspn(word, " ");
        }
        hpm_string_add_bytes(string, word, blanks + length);
        column += blanks + columns;
        word += blanks + length;
    }
    hpm_string_add_char(string, '\n');
    string->failed |= safe.failed;
    hpm_string_free(&safe);
}

/* Add the line that was put together, and empty it. */
static void
add_line(struct hpm_string *string, struct hpm_string *line, size_t width)
{
    hpm_overview_add_prose(string, hpm_string_text(line), width, 2);
    string->failed |= line->failed;
    hpm_string_clear(line);
}

static void
add_plural(struct hpm_string *line, size_t n, const char *noun)
{
    hpm_string_add_format(line, "%zu %s%s", n, noun, n == 1 ? "" : "s");
}

/* ---- which tasks ----------------------------------------------------- */

/* ", in tasks 0-3, 7"; nothing where it is all of them.  is_in is per task. */
static void
add_tasks(struct hpm_string *line, const struct hpm_study *study,
          const bool *is_in, const char *before)
{
    size_t n = 0, i = 0;

    for (size_t j = 0; j < study->n_tasks; j++)
        n += is_in[j];
    if (n == study->n_tasks)
        return;
    hpm_string_add_format(line, "%s%s ", before, n == 1 ? "task" : "tasks");
    for (const char *comma = ""; i < study->n_tasks; comma = ", ") {
        size_t first = i;

        while (first < study->n_tasks && !is_in[first])
            first++;
        if (first == study->n_tasks)
            break;
        for (i = first; i < study->n_tasks && is_in[i]; i++)
            continue;
        hpm_string_add_format(line, "%s%d", comma, study->tasks[first].number);
        if (i > first + 1)
            hpm_string_add_format(line, "-%d", study->tasks[i - 1].number);
    }
}

/* ---- what ran -------------------------------------------------------- */

/* The different texts of a field of the tasks, at most a few. */
static void
add_texts(struct hpm_string *line, const struct hpm_study *study, size_t offset)
{
    const char *met[MOST_NAMES];
    size_t n = 0;

    for (size_t i = 0; i < study->n_tasks; i++) {
        const char *text =
            *(const char *const *)((const char *)&study->tasks[i] + offset);
        size_t j = 0;

        while (j < n && text != NULL && strcmp(met[j], text) != 0)
            j++;
        if (text == NULL || text[0] == '\0' || j < n)
            continue;
        if (n == MOST_NAMES) {
            hpm_string_add(line, " ...");
            return;
        }
        hpm_string_add(line, n > 0 ? ", " : "");
        hpm_string_add(line, text);
        met[n++] = text;
    }
}

static void
add_kind(struct hpm_string *line, const struct hpm_study *study)
{
    char number[32] = "";
    double runs = 0.0;

    for (size_t i = 0; i < study->n_tasks; i++)
        runs = fmax(runs, hpm_number_to_real(study->tasks[i].n_runs));
    if (runs > 0.0)
        snprintf(number, sizeof number, "%lu ", (unsigned long)runs);
    if (study->kind == HPM_STUDY_MEAN)
        hpm_string_add_format(line, "; the mean of %sruns", number);
    else if (study->kind == HPM_STUDY_INTEGRATED)
        hpm_string_add_format(line, "; %sruns integrated", number);
    else if (study->kind == HPM_STUDY_DIFF)
        hpm_string_add(line, "; the difference of two experiments, b - a");
}

static size_t
count_sections(const struct hpm_survey *survey)
{
    size_t n = 0;

    for (size_t i = 0; i < survey->n_subjects; i++)
        n += survey->subjects[i].count > 0;
    return n;
}

static size_t
count_threads(const struct hpm_study *study)
{
    size_t n = 0;

    for (size_t i = 0; i < study->n_places; i++)
        n += study->places[i].tid >= 0;
    return n;
}

static void
add_what(struct hpm_string *string, const struct hpm_survey *survey,
         size_t width)
{
    static const char *const nouns[] = {[HPM_GROUP_SECTIONS] = "section",
                                        [HPM_GROUP_PATHS] = "call path",
                                        [HPM_GROUP_FILES] = "file"};
    const struct hpm_study *study = survey->study;
    size_t n_threads = count_threads(study);
    struct hpm_string line = {0};

    add_texts(&line, study, offsetof(struct hpm_task, program));
    if (line.length == 0)
        hpm_string_add(&line, "(program not said)");
    hpm_string_add(&line, ": ");
    add_plural(&line, study->n_tasks, "task");
    if (n_threads > 0) {
        hpm_string_add(&line, ", ");
        add_plural(&line, n_threads, "thread");
    }
    hpm_string_add(&line, ", ");
    add_plural(&line, count_sections(survey), nouns[survey->options.grouping]);
    add_kind(&line, study);
    add_line(string, &line, width);
    hpm_string_free(&line);
}

/* ---- when ------------------------------------------------------------ */

/* "2026-11-20T11:30:00.123Z" as "2026-11-20 11:30:00 UTC". */
static void
add_time(struct hpm_string *line, const char *start)
{
    size_t length = strlen(start);

    if (length < 20 || start[10] != 'T' || start[length - 1] != 'Z') {
        hpm_string_add(line, start);
        return;
    }
    hpm_string_add_bytes(line, start, 10);
    hpm_string_add_char(line, ' ');
    hpm_string_add_bytes(line, start + 11, 8);
    hpm_string_add(line, " UTC");
}

static void
add_seconds(struct hpm_string *line, const struct hpm_study *study)
{
    double least = INFINITY, most = -INFINITY;

    for (size_t i = 0; i < study->n_tasks; i++) {
        double seconds = hpm_number_to_real(study->tasks[i].seconds);

        if (isnan(seconds))
            continue;
        least = fmin(least, seconds);
        most = fmax(most, seconds);
    }
    if (most < least)
        return;
    hpm_string_add(line, line->length > 0 ? ", " : "");
    if (most > least) {
        hpm_string_add_fixed(line, least, 3);
        hpm_string_add(line, " to ");
    }
    hpm_string_add_fixed(line, most, 3);
    hpm_string_add(line, " s wall clock");
}

static void
add_when(struct hpm_string *string, const struct hpm_study *study, size_t width)
{
    struct hpm_string line = {0};
    const char *first = NULL;

    add_texts(&line, study, offsetof(struct hpm_task, job));
    if (line.length > 0) {
        struct hpm_string job = {0};

        hpm_string_add_format(&job, "job %s", hpm_string_text(&line));
        hpm_string_free(&line);
        line = job;
    }
    for (size_t i = 0; i < study->n_tasks; i++) {
        const char *start = study->tasks[i].start;

        if (start != NULL && (first == NULL || strcmp(start, first) < 0))
            first = start;
    }
    if (first != NULL) {
        hpm_string_add(&line, line.length > 0 ? ", " : "");
        add_time(&line, first);
    }
    add_seconds(&line, study);
    if (line.length > 0)
        add_line(string, &line, width);
    hpm_string_free(&line);
}

/* ---- where ----------------------------------------------------------- */

static void
add_machine(struct hpm_string *line, const struct hpm_task_machine *machine)
{
    double mhz = hpm_number_to_real(machine->mhz);
    double n_cpus = hpm_number_to_real(machine->n_cpus);

    if (machine->host != NULL) {
        hpm_string_add(line, machine->host);
        hpm_string_add(line, ": ");
    }
    hpm_string_add(line, machine->cpu != NULL   ? machine->cpu
                         : machine->pmu != NULL ? machine->pmu
                                                : "processor not said");
    if (n_cpus > 0)
        hpm_string_add_format(line, ", %llu processor%s",
                              (unsigned long long)n_cpus,
                              n_cpus == 1 ? "" : "s");
    if (mhz > 0 && mhz < 1e6) {
        hpm_string_add(line, " at ");
        hpm_string_add_fixed(line, mhz, 0);
        hpm_string_add(line, " MHz");
    }
    if (machine->is_virtual == HPM_YES)
        hpm_string_add(line, ", virtual");
    if (machine->system != NULL)
        hpm_string_add_format(line, "; %s", machine->system);
}

/* A line each of the different machines, at most a few. */
static void
add_where(struct hpm_string *string, const struct hpm_study *study,
          size_t width)
{
    struct hpm_string lines[MOST_HOSTS] = {{0}}, line = {0};
    bool *is_in = hpm_memory_new(MOST_HOSTS * (study->n_tasks + 1), 1);
    size_t n = 0, n_more = 0;

    for (size_t i = 0; i < study->n_tasks && is_in != NULL; i++) {
        size_t j = 0;

        if (!study->tasks[i].has_machine)
            continue;
        hpm_string_clear(&line);
        add_machine(&line, &study->tasks[i].machine);
        while (j < n &&
               strcmp(hpm_string_text(&lines[j]), hpm_string_text(&line)) != 0)
            j++;
        n_more += j == MOST_HOSTS;
        if (j < MOST_HOSTS)
            is_in[j * (study->n_tasks + 1) + i] = true;
        if (j == n && n < MOST_HOSTS)
            hpm_string_add(&lines[n++], hpm_string_text(&line));
    }
    for (size_t i = 0; i < n; i++) {
        add_tasks(&lines[i], study, is_in + i * (study->n_tasks + 1), "; ");
        add_line(string, &lines[i], width);
        hpm_string_free(&lines[i]);
    }
    if (n_more > 0)
        hpm_string_add_format(string, "and on other hosts %zu more tasks\n",
                              n_more);
    string->failed |= is_in == NULL;
    hpm_memory_free(is_in);
    hpm_string_free(&line);
}

/* ---- what was compared ----------------------------------------------- */

/* "a: one.hpm.xml and 3 more" */
static void
add_side(struct hpm_string *string, const struct hpm_study *study,
         enum hpm_side side, size_t width)
{
    struct hpm_string line = {0};
    size_t n = 0;

    for (size_t i = 0; i < study->n_sources; i++) {
        if (study->sources[i].side != side)
            continue;
        if (n++ == 0)
            hpm_string_add_format(&line, "%s: %s",
                                  side == HPM_SIDE_A ? "a" : "b",
                                  study->sources[i].file);
    }
    if (n > 1)
        hpm_string_add_format(&line, " and %zu more", n - 1);
    if (n > 0)
        add_line(string, &line, width);
    hpm_string_free(&line);
}

/* ---- what was counted ------------------------------------------------ */

static void
add_counted(struct hpm_string *string, const struct hpm_survey *survey,
            size_t width)
{
    struct hpm_string line = {0};
    size_t n_hidden = 0;

    for (size_t i = 0; i < survey->n_quantities; i++) {
        const struct hpm_quantity *quantity = &survey->quantities[i];

        if (quantity->kind != HPM_QUANTITY_COUNTER)
            continue;
        n_hidden += quantity->is_hidden;
        if (quantity->is_hidden)
            continue;
        hpm_string_add(&line, line.length > 0 ? ", " : "counted: ");
        hpm_string_add(&line, quantity->name);
    }
    if (n_hidden > 0 && line.length > 0)
        hpm_string_add_format(&line, " and %zu not shown at first", n_hidden);
    if (line.length > 0)
        add_line(string, &line, width);
    for (size_t i = 0; i < survey->n_machines; i++) {
        if (!survey->machines[i].is_guessed)
            continue;
        hpm_string_add_format(&line,
                              "metrics: those of %s, which knows all these "
                              "counters; the file does not name the "
                              "processor (--arch does)",
                              survey->machines[i].pmu);
        add_line(string, &line, width);
    }
    hpm_string_free(&line);
}

void
hpm_overview_add_head(struct hpm_string *string,
                      const struct hpm_survey *survey, size_t width)
{
    add_what(string, survey, width);
    add_when(string, survey->study, width);
    add_where(string, survey->study, width);
    add_side(string, survey->study, HPM_SIDE_A, width);
    add_side(string, survey->study, HPM_SIDE_B, width);
    add_counted(string, survey, width);
}

/* ---- notes ----------------------------------------------------------- */

/* Sentences that several tasks have, each once. */
struct sayings {
    const struct hpm_study *study;
    struct saying {
        char *text;
        bool *is_in; /* per task */
        uint64_t count;
    } * all;
    size_t n, capacity;
    size_t n_more; /* not kept */
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

static void
say_of_counters(struct sayings *sayings, size_t i, struct hpm_string *line)
{
    const struct hpm_task *task = &sayings->study->tasks[i];

    for (size_t j = 0; j < task->n_counters; j++) {
        const struct hpm_task_counter *counter = &task->counters[j];
        bool has_value =
            !counter->has_state || hpm_state_has_value(counter->state);

        if (counter->reason == NULL && has_value)
            continue;
        hpm_string_clear(line);
        hpm_string_add(line, counter->name);
        hpm_string_add(line, has_value ? ": in part not counted: "
                                       : ": not counted: ");
        hpm_string_add(line, counter->reason != NULL
                                 ? counter->reason
                                 : hpm_state_name(counter->state));
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
        hpm_string_add(line, "incomplete: ");
        hpm_string_add(line, task->reason != NULL ? task->reason
                                                  : "the file says so");
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
        hpm_string_add(&line, "note: ");
        hpm_string_add(&line, saying->text);
        if (saying->count > n_tasks)
            hpm_string_add_format(&line, " (%llu times)",
                                  (unsigned long long)saying->count);
        add_tasks(&line, sayings->study, saying->is_in, "; in ");
        add_line(string, &line, width);
        hpm_memory_free(saying->text);
        hpm_memory_free(saying->is_in);
    }
    if (sayings->n_more > 0) {
        hpm_string_add_format(&line, "note: and %zu more of these",
                              sayings->n_more);
        add_line(string, &line, width);
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
                              "note: %s: shared the hardware with "
                              "other counters: counted as little as ",
                              quantity->name);
        hpm_string_add_fixed(&line, 100.0 * least, 1);
        hpm_string_add(&line, " % of the time, and scaled up");
        add_line(string, &line, width);
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
        {HPM_ROW_SHORT, "(?) hardly take longer than measuring them: do not "
                        "trust their times"},
        {HPM_ROW_OPEN, "were left open and measured up to the end"},
        {HPM_ROW_OVERLAP, "overlap others: their exclusive time ends where "
                          "the later one begins"},
    };
    struct hpm_string line = {0};

    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        size_t n = 0;

        for (size_t j = 0; j < study->n_rows; j++)
            n += (hpm_study_row(study, j)->flags & flags[i].flag) != 0;
        if (n == 0)
            continue;
        hpm_string_add_format(&line, "note: %zu of %zu records %s", n,
                              study->n_rows, flags[i].text);
        add_line(string, &line, width);
    }
    hpm_string_free(&line);
}

void
hpm_overview_add_notes(struct hpm_string *string,
                       const struct hpm_survey *survey, size_t width)
{
    struct sayings sayings = {.study = survey->study};
    struct hpm_string line = {0};

    for (size_t i = 0; i < survey->study->n_tasks; i++) {
        say_of_counters(&sayings, i, &line);
        say_of_run(&sayings, i, &line);
    }
    add_sayings(string, &sayings, width);
    add_shares(string, survey, width);
    add_flags(string, survey->study, width);
    string->failed |= line.failed;
    hpm_string_free(&line);
}
