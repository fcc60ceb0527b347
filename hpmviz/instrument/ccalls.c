/* SPDX-License-Identifier: BSD-3-Clause
 * Calls of libhpm in C and C++. */
#include "hpmviz/instrument/ccalls.h"

#include <stdlib.h>
#include <string.h>

#include "hpmviz/instrument/numbers.h"

static const struct name {
    const char *word;
    enum hpmviz_callkind kind;
    gboolean is_process;
} names[] = {
    {"hpmTstart", HPMVIZ_CALL_START, FALSE},
    {"hpmTstartx", HPMVIZ_CALL_START, FALSE},
    {"hpmTstop", HPMVIZ_CALL_STOP, FALSE},
    {"hpmStart", HPMVIZ_CALL_START, TRUE},
    {"hpmStartx", HPMVIZ_CALL_START, TRUE},
    {"hpmStop", HPMVIZ_CALL_STOP, TRUE},
    {"HPM_SECTION", HPMVIZ_CALL_SCOPE, FALSE},
    {"HPM_PROCESS_SECTION", HPMVIZ_CALL_SCOPE, TRUE},
    {"HPM_FUNCTION", HPMVIZ_CALL_SCOPE, FALSE},
    {"hpmWork", HPMVIZ_CALL_WORK, FALSE},
    {"hpmInit", HPMVIZ_CALL_OTHER, TRUE},
    {"hpmTerminate", HPMVIZ_CALL_OTHER, TRUE},
    {"hpmGetTimeAndCounters", HPMVIZ_CALL_OTHER, FALSE},
    {"hpmGetCounters", HPMVIZ_CALL_OTHER, FALSE},
    {"hpmVersion", HPMVIZ_CALL_OTHER, FALSE},
};

static const struct name *
name_of(const struct hpmviz_ctokens *tokens, guint i)
{
    if (hpmviz_ctokens_kind(tokens, i) != HPMVIZ_TOKEN_WORD ||
        hpmviz_ctokens_kind(tokens, i + 1) != '(')
        return NULL;
    for (gsize k = 0; k < G_N_ELEMENTS(names); k++) {
        if (hpmviz_ctokens_is(tokens, i, names[k].word))
            return &names[k];
    }
    return NULL;
}

/* The first argument, if it is a number. */
static void
read_number(const struct hpmviz_ctokens *tokens, guint i,
            struct hpmviz_call *call)
{
    gboolean is_negative = hpmviz_ctokens_kind(tokens, i) == '-';
    guint number = i + is_negative;
    char after = hpmviz_ctokens_kind(tokens, number + 1);
    char *text = hpmviz_ctokens_text(tokens, number), *end;
    long id = strtol(text, &end, 0);

    call->has_id = g_ascii_isdigit(*text) && end[strspn(end, "uUlL")] == '\0' &&
                   (after == ',' || after == ')') && id <= G_MAXINT;
    call->knows_id = call->has_id;
    if (call->has_id) {
        const struct hpmviz_token *last = hpmviz_ctokens_nth(tokens, number);

        call->id = is_negative ? (int)-id : (int)id;
        call->id_at = hpmviz_ctokens_nth(tokens, i)->at;
        call->n_id = last->at + last->n_bytes - call->id_at;
    }
    g_free(text);
}

/* The first argument, if it is a name that stands for a number. */
static void
read_name(const struct hpmviz_ctokens *tokens, GHashTable *numbers, guint i,
          struct hpmviz_call *call)
{
    char after = hpmviz_ctokens_kind(tokens, i + 1);
    g_autofree char *name = hpmviz_ctokens_text(tokens, i);

    call->knows_id = (after == ',' || after == ')') &&
                     hpmviz_numbers_find(numbers, name, &call->id);
}

/* The last argument, if it is a string. */
static void
read_label(const struct hpmviz_ctokens *tokens, guint close,
           struct hpmviz_call *call)
{
    const struct hpmviz_token *token = hpmviz_ctokens_nth(tokens, close - 1);

    if (token->kind == HPMVIZ_TOKEN_STRING && token->n_bytes >= 2 &&
        hpmviz_ctokens_kind(tokens, close - 2) == ',') {
        call->label_at = token->at + 1;
        call->n_label = token->n_bytes - 2;
    }
}

static void
add_call(GArray *calls, const struct hpmviz_ctokens *tokens,
         GHashTable *numbers, guint i, const struct name *name)
{
    const struct hpmviz_token *token = hpmviz_ctokens_nth(tokens, i);
    guint close = hpmviz_ctokens_nth(tokens, i + 1)->match;
    struct hpmviz_call call = {.kind = name->kind,
                               .is_process = name->is_process,
                               .at = token->at,
                               .line = token->line};
    const struct hpmviz_token *end;
    char before = hpmviz_ctokens_kind(tokens, i - 1);

    if (close == HPMVIZ_NO_TOKEN)
        return;
    if (name->kind != HPMVIZ_CALL_OTHER)
        read_number(tokens, i + 2, &call);
    if (name->kind != HPMVIZ_CALL_OTHER && !call.has_id)
        read_name(tokens, numbers, i + 2, &call);
    read_label(tokens, close, &call);
    end = hpmviz_ctokens_nth(tokens, close + 1);
    call.is_alone =
        end->kind == ';' && before != '\0' && strchr(";{}", before) != NULL;
    if (end->kind != ';')
        end = hpmviz_ctokens_nth(tokens, close);
    call.last_line = end->line;
    call.n_bytes = end->at + end->n_bytes - call.at;
    g_array_append_val(calls, call);
}

void
hpmviz_ccalls_add(GArray *calls, const char *text)
{
    struct hpmviz_ccode code;
    struct hpmviz_ctokens tokens;
    g_autoptr(GHashTable) numbers = NULL;

    hpmviz_ccode_init(&code, text);
    hpmviz_ctokens_init(&tokens, &code);
    numbers = hpmviz_numbers_of_c(&tokens);
    for (guint i = 0; i < tokens.tokens->len; i++) {
        const struct name *name = name_of(&tokens, i);

        if (name != NULL)
            add_call(calls, &tokens, numbers, i, name);
    }
    hpmviz_ctokens_clear(&tokens);
    hpmviz_ccode_clear(&code);
}
