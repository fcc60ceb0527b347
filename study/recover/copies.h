/* SPDX-License-Identifier: BSD-3-Clause
 * Reading a journal (file/journal.h): the latest whole copy of each table, and
 * the words of a copy. */
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
    bool is_swapped;   /* words, but not texts, have their bytes in reverse
                        * order */
    uint64_t n_tables; /* tables at the time of this copy */
    uint64_t end;      /* length of the journal at that time */
    uint64_t n_copies; /* copies of all tables up to that time */
    uint64_t other;    /* offset of the table's other copy, or of this one */
    uint64_t offset;   /* offset of this copy */
};

struct hpm_copies {
    unsigned char *file;
    struct hpm_copy *all; /* one per table, in the order of their numbers */
    size_t n, capacity;
    size_t n_damaged; /* slots that are not whole, or of another version; pages
                       * with data that belong to no slot; copies that left no
                       * trace */
    size_t n_lost;    /* tables without a whole copy */
    bool is_cut;      /* the file was longer once */
};

/* Read the journal at `path`, a regular file.  Copies that are not whole are
 * skipped, so there may be none.  Start from {0}, end with hpm_copies_clear in
 * any case.  False when the file cannot be read, is no journal, or is one of
 * another version. */
bool hpm_copies_read(struct hpm_copies *copies, const char *path,
                     struct hpm_error *err);
void hpm_copies_clear(struct hpm_copies *copies);

/* A position in a copy.  Reading beyond the end, or a wrong value, sets
 * is_wrong and gives 0 or NULL. */
struct hpm_words {
    const struct hpm_copy *copy;
    size_t at;
    bool is_wrong;
};

uint64_t hpm_words_word(struct hpm_words *words);
int hpm_words_int(struct hpm_words *words);
void hpm_words_take(struct hpm_words *words, uint64_t *ret_words, size_t n);

/* Read a number of items that follow, each of at least `n_words_each` words. */
size_t hpm_words_count(struct hpm_words *words, size_t n_words_each);

/* A new string, for the caller to free; NULL for no text.  Without memory it is
 * NULL, too, and is_wrong is set. */
char *hpm_words_text(struct hpm_words *words);

/* Read the fields of `thing`, which were written by this list; texts are new
 * strings. */
void hpm_words_fields(struct hpm_words *words,
                      const struct hpm_journal_field *fields, void *thing);

/* Was all read correctly, up to the end? */
bool hpm_words_end(const struct hpm_words *words);

#endif
