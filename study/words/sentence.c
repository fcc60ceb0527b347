/* SPDX-License-Identifier: BSD-3-Clause
 * Translation of finished sentences. */
#include "study/words/sentence.h"

#include <string.h>

#include "base/state.h"
#include "study/words/formats.h"
#include "study/words/pattern.h"
#include "study/words/words.h"

/* A sentence contains at most the reason of a reason, and a longer text is not
 * made from any of our formats. */
enum { MOST_LEVELS = 4, MOST_BYTES = 4000 };

static void add(struct hpm_string *string, const char *text, int level);

/* Is the word the name of a state, as in "needs 'CYCLES', which is lost"? */
static bool
is_state(const char *word)
{
    for (int state = 0; state <= HPM_STATE_UNDEFINED; state++) {
        if (strcmp(word, hpm_state_name((enum hpm_state)state)) == 0)
            return true;
    }
    return false;
}

static void
add_argument(struct hpm_string *string, const struct hpm_argument *argument,
             int level)
{
    struct hpm_string text = {0};

    hpm_string_add_bytes(&text, argument->text, argument->length);
    /* One word is a name or a number, unless it is a state. */
    if (argument->is_quoted ||
        (memchr(argument->text, ' ', argument->length) == NULL &&
         !is_state(hpm_string_text(&text))))
        hpm_string_add(string, hpm_string_text(&text));
    else
        add(string, hpm_string_text(&text), level + 1);
    hpm_string_finish(&text, &string->failed);
}

/* "%.0s" takes an argument and prints nothing: it drops the "s" of an English
 * plural. */
static bool
is_dropped(const char *directive, size_t length)
{
    return length == 4 && strncmp(directive, "%.0s", length) == 0;
}

/* Append the translated format with the arguments of the sentence. */
static void
fill(struct hpm_string *string, const char *format,
     const struct hpm_pattern_match *match, int level)
{
    size_t next = 0;

    while (*format != '\0') {
        size_t length = strcspn(format, "%"), place;
        char conversion;

        hpm_string_add_bytes(string, format, length);
        format += length;
        if (*format == '\0')
            break;
        length = hpm_pattern_directive(format, &conversion, &place);
        if (conversion == '%')
            hpm_string_add_char(string, '%');
        else if (is_dropped(format, length))
            next++;
        else if (place > 0 ? place <= match->n_arguments
                           : next < match->n_arguments)
            add_argument(string,
                         &match->arguments[place > 0 ? place - 1 : next++],
                         level);
        format += length;
    }
}

/* Of several formats that match, the one with most characters of its own is
 * best; of "%s; %s" and "%s: %s" the one whose first argument is shorter, and
 * of "%s and %s" and "%s, %s and %s" likewise. */
static bool
is_better(const struct hpm_pattern_match *a, const struct hpm_pattern_match *b)
{
    if (a->n_letters != b->n_letters)
        return a->n_letters > b->n_letters;
    for (size_t i = 0; i < a->n_arguments && i < b->n_arguments; i++) {
        if (a->arguments[i].length != b->arguments[i].length)
            return a->arguments[i].length < b->arguments[i].length;
    }
    return false;
}

static void
add(struct hpm_string *string, const char *text, int level)
{
    const char *whole = hpm_words_get(text), *best = NULL;
    struct hpm_pattern_match match, found = {0};
    /* each format contains a blank */
    bool may_fit = level < MOST_LEVELS && strchr(text, ' ') != NULL &&
                   strlen(text) <= MOST_BYTES;
    size_t n = may_fit ? hpm_formats_count() : 0;

    for (size_t i = 0; i < n && whole == text; i++) {
        const char *format = hpm_formats_get(i);

        if (hpm_pattern_match(&match, format, text) &&
            (best == NULL || is_better(&match, &found))) {
            best = format;
            found = match;
        }
    }
    if (best != NULL)
        fill(string, hpm_words_get(best), &found, level);
    else
        hpm_string_add(string,
                       whole != text ? whole : hpm_words_of_system(text));
}

void
hpm_sentence_add(struct hpm_string *string, const char *text)
{
    if (hpm_words_are_translated())
        add(string, text, 0);
    else
        hpm_string_add(string, text);
}

void
hpm_sentence_add_lines(struct hpm_string *string, const char *lines,
                       const char *beginning)
{
    size_t skipped = strlen(beginning);

    while (*lines != '\0') {
        size_t length = strcspn(lines, "\n");
        struct hpm_string line = {0};

        if (strncmp(lines, beginning, skipped) == 0 && skipped <= length) {
            hpm_string_add(string, beginning);
            lines += skipped;
            length -= skipped;
        }
        hpm_string_add_bytes(&line, lines, length);
        hpm_sentence_add(string, hpm_string_text(&line));
        hpm_string_finish(&line, &string->failed);
        lines += length;
        if (*lines == '\n') {
            hpm_string_add_char(string, '\n');
            lines++;
        }
    }
}
