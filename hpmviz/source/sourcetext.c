/* SPDX-License-Identifier: BSD-3-Clause
 * The bytes of a source file as text that can be shown, and back. */
#include "hpmviz/source/sourcetext.h"

#include <gio/gio.h>
#include <string.h>

static const char utf8[] = "UTF-8", latin9[] = "ISO-8859-15";
static const char mark[] = "\xef\xbb\xbf";

/* ---- reading --------------------------------------------------------- */

static void
add_damage(struct hpmviz_sourcetext *text, const char *sentence)
{
    if (text->damage == NULL)
        text->damage = g_strdup(sentence);
}

/* A line of the text at most so long; whole characters. */
static gsize
cut_length(const char *line, gsize length)
{
    gsize cut = HPMVIZ_LONGEST_LINE;

    if (length <= HPMVIZ_LONGEST_LINE)
        return length;
    while (cut > 0 && ((unsigned char)line[cut] & 0xc0) == 0x80)
        cut--;
    return cut;
}

static gboolean
has_long_line(const char *text)
{
    gsize length;

    for (const char *at = text; *at != '\0'; at += length + (at[length] != 0)) {
        length = strcspn(at, "\n");
        if (length > HPMVIZ_LONGEST_LINE)
            return TRUE;
    }
    return FALSE;
}

static void
cut_lines(struct hpmviz_sourcetext *text)
{
    GString *cut;
    gsize length;

    if (!has_long_line(text->text))
        return;
    cut = g_string_new(NULL);
    for (const char *at = text->text; *at != '\0';) {
        gsize kept;

        length = strcspn(at, "\n");
        kept = cut_length(at, length);
        g_string_append_len(cut, at, (gssize)kept);
        if (kept < length)
            g_string_append_printf(cut, " … [%" G_GSIZE_FORMAT " bytes more]",
                                   length - kept);
        at += length;
        if (*at == '\n') {
            g_string_append_c(cut, '\n');
            at++;
        }
    }
    g_free(text->text);
    text->text = g_string_free(cut, FALSE);
    add_damage(text, "it has lines too long to be shown whole");
}

/* NUL cannot be in a text: its picture stands for it. */
static char *
without_nul(const char *bytes, gsize n_bytes, struct hpmviz_sourcetext *text,
            gsize *ret_n)
{
    GString *clean = g_string_sized_new(n_bytes + 1);

    for (gsize i = 0; i < n_bytes; i++) {
        if (bytes[i] == '\0') {
            g_string_append(clean,
                            text->encoding == utf8 ? "\xe2\x90\x80" : " ");
            add_damage(text, "it has NUL bytes");
        } else {
            g_string_append_c(clean, bytes[i]);
        }
    }
    *ret_n = clean->len;
    return g_string_free(clean, FALSE);
}

static void
learn_line_ends(struct hpmviz_sourcetext *text)
{
    gsize n_lines = 0, n_returns = 0;

    for (const char *at = strchr(text->text, '\n'); at != NULL;
         at = strchr(at + 1, '\n')) {
        n_lines++;
        n_returns += at > text->text && at[-1] == '\r';
    }
    text->has_returns = n_returns > 0 && n_returns == n_lines;
    text->has_mixed_ends = n_returns > 0 && n_returns < n_lines;
}

void
hpmviz_sourcetext_read(const char *bytes, gsize n_bytes,
                       struct hpmviz_sourcetext *ret_text)
{
    struct hpmviz_sourcetext text = {.encoding = utf8};
    char *clean;
    gsize n;

    if (n_bytes >= strlen(mark) && memcmp(bytes, mark, strlen(mark)) == 0) {
        text.has_mark = TRUE;
        bytes += strlen(mark);
        n_bytes -= strlen(mark);
    }
    clean = without_nul(bytes, n_bytes, &text, &n);
    if (!text.has_mark && !g_utf8_validate_len(clean, n, NULL)) {
        g_clear_pointer(&text.damage, g_free);
        g_free(clean);
        text.encoding = latin9;
        clean = without_nul(bytes, n_bytes, &text, &n);
        text.text = g_convert(clean, (gssize)n, utf8, latin9, NULL, NULL, NULL);
    } else if (!g_utf8_validate_len(clean, n, NULL)) {
        text.text = g_utf8_make_valid(clean, (gssize)n);
        add_damage(&text, "it begins as UTF-8, but has bytes that are not");
    } else {
        text.text = g_strndup(clean, n);
    }
    g_free(clean);
    learn_line_ends(&text);
    cut_lines(&text);
    *ret_text = text;
}

void
hpmviz_sourcetext_clear(struct hpmviz_sourcetext *text)
{
    g_clear_pointer(&text->text, g_free);
    g_clear_pointer(&text->damage, g_free);
}

/* ---- writing --------------------------------------------------------- */

static char *
with_returns(const char *text)
{
    GString *whole = g_string_new(NULL);

    for (const char *at = text; *at != '\0'; at++) {
        if (*at == '\n' && (at == text || at[-1] != '\r'))
            g_string_append_c(whole, '\r');
        g_string_append_c(whole, *at);
    }
    return g_string_free(whole, FALSE);
}

static void
name_stranger(const char *text, gsize at, GError **error)
{
    gunichar character = g_utf8_get_char(text + at);
    char bytes[7] = "";
    guint line = 1;

    for (gsize i = 0; i < at; i++)
        line += text[i] == '\n';
    g_unichar_to_utf8(character, bytes);
    g_clear_error(error);
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                "'%s' in line %u is not a character of %s, in which the file "
                "is written",
                bytes, line, latin9);
}

char *
hpmviz_sourcetext_write(const struct hpmviz_sourcetext *text,
                        const char *edited, gsize *ret_n_bytes, GError **error)
{
    char *whole = text->has_returns ? with_returns(edited) : g_strdup(edited);
    char *bytes = whole;

    *ret_n_bytes = strlen(whole);
    if (text->encoding == latin9) {
        gsize n_good = 0;

        bytes = g_convert(whole, -1, latin9, utf8, &n_good, ret_n_bytes, error);
        if (bytes == NULL)
            name_stranger(whole, n_good, error);
        g_free(whole);
    } else if (text->has_mark) {
        bytes = g_strconcat(mark, whole, NULL);
        *ret_n_bytes += strlen(mark);
        g_free(whole);
    }
    return bytes;
}
