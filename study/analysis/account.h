/* SPDX-License-Identifier: BSD-3-Clause
 * What an analysis has found, for people and for programs: facts, sentences,
 * tables and drawings in the order in which a person reads them. */
#ifndef HPM_STUDY_ANALYSIS_ACCOUNT_H
#define HPM_STUDY_ANALYSIS_ACCOUNT_H

#include "base/error.h"
#include "report/table.h"
#include "report/text.h"

enum hpm_account_kind {
    HPM_ACCOUNT_SENTENCE, /* a paragraph in text, one of "notes" in JSON */
    HPM_ACCOUNT_FACT,     /* only in JSON: a name and a value */
    HPM_ACCOUNT_TABLE,    /* in text and JSON, and as CSV by its name */
    HPM_ACCOUNT_DATA,     /* a table that is too long for text */
    HPM_ACCOUNT_DRAWING,  /* only in text, as it stands */
};

struct hpm_account_part {
    enum hpm_account_kind kind;
    const char *name;       /* a constant, of facts and tables */
    struct hpm_string text; /* a title, sentence, drawing; a fact as JSON */
    struct hpm_table table;
};

/* Start from {0}. */
struct hpm_account {
    struct hpm_account_part *parts;
    size_t n, capacity;
    bool failed; /* no memory: it is not whole */
};

void hpm_account_clear(struct hpm_account *account);

/* A sentence, as printf, without a newline. */
void hpm_account_say(struct hpm_account *account, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The text, which is freed, as a paragraph, or as a drawing. */
void hpm_account_say_string(struct hpm_account *account,
                            struct hpm_string *text);
void hpm_account_draw(struct hpm_account *account, struct hpm_string *text);

void hpm_account_add_text_fact(struct hpm_account *account, const char *name,
                               const char *text);
void hpm_account_add_count_fact(struct hpm_account *account, const char *name,
                                uint64_t count);
/* null where it is not finite. */
void hpm_account_add_real_fact(struct hpm_account *account, const char *name,
                               double value);

/* An empty table to fill before anything else is added; NULL when there is no
 * memory.  `title` may be NULL. */
struct hpm_table *hpm_account_add_table(struct hpm_account *account,
                                        enum hpm_account_kind kind,
                                        const char *name, const char *title);

void hpm_account_add_as_text(struct hpm_account *account,
                             const struct hpm_text_style *style,
                             struct hpm_string *string);
void hpm_account_add_as_json(const struct hpm_account *account,
                             struct hpm_string *string);

/* The table of that name; false, and which names there are, where it is none of
 * them. */
bool hpm_account_add_as_csv(const struct hpm_account *account, const char *name,
                            struct hpm_string *string, struct hpm_error *err);

#endif
