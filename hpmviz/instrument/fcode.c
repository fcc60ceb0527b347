/* SPDX-License-Identifier: BSD-3-Clause
 * A text in Fortran as statements. */
#include "hpmviz/instrument/fcode.h"

#include <string.h>

struct scan {
    struct hpmviz_fcode *code;
    struct hpmviz_fstatement now; /* `words` is NULL between statements */
    char quote;                   /* of the string that is open, or 0 */
    gboolean is_continued;        /* free form: the line before ended in "&" */
    gboolean is_utf8;
};

/* ---- statements ------------------------------------------------------ */

static void
begin(struct scan *scan, guint line)
{
    scan->now = (struct hpmviz_fstatement){
        .first = line,
        .last = line,
        .words = g_string_new(NULL),
        .places = g_array_new(FALSE, FALSE, sizeof(gsize)),
    };
}

static void
clear_statement(gpointer data)
{
    struct hpmviz_fstatement *statement = data;

    g_string_free(statement->words, TRUE);
    g_array_unref(statement->places);
}

static void
end(struct scan *scan, gboolean is_shared)
{
    scan->quote = '\0';
    if (scan->now.words == NULL)
        return;
    scan->now.is_shared = scan->now.is_shared || is_shared;
    if (scan->now.words->len > 0)
        g_array_append_val(scan->code->statements, scan->now);
    else
        clear_statement(&scan->now);
    scan->now.words = NULL;
}

/* A byte that may be of a string. */
static void
add_byte(struct scan *scan, gsize at)
{
    char byte = scan->code->lines.text[at];
    gboolean is_in_string = scan->quote != '\0' && byte != scan->quote;

    if (is_in_string || g_ascii_isspace(byte))
        return;
    if (scan->quote != '\0')
        scan->quote = '\0';
    else if (byte == '\'' || byte == '"')
        scan->quote = byte;
    g_string_append_c(scan->now.words, g_ascii_tolower(byte));
    g_array_append_val(scan->now.places, at);
}

/* The digits of a label, which are before the statement's first word. */
static gboolean
add_label(struct scan *scan, gsize at)
{
    char byte = scan->code->lines.text[at];

    if (scan->now.words->len > 0 || !g_ascii_isdigit(byte))
        return FALSE;
    if (scan->now.label < 99999)
        scan->now.label = scan->now.label * 10 + (guint)(byte - '0');
    return TRUE;
}

/* ---- directives ------------------------------------------------------ */

static void
add_directive(struct scan *scan, guint line, enum hpmviz_fsentinel of,
              const char *sign, const char *words, gsize n)
{
    g_autofree char *copy = g_ascii_strdown(words, (gssize)n);
    struct hpmviz_fdirective directive = {of, line, line, g_strdup(sign),
                                          g_strdup(g_strstrip(copy))};

    g_array_append_val(scan->code->directives, directive);
}

/* A line goes on with the one above: in free form that one ends in "&", in fixed
 * form this one has a sign in column 6. */
static gboolean
continue_directive(struct scan *scan, guint line, const char *sign,
                   const char *words, gsize n)
{
    GArray *directives = scan->code->directives;
    struct hpmviz_fdirective *above;
    g_autofree char *more = NULL, *whole = NULL;
    gsize n_above;

    if (directives->len == 0)
        return FALSE;
    above = &g_array_index(directives, struct hpmviz_fdirective,
                           directives->len - 1);
    n_above = strlen(above->words);
    if (strcmp(above->sign, sign) != 0 ||
        (scan->code->is_fixed
             ? n == 0 || strchr(" 0", *words) != NULL
             : n_above == 0 || above->words[n_above - 1] != '&'))
        return FALSE;
    more = g_ascii_strdown(words, (gssize)n);
    if (*more != '\0' && (scan->code->is_fixed || *g_strchug(more) == '&'))
        *more = ' ';
    whole = g_strndup(above->words, n_above - !scan->code->is_fixed);
    g_free(above->words);
    above->words = g_strconcat(whole, " ", g_strstrip(more), NULL);
    above->last = line;
    return TRUE;
}

/* What a comment begins with that tells a compiler something: "$omp", "$acc", a
 * compiler's own three letters with "$" behind them (but "ibm*").  Its length, or
 * 0 for an ordinary comment. */
static gsize
find_sentinel(const char *comment, gsize n, enum hpmviz_fsentinel *ret_of)
{
    enum { LENGTH = 4 };

    if (n < LENGTH)
        return 0;
    if (g_ascii_strncasecmp(comment, "$omp", LENGTH) == 0)
        *ret_of = HPMVIZ_F_OPENMP;
    else if (g_ascii_strncasecmp(comment, "$acc", LENGTH) == 0)
        *ret_of = HPMVIZ_F_OPENACC;
    else if (g_ascii_strncasecmp(comment, "ibm*", LENGTH) == 0 ||
             (g_ascii_isalpha(comment[0]) && g_ascii_isalpha(comment[1]) &&
              g_ascii_isalpha(comment[2]) && comment[3] == '$'))
        *ret_of = HPMVIZ_F_COMPILER;
    else
        return 0;
    return LENGTH;
}

/* A comment, of which nothing is kept but what it tells a compiler. */
static void
take_comment(struct scan *scan, guint line, const char *comment, gsize n)
{
    enum hpmviz_fsentinel of;
    gsize length = find_sentinel(comment, n, &of);
    g_autofree char *word = g_ascii_strdown(comment, (gssize)length);
    g_autofree char *sign = g_strconcat("!", word, NULL);

    if (length > 0 &&
        !continue_directive(scan, line, sign, comment + length, n - length))
        add_directive(scan, line, of, sign, comment + length, n - length);
}

/* Is the line one of the preprocessor, a comment or a directive? */
static gboolean
take_other_line(struct scan *scan, guint line, const char *start, gsize n)
{
    gsize blanks = scan->code->is_fixed ? 0 : strspn(start, " \t");

    if (n == 0 || blanks >= n)
        return TRUE;
    if (*start == '#') {
        add_directive(scan, line, HPMVIZ_F_PREPROCESSOR, "#", start + 1, n - 1);
        return TRUE;
    }
    if (scan->code->is_fixed ? strchr("cC*!dD", *start) == NULL
                             : start[blanks] != '!')
        return FALSE;
    take_comment(scan, line, start + blanks + 1, n - blanks - 1);
    return TRUE;
}

/* ---- fixed form ------------------------------------------------------ */

static void
scan_fixed_bytes(struct scan *scan, guint line, gsize at, gsize limit)
{
    const char *text = scan->code->lines.text;

    for (; at < limit; at++) {
        if (scan->quote == '\0' && text[at] == '!')
            break;
        if (scan->quote == '\0' && text[at] == ';') {
            end(scan, TRUE);
            begin(scan, line);
            scan->now.is_shared = TRUE;
        } else {
            add_byte(scan, at);
        }
    }
    scan->now.last = line;
}

/* The bytes of what compilers read of a line.  A viewer has text in UTF-8, also
 * that of a file in which each character is one byte. */
static gsize
bytes_of_columns(const struct scan *scan, const char *text, gsize n)
{
    gsize at = 0;

    if (!scan->is_utf8)
        return HPMVIZ_LAST_COLUMN;
    for (guint i = 0; i < HPMVIZ_LAST_COLUMN && at < n; i++)
        at += (gsize)(g_utf8_next_char(text + at) - (text + at));
    return at;
}

/* Where the statement of a line begins: column 7, or behind a tab. */
static gsize
find_fixed_start(const char *start, gsize n, gboolean *ret_is_continued)
{
    const char *tab = memchr(start, '\t', MIN(n, 6));

    if (tab != NULL) {
        gsize at = (gsize)(tab - start) + 1;

        *ret_is_continued = at < n && start[at] >= '1' && start[at] <= '9';
        return at + *ret_is_continued;
    }
    *ret_is_continued = n > 5 && start[5] != ' ' && start[5] != '0';
    return MIN(n, 6);
}

static void
scan_fixed(struct scan *scan, guint line, gsize start, gsize n)
{
    const char *text = scan->code->lines.text + start;
    gboolean is_continued;
    gsize at = find_fixed_start(text, n, &is_continued);
    gboolean has_tab = memchr(text, '\t', MIN(n, 6)) != NULL;

    if (!has_tab)
        n = MIN(n, bytes_of_columns(scan, text, n));
    if (strspn(text, " \t") >= n || text[strspn(text, " \t")] == '!')
        return;
    if (!is_continued || scan->now.words == NULL) {
        end(scan, FALSE);
        begin(scan, line);
        for (gsize i = 0; i < MIN(at, 5); i++)
            add_label(scan, start + i);
    }
    scan_fixed_bytes(scan, line, start + at, start + n);
}

/* ---- free form ------------------------------------------------------- */

/* Is the "&" the last of its line but for a comment? */
static gboolean
is_last(const char *text, gsize at, gsize limit, char quote)
{
    for (at++; at < limit; at++) {
        if (text[at] == '!' && quote == '\0')
            return TRUE;
        if (!g_ascii_isspace(text[at]))
            return FALSE;
    }
    return TRUE;
}

static void
scan_free_bytes(struct scan *scan, guint line, gsize at, gsize limit)
{
    const char *text = scan->code->lines.text;

    scan->now.last = line;
    scan->is_continued = FALSE;
    for (; at < limit; at++) {
        if (scan->quote == '\0' && text[at] == '!')
            return;
        if (text[at] == '&' && is_last(text, at, limit, scan->quote)) {
            scan->is_continued = TRUE;
            return;
        }
        if (scan->quote == '\0' && text[at] == ';') {
            end(scan, TRUE);
            begin(scan, line);
            scan->now.is_shared = TRUE;
        } else if (!add_label(scan, at)) {
            add_byte(scan, at);
        }
    }
}

static void
scan_free(struct scan *scan, guint line, gsize start, gsize n)
{
    const char *text = scan->code->lines.text;
    gsize at = start + strspn(text + start, " \t");

    if (scan->is_continued && scan->now.words != NULL) {
        if (text[at] == '&')
            at++;
    } else {
        end(scan, FALSE);
        begin(scan, line);
    }
    scan_free_bytes(scan, line, at, start + n);
}

/* ---- all of it ------------------------------------------------------- */

static void
clear_directive(gpointer data)
{
    struct hpmviz_fdirective *directive = data;

    g_free(directive->sign);
    g_free(directive->words);
}

void
hpmviz_fcode_init(struct hpmviz_fcode *code, const char *text,
                  gboolean is_fixed)
{
    struct scan scan = {.code = code,
                        .is_utf8 = g_utf8_validate(text, -1, NULL)};

    hpmviz_textlines_init(&code->lines, text);
    code->is_fixed = is_fixed;
    code->statements =
        g_array_new(FALSE, FALSE, sizeof(struct hpmviz_fstatement));
    g_array_set_clear_func(code->statements, clear_statement);
    code->directives =
        g_array_new(FALSE, FALSE, sizeof(struct hpmviz_fdirective));
    g_array_set_clear_func(code->directives, clear_directive);
    for (guint line = 1; line <= hpmviz_textlines_count(&code->lines); line++) {
        gsize start = hpmviz_textlines_start(&code->lines, line);
        gsize n = hpmviz_textlines_end(&code->lines, line) - start;

        while (n > 0 && strchr("\r\n", text[start + n - 1]) != NULL)
            n--;
        if (take_other_line(&scan, line, text + start, n))
            continue;
        if (is_fixed)
            scan_fixed(&scan, line, start, n);
        else
            scan_free(&scan, line, start, n);
    }
    end(&scan, FALSE);
}

void
hpmviz_fcode_clear(struct hpmviz_fcode *code)
{
    g_clear_pointer(&code->statements, g_array_unref);
    g_clear_pointer(&code->directives, g_array_unref);
    hpmviz_textlines_clear(&code->lines);
}

const struct hpmviz_fstatement *
hpmviz_fcode_nth(const struct hpmviz_fcode *code, guint i)
{
    return &g_array_index(code->statements, struct hpmviz_fstatement, i);
}

gsize
hpmviz_fcode_place(const struct hpmviz_fstatement *statement, gsize word)
{
    return word < statement->places->len
               ? g_array_index(statement->places, gsize, word)
               : 0;
}
