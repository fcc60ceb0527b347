/* SPDX-License-Identifier: BSD-3-Clause
 * What a journal (file/journal.h) holds: the latest whole copy of each table,
 * and the words of a copy.
 */
#ifndef HPM_STUDY_RECOVER_COPIES_H
#define HPM_STUDY_RECOVER_COPIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "file/journal.h"

/* A copy, its words in the byte order of this machine. */
struct hpm_copy {
    uint64_t table;
    uint64_t sequence;
    const unsigned char *bytes;
    size_t length;
    bool is_swapped;   /* texts apart, words are read backwards */
    uint64_t n_tables; /* that there were when it was written ... */
    uint64_t end;      /* ... how long the journal was ... */
    uint64_t n_copies; /* ... and how many copies all tables had had */
    uint64_t other;    /* where the table's other copy begins, or this one */
    uint64_t offset;   /* where this one does */
};

struct hpm_copies {
    unsigned char *file;
    struct hpm_copy *all; /* one per table, in the order of their numbers */
    size_t n, capacity;
    size_t n_damaged; /* slots that are not whole, or of another version, and
                         pages with something in them that belong to none, and
                         copies of which nothing is left */
    size_t n_lost;    /* tables of which there is no whole copy */
    bool is_cut;      /* there was more of it */
};

/* Read the journal at `path`, a regular file; what is not whole is passed over,
 * so there may be none.  Start from {0}, end with hpm_copies_clear in any case.
 * False when it cannot be read, is no journal, or is one of another version. */
bool hpm_copies_read(struct hpm_copies *copies, const char *path,
                     struct hpm_error *err);
void hpm_copies_clear(struct hpm_copies *copies);

/* A place in a copy.  What is beyond its end, or not as it should be, sets
 * is_wrong, and is 0 or NULL. */
struct hpm_words {
    const struct hpm_copy *copy;
    size_t at;
    bool is_wrong;
};

uint64_t hpm_words_word(struct hpm_words *words);
int hpm_words_int(struct hpm_words *words);
void hpm_words_take(struct hpm_words *words, uint64_t *ret_words, size_t n);

/* How many of something follow, each of at least so many words. */
size_t hpm_words_count(struct hpm_words *words, size_t n_words_each);

/* A new string, for the caller to free; NULL for no text.  Without memory it is
 * NULL, too, and is_wrong is set. */
char *hpm_words_text(struct hpm_words *words);

/* The fields of `thing`, which were written by this list; texts are new
 * strings. */
void hpm_words_fields(struct hpm_words *words,
                      const struct hpm_journal_field *fields, void *thing);

/* Nothing was wrong, and this is the end. */
bool hpm_words_end(const struct hpm_words *words);

#endif
