/* SPDX-License-Identifier: BSD-3-Clause
 * Calls of libhpm in Fortran. */
#include "hpmviz/instrument/fcalls.h"

#include <stdlib.h>
#include <string.h>

#include "hpmviz/instrument/numbers.h"

static const struct name {
    const char *word;
    enum hpmviz_callkind kind;
    gboolean is_process;
} names[] = {
    {"hpmtstart", HPMVIZ_CALL_START, FALSE},
    {"hpmtstartx", HPMVIZ_CALL_START, FALSE},
    {"hpmtstop", HPMVIZ_CALL_STOP, FALSE},
    {"hpmstart", HPMVIZ_CALL_START, TRUE},
    {"hpmstartx", HPMVIZ_CALL_START, TRUE},
    {"hpmstop", HPMVIZ_CALL_STOP, TRUE},
    {"hpmwork", HPMVIZ_CALL_WORK, FALSE},
    {"hpminit", HPMVIZ_CALL_OTHER, TRUE},
    {"hpmterminate", HPMVIZ_CALL_OTHER, TRUE},
    {"hpmgettimeandcounters", HPMVIZ_CALL_OTHER, FALSE},
    {"hpmgetcounters", HPMVIZ_CALL_OTHER, FALSE},
};

/* Where "call" stands, behind "if (...)", too; NULL for none. */
static const char *
find_call(const char *words)
{
    const char *call = strstr(words, "callhpm");

    if (call == NULL)
        call = strstr(words, "callf_hpm");
    return call == words || (call != NULL && call[-1] == ')') ? call : NULL;
}

static const struct name *
name_of(const char *call)
{
    const char *word = call + strlen("call");
    gsize n;

    if (g_str_has_prefix(word, "f_"))
        word += strlen("f_");
    n = strcspn(word, "(");
    for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
        if (strlen(names[i].word) == n && strncmp(names[i].word, word, n) == 0)
            return &names[i];
    }
    return NULL;
}

/* The argument behind this one's end, or NULL; `at` is at its first byte. */
static const char *
next_argument(const char *at)
{
    int depth = 0;

    for (; *at != '\0'; at++) {
        if (*at == '(')
            depth++;
        else if (*at == ')' && depth-- == 0)
            return NULL;
        else if (*at == ',' && depth == 0)
            return at + 1;
    }
    return NULL;
}

static gsize
place(const struct hpmviz_fstatement *statement, const char *word)
{
    return hpmviz_fcode_place(statement, (gsize)(word - statement->words->str));
}

/* A name that stands for a number. */
static void
read_name(GHashTable *numbers, const char *argument, struct hpmviz_call *call)
{
    gsize n = strcspn(argument, ",)");
    g_autofree char *name = g_strndup(argument, n);

    call->knows_id = hpmviz_numbers_find(numbers, name, &call->id);
}

static void
read_id(const struct hpmviz_fstatement *statement, GHashTable *numbers,
        const char *argument, struct hpmviz_call *call)
{
    char *end;
    long id = strtol(argument, &end, 10);

    call->has_id = (g_ascii_isdigit(*argument) || *argument == '-') &&
                   (*end == ',' || *end == ')') && id <= G_MAXINT &&
                   id >= G_MININT;
    call->knows_id = call->has_id;
    if (!call->has_id) {
        read_name(numbers, argument, call);
        return;
    }
    call->id = (int)id;
    call->id_at = place(statement, argument);
    call->n_id = place(statement, end - 1) + 1 - call->id_at;
}

/* A literal: its quotes are together in the words. */
static void
read_label(const struct hpmviz_fstatement *statement, const char *argument,
           struct hpmviz_call *call)
{
    if ((*argument != '\'' && *argument != '"') || argument[1] != *argument)
        return;
    call->label_at = place(statement, argument) + 1;
    call->n_label = place(statement, argument + 1) - call->label_at;
}

/* call hpmTstart(id, label, file, line); a stop has no label. */
static void
read_line(const struct hpmviz_fstatement *statement, const char *file,
          struct hpmviz_call *call)
{
    const char *line = file != NULL ? next_argument(file) : NULL;
    gsize n = line != NULL ? strspn(line, "0123456789") : 0;

    if (n == 0 || (*file != '\'' && *file != '"') ||
        (line[n] != ')' && line[n] != ','))
        return;
    call->file_at = place(statement, file) + 1;
    call->n_file = place(statement, file + 1) - call->file_at;
    call->line_at = place(statement, line);
    call->n_line = n;
}

static void
read_arguments(const struct hpmviz_fstatement *statement, GHashTable *numbers,
               const char *first, struct hpmviz_call *call)
{
    const char *next = next_argument(first);

    read_id(statement, numbers, first, call);
    if (call->kind == HPMVIZ_CALL_START && next != NULL) {
        read_label(statement, next, call);
        next = next_argument(next);
    }
    if (call->kind != HPMVIZ_CALL_WORK)
        read_line(statement, next, call);
}

/* The bytes of the statement, with its label. */
static void
read_extent(const struct hpmviz_fstatement *statement, const char *call_word,
            struct hpmviz_call *call)
{
    gsize end = hpmviz_fcode_place(statement, statement->words->len - 1) + 1;

    call->at = hpmviz_fcode_place(statement, 0);
    call->n_bytes = end - call->at;
    call->is_alone = call_word == statement->words->str &&
                     statement->label == 0 && !statement->is_shared;
}

static void
add_call(GArray *calls, GHashTable *numbers,
         const struct hpmviz_fstatement *statement)
{
    const char *call_word = find_call(statement->words->str);
    const struct name *name = call_word != NULL ? name_of(call_word) : NULL;
    struct hpmviz_call call = {.line = statement->first,
                               .last_line = statement->last};
    const char *open;

    if (name == NULL)
        return;
    call.kind = name->kind;
    call.is_process = name->is_process;
    open = strchr(call_word, '(');
    if (open != NULL && call.kind != HPMVIZ_CALL_OTHER)
        read_arguments(statement, numbers, open + 1, &call);
    read_extent(statement, call_word, &call);
    g_array_append_val(calls, call);
}

void
hpmviz_fcalls_add(GArray *calls, const char *text, gboolean is_fixed)
{
    struct hpmviz_fcode code;
    g_autoptr(GHashTable) numbers = NULL;

    hpmviz_fcode_init(&code, text, is_fixed);
    numbers = hpmviz_numbers_of_fortran(&code);
    for (guint i = 0; i < code.statements->len; i++)
        add_call(calls, numbers, hpmviz_fcode_nth(&code, i));
    hpmviz_fcode_clear(&code);
}
