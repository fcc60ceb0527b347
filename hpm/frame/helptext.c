/* SPDX-License-Identifier: BSD-3-Clause
 * The output of `hpm help NAME` in the reader's language.  Several subcommands
 * share options, and each language breaks lines at other places: so the text of
 * an option, or a paragraph, is translated as one sentence without line
 * breaks. */
#include "hpm/frame/helptext.h"

#include <ctype.h>
#include <string.h>

#include "study/report/paragraph.h"
#include "study/words/words.h"

static const char usage[] = N_("Usage:"), options[] = N_("[options]");

struct line {
    const char *text;
    size_t length, indent;
};

static struct line
line_at(const char *text)
{
    return (struct line){text, strcspn(text, "\n"), strspn(text, " ")};
}

static const char *
behind(const struct line *line)
{
    const char *end = line->text + line->length;

    return *end == '\n' ? end + 1 : end;
}

/* ---- the usage --------------------------------------------------------- */

/* Add the lines of the usage, aligned after "hpm". */
static const char *
add_usage(struct hpm_string *text, const char *help)
{
    size_t width = strlen(_(usage));
    struct line line = line_at(help);

    for (; line.length > 0; line = line_at(help)) {
        const char *rest = line.text + sizeof usage - 1;
        const char *found = strstr(rest, options);

        hpm_string_add(text, line.indent == 0 ? _(usage) : "");
        hpm_string_add_blanks(text, 0, line.indent == 0 ? 0 : width);
        help = behind(&line);
        if (found != NULL && found < help) {
            hpm_string_add_bytes(text, rest, (size_t)(found - rest));
            hpm_string_add(text, _(options));
            rest = found + sizeof options - 1;
        }
        hpm_string_add_bytes(text, rest, (size_t)(help - rest));
    }
    return help;
}

/* ---- options, paragraphs ----------------------------------------------- */

static bool
is_option(const struct line *line)
{
    return line->indent > 0 && line->text[line->indent] == '-';
}

/* Where the text of an option begins: after two blanks, or after the argument
 * of a long option. */
static size_t
sentence_of(const struct line *line)
{
    const char *at = line->text + line->indent;
    const char *gap = strstr(at, "  ");
    size_t used;

    if (gap != NULL && gap < line->text + line->length)
        return (size_t)(gap - line->text) + strspn(gap, " ");
    while (*at == '-' || isupper((unsigned char)*at)) {
        used = strcspn(at, " \n");
        at += used + (at[used] == ' ');
    }
    return (size_t)(at - line->text);
}

/* Join the lines of the sentence that begins at `help`, up to a blank line or
 * the next option. */
static const char *
join(struct hpm_string *sentence, const char *help)
{
    struct line line;

    do {
        line = line_at(help);
        hpm_string_add(sentence, sentence->length > 0 ? " " : "");
        hpm_string_add_bytes(sentence, help + line.indent,
                             line.length - line.indent);
        help = behind(&line);
        line = line_at(help);
    } while (line.length > 0 && !is_option(&line));
    return help;
}

static const char *
add_option(struct hpm_string *text, const char *help)
{
    struct hpm_string head = {0}, sentence = {0};
    struct line line = line_at(help);
    size_t column = sentence_of(&line), length = column;

    while (length > 0 && help[length - 1] == ' ')
        length--;
    hpm_string_add_bytes(&head, help + line.indent, length - line.indent);
    help = join(&sentence, help + column);
    hpm_paragraph_add_entry(text, line.indent, hpm_string_text(&head), column,
                            _(hpm_string_text(&sentence)));
    hpm_string_finish(&head, &text->failed);
    hpm_string_finish(&sentence, &text->failed);
    return help;
}

static const char *
add_paragraph(struct hpm_string *text, const char *help)
{
    struct hpm_string sentence = {0};

    help = join(&sentence, help);
    hpm_paragraph_add(text, _(hpm_string_text(&sentence)), HPM_PARAGRAPH_WIDTH,
                      0);
    hpm_string_finish(&sentence, &text->failed);
    return help;
}

void
helptext_add(struct hpm_string *text, const char *help)
{
    if (!hpm_words_are_translated()) {
        hpm_string_add(text, help);
        return;
    }
    help = add_usage(text, help);
    while (*help != '\0') {
        struct line line = line_at(help);

        if (line.length == 0) {
            hpm_string_add_char(text, '\n');
            help = behind(&line);
        } else if (is_option(&line)) {
            help = add_option(text, help);
        } else {
            help = add_paragraph(text, help);
        }
    }
}
