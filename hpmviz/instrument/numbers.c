/* SPDX-License-Identifier: BSD-3-Clause
 * Numbers that names of a source stand for. */
#include "hpmviz/instrument/numbers.h"

#include <stdlib.h>
#include <string.h>

gboolean
hpmviz_numbers_find(GHashTable *numbers, const char *name, int *ret_number)
{
    gpointer value;

    if (!g_hash_table_lookup_extended(numbers, name, NULL, &value))
        return FALSE;
    *ret_number = GPOINTER_TO_INT(value);
    return TRUE;
}

/* Takes the name. */
static void
add(GHashTable *numbers, char *name, int number)
{
    int before;

    if (hpmviz_numbers_find(numbers, name, &before) && before >= number)
        g_free(name);
    else
        g_hash_table_replace(numbers, name, GINT_TO_POINTER(number));
}

static gsize
length_of_name(const char *text)
{
    gsize n = 0;

    while (g_ascii_isalnum(text[n]) || text[n] == '_')
        n++;
    return g_ascii_isdigit(*text) ? 0 : n;
}

/* A number, or a name that is known, with nothing behind but what may follow a
 * value; signs of its kind ("3u", "3_4") are left out. */
static gboolean
read_value(GHashTable *numbers, const char *text, int *ret_number)
{
    gboolean is_in_parentheses = *text == '(';
    const char *at = text + is_in_parentheses;
    gsize n = length_of_name(at);
    g_autofree char *name = g_strndup(at, n);
    char *end;
    long number = strtol(at, &end, 0);

    if (n > 0) {
        if (!hpmviz_numbers_find(numbers, name, ret_number))
            return FALSE;
        end = (char *)at + n;
    } else {
        if (end == at || number > G_MAXINT || number < G_MININT)
            return FALSE;
        *ret_number = (int)number;
        end += strspn(end, "uUlL");
        if (*end == '_')
            end += 1 + strspn(end + 1, "0123456789");
    }
    end += is_in_parentheses && *end == ')';
    return *end == '\0' || strchr(" ,/)", *end) != NULL;
}

/* "define NAME 3", as both languages have it. */
static void
add_macro(GHashTable *numbers, const char *words)
{
    static const char define[] = "define ";
    const char *name = words + strlen(define);
    gsize n;
    int number;

    if (!g_str_has_prefix(words, define))
        return;
    n = length_of_name(name);
    if (n > 0 && name[n] == ' ' && read_value(numbers, name + n + 1, &number))
        add(numbers, g_strndup(name, n), number);
}

static GHashTable *
new_table(void)
{
    return g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
}

/* ---- C and C++ ------------------------------------------------------- */

/* "{ A, B = 3, C }": what follows a value that cannot be told cannot be told
 * either. */
static void
add_enumerators(GHashTable *numbers, const struct hpmviz_ctokens *tokens,
                guint open)
{
    guint end = hpmviz_ctokens_nth(tokens, open)->match;
    gboolean is_known = TRUE;
    int next = 0;

    for (guint i = open + 1; i < end; i++) {
        char *name = hpmviz_ctokens_text(tokens, i);

        if (hpmviz_ctokens_kind(tokens, i + 1) == '=') {
            gboolean is_negative = hpmviz_ctokens_kind(tokens, i + 2) == '-';
            guint value = i + 2 + is_negative;
            g_autofree char *text = hpmviz_ctokens_text(tokens, value);

            is_known = read_value(numbers, text, &next) &&
                       (value + 1 == end ||
                        hpmviz_ctokens_kind(tokens, value + 1) == ',');
            next = is_negative ? -next : next;
        }
        if (is_known)
            add(numbers, name, next++);
        else
            g_free(name);
        while (i < end && hpmviz_ctokens_kind(tokens, i) != ',')
            i++;
    }
}

/* "enum", its name and type, "{". */
static guint
block_of_enum(const struct hpmviz_ctokens *tokens, guint i)
{
    for (i++; hpmviz_ctokens_kind(tokens, i) == HPMVIZ_TOKEN_WORD ||
              hpmviz_ctokens_kind(tokens, i) == ':' ||
              hpmviz_ctokens_kind(tokens, i) == HPMVIZ_TOKEN_SCOPE;
         i++)
        ;
    return hpmviz_ctokens_kind(tokens, i) == '{' &&
                   hpmviz_ctokens_nth(tokens, i)->match != HPMVIZ_NO_TOKEN
               ? i
               : HPMVIZ_NO_TOKEN;
}

GHashTable *
hpmviz_numbers_of_c(const struct hpmviz_ctokens *tokens)
{
    GHashTable *numbers = new_table();

    for (guint i = 0; i < tokens->code->directives->len; i++)
        add_macro(numbers, g_array_index(tokens->code->directives,
                                         struct hpmviz_directiveline, i)
                               .words);
    for (guint i = 0; i < tokens->tokens->len; i++) {
        guint block = hpmviz_ctokens_is(tokens, i, "enum")
                          ? block_of_enum(tokens, i)
                          : HPMVIZ_NO_TOKEN;

        if (block != HPMVIZ_NO_TOKEN)
            add_enumerators(numbers, tokens, block);
    }
    return numbers;
}

/* ---- Fortran --------------------------------------------------------- */

/* "a=1,b=a,c": an enumerator without a value is one more than the one before. */
static void
add_list(GHashTable *numbers, const char *list, int *next)
{
    g_auto(GStrv) parts = g_strsplit(list, ",", -1);

    for (guint i = 0; parts[i] != NULL; i++) {
        gsize n = length_of_name(parts[i]);
        int number = next != NULL ? *next : 0;
        gboolean is_known = parts[i][n] == '='
                                ? read_value(numbers, parts[i] + n + 1, &number)
                                : next != NULL;

        if (n == 0 || !is_known)
            continue;
        add(numbers, g_strndup(parts[i], n), number);
        if (next != NULL)
            *next = number + 1;
    }
}

static void
add_statement(GHashTable *numbers, const char *words, int *next)
{
    const char *list = strstr(words, "::");

    if (g_str_has_prefix(words, "enum,"))
        *next = 0;
    else if (g_str_has_prefix(words, "parameter("))
        add_list(numbers, words + strlen("parameter("), NULL);
    else if (g_str_has_prefix(words, "enumerator"))
        add_list(numbers,
                 list != NULL ? list + 2 : words + strlen("enumerator"), next);
    else if (g_str_has_prefix(words, "integer") && list != NULL &&
             g_strstr_len(words, list - words, ",parameter") != NULL)
        add_list(numbers, list + 2, NULL);
}

GHashTable *
hpmviz_numbers_of_fortran(const struct hpmviz_fcode *code)
{
    GHashTable *numbers = new_table();
    int next = 0;

    for (guint i = 0; i < code->directives->len; i++) {
        const struct hpmviz_fdirective *at =
            &g_array_index(code->directives, struct hpmviz_fdirective, i);

        if (at->of == HPMVIZ_F_PREPROCESSOR)
            add_macro(numbers, at->words);
    }
    for (guint i = 0; i < code->statements->len; i++)
        add_statement(numbers, hpmviz_fcode_nth(code, i)->words->str, &next);
    return numbers;
}
