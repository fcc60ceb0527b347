/* SPDX-License-Identifier: BSD-3-Clause
 * Source files as text and back: byte for byte, or not at all. */
#include "hpmviz/source/sourcetext.h"

#include "tap.h"

struct example {
    const char *name, *bytes;
    gsize n_bytes;
    gboolean is_damaged;
};

#define BYTES(text) text, sizeof text - 1

static const struct example examples[] = {
    {"an empty file", BYTES(""), FALSE},
    {"a line", BYTES("      CALL CALC1\n"), FALSE},
    {"no newline at the end", BYTES("a\nb"), FALSE},
    {"carriage returns", BYTES("a\r\nb\r\n"), FALSE},
    {"mixed line ends", BYTES("a\r\nb\nc\rd"), FALSE},
    {"form feeds and tabs", BYTES("a\f\n\tb\n"), FALSE},
    {"UTF-8", BYTES("! Größe μ 漢字 🐢\n"), FALSE},
    {"a byte order mark", BYTES("\xef\xbb\xbf int i;\n"), FALSE},
    {"Latin-9",
     BYTES("! Gr\xf6\xdf"
           "e \xa4\n"),
     FALSE},
    {"every byte but NUL after an umlaut",
     BYTES("\xfc\x01\x7f\x80\x9f\xa0\xff\n"), FALSE},
    {"NUL bytes", BYTES("a\0b\n"), TRUE},
    {"NUL bytes in Latin-9", BYTES("\xfc\0b\n"), TRUE},
    {"a mark, and no UTF-8", BYTES("\xef\xbb\xbf\xff\n"), TRUE},
};

static void
test_there_and_back(const struct example *example)
{
    struct hpmviz_sourcetext text;
    char sentence[128], *bytes;
    gsize n_bytes;

    hpmviz_sourcetext_read(example->bytes, example->n_bytes, &text);
    snprintf(sentence, sizeof sentence, "%s: can be shown", example->name);
    ok(g_utf8_validate(text.text, -1, NULL), sentence);
    snprintf(sentence, sizeof sentence, "%s: %s", example->name,
             example->is_damaged ? "is not to be saved" : "may be saved");
    ok((text.damage != NULL) == example->is_damaged, sentence);
    bytes = hpmviz_sourcetext_write(&text, text.text, &n_bytes, NULL);
    snprintf(sentence, sizeof sentence, "%s: comes back as it was",
             example->name);
    if (!example->is_damaged)
        ok(bytes != NULL && n_bytes == example->n_bytes &&
               memcmp(bytes, example->bytes, n_bytes) == 0,
           sentence);
    g_free(bytes);
    hpmviz_sourcetext_clear(&text);
}

static void
test_edits(void)
{
    struct hpmviz_sourcetext text;
    GError *error = NULL;
    char *bytes;
    gsize n;

    hpmviz_sourcetext_read(BYTES("a\r\nb\r\n"), &text);
    bytes = hpmviz_sourcetext_write(&text, "a\r\nnew\nb\r\n", &n, NULL);
    is_text(bytes, "a\r\nnew\r\nb\r\n",
            "a new line ends as the others of its file");
    g_free(bytes);
    hpmviz_sourcetext_clear(&text);
    hpmviz_sourcetext_read(BYTES("\xe4\n\n"), &text);
    bytes = hpmviz_sourcetext_write(&text, "ä\n漢\n", &n, &error);
    ok(bytes == NULL && error != NULL &&
           strstr(error->message, "'漢' in line 2") != NULL,
       "a character the file cannot hold is named, with its line");
    g_clear_error(&error);
    hpmviz_sourcetext_clear(&text);
}

static void
test_long_lines(void)
{
    struct hpmviz_sourcetext text;
    GString *bytes = g_string_new("first\n");

    for (int i = 0; i < 500000; i++)
        g_string_append(bytes, "ä");
    g_string_append(bytes, "\nlast\n");
    hpmviz_sourcetext_read(bytes->str, bytes->len, &text);
    ok(text.damage != NULL && strlen(text.text) < 2 * HPMVIZ_LONGEST_LINE &&
           g_utf8_validate(text.text, -1, NULL),
       "a line of 10^6 bytes is cut between characters");
    ok(g_str_has_suffix(text.text, "[996000 bytes more]\nlast\n"),
       "the cut is marked, and what follows is there");
    hpmviz_sourcetext_clear(&text);
    g_string_free(bytes, TRUE);
}

int
main(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(examples); i++)
        test_there_and_back(&examples[i]);
    test_edits();
    test_long_lines();
    return done();
}
