/* SPDX-License-Identifier: BSD-3-Clause
 * A baseline: the values of a command's runs, kept in a text file. */
#include "study/compare/baseline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "study/store/number.h"

static const char heading[] = "hpm-baseline 1";
static const char last[] = "end";
static const char *const kinds[] = {"time", "size", "count"};

enum { N_KINDS = sizeof kinds / sizeof kinds[0] };

/* ---- writing ------------------------------------------------------------ */

static void
add_series(struct hpm_string *string, const struct hpm_samples *samples,
           size_t subject, size_t metric, size_t side)
{
    const struct hpm_samples_series *series =
        hpm_samples_get(samples, subject, metric, side);

    if (series == NULL)
        return;
    hpm_string_add_format(string, "%s\t", kinds[samples->metrics[metric].kind]);
    hpm_string_add_safe(string, samples->metrics[metric].name);
    hpm_string_add_char(string, '\t');
    hpm_string_add_safe(string, samples->subjects[subject].path);
    for (size_t i = 0; i < samples->sides[side].n_runs; i++) {
        double value = hpm_samples_value(series, i);

        hpm_string_add_char(string, i == 0 ? '\t' : ' ');
        if (isnan(value))
            hpm_string_add_char(string, '-');
        else
            hpm_string_add_real(string, value);
    }
    hpm_string_add_char(string, '\n');
}

static void
add_word(struct hpm_string *string, const char *name, const char *word)
{
    hpm_string_add_format(string, "%s\t", name);
    hpm_string_add_safe(string, word);
    hpm_string_add_char(string, '\n');
}

void
hpm_baseline_add(struct hpm_string *string, const struct hpm_samples *samples,
                 size_t side, const char *host, const char *date)
{
    hpm_string_add_format(string, "%s\n", heading);
    add_word(string, "command", samples->sides[side].name);
    add_word(string, "host", host);
    add_word(string, "date", date);
    for (size_t i = 0; i < samples->n_subjects; i++) {
        for (size_t j = 0; j < samples->n_metrics; j++)
            add_series(string, samples, i, j, side);
    }
    hpm_string_add_format(string, "%s\n", last);
}

/* ---- reading ------------------------------------------------------------- */

/* A line split into words. */
struct line {
    const char *name; /* of the file */
    size_t number;
    struct hpm_string words[4];
    size_t n_words;
};

static void
split(struct line *line, const char *text, size_t length)
{
    line->n_words = 1;
    for (size_t i = 0; i < 4; i++)
        hpm_string_clear(&line->words[i]);
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\t' && line->n_words < 4)
            line->n_words++;
        else
            hpm_string_add_char(&line->words[line->n_words - 1], text[i]);
    }
}

static bool
refuse(const struct line *line, const char *word, const char *expected,
       struct hpm_error *err)
{
    return hpm_error_set(err, "%.200s:%zu: '%.40s': expected %s", line->name,
                         line->number, word, expected);
}

static bool
read_value(const char *word, size_t length, double *ret_value)
{
    struct hpm_number number;

    *ret_value = NAN;
    if (length == 1 && *word == '-')
        return true;
    if (hpm_number_read(word, word + length, &number) != NULL)
        return false;
    *ret_value = hpm_number_to_real(number);
    return true;
}

static bool
read_values(const struct line *line, struct hpm_samples *samples, size_t kind,
            size_t side, struct hpm_error *err)
{
    const char *text = hpm_string_text(&line->words[3]);
    size_t metric = hpm_samples_add_metric(
        samples, hpm_string_text(&line->words[1]), (enum hpm_samples_kind)kind);
    size_t subject =
        hpm_samples_add_subject(samples, hpm_string_text(&line->words[2]));

    for (size_t run = 0; *text != '\0'; run++) {
        size_t length = strcspn(text, " ");
        double value;

        if (!read_value(text, length, &value))
            return refuse(line, text, "a number, or '-'", err);
        hpm_samples_set(samples, subject, metric, side, run, value);
        text += length + (text[length] == ' ');
    }
    return true;
}

static bool
read_line(const struct line *line, struct hpm_samples *samples, size_t side,
          struct hpm_error *err)
{
    const char *word = hpm_string_text(&line->words[0]);

    for (size_t i = 0; i < N_KINDS; i++) {
        if (strcmp(word, kinds[i]) == 0 && line->n_words == 4)
            return read_values(line, samples, i, side, err);
    }
    if (line->number == 1)
        return strcmp(word, heading) == 0 ||
               refuse(
                   line, word,
                   "the heading 'hpm-baseline 1'; hpm compare --renew writes "
                   "such a file",
                   err);
    if (line->n_words == 2 &&
        (strcmp(word, "command") == 0 || strcmp(word, "host") == 0 ||
         strcmp(word, "date") == 0))
        return true;
    return refuse(line, word,
                  "command, host, date, or time, size or count with "
                  "a metric, a section and values",
                  err);
}

/* Keep a word of the side's name, "baseline of DATE, HOST: COMMAND". */
static void
note_word(const struct line *line, struct hpm_string *ret_words)
{
    static const char *const names[] = {"command", "host", "date"};

    for (size_t i = 0; i < 3 && line->n_words == 2; i++) {
        if (strcmp(hpm_string_text(&line->words[0]), names[i]) == 0) {
            hpm_string_clear(&ret_words[i]);
            hpm_string_add(&ret_words[i], hpm_string_text(&line->words[1]));
        }
    }
}

static size_t
add_side(struct hpm_samples *samples, struct hpm_string *words)
{
    struct hpm_string name = {0};
    size_t side;

    hpm_string_add_format(
        &name, "%s, the baseline of %s on %s", hpm_string_text(&words[0]),
        hpm_string_text(&words[2]), hpm_string_text(&words[1]));
    side = hpm_samples_add_side(samples, hpm_string_text(&name));
    hpm_string_free(&name);
    return side;
}

/* Read all lines: first those that describe the baseline, then the values of
 * the side. */
static bool
read_lines(struct line *line, const char *text, struct hpm_string *words,
           struct hpm_samples *samples, struct hpm_error *err)
{
    size_t side = samples->n_sides;
    bool is_good = true, has_end = false;

    for (line->number = 1; *text != '\0' && is_good; line->number++) {
        size_t length = strcspn(text, "\n");

        split(line, text, length);
        if (has_end)
            return refuse(line, hpm_string_text(&line->words[0]),
                          "nothing behind the line 'end'", err);
        has_end = line->n_words == 1 &&
                  strcmp(hpm_string_text(&line->words[0]), last) == 0;
        if (has_end) {
            text += length + (text[length] == '\n');
            continue;
        }
        note_word(line, words);
        if (line->n_words == 4 && side == samples->n_sides)
            add_side(samples, words);
        is_good = read_line(line, samples, side, err);
        text += length + (text[length] == '\n');
    }
    if (is_good && !has_end)
        return hpm_error_set(err,
                             "%.200s is cut off behind line %zu: its last line "
                             "is not 'end'; hpm compare --renew without "
                             "--fail-if writes it anew",
                             line->name, line->number - 1);
    if (is_good && side == samples->n_sides)
        return hpm_error_set(
            err,
            "%.200s has no values; hpm compare --renew without "
            "--fail-if writes it anew",
            line->name);
    return is_good;
}

bool
hpm_baseline_read(struct hpm_samples *samples, const char *name,
                  const char *text, struct hpm_error *err)
{
    struct hpm_string words[3] = {{0}, {0}, {0}};
    struct line line = {.name = name};
    bool is_good = read_lines(&line, text, words, samples, err);

    for (size_t i = 0; i < 3; i++)
        hpm_string_free(&words[i]);
    for (size_t i = 0; i < 4; i++)
        hpm_string_free(&line.words[i]);
    if (is_good && samples->failed)
        return hpm_error_no_memory(err);
    return is_good;
}
