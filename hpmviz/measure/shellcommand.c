/* SPDX-License-Identifier: BSD-3-Clause
 * Where in a command of the shell the program stands. */
#include "hpmviz/measure/shellcommand.h"

#include <gio/gio.h>
#include <glib/gi18n.h>
#include <string.h>

/* A word of the last command, as it is written and without quotes. */
struct word {
    gsize at;
    char *text;
};

struct reading {
    const char *command;
    gsize at;
    gsize begin;   /* of the last command */
    gsize before;  /* where what comes before that ends */
    GArray *words; /* struct word, of the last command's first program */
    gboolean is_piped, is_other; /* behind "|"; has more than words */
};

static void
clear_word(gpointer data)
{
    g_free(((struct word *)data)->text);
}

/* Behind a quoted part that begins here; what is in it is added to the text. */
static gsize
read_quoted(const char *command, gsize at, GString *text)
{
    char quote = command[at++];

    for (; command[at] != '\0' && command[at] != quote; at++) {
        if (quote == '"' && command[at] == '\\' && command[at + 1] != '\0')
            at++;
        g_string_append_c(text, command[at]);
    }
    return command[at] != '\0' ? at + 1 : at;
}

static void
read_word(struct reading *reading)
{
    const char *command = reading->command;
    struct word word = {.at = reading->at};
    GString *text = g_string_new(NULL);
    gsize at = reading->at;

    while (command[at] != '\0' && strchr(" \t\n;&|()<>", command[at]) == NULL) {
        if (command[at] == '\'' || command[at] == '"') {
            at = read_quoted(command, at, text);
            continue;
        }
        if (command[at] == '\\' && command[at + 1] != '\0')
            at++;
        g_string_append_c(text, command[at++]);
    }
    reading->at = at;
    word.text = g_string_free(text, FALSE);
    if (reading->is_piped)
        clear_word(&word);
    else
        g_array_append_val(reading->words, word);
}

/* A redirection: its sign, and the word behind it, is no word of the command. */
static void
skip_redirection(struct reading *reading)
{
    const char *command = reading->command;
    gboolean was_piped = reading->is_piped;

    reading->at += strspn(command + reading->at, "<>&|");
    reading->at += strspn(command + reading->at, " \t");
    reading->is_piped = TRUE; /* so that the word is dropped */
    read_word(reading);
    reading->is_piped = was_piped;
}

/* What follows is another command; but nothing may follow. */
static void
begin_command(struct reading *reading, gsize n_bytes)
{
    gsize end = reading->at;

    reading->at += n_bytes;
    reading->at += strspn(reading->command + reading->at, " \t\n");
    if (reading->command[reading->at] == '\0')
        return;
    reading->before = end;
    reading->begin = reading->at;
    reading->is_piped = reading->is_other = FALSE;
    g_array_set_size(reading->words, 0);
}

static void
read_sign(struct reading *reading)
{
    const char *at = reading->command + reading->at;

    if (g_str_has_prefix(at, "&&") || g_str_has_prefix(at, "||")) {
        begin_command(reading, 2);
    } else if (strchr(";&\n", *at) != NULL) {
        begin_command(reading, 1);
    } else if (*at == '|') {
        reading->is_piped = TRUE;
        reading->at++;
    } else if (*at == '<' || *at == '>') {
        skip_redirection(reading);
    } else { /* ( and ) */
        reading->is_other = TRUE;
        reading->at++;
    }
}

static void
read_all(struct reading *reading)
{
    while (reading->command[reading->at] != '\0') {
        gsize blanks = strspn(reading->command + reading->at, " \t");

        reading->at += blanks;
        if (reading->command[reading->at] == '\0')
            break;
        if (strchr(";&|()<>\n", reading->command[reading->at]) != NULL)
            read_sign(reading);
        else
            read_word(reading);
    }
}

/* ---- the program ----------------------------------------------------- */

static const struct word *
nth(const struct reading *reading, guint i)
{
    return &g_array_index(reading->words, struct word, i);
}

static gboolean
is_assignment(const char *word)
{
    gsize n = strspn(word, "abcdefghijklmnopqrstuvwxyz"
                           "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");

    return n > 0 && !g_ascii_isdigit(*word) && word[n] == '=';
}

/* A list of words that begin what is no command of words. */
static gboolean
is_reserved(const char *word)
{
    static const char *const words[] = {"{",    "}",    "if", "then", "else",
                                        "fi",   "for",  "do", "done", "while",
                                        "case", "esac", "!",  NULL};

    return g_strv_contains(words, word);
}

static gboolean
refuse(GError **error)
{
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "%s",
                _("the command must end with the program that is to be "
                  "measured and its arguments, as 'make && ./program 100' "
                  "does"));
    return FALSE;
}

/* Of the user's own hpmcount: the first word behind it with a folder, else the
 * first that is no option. */
static guint
program_behind(const struct reading *reading, guint hpmcount)
{
    for (guint i = hpmcount + 1; i < reading->words->len; i++) {
        if (*nth(reading, i)->text != '-' &&
            strchr(nth(reading, i)->text, '/') != NULL)
            return i;
    }
    for (guint i = hpmcount + 1; i < reading->words->len; i++) {
        if (*nth(reading, i)->text != '-')
            return i;
    }
    return reading->words->len;
}

static gboolean
find_program(const struct reading *reading, struct hpmviz_shellcommand *ret,
             GError **error)
{
    guint first = 0, program, n = reading->words->len;

    while (first < n && is_assignment(nth(reading, first)->text))
        first++;
    if (reading->is_other || first == n ||
        is_reserved(nth(reading, first)->text))
        return refuse(error);
    program = first;
    for (guint i = first; i < n && !ret->has_hpmcount; i++) {
        g_autofree char *name = g_path_get_basename(nth(reading, i)->text);

        if (strcmp(name, "hpmcount") != 0)
            continue;
        ret->has_hpmcount = TRUE;
        program = program_behind(reading, i);
        first = i + 1;
    }
    if (program == n)
        return refuse(error);
    ret->program = g_strdup(nth(reading, program)->text);
    ret->at = nth(reading, first)->at;
    ret->preparation = g_strndup(reading->command, reading->before);
    g_strchomp(ret->preparation);
    return TRUE;
}

gboolean
hpmviz_shellcommand_read(const char *command,
                         struct hpmviz_shellcommand *ret_command,
                         GError **error)
{
    struct reading reading = {
        .command = command,
        .words = g_array_new(FALSE, FALSE, sizeof(struct word)),
    };
    gboolean is_good;

    *ret_command = (struct hpmviz_shellcommand){0};
    g_array_set_clear_func(reading.words, clear_word);
    read_all(&reading);
    is_good = find_program(&reading, ret_command, error);
    g_array_unref(reading.words);
    return is_good;
}

void
hpmviz_shellcommand_clear(struct hpmviz_shellcommand *command)
{
    g_clear_pointer(&command->preparation, g_free);
    g_clear_pointer(&command->program, g_free);
}
