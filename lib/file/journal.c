/* SPDX-License-Identifier: BSD-3-Clause
 * A journal: the latest copies of some tables. */
#include "file/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "host/memory.h"
#include "host/write.h"

struct head {
    uint64_t magic;
    uint64_t byte_order;
    uint64_t version;
    uint64_t table;
    uint64_t sequence;
    uint64_t length;
    uint64_t tables;
    uint64_t end;
    uint64_t copies;
    uint64_t other;
    uint64_t checksum; /* of all before it; must be last */
};

enum { WORD = sizeof(uint64_t), MAX_SUFFIX = 1000000 };

struct hpm_journal {
    const struct hpm_destination *destination;
    char *name;
    int fd; /* used only if it is still that file */
    dev_t device;
    ino_t inode;
    uint64_t n_tables;
    uint64_t n_copies;
    uint64_t end; /* offset of the next slots */
};

/* ---- words ----------------------------------------------------------- */

uint64_t
hpm_journal_checksum(uint64_t seed, const void *words, size_t n_words)
{
    const unsigned char *bytes = words;
    uint64_t hash = seed;

    for (size_t i = 0; i < n_words; i++) {
        uint64_t word;

        memcpy(&word, bytes + i * WORD, WORD);
        hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 32;
    }
    return hash;
}

void
hpm_journal_begin(struct hpm_string *copy)
{
    static const struct head none;

    if (copy->failed)
        hpm_string_free(copy);
    hpm_string_clear(copy);
    hpm_string_add_bytes(copy, (const char *)&none, sizeof none);
}

void
hpm_journal_add_words(struct hpm_string *copy, const uint64_t *words, size_t n)
{
    hpm_string_add_bytes(copy, (const char *)words, n * WORD);
}

void
hpm_journal_add_word(struct hpm_string *copy, uint64_t word)
{
    hpm_journal_add_words(copy, &word, 1);
}

void
hpm_journal_add_text(struct hpm_string *copy, const char *text)
{
    static const char zeroes[WORD];
    size_t length;

    if (text == NULL) {
        hpm_journal_add_word(copy, HPM_JOURNAL_NO_TEXT);
        return;
    }
    length = strlen(text);
    hpm_journal_add_word(copy, length);
    hpm_string_add_bytes(copy, text, length);
    hpm_string_add_bytes(copy, zeroes, -length % WORD);
}

/* The field as a word; for a double, its bits. */
static uint64_t
number_in(enum hpm_journal_type type, const void *field)
{
    uint64_t word;

    if (type == HPM_JOURNAL_INT)
        return (uint64_t) * (const int *)field;
    if (type == HPM_JOURNAL_LONG)
        return (uint64_t) * (const long *)field;
    if (type == HPM_JOURNAL_HALF)
        return *(const uint16_t *)field;
    if (type == HPM_JOURNAL_BOOL)
        return *(const bool *)field;
    memcpy(&word, field, sizeof word);
    return word;
}

static void
add_field(struct hpm_string *copy, enum hpm_journal_type type,
          const void *field)
{
    if (type == HPM_JOURNAL_TEXT || type == HPM_JOURNAL_PRESENT)
        hpm_journal_add_text(copy, *(char *const *)field);
    else if (type == HPM_JOURNAL_STATE)
        hpm_journal_add_text(copy,
                             hpm_state_name(*(const enum hpm_state *)field));
    else
        hpm_journal_add_word(copy, number_in(type, field));
}

void
hpm_journal_add_fields(struct hpm_string *copy,
                       const struct hpm_journal_field *fields,
                       const void *thing)
{
    for (; fields->type != HPM_JOURNAL_END; fields++)
        add_field(copy, fields->type, (const char *)thing + fields->offset);
}

/* ---- the file -------------------------------------------------------- */

static bool
fail(const struct hpm_journal *journal, const char *what, int error,
     struct hpm_error *err)
{
    return hpm_error_set(err, "cannot %s the journal '%s' in '%s': %s", what,
                         journal->name, journal->destination->folder,
                         strerror(error));
}

/* Make the first free of NAME.journal, NAME.journal.1 ... */
static bool
make_file(struct hpm_journal *journal, struct hpm_error *err)
{
    char name[NAME_MAX + 32];
    struct stat status;

    for (unsigned suffix = 0; journal->fd < 0 && suffix < MAX_SUFFIX;
         suffix++) {
        int length = snprintf(name, sizeof name, "%s.journal",
                              journal->destination->name);

        if (suffix > 0)
            snprintf(name + length, sizeof name - (size_t)length, ".%u",
                     suffix);
        journal->fd = hpm_destination_open_file(journal->destination, name,
                                                O_WRONLY | O_CREAT | O_EXCL);
        if (journal->fd < 0 && errno != EEXIST)
            break;
    }
    journal->name = hpm_memory_copy_text(name);
    if (journal->name == NULL)
        return hpm_error_no_memory(err);
    if (journal->fd < 0 || fstat(journal->fd, &status) != 0)
        return fail(journal, "make", errno, err);
    journal->device = status.st_dev;
    journal->inode = status.st_ino;
    return true;
}

struct hpm_journal *
hpm_journal_new(const struct hpm_destination *destination,
                struct hpm_error *err)
{
    struct hpm_journal *journal = hpm_memory_new(1, sizeof *journal);

    if (journal == NULL) {
        hpm_error_no_memory(err);
        return NULL;
    }
    journal->destination = destination;
    journal->fd = -1;
    if (!make_file(journal, err)) {
        hpm_journal_free(journal);
        return NULL;
    }
    return journal;
}

void
hpm_journal_add_path(const struct hpm_journal *journal,
                     struct hpm_string *string)
{
    hpm_destination_add_path(journal->destination, journal->name, string);
}

static bool
is_file(const struct hpm_journal *journal, int fd, struct stat *ret_status)
{
    return fd >= 0 && fstat(fd, ret_status) == 0 &&
           ret_status->st_dev == journal->device &&
           ret_status->st_ino == journal->inode;
}

/* The program may have closed our descriptor and opened a file of its own with
 * that number: then open the journal again, if its name still belongs to that
 * file. */
static bool
hold_file(struct hpm_journal *journal, struct hpm_error *err)
{
    struct stat status;

    if (!is_file(journal, journal->fd, &status)) {
        journal->fd = hpm_destination_open_file(journal->destination,
                                                journal->name, O_WRONLY);
        if (journal->fd < 0)
            return fail(journal, "open", errno, err);
        if (!is_file(journal, journal->fd, &status)) {
            close(journal->fd);
            journal->fd = -1;
            return fail(journal, "find", ENOENT, err);
        }
    }
    return status.st_nlink > 0 || fail(journal, "find", ENOENT, err);
}

/* Make two new slots, each twice as large as is needed now. */
static bool
make_slots(struct hpm_journal *journal, struct hpm_journal_table *table,
           uint64_t needed, struct hpm_error *err)
{
    uint64_t pages = (2 * needed + HPM_JOURNAL_PAGE - 1) / HPM_JOURNAL_PAGE;
    uint64_t capacity = pages * HPM_JOURNAL_PAGE;
    int error = hpm_write_reserve(journal->fd, journal->end, 2 * capacity);

    if (error != 0)
        return fail(journal, "reserve room for", error, err);
    if (table->number == 0)
        table->number = ++journal->n_tables;
    table->offset = journal->end;
    table->capacity = capacity;
    table->first = table->sequence + 1;
    journal->end += 2 * capacity;
    return true;
}

static void
fill_head(const struct hpm_journal *journal,
          const struct hpm_journal_table *table, struct hpm_string *copy)
{
    uint64_t sequence = table->sequence + 1;
    uint64_t slot = table->sequence % 2;
    uint64_t other = sequence > table->first ? 1 - slot : slot;
    struct head head = {HPM_JOURNAL_MAGIC,
                        HPM_JOURNAL_ORDER,
                        HPM_JOURNAL_VERSION,
                        table->number,
                        sequence,
                        copy->length - sizeof head,
                        journal->n_tables,
                        journal->end,
                        journal->n_copies + 1,
                        table->offset + other * table->capacity,
                        0};

    head.checksum =
        hpm_journal_checksum(HPM_JOURNAL_SEED, &head, sizeof head / WORD - 1);
    head.checksum = hpm_journal_checksum(
        head.checksum, copy->text + sizeof head, head.length / WORD);
    memcpy(copy->text, &head, sizeof head);
}

bool
hpm_journal_put(struct hpm_journal *journal, struct hpm_journal_table *table,
                struct hpm_string *copy, struct hpm_error *err)
{
    uint64_t slot = table->sequence % 2;
    int error;

    if (copy->failed)
        return hpm_error_no_memory(err);
    if (!hold_file(journal, err) ||
        (copy->length > table->capacity &&
         !make_slots(journal, table, copy->length, err)))
        return false;
    fill_head(journal, table, copy);
    error = hpm_write_all_at(journal->fd, copy->text, copy->length,
                             table->offset + slot * table->capacity);
    if (error != 0)
        return fail(journal, "write", error, err);
    table->sequence++;
    journal->n_copies++;
    return true;
}

int
hpm_journal_descriptor(struct hpm_journal *journal, struct hpm_error *err)
{
    return hold_file(journal, err) ? journal->fd : -1;
}

bool
hpm_journal_sync(int descriptor, struct hpm_error *err)
{
    return fdatasync(descriptor) == 0 || errno == EINVAL || errno == EROFS ||
           hpm_error_set(err, "cannot bring the journal to the disk: %s",
                         strerror(errno));
}

void
hpm_journal_forget(struct hpm_journal *journal)
{
    struct stat status;

    if (is_file(journal, journal->fd, &status))
        close(journal->fd);
}

void
hpm_journal_free(struct hpm_journal *journal)
{
    if (journal == NULL)
        return;
    hpm_journal_forget(journal);
    hpm_memory_free(journal->name);
    hpm_memory_free(journal);
}

/* Uses a descriptor that only names the file (O_PATH): a process without the
 * right to write the file may still remove it. */
bool
hpm_journal_remove(struct hpm_journal *journal, struct hpm_error *err)
{
    int fd =
        hpm_destination_open_file(journal->destination, journal->name, O_PATH);
    int error = fd < 0 && errno != ENOENT ? errno : 0;
    struct stat status;

    if (is_file(journal, fd, &status) &&
        !hpm_destination_remove_file(journal->destination, journal->name))
        error = errno;
    if (fd >= 0)
        close(fd);
    return error == 0 || fail(journal, "remove", error, err);
}
