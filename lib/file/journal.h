/* SPDX-License-Identifier: BSD-3-Clause
 * A journal: the latest copies of some tables, in a file that can be read
 * whenever the program stops, in whatever way.
 *
 * The file stands beside another one that is not there yet, NAME, as
 * NAME.journal.  A copy of a table is written, whole, into one of the two
 * slots the table has: the one that does not have its latest copy.  So one
 * whole copy is always there.  A table that outgrows its slots gets two larger
 * ones at the end of the file.
 *
 *     |slot 1|slot 1|slot 2|slot 2|slot 1: larger   |slot 1           | ...
 *      \___________/ of table 1    \_________________________________/
 *
 *     slot   [head: 11 words][words ............][room]
 *     head   11 words: magic, byte order, version, table ... checksum
 *
 * All of it is 64-bit words in the byte order of the machine, and slots begin
 * at multiples of HPM_JOURNAL_PAGE bytes.  A reader looks for the magic at each
 * of these, takes what has the right checksum, and of each table the copy with
 * the highest sequence.  Nothing else has to be right: a copy that was not
 * written to its end has a wrong checksum, and the one before it serves.
 *
 *     magic       HPM_JOURNAL_MAGIC
 *     byte order  HPM_JOURNAL_ORDER; another value: read the bytes backwards
 *     version     of head and words, HPM_JOURNAL_VERSION
 *     table       1, 2, 3 ...
 *     sequence    1, 2, 3 ... for the copies of a table
 *     length      bytes after the head, a multiple of 8
 *     tables      how many tables there are by now: 1, 2 ... that many
 *     end         how long the file is by now, in bytes
 *     copies      how many copies all tables have had by now
 *     other       where the table's other slot begins; the copy's own place
 *                 when nothing was written there yet
 *     checksum    hpm_journal_checksum of the ten words before and all after
 *
 * So the copies that are left of a damaged journal tell what is missing: a
 * table none of whose copies is whole, an end that was cut off, a newest copy
 * that is gone: the other slot is empty, or the sequences of the latest copies
 * do not add up to `copies`.  Not so, where the last copy of all was also the
 * first in the second of two new slots, and nothing is left of it.
 *
 * Room is reserved when slots are made: a disk that fills up later does not
 * stop the journal.  Writes are not mapped memory, so what goes wrong with the
 * disk is an error and never a signal to the program.
 *
 * Not thread-safe, except where said.
 */
#ifndef HPM_FILE_JOURNAL_H
#define HPM_FILE_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/state.h"
#include "base/string.h"
#include "file/output.h"

enum { HPM_JOURNAL_PAGE = 4096, HPM_JOURNAL_VERSION = 11 };

#define HPM_JOURNAL_MAGIC UINT64_C(0x6c6e726a2d6d7068) /* "hpm-jrnl" */
#define HPM_JOURNAL_ORDER UINT64_C(0x0102030405060708)
#define HPM_JOURNAL_NO_TEXT UINT64_MAX

/* Where a table has its copies; all 0 before the first one. */
struct hpm_journal_table {
    uint64_t number;
    uint64_t sequence; /* of the latest copy; odd: it is in the first slot */
    uint64_t first;    /* sequence of the first copy in its two slots */
    uint64_t offset;   /* of these */
    uint64_t capacity; /* of each, the head included */
    bool is_behind;    /* a newer one could not be written: kept by who puts */
};

struct hpm_journal;

/* Make NAME.journal, or the first free of NAME.journal.1, .2 ..., where the
 * destination's file will be.  The destination must outlive the journal.  NULL
 * when it cannot be made. */
struct hpm_journal *hpm_journal_new(const struct hpm_destination *destination,
                                    struct hpm_error *err);

/* Append the journal's path. */
void hpm_journal_add_path(const struct hpm_journal *journal,
                          struct hpm_string *string);

/* ---- the words of a copy --------------------------------------------- */

/* Begin the copy of a table in memory; what is added to it is in words. */
void hpm_journal_begin(struct hpm_string *copy);

void hpm_journal_add_word(struct hpm_string *copy, uint64_t word);
void hpm_journal_add_words(struct hpm_string *copy, const uint64_t *words,
                           size_t n);
/* Its length in bytes and its bytes, the last word filled up with zeroes; only
 * HPM_JOURNAL_NO_TEXT for NULL. */
void hpm_journal_add_text(struct hpm_string *copy, const char *text);

/* What a field of a structure is there, and is in the words. */
enum hpm_journal_type {
    HPM_JOURNAL_END,     /* behind the last field */
    HPM_JOURNAL_WORD,    /* uint64_t */
    HPM_JOURNAL_HALF,    /* uint16_t */
    HPM_JOURNAL_INT,     /* int */
    HPM_JOURNAL_LONG,    /* long, the value that of an int */
    HPM_JOURNAL_BOOL,    /* bool: 1 or 0 */
    HPM_JOURNAL_REAL,    /* double, IEEE's: its bits */
    HPM_JOURNAL_TEXT,    /* char *, may be NULL */
    HPM_JOURNAL_PRESENT, /* char *, never NULL */
    HPM_JOURNAL_STATE,   /* enum hpm_state: its name, a text */
};

struct hpm_journal_field {
    enum hpm_journal_type type;
    unsigned offset; /* half as large as a size_t, in each measured program */
};

/* The fields of `thing`, one after the other; the reader (recover/copies.h) has
 * them from the same list. */
void hpm_journal_add_fields(struct hpm_string *copy,
                            const struct hpm_journal_field *fields,
                            const void *thing);

/* ---- the file -------------------------------------------------------- */

/* Write the copy to its table.  False when anything failed: then the copy
 * before it is still there. */
bool hpm_journal_put(struct hpm_journal *journal,
                     struct hpm_journal_table *table, struct hpm_string *copy,
                     struct hpm_error *err);

/* The file's descriptor, at this moment; -1 when it is lost. */
int hpm_journal_descriptor(struct hpm_journal *journal, struct hpm_error *err);

/* Bring what was put to the disk, through its descriptor: may take seconds, and
 * may be called while another thread puts. */
bool hpm_journal_sync(int descriptor, struct hpm_error *err);

/* Leave the file as it is and free the journal; NULL is fine. */
void hpm_journal_free(struct hpm_journal *journal);

/* Remove the file, if its name is still its own; false when that failed. */
bool hpm_journal_remove(struct hpm_journal *journal, struct hpm_error *err);

/* In a forked child: give the descriptor back, and touch nothing else. */
void hpm_journal_forget(struct hpm_journal *journal);

/* Of words, one after the other: h = (h ^ word) * P; h ^= h >> 32; from
 * h = HPM_JOURNAL_SEED, P = 0x9e3779b97f4a7c15. */
uint64_t hpm_journal_checksum(uint64_t seed, const void *words, size_t n_words);

#define HPM_JOURNAL_SEED UINT64_C(0xcbf29ce484222325)

#endif
