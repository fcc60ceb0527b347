/* SPDX-License-Identifier: BSD-3-Clause
 * The numbers of a survey as blocks of a page. */
#include "study/html/tables.h"

#include <string.h>

#include "host/memory.h"
#include "study/report/entrynumbers.h"
#include "study/report/shown.h"

/* ---- one quantity of all subjects ------------------------------------ */

/* Numbers beside those that have names in hpm report. */
enum {
    N_CODE = HPM_N_ENTRY_NUMBERS, /* in the header */
    N_REASON,
    N_OWN_REASON,
    N_FLAGS,
    N_SUMMARY
};

static const char *const more_names[] = {"code", "reason", "own reason",
                                         "flags"};

/* Flags of a whole that do not fit in its code. */
enum { FLAG_RENAMED = 1, FLAG_RUN_BOUND = 2, FLAG_OF_RUN = 4 };

static struct hpm_number
count(size_t n)
{
    return hpm_number_count(n);
}

/* State, verdict and marks of a value as one number. */
static unsigned
code_of(const struct hpm_figure *figure)
{
    return (unsigned)figure->state | (unsigned)figure->verdict << 4 |
           (figure->is_partial ? 64u : 0) |
           (figure->doubt != HPM_DOUBT_NONE ? 128u : 0);
}

static struct hpm_number
reason_of(struct hpm_block *block, const struct hpm_figure *figure)
{
    struct hpm_string text = {0};
    struct hpm_number number = {0};

    hpm_shown_add_reason(&text, figure);
    if (text.length > 0)
        number = hpm_block_add_text(block, hpm_string_text(&text));
    hpm_string_finish(&text, &block->texts.failed);
    return number;
}

static void
put_entry(struct hpm_number *to, struct hpm_block *block,
          const struct hpm_survey *survey, const struct hpm_entry *entry)
{
    const struct hpm_figure *figure = &entry->figure;
    unsigned flags = (figure->is_renamed ? FLAG_RENAMED : 0u) |
                     (figure->is_run_bound ? FLAG_RUN_BOUND : 0u) |
                     (figure->is_of_run ? FLAG_OF_RUN : 0u);

    hpm_entrynumbers_of_entry(to, survey, entry);
    to[N_CODE] = count(code_of(figure));
    to[N_REASON] = reason_of(block, figure);
    if (figure->own_doubt != HPM_DOUBT_NONE &&
        figure->exclusive.kind != HPM_NUMBER_NONE)
        to[N_OWN_REASON] =
            hpm_block_add_text(block, hpm_doubt_text(figure->own_doubt));
    if (flags != 0)
        to[N_FLAGS] = count(flags);
}

bool
hpm_html_add_quantity(struct hpm_string *page, const struct hpm_survey *survey,
                      size_t quantity)
{
    struct hpm_block block = {.n_rows = survey->n_subjects};
    struct hpm_number *numbers =
        hpm_memory_new(survey->n_subjects * N_SUMMARY + 1, sizeof *numbers);

    if (numbers == NULL)
        return false;
    for (size_t i = 0; i < survey->n_subjects; i++) {
        const struct hpm_entry *entry =
            hpm_subject_entry(&survey->subjects[i], quantity);

        if (entry != NULL)
            put_entry(numbers + i * N_SUMMARY, &block, survey, entry);
    }
    for (size_t i = 0; i < N_SUMMARY; i++)
        hpm_block_add_column(&block,
                             i < HPM_N_ENTRY_NUMBERS
                                 ? hpm_entrynumbers_names[i]
                                 : more_names[i - HPM_N_ENTRY_NUMBERS],
                             numbers + i, N_SUMMARY);
    hpm_memory_free(numbers);
    hpm_block_add(page, &block);
    return !page->failed;
}

/* ---- the threads of one subject -------------------------------------- */

/* For a quantity of a thread: value, exclusive, share, interval, code,
 * reason. */
enum { N_OF_THREAD = 6 };

/* The reason of the thread before, for a quantity: many threads have the
 * same. */
struct reason {
    struct hpm_string text;
    struct hpm_number number; /* in the block */
};

struct threads {
    const struct hpm_survey *survey;
    const struct hpm_subject *subject;
    size_t *wanted; /* quantities */
    size_t n_wanted;
    struct reason *reasons; /* by wanted quantity */
    struct hpm_block *block;
    enum hpm_html_detail detail;
    struct hpm_number *numbers; /* by thread: its place, then each quantity's */
    size_t n, capacity;
    bool failed;
};

static size_t
n_columns(const struct threads *threads)
{
    return 1 + threads->n_wanted * N_OF_THREAD;
}

static bool
is_wanted(const struct hpm_quantity *quantity, enum hpm_html_detail detail)
{
    switch (quantity->kind) {
    case HPM_QUANTITY_EXCLUSIVE:
        return detail < HPM_HTML_NOTHING;
    case HPM_QUANTITY_CALLS:
    case HPM_QUANTITY_INCLUSIVE:
        return detail <= HPM_HTML_TIMES;
    case HPM_QUANTITY_COUNTER:
        return detail <= HPM_HTML_INCLUSIVE;
    default:
        return detail == HPM_HTML_ALL;
    }
}

static struct hpm_number
reason_of_thread(struct threads *threads, size_t wanted,
                 const struct hpm_figure *figure)
{
    struct reason *before = &threads->reasons[wanted];
    struct hpm_string text = {0};

    hpm_shown_add_reason(&text, figure);
    if (text.length == 0) {
        hpm_string_finish(&text, &threads->failed);
        return (struct hpm_number){0};
    }
    if (before->number.kind == HPM_NUMBER_NONE ||
        strcmp(hpm_string_text(&text), hpm_string_text(&before->text)) != 0) {
        hpm_string_clear(&before->text);
        hpm_string_add(&before->text, hpm_string_text(&text));
        before->number =
            hpm_block_add_text(threads->block, hpm_string_text(&text));
    }
    hpm_string_finish(&text, &threads->failed);
    return before->number;
}

static void
put_thread(void *owner, uint32_t row, const struct hpm_figure *figures)
{
    struct threads *threads = owner;
    size_t n = n_columns(threads);
    struct hpm_number *to;

    if (!hpm_memory_grow(&threads->numbers, &threads->capacity,
                         (threads->n + 1) * n, sizeof *to)) {
        threads->failed = true;
        return;
    }
    to = threads->numbers + threads->n++ * n;
    *to++ = count(hpm_study_row(threads->survey->study, row)->place);
    for (size_t i = 0; i < threads->n_wanted; i++, to += N_OF_THREAD) {
        const struct hpm_figure *figure = &figures[threads->wanted[i]];

        if (!figure->is_present ||
            hpm_subject_repeats(threads->subject, threads->wanted[i], figure))
            continue;
        to[0] = figure->value;
        if (threads->detail <= HPM_HTML_COUNTS)
            to[1] = figure->exclusive;
        if (figure->state == HPM_STATE_SHARED) {
            to[2] = figure->share;
            to[3] = figure->reach;
        }
        if (code_of(figure) != 0) /* 0: simply counted */
            to[4] = count(code_of(figure));
        to[5] = reason_of_thread(threads, i, figure);
    }
}

static void
add_columns(struct hpm_block *block, const struct threads *threads)
{
    static const char *const names[N_OF_THREAD] = {
        "value", "exclusive", "share", "interval", "code", "reason"};
    size_t n = n_columns(threads);
    struct hpm_string name = {0};

    hpm_block_add_column(block, "place", threads->numbers, n);
    for (size_t i = 0; i < threads->n_wanted; i++) {
        for (size_t j = 0; j < N_OF_THREAD; j++) {
            hpm_string_clear(&name);
            hpm_string_add_format(&name, "%s %zu", names[j],
                                  threads->wanted[i]);
            hpm_block_add_column(block, hpm_string_text(&name),
                                 threads->numbers + 1 + i * N_OF_THREAD + j, n);
        }
    }
    hpm_string_finish(&name, &block->names.failed);
}

static void
free_threads(struct threads *threads)
{
    for (size_t i = 0; i < threads->n_wanted; i++)
        hpm_string_finish(&threads->reasons[i].text, &threads->failed);
    hpm_memory_free(threads->reasons);
    hpm_memory_free(threads->wanted);
    hpm_memory_free(threads->numbers);
}

bool
hpm_html_add_threads(struct hpm_string *page, struct hpm_survey *survey,
                     size_t subject, enum hpm_html_detail detail)
{
    struct hpm_block block = {0};
    struct threads threads = {.survey = survey,
                              .subject = &survey->subjects[subject],
                              .block = &block,
                              .detail = detail};

    threads.wanted = hpm_memory_new(survey->n_live + 1, sizeof(size_t));
    threads.reasons =
        hpm_memory_new(survey->n_live + 1, sizeof *threads.reasons);
    if (threads.wanted == NULL || threads.reasons == NULL) {
        free_threads(&threads);
        return false;
    }
    for (size_t i = 0; i < survey->n_live; i++) {
        if (is_wanted(&survey->quantities[survey->live[i]], detail))
            threads.wanted[threads.n_wanted++] = survey->live[i];
    }
    hpm_survey_visit_threads(survey, subject, put_thread, &threads);
    block.n_rows = threads.n;
    if (threads.n > 0)
        add_columns(&block, &threads);
    free_threads(&threads);
    hpm_block_add(page, &block);
    return !threads.failed && !page->failed;
}

/* ---- places ---------------------------------------------------------- */

bool
hpm_html_add_places(struct hpm_string *page, const struct hpm_study *study)
{
    struct hpm_block block = {.n_rows = study->n_places};
    struct hpm_number *numbers =
        hpm_memory_new(study->n_places * 2 + 1, sizeof *numbers);

    if (numbers == NULL)
        return false;
    for (size_t i = 0; i < study->n_places; i++) {
        const struct hpm_study_place *place = &study->places[i];

        numbers[2 * i] = hpm_number_integer(study->tasks[place->task].number);
        numbers[2 * i + 1] = hpm_number_integer(place->tid);
    }
    hpm_block_add_column(&block, "task", numbers, 2);
    hpm_block_add_column(&block, "thread", numbers + 1, 2);
    hpm_memory_free(numbers);
    hpm_block_add(page, &block);
    return !page->failed;
}
