/* SPDX-License-Identifier: BSD-3-Clause
 * A text in C or C++ without its comments, strings and directives. */
#include "hpmviz/instrument/ccode.h"

#include <string.h>

/* ---- scanning -------------------------------------------------------- */

struct scan {
    struct hpmviz_ccode *code;
    const char *text;
    gsize at, n_bytes;
    gboolean is_line_new; /* there were only blanks in it so far */
};

/* The byte is no code; a line that begins behind it begins inside of what. */
static void
skip(struct scan *scan, enum hpmviz_inside inside)
{
    if (scan->at >= scan->n_bytes)
        return;
    if (scan->text[scan->at] == '\n') {
        guint8 value = (guint8)inside;

        g_array_append_val(scan->code->inside, value);
    } else if (scan->text[scan->at] != '\r') {
        scan->code->code[scan->at] = ' ';
    }
    scan->at++;
}

static gboolean
looks_at(const struct scan *scan, const char *word)
{
    return strncmp(scan->text + scan->at, word, strlen(word)) == 0;
}

/* A backslash before the end of a line, which goes on in the next one. */
static gboolean
is_continued(const struct scan *scan)
{
    return looks_at(scan, "\\\n") || looks_at(scan, "\\\r\n");
}

static void
skip_to_next_line(struct scan *scan, enum hpmviz_inside inside)
{
    while (scan->text[scan->at] != '\n')
        skip(scan, inside);
    skip(scan, inside);
}

static void
skip_comment(struct scan *scan, enum hpmviz_inside inside)
{
    skip(scan, inside);
    skip(scan, inside);
    while (scan->at < scan->n_bytes && !looks_at(scan, "*/"))
        skip(scan, inside);
    skip(scan, inside);
    skip(scan, inside);
}

static void
skip_line_comment(struct scan *scan, enum hpmviz_inside inside)
{
    while (scan->at < scan->n_bytes && scan->text[scan->at] != '\n') {
        if (is_continued(scan))
            skip_to_next_line(scan, inside);
        else
            skip(scan, inside);
    }
}

/* The quotes stay, so that a string is code without content. */
static void
skip_string(struct scan *scan, char quote)
{
    scan->at++;
    while (scan->at < scan->n_bytes && scan->text[scan->at] != quote &&
           scan->text[scan->at] != '\n') {
        if (is_continued(scan)) {
            skip_to_next_line(scan, HPMVIZ_INSIDE_STRING);
            continue;
        }
        if (scan->text[scan->at] == '\\')
            skip(scan, HPMVIZ_INSIDE_STRING);
        if (scan->text[scan->at] != '\n')
            skip(scan, HPMVIZ_INSIDE_STRING);
    }
    if (scan->text[scan->at] == quote)
        scan->at++;
}

/* R"name( ... )name", which ends where its name says. */
static gboolean
skip_raw_string(struct scan *scan)
{
    const char *name = scan->text + scan->at + 1;
    gsize n = strcspn(name, "(\"\\ \n");
    char *end;

    if (scan->at == 0 || scan->text[scan->at - 1] != 'R' || name[n] != '(')
        return FALSE;
    if (scan->at > 1 && g_ascii_isalnum(scan->text[scan->at - 2]) &&
        strchr("LuU8", scan->text[scan->at - 2]) == NULL)
        return FALSE;
    end = g_strdup_printf(")%.*s\"", (int)n, name);
    scan->at++;
    while (scan->at < scan->n_bytes && !looks_at(scan, end))
        skip(scan, HPMVIZ_INSIDE_STRING);
    for (gsize i = 0; i + 1 < n + 2; i++)
        skip(scan, HPMVIZ_INSIDE_STRING);
    if (scan->text[scan->at] == '"')
        scan->at++;
    g_free(end);
    return TRUE;
}

/* Is the quote one of 1'000'000? */
static gboolean
is_in_number(const struct scan *scan)
{
    gsize start = scan->at;

    while (start > 0 && (g_ascii_isalnum(scan->text[start - 1]) ||
                         scan->text[start - 1] == '\''))
        start--;
    return start < scan->at && g_ascii_isdigit(scan->text[start]) &&
           g_ascii_isxdigit(scan->text[scan->at + 1]);
}

/* ---- directives ------------------------------------------------------ */

static enum hpmviz_directive
kind_of(const char *words)
{
    static const struct {
        const char *word;
        enum hpmviz_directive kind;
    } kinds[] = {
        {"if", HPMVIZ_DIRECTIVE_IF},
        {"ifdef", HPMVIZ_DIRECTIVE_IF},
        {"ifndef", HPMVIZ_DIRECTIVE_IF},
        {"else", HPMVIZ_DIRECTIVE_ELSE},
        {"elif", HPMVIZ_DIRECTIVE_ELSE},
        {"elifdef", HPMVIZ_DIRECTIVE_ELSE},
        {"elifndef", HPMVIZ_DIRECTIVE_ELSE},
        {"endif", HPMVIZ_DIRECTIVE_ENDIF},
        {"include", HPMVIZ_DIRECTIVE_INCLUDE},
        {"pragma", HPMVIZ_DIRECTIVE_PRAGMA},
    };
    gsize n = strspn(words, "abcdefghijklmnopqrstuvwxyz");

    for (gsize i = 0; i < G_N_ELEMENTS(kinds); i++) {
        if (strlen(kinds[i].word) == n && strncmp(kinds[i].word, words, n) == 0)
            return kinds[i].kind;
    }
    return HPMVIZ_DIRECTIVE_OTHER;
}

/* What follows the "#", with one blank for all between two words. */
static char *
words_of(const char *text, gsize n)
{
    GString *words = g_string_new(NULL);

    for (gsize i = 0; i < n; i++) {
        if (!g_ascii_isspace(text[i]) && text[i] != '\\')
            g_string_append_c(words, text[i]);
        else if (words->len > 0 && words->str[words->len - 1] != ' ')
            g_string_append_c(words, ' ');
    }
    return g_strchomp(g_string_free(words, FALSE));
}

static void
skip_bytes(struct scan *scan, gsize n)
{
    while (n-- > 0)
        skip(scan, HPMVIZ_INSIDE_DIRECTIVE);
}

/* 'a' and '\0': how many bytes; 0 for an apostrophe, as "#error don't" has. */
static gsize
length_of_character(const struct scan *scan)
{
    const char *text = scan->text + scan->at;

    if (*text != '\'' || text[1] == '\0' || text[1] == '\n')
        return 0;
    if (text[1] != '\\')
        return text[2] == '\'' ? 3 : 0;
    return text[2] != '\0' && text[3] == '\'' ? 4 : 0;
}

/* What looks like a comment in "/tmp/" and a star of a macro is none. */
static void
skip_string_of_directive(struct scan *scan)
{
    gboolean is_open = TRUE;

    for (skip(scan, HPMVIZ_INSIDE_DIRECTIVE);
         is_open && scan->at < scan->n_bytes && scan->text[scan->at] != '\n' &&
         !is_continued(scan);
         skip(scan, HPMVIZ_INSIDE_DIRECTIVE)) {
        is_open = scan->text[scan->at] != '"';
        if (scan->text[scan->at] == '\\')
            skip(scan, HPMVIZ_INSIDE_DIRECTIVE);
    }
}

static void
skip_directive(struct scan *scan)
{
    struct hpmviz_directiveline line = {
        .at = scan->at,
        .first = hpmviz_textlines_of(&scan->code->lines, scan->at),
    };

    while (scan->at < scan->n_bytes && scan->text[scan->at] != '\n') {
        if (is_continued(scan))
            skip_to_next_line(scan, HPMVIZ_INSIDE_DIRECTIVE);
        else if (looks_at(scan, "/*"))
            skip_comment(scan, HPMVIZ_INSIDE_COMMENT);
        else if (looks_at(scan, "//"))
            skip_line_comment(scan, HPMVIZ_INSIDE_COMMENT);
        else if (scan->text[scan->at] == '"')
            skip_string_of_directive(scan);
        else
            skip_bytes(scan, MAX(length_of_character(scan), 1));
    }
    line.last = hpmviz_textlines_of(&scan->code->lines, scan->at - 1);
    line.words = words_of(scan->text + line.at + 1, scan->at - line.at - 1);
    line.kind = kind_of(line.words);
    g_array_append_val(scan->code->directives, line);
}

/* ---- all of it ------------------------------------------------------- */

static void
scan_one(struct scan *scan)
{
    char byte = scan->text[scan->at];

    if (looks_at(scan, "/*")) {
        skip_comment(scan, HPMVIZ_INSIDE_COMMENT);
    } else if (looks_at(scan, "//")) {
        skip_line_comment(scan, HPMVIZ_INSIDE_COMMENT);
    } else if (byte == '#' && scan->is_line_new) {
        skip_directive(scan);
    } else if (byte == '"') {
        if (!skip_raw_string(scan))
            skip_string(scan, byte);
        scan->is_line_new = FALSE;
    } else if (byte == '\'' && !is_in_number(scan)) {
        skip_string(scan, byte);
        scan->is_line_new = FALSE;
    } else if (byte == '\n') {
        skip(scan, HPMVIZ_INSIDE_NOTHING);
        scan->is_line_new = TRUE;
    } else {
        scan->is_line_new = scan->is_line_new && g_ascii_isspace(byte);
        scan->at++;
    }
}

static void
clear_directive(gpointer data)
{
    g_free(((struct hpmviz_directiveline *)data)->words);
}

void
hpmviz_ccode_init(struct hpmviz_ccode *code, const char *text)
{
    struct scan scan = {.code = code, .text = text, .is_line_new = TRUE};
    guint8 first = HPMVIZ_INSIDE_NOTHING;

    hpmviz_textlines_init(&code->lines, text);
    scan.n_bytes = code->lines.n_bytes;
    code->code = g_strdup(text);
    code->directives =
        g_array_new(FALSE, FALSE, sizeof(struct hpmviz_directiveline));
    g_array_set_clear_func(code->directives, clear_directive);
    code->inside = g_array_new(FALSE, FALSE, sizeof(guint8));
    g_array_append_val(code->inside, first);
    while (scan.at < scan.n_bytes)
        scan_one(&scan);
    code->whole = g_strdup(code->code);
}

void
hpmviz_ccode_clear(struct hpmviz_ccode *code)
{
    g_clear_pointer(&code->code, g_free);
    g_clear_pointer(&code->whole, g_free);
    g_clear_pointer(&code->directives, g_array_unref);
    g_clear_pointer(&code->inside, g_array_unref);
    hpmviz_textlines_clear(&code->lines);
}

enum hpmviz_inside
hpmviz_ccode_inside(const struct hpmviz_ccode *code, guint line)
{
    return line >= 1 && line <= code->inside->len
               ? g_array_index(code->inside, guint8, line - 1)
               : HPMVIZ_INSIDE_NOTHING;
}

/* ---- branches -------------------------------------------------------- */

static const struct hpmviz_directiveline *
nth(const struct hpmviz_ccode *code, guint i)
{
    return &g_array_index(code->directives, struct hpmviz_directiveline, i);
}

/* The next part of the same conditional: #else or #endif; `len` for none. */
static guint
next_part(const struct hpmviz_ccode *code, guint i)
{
    int depth = 0;

    for (i++; i < code->directives->len; i++) {
        enum hpmviz_directive kind = nth(code, i)->kind;

        if (depth == 0 &&
            (kind == HPMVIZ_DIRECTIVE_ELSE || kind == HPMVIZ_DIRECTIVE_ENDIF))
            break;
        depth += kind == HPMVIZ_DIRECTIVE_IF;
        depth -= kind == HPMVIZ_DIRECTIVE_ENDIF;
    }
    return i;
}

static guint
first_line_behind(const struct hpmviz_ccode *code, guint i)
{
    return i < code->directives->len ? nth(code, i)->last + 1
                                     : hpmviz_textlines_count(&code->lines) + 1;
}

static guint
last_line_before(const struct hpmviz_ccode *code, guint i)
{
    return i < code->directives->len ? nth(code, i)->first - 1
                                     : hpmviz_textlines_count(&code->lines);
}

static void
blank_branch(struct hpmviz_ccode *code, guint i)
{
    gsize start =
        hpmviz_textlines_start(&code->lines, first_line_behind(code, i));
    gsize end = hpmviz_textlines_end(
        &code->lines, last_line_before(code, next_part(code, i)));

    for (gsize at = start; at < end; at++) {
        if (code->code[at] != '\n' && code->code[at] != '\r')
            code->code[at] = ' ';
    }
}

static gboolean
has_line(const struct hpmviz_ccode *code, guint i, guint line)
{
    return line >= first_line_behind(code, i) &&
           line <= last_line_before(code, next_part(code, i));
}

/* The branch to keep of the conditional that begins at the directive `i`. */
static guint
choose_branch(const struct hpmviz_ccode *code, guint i, guint line,
              gboolean wants_last)
{
    gboolean is_never = strcmp(nth(code, i)->words, "if 0") == 0;
    guint chosen = is_never ? G_MAXUINT : i;

    for (guint at = i; at < code->directives->len &&
                       nth(code, at)->kind != HPMVIZ_DIRECTIVE_ENDIF;
         at = next_part(code, at)) {
        if (has_line(code, at, line))
            return at;
        if (at != i && (wants_last || chosen == G_MAXUINT))
            chosen = at;
    }
    return chosen;
}

void
hpmviz_ccode_choose_all(struct hpmviz_ccode *code)
{
    memcpy(code->code, code->whole, code->lines.n_bytes);
}

void
hpmviz_ccode_choose(struct hpmviz_ccode *code, guint line, gboolean wants_last)
{
    hpmviz_ccode_choose_all(code);
    for (guint i = 0; i < code->directives->len; i++) {
        guint chosen;

        if (nth(code, i)->kind != HPMVIZ_DIRECTIVE_IF)
            continue;
        chosen = choose_branch(code, i, line, wants_last);
        for (guint at = i; at < code->directives->len &&
                           nth(code, at)->kind != HPMVIZ_DIRECTIVE_ENDIF;
             at = next_part(code, at)) {
            if (at != chosen)
                blank_branch(code, at);
        }
    }
}
