/* SPDX-License-Identifier: BSD-3-Clause
 * What an analysis has found. */
#include "study/analysis/account.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "host/memory.h"
#include "study/report/format.h"
#include "study/report/paragraph.h"
#include "study/report/tablewords.h"
#include "study/words/sentence.h"

/* ---- putting it together ------------------------------------------------ */

static struct hpm_account_part *
add_part(struct hpm_account *account, enum hpm_account_kind kind,
         const char *name)
{
    struct hpm_account_part *part;

    if (!hpm_memory_grow(&account->parts, &account->capacity, account->n + 1,
                         sizeof *account->parts)) {
        account->failed = true;
        return NULL;
    }
    part = &account->parts[account->n++];
    *part = (struct hpm_account_part){.kind = kind, .name = name};
    return part;
}

void
hpm_account_clear(struct hpm_account *account)
{
    for (size_t i = 0; i < account->n; i++) {
        hpm_string_free(&account->parts[i].text);
        hpm_table_clear(&account->parts[i].table);
    }
    hpm_memory_free(account->parts);
    *account = (struct hpm_account){0};
}

void
hpm_account_say(struct hpm_account *account, const char *format, ...)
{
    struct hpm_string text = {0};
    va_list arguments;

    va_start(arguments, format);
    hpm_string_add_arguments(&text, format, arguments);
    va_end(arguments);
    hpm_account_say_string(account, &text);
}

static void
add_string(struct hpm_account *account, enum hpm_account_kind kind,
           struct hpm_string *text)
{
    struct hpm_account_part *part = add_part(account, kind, NULL);

    account->failed |= text->failed;
    if (part == NULL) {
        hpm_string_free(text);
        return;
    }
    part->text = *text;
    *text = (struct hpm_string){0};
}

void
hpm_account_say_string(struct hpm_account *account, struct hpm_string *text)
{
    add_string(account, HPM_ACCOUNT_SENTENCE, text);
}

void
hpm_account_draw(struct hpm_account *account, struct hpm_string *text)
{
    add_string(account, HPM_ACCOUNT_DRAWING, text);
}

void
hpm_account_add_text_fact(struct hpm_account *account, const char *name,
                          const char *text)
{
    struct hpm_account_part *part = add_part(account, HPM_ACCOUNT_FACT, name);

    if (part != NULL)
        hpm_json_add_text(&part->text, text);
}

void
hpm_account_add_count_fact(struct hpm_account *account, const char *name,
                           uint64_t count)
{
    struct hpm_account_part *part = add_part(account, HPM_ACCOUNT_FACT, name);

    if (part != NULL)
        hpm_string_add_format(&part->text, "%llu", (unsigned long long)count);
}

void
hpm_account_add_real_fact(struct hpm_account *account, const char *name,
                          double value)
{
    struct hpm_account_part *part = add_part(account, HPM_ACCOUNT_FACT, name);

    if (part != NULL && isfinite(value))
        hpm_string_add_real(&part->text, value);
    else if (part != NULL)
        hpm_string_add(&part->text, "null");
}

struct hpm_table *
hpm_account_add_table(struct hpm_account *account, enum hpm_account_kind kind,
                      const char *name, const char *title)
{
    struct hpm_account_part *part = add_part(account, kind, name);

    if (part == NULL)
        return NULL;
    if (title != NULL)
        hpm_string_add(&part->text, title);
    return &part->table;
}

/* ---- for people -----------------------------------------------------------
 */

static bool
is_in_text(const struct hpm_account_part *part)
{
    return part->kind == HPM_ACCOUNT_SENTENCE ||
           part->kind == HPM_ACCOUNT_TABLE || part->kind == HPM_ACCOUNT_DRAWING;
}

/* Tables and drawings stand apart; sentences follow each other. */
static bool
is_apart(const struct hpm_account_part *part)
{
    return part->kind != HPM_ACCOUNT_SENTENCE;
}

static void
add_sentence(struct hpm_string *string, const char *text, size_t width)
{
    struct hpm_string shown = {0};

    hpm_sentence_add(&shown, text);
    hpm_paragraph_add(string, hpm_string_text(&shown), width, 2);
    hpm_string_finish(&shown, &string->failed);
}

void
hpm_account_add_as_text(struct hpm_account *account,
                        const struct hpm_text_style *style,
                        struct hpm_string *string)
{
    const struct hpm_account_part *before = NULL;

    for (size_t i = 0; i < account->n; i++) {
        struct hpm_account_part *part = &account->parts[i];
        const char *text = hpm_string_text(&part->text);

        if (!is_in_text(part))
            continue;
        if (before != NULL && (is_apart(before) || is_apart(part)))
            hpm_string_add_char(string, '\n');
        before = part;
        if (part->kind == HPM_ACCOUNT_DRAWING)
            hpm_string_add(string, text);
        else if (text[0] != '\0')
            add_sentence(string, text, style->width);
        if (part->kind == HPM_ACCOUNT_TABLE)
            hpm_tablewords_add_in(string, &part->table, NULL, style);
        string->failed |= part->text.failed || part->table.failed;
    }
    string->failed |= account->failed;
}

/* ---- for programs -----------------------------------------------------------
 */

static void
add_notes(const struct hpm_account *account, struct hpm_string *string)
{
    bool is_first = true;

    hpm_string_add(string, "\"notes\": [");
    for (size_t i = 0; i < account->n; i++) {
        if (account->parts[i].kind != HPM_ACCOUNT_SENTENCE)
            continue;
        hpm_string_add(string, is_first ? "\n  " : ",\n  ");
        hpm_json_add_text(string, hpm_string_text(&account->parts[i].text));
        is_first = false;
    }
    hpm_string_add(string, is_first ? "]" : "\n]");
}

void
hpm_account_add_as_json(const struct hpm_account *account,
                        struct hpm_string *string)
{
    hpm_string_add(string, "{\n");
    for (size_t i = 0; i < account->n; i++) {
        const struct hpm_account_part *part = &account->parts[i];

        string->failed |= part->text.failed || part->table.failed;
        if (part->name == NULL)
            continue;
        hpm_json_add_text(string, part->name);
        hpm_string_add(string, ": ");
        if (part->kind == HPM_ACCOUNT_FACT)
            hpm_string_add(string, hpm_string_text(&part->text));
        else
            hpm_json_add_table(string, &part->table);
        hpm_string_add(string, ",\n");
    }
    add_notes(account, string);
    hpm_string_add(string, "\n}\n");
    string->failed |= account->failed;
}

bool
hpm_account_add_as_csv(const struct hpm_account *account, const char *name,
                       struct hpm_string *string, struct hpm_error *err)
{
    struct hpm_string names = {0};

    for (size_t i = 0; i < account->n; i++) {
        const struct hpm_account_part *part = &account->parts[i];

        if (part->name == NULL || part->kind == HPM_ACCOUNT_FACT)
            continue;
        if (strcmp(part->name, name) == 0) {
            hpm_csv_add_table(string, &part->table);
            string->failed |= part->table.failed || account->failed;
            hpm_string_free(&names);
            return true;
        }
        hpm_string_add_format(&names, "%s%s", names.length > 0 ? ", " : "",
                              part->name);
    }
    hpm_error_set(err, "there is no table '%s'; expected one of: %s", name,
                  hpm_string_text(&names));
    hpm_string_free(&names);
    return false;
}
