/* SPDX-License-Identifier: BSD-3-Clause
 * A journal: the latest copies of some tables, in a file that can be read
 * whenever and however the program stops.
 *
 * The journal of a file NAME, which does not exist yet, is NAME.journal.  Each
 * table has two slots.  A copy of the table is written, whole, into the slot
 * that does not have the table's latest copy: so there is always one whole
 * copy.  A table that outgrows its slots gets two larger ones at the end of the
 * file.
 *
 *     |slot 1|slot 1|slot 2|slot 2|slot 1: larger   |slot 1           | ...
 *      \___________/ of table 1    \_________________________________/
 *
 *     slot   [head: 11 words][words ............][room]
 *     head   11 words: magic, byte order, version, table ... checksum
 *
 * The file is 64-bit words in the byte order of the machine, and slots begin at
 * multiples of HPM_JOURNAL_PAGE bytes.  A reader looks for the magic at each
 * multiple, accepts copies with the right checksum, and takes the copy with the
 * highest sequence of each table.  Nothing else has to be right: a copy that
 * was not written to its end has a wrong checksum, and the reader takes the one
 * before it.
 *
 *     magic       HPM_JOURNAL_MAGIC
 *     byte order  HPM_JOURNAL_ORDER; another value: read the bytes backwards
 *     version     of head and words, HPM_JOURNAL_VERSION
 *     table       1, 2, 3 ...
 *     sequence    1, 2, 3 ... for the copies of a table
 *     length      bytes after the head, a multiple of 8
 *     tables      number of tables until now: 1, 2 ... that many
 *     end         length of the file until now, in bytes
 *     copies      number of copies of all tables until now
 *     other       offset of the table's other slot; the copy's own offset
 *                 if nothing was written there yet
 *     checksum    hpm_journal_checksum of the ten words before and all after
 *
 * So the copies that are left of a damaged journal tell what is missing: a
 * table without a whole copy, an end that was cut off, or a newest copy that is
 * lost (the other slot is empty, or the sequences of the latest copies do not
 * add up to `copies`).  One loss cannot be noticed: if the last copy of all was
 * also the first in the second of two new slots, and nothing is left of it.
 *
 * Room is reserved when slots are made: a disk that fills up later does not
 * stop the journal.  The journal is written by system calls, not through mapped
 * memory, so a fault of the disk is an error and never a signal to the program.
 *
 * Not thread-safe, except where said. */
#ifndef HPM_FILE_JOURNAL_H
#define HPM_FILE_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/state.h"
#include "base/string.h"
#include "file/output.h"

enum { HPM_JOURNAL_PAGE = 4096, HPM_JOURNAL_VERSION = 14 };

#define HPM_JOURNAL_MAGIC UINT64_C(0x6c6e726a2d6d7068) /* "hpm-jrnl" */
#define HPM_JOURNAL_ORDER UINT64_C(0x0102030405060708)
#define HPM_JOURNAL_NO_TEXT UINT64_MAX

/* Where the copies of a table are; all 0 before the first copy. */
struct hpm_journal_table {
    uint64_t number;
    uint64_t sequence; /* of the latest copy; odd: that is in the first slot */
    uint64_t first;    /* sequence of the first copy in its two slots */
    uint64_t offset;   /* of the two slots */
    uint64_t capacity; /* of each slot, including the head */
    bool is_behind;    /* a newer copy could not be written; the caller of put
                        * keeps this */
};

struct hpm_journal;

/* Make the first free of NAME.journal, NAME.journal.1, .2 ... in the
 * destination's folder.  The destination must outlive the journal.  NULL if it
 * cannot be made. */
struct hpm_journal *hpm_journal_new(const struct hpm_destination *destination,
                                    struct hpm_error *err);

/* Append the journal's path. */
void hpm_journal_add_path(const struct hpm_journal *journal,
                          struct hpm_string *string);

/* ---- the words of a copy --------------------------------------------- */

/* Begin the copy of a table in memory; then add words to it. */
void hpm_journal_begin(struct hpm_string *copy);

void hpm_journal_add_word(struct hpm_string *copy, uint64_t word);
void hpm_journal_add_words(struct hpm_string *copy, const uint64_t *words,
                           size_t n);
/* Add the text's length in bytes and its bytes, the last word filled up with
 * zeroes; for NULL only HPM_JOURNAL_NO_TEXT. */
void hpm_journal_add_text(struct hpm_string *copy, const char *text);

/* The type of a structure's member, and how it is written in words. */
enum hpm_journal_type {
    HPM_JOURNAL_END,     /* after the last member */
    HPM_JOURNAL_WORD,    /* uint64_t */
    HPM_JOURNAL_HALF,    /* uint16_t */
    HPM_JOURNAL_INT,     /* int */
    HPM_JOURNAL_LONG,    /* long with a value in the range of int */
    HPM_JOURNAL_BOOL,    /* bool: 1 or 0 */
    HPM_JOURNAL_REAL,    /* double (IEEE): its bits */
    HPM_JOURNAL_TEXT,    /* char *, may be NULL */
    HPM_JOURNAL_PRESENT, /* char *, never NULL */
    HPM_JOURNAL_STATE,   /* enum hpm_state: its name, a text */
};

struct hpm_journal_field {
    enum hpm_journal_type type;
    unsigned offset; /* half as large as a size_t, in each measured program */
};

/* Add the members of `thing` in the order of the list; the reader
 * (study/recover/copies.h) reads by the same list. */
void hpm_journal_add_fields(struct hpm_string *copy,
                            const struct hpm_journal_field *fields,
                            const void *thing);

/* ---- the file -------------------------------------------------------- */

/* Write the copy to its table.  False when anything fails: then the copy before
 * it is still there. */
bool hpm_journal_put(struct hpm_journal *journal,
                     struct hpm_journal_table *table, struct hpm_string *copy,
                     struct hpm_error *err);

/* The file's descriptor, valid now; -1 if the file is lost. */
int hpm_journal_descriptor(struct hpm_journal *journal, struct hpm_error *err);

/* Bring the written copies to the disk.  May take seconds, and may be called
 * while another thread writes a copy. */
bool hpm_journal_sync(int descriptor, struct hpm_error *err);

/* Leave the file as it is and free the journal; NULL is allowed. */
void hpm_journal_free(struct hpm_journal *journal);

/* Remove the file, if its name still belongs to it; false if that fails. */
bool hpm_journal_remove(struct hpm_journal *journal, struct hpm_error *err);

/* In a forked child: close the descriptor, and change nothing else. */
void hpm_journal_forget(struct hpm_journal *journal);

/* The checksum of words: for each word h = (h ^ word) * P; h ^= h >> 32; begins
 * with h = HPM_JOURNAL_SEED, P = 0x9e3779b97f4a7c15. */
uint64_t hpm_journal_checksum(uint64_t seed, const void *words, size_t n_words);

#define HPM_JOURNAL_SEED UINT64_C(0xcbf29ce484222325)

#endif
