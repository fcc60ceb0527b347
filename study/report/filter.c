/* SPDX-License-Identifier: BSD-3-Clause
 * Which lines of a report the user wants. */
#include "study/report/filter.h"

#include <fnmatch.h>
#include <math.h>
#include <string.h>

#include "host/memory.h"

enum operation {
    TEST,
    NOT,
    AND,
    OR,
};

enum relation { LESS, AT_MOST, MORE, AT_LEAST, EQUAL, UNEQUAL };

struct step {
    enum operation operation;
    struct hpm_line_field field;
    enum relation relation;
    enum hpm_verdict verdict; /* else HPM_VERDICT_NONE */
    double number;
    char *pattern; /* for a text */
};

/* In postfix order: operands before their operators. */
struct hpm_line_filter {
    struct step *steps;
    size_t n_steps, capacity;
};

enum { MOST_DEPTH = 32, MOST_STEPS = 256 };

/* ---- words ----------------------------------------------------------- */

struct words {
    const struct hpm_survey *survey;
    const char *text;
    const char *at; /* where the present word begins */
    size_t length;  /* of the present word; 0 at the end */
    bool is_quoted; /* in quotes, which `word` does not have */
    struct hpm_string word;
    struct hpm_line_filter *filter;
    struct hpm_error *err;
    int depth;
};

static bool
is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n';
}

/* The length of the sign at the begin of the text, or 0. */
static size_t
sign_length(const char *text)
{
    static const char *const signs[] = {"<=", ">=", "!=", "==", "&&", "||",
                                        "(",  ")",  "<",  ">",  "=",  "!"};

    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
        if (strncmp(text, signs[i], strlen(signs[i])) == 0)
            return strlen(signs[i]);
    }
    return 0;
}

/* Inside a word, "!" is not a sign only as part of [!a-z]. */
static size_t
word_length(const char *text)
{
    size_t n = 0;

    while (text[n] != '\0' && !is_blank(text[n])) {
        if (text[n] == '[' && strchr(text + n, ']') != NULL)
            n = (size_t)(strchr(text + n, ']') - text) + 1;
        else if (sign_length(text + n) > 0)
            break;
        else
            n++;
    }
    return n;
}

/* Counted in characters, from 1. */
static int
column_of(const struct words *words)
{
    int column = 1;

    for (const char *at = words->text; at < words->at; at++)
        column += ((unsigned char)*at & 0xc0) != 0x80;
    return column;
}

static bool
complain(struct words *words, const char *expected)
{
    if (words->length == 0)
        return hpm_error_set(
            words->err, "the filter ends too early; expected %s", expected);
    return hpm_error_set(
        words->err, "'%.60s' at character %d of the filter: expected %s",
        hpm_string_text(&words->word), column_of(words), expected);
}

/* Go to the next word; false where a quote has no end. */
static bool
advance(struct words *words)
{
    const char *start = words->at + words->length;
    const char *end;

    while (is_blank(*start))
        start++;
    words->at = start;
    words->is_quoted = *start == '\'' || *start == '"';
    hpm_string_clear(&words->word);
    if (words->is_quoted) {
        end = strchr(start + 1, *start);
        if (end == NULL) {
            words->length = strlen(start);
            hpm_string_add(&words->word, start);
            return complain(words, "a quote at its end");
        }
        words->length = (size_t)(end - start) + 1;
        hpm_string_add_bytes(&words->word, start + 1, words->length - 2);
        return true;
    }
    words->length = sign_length(start);
    if (words->length == 0)
        words->length = word_length(start);
    hpm_string_add_bytes(&words->word, start, words->length);
    return true;
}

static bool
is_word(const struct words *words, const char *a, const char *b)
{
    const char *word = hpm_string_text(&words->word);

    return words->length > 0 && !words->is_quoted &&
           (strcmp(word, a) == 0 || strcmp(word, b) == 0);
}

static bool
is_sign(const struct words *words)
{
    return words->length > 0 && !words->is_quoted && sign_length(words->at) > 0;
}

/* ---- reading --------------------------------------------------------- */

static bool
add_step(struct words *words, struct step step)
{
    struct hpm_line_filter *filter = words->filter;

    if (filter->n_steps >= MOST_STEPS) {
        hpm_memory_free(step.pattern);
        return hpm_error_set(words->err,
                             "the filter is too long; at most %d tests and "
                             "words between them",
                             MOST_STEPS);
    }
    if (!hpm_memory_grow(&filter->steps, &filter->capacity, filter->n_steps + 1,
                         sizeof step)) {
        hpm_memory_free(step.pattern);
        return hpm_error_no_memory(words->err);
    }
    filter->steps[filter->n_steps++] = step;
    return true;
}

static bool
add_operation(struct words *words, enum operation operation)
{
    return add_step(words, (struct step){.operation = operation});
}

static bool
take_pattern(struct words *words, struct step *step)
{
    if (words->length == 0 || is_sign(words))
        return complain(words, "a pattern such as sweep* or 'x y'");
    step->pattern = hpm_memory_copy_text(hpm_string_text(&words->word));
    return step->pattern != NULL || hpm_error_no_memory(words->err);
}

static bool
take_relation(struct words *words, struct step *step)
{
    static const struct {
        const char *sign;
        enum relation relation;
    } relations[] = {{"<", LESS},      {"<=", AT_MOST}, {">", MORE},
                     {">=", AT_LEAST}, {"=", EQUAL},    {"==", EQUAL},
                     {"!=", UNEQUAL}};

    for (size_t i = 0; i < sizeof relations / sizeof relations[0]; i++) {
        if (is_word(words, relations[i].sign, relations[i].sign)) {
            step->relation = relations[i].relation;
            return true;
        }
    }
    return false;
}

static bool
take_verdict(const struct words *words, struct step *step)
{
    static const enum hpm_verdict verdicts[] = {
        HPM_VERDICT_BAD, HPM_VERDICT_NEUTRAL, HPM_VERDICT_GOOD};

    for (size_t i = 0; i < sizeof verdicts / sizeof verdicts[0]; i++) {
        const char *name = hpm_verdict_name(verdicts[i]);

        if (is_word(words, name, name)) {
            step->verdict = verdicts[i];
            return true;
        }
    }
    return false;
}

/* Read the word after the sign. */
static bool
take_value(struct words *words, struct step *step)
{
    const char *word = hpm_string_text(&words->word);
    struct hpm_number number;
    bool is_equality = step->relation == EQUAL || step->relation == UNEQUAL;

    if (hpm_line_field_is_text(&step->field)) {
        if (!is_equality)
            return hpm_error_set(words->err,
                                 "'%.60s' is compared with a text; expected = "
                                 "or !=, for only numbers are less or more",
                                 word);
        return take_pattern(words, step);
    }
    if (step->field.kind == HPM_LINE_QUANTITY && is_equality &&
        take_verdict(words, step))
        return true;
    if (words->length == 0 || words->is_quoted ||
        hpm_number_read(word, word + strlen(word), &number) != NULL)
        return complain(words, step->field.kind == HPM_LINE_QUANTITY
                                   ? "a number, or bad, neutral, good after ="
                                   : "a number");
    step->number = hpm_number_to_real(number);
    return true;
}

static bool
read_test(struct words *words)
{
    struct step step = {.operation = TEST, .relation = EQUAL};
    struct hpm_error cause;
    char *name;
    bool is_good;

    if (words->length == 0 || is_sign(words) || is_word(words, "and", "or"))
        return complain(words, "a label's pattern or a comparison");
    name = hpm_memory_copy_text(hpm_string_text(&words->word));
    if (name == NULL)
        return hpm_error_no_memory(words->err);
    is_good = advance(words);
    if (is_good && take_relation(words, &step)) {
        is_good =
            hpm_line_find_field(words->survey, name, &step.field, &cause) ||
            hpm_error_set(words->err, "in the filter: %.400s", cause.text);
        is_good = is_good && advance(words) && take_value(words, &step) &&
                  add_step(words, step) && advance(words);
        hpm_memory_free(name);
        return is_good;
    }
    step.field.kind = HPM_LINE_LABEL;
    step.pattern = name;
    if (!is_good) {
        hpm_memory_free(name);
        return false;
    }
    return add_step(words, step);
}

static bool read_filter(struct words *words);

static bool
read_one(struct words *words)
{
    bool is_good;

    if (++words->depth > MOST_DEPTH)
        return hpm_error_set(
            words->err, "the filter nests deeper than %d brackets", MOST_DEPTH);
    if (is_word(words, "not", "!")) {
        is_good =
            advance(words) && read_one(words) && add_operation(words, NOT);
    } else if (is_word(words, "(", "(")) {
        is_good = advance(words) && read_filter(words) &&
                  (is_word(words, ")", ")") || complain(words, "')'")) &&
                  advance(words);
    } else {
        is_good = read_test(words);
    }
    words->depth--;
    return is_good;
}

static bool
read_all(struct words *words)
{
    if (!read_one(words))
        return false;
    while (is_word(words, "and", "&&")) {
        if (!advance(words) || !read_one(words) || !add_operation(words, AND))
            return false;
    }
    return true;
}

static bool
read_filter(struct words *words)
{
    if (!read_all(words))
        return false;
    while (is_word(words, "or", "||")) {
        if (!advance(words) || !read_all(words) || !add_operation(words, OR))
            return false;
    }
    return true;
}

struct hpm_line_filter *
hpm_line_filter_new(const struct hpm_survey *survey, const char *text,
                    struct hpm_error *err)
{
    struct hpm_line_filter *filter = hpm_memory_new(1, sizeof *filter);
    struct words words = {.survey = survey,
                          .text = text,
                          .at = text,
                          .filter = filter,
                          .err = err};
    bool is_good;

    if (filter == NULL) {
        hpm_error_no_memory(err);
        return NULL;
    }
    is_good = advance(&words) && read_filter(&words) &&
              (words.length == 0 || complain(&words, "and, or, or the end"));
    if (words.word.failed)
        is_good = hpm_error_no_memory(err);
    hpm_string_free(&words.word);
    if (is_good)
        return filter;
    hpm_line_filter_free(filter);
    return NULL;
}

void
hpm_line_filter_free(struct hpm_line_filter *filter)
{
    if (filter == NULL)
        return;
    for (size_t i = 0; i < filter->n_steps; i++)
        hpm_memory_free(filter->steps[i].pattern);
    hpm_memory_free(filter->steps);
    hpm_memory_free(filter);
}

bool
hpm_line_filter_asks(const struct hpm_line_filter *filter,
                     enum hpm_field_kind kind)
{
    for (size_t i = 0; filter != NULL && i < filter->n_steps; i++) {
        if (filter->steps[i].operation == TEST &&
            filter->steps[i].field.kind == kind)
            return true;
    }
    return false;
}

/* ---- asking ---------------------------------------------------------- */

static bool
matches(const struct step *step, const struct hpm_line *line)
{
    struct hpm_string text = {0};
    bool is_match;

    hpm_line_add_text(line, &step->field, &text);
    *line->survey->lacks_memory |= text.failed;
    is_match = fnmatch(step->pattern, hpm_string_text(&text), 0) == 0;
    hpm_string_free(&text);
    return is_match == (step->relation == EQUAL);
}

static bool
compares(enum relation relation, double a, double b)
{
    switch (relation) {
    case LESS:
        return a < b;
    case AT_MOST:
        return a <= b;
    case MORE:
        return a > b;
    case AT_LEAST:
        return a >= b;
    case EQUAL:
        return a == b;
    default:
        return !isnan(a) && a != b;
    }
}

static bool
test(const struct step *step, const struct hpm_line *line)
{
    const struct hpm_figure *figure;

    if (step->pattern != NULL)
        return matches(step, line);
    if (step->verdict == HPM_VERDICT_NONE)
        return compares(step->relation, hpm_line_number(line, &step->field),
                        step->number);
    figure = hpm_line_figure(line, step->field.quantity);
    return figure != NULL && figure->verdict != HPM_VERDICT_NONE &&
           (figure->verdict == step->verdict) == (step->relation == EQUAL);
}

bool
hpm_line_filter_wants(const struct hpm_line_filter *filter,
                      const struct hpm_line *line)
{
    bool stack[MOST_STEPS];
    size_t n = 0;

    for (size_t i = 0; filter != NULL && i < filter->n_steps; i++) {
        const struct step *step = &filter->steps[i];

        if (step->operation == TEST) {
            stack[n++] = test(step, line);
        } else if (step->operation == NOT) {
            stack[n - 1] = !stack[n - 1];
        } else {
            n--;
            stack[n - 1] = step->operation == AND ? stack[n - 1] && stack[n]
                                                  : stack[n - 1] || stack[n];
        }
    }
    return n == 0 || stack[0];
}
