/* SPDX-License-Identifier: BSD-3-Clause
 * Reading a journal: its copies and their words. */
#include "study/recover/copies.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file/journal.h"
#include "host/memory.h"

enum { WORD = 8, N_HEAD = 11 };

/* The words of a head, in their order. */
enum {
    MAGIC,
    ORDER,
    VERSION,
    TABLE,
    SEQUENCE,
    LENGTH,
    TABLES,
    END,
    COPIES,
    OTHER,
    CHECKSUM
};

static uint64_t
word_at(const unsigned char *bytes, bool is_swapped)
{
    uint64_t word;

    memcpy(&word, bytes, WORD);
    return is_swapped ? __builtin_bswap64(word) : word;
}

/* ---- the file -------------------------------------------------------- */

/* Read what the file has now: a program may cut it meanwhile. */
static bool
read_all(int fd, unsigned char *bytes, size_t size, size_t *ret_n)
{
    ssize_t got;

    *ret_n = 0;
    while ((got = read(fd, bytes + *ret_n, size - *ret_n)) != 0) {
        if (got < 0 && errno != EINTR)
            return false;
        *ret_n += got > 0 ? (size_t)got : 0;
    }
    return true;
}

/* Load the whole file: a journal is as large as its copies.  *ret_length is the
 * file's length after that: a program may write to it meanwhile. */
static bool
load(struct hpm_copies *copies, const char *path, size_t *ret_size,
     uint64_t *ret_length, struct hpm_error *err)
{
    int flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
    struct stat status;
    size_t size = 0;
    bool is_good;
    int fd;

    do
        fd = open(path, flags);
    while (fd < 0 && errno == EINTR);
    if (fd < 0 || fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) {
        hpm_error_set(err, "%s: cannot be opened: %s", path,
                      fd < 0 ? strerror(errno) : "it is no regular file");
        if (fd >= 0)
            close(fd);
        return false;
    }
    copies->file = hpm_memory_new((size_t)status.st_size + 1, 1);
    is_good = copies->file != NULL
                  ? read_all(fd, copies->file, (size_t)status.st_size, &size)
                  : hpm_error_no_memory(err);
    if (copies->file != NULL && !is_good)
        hpm_error_set(err, "%s: cannot be read: %s", path, strerror(errno));
    copies->n_damaged += size % WORD != 0;
    *ret_size = size / WORD * WORD;
    if (is_good)
        fstat(fd, &status);
    *ret_length = (uint64_t)status.st_size;
    close(fd);
    return is_good;
}

/* ---- copies ---------------------------------------------------------- */

/* The checksum is over the words in the byte order of the machine that wrote
 * them. */
static bool
has_right_checksum(const unsigned char *slot, const struct hpm_copy *copy)
{
    uint64_t wanted = word_at(slot + CHECKSUM * WORD, copy->is_swapped);
    uint64_t hash = HPM_JOURNAL_SEED;

    for (size_t i = 0; i < CHECKSUM; i++) {
        uint64_t word = word_at(slot + i * WORD, copy->is_swapped);

        hash = hpm_journal_checksum(hash, &word, 1);
    }
    for (size_t i = 0; i < copy->length; i += WORD) {
        uint64_t word = word_at(copy->bytes + i, copy->is_swapped);

        hash = hpm_journal_checksum(hash, &word, 1);
    }
    return hash == wanted;
}

/* The kind of slot that begins in a page. */
enum found { NOTHING_THERE, SLOT, OTHER_SLOT };

static enum found
look_at(const unsigned char *slot, size_t size, struct hpm_copy *ret_copy)
{
    struct hpm_copy copy = {.bytes = slot + N_HEAD * WORD};

    if (size < N_HEAD * WORD)
        return NOTHING_THERE;
    copy.is_swapped = word_at(slot + ORDER * WORD, false) != HPM_JOURNAL_ORDER;
    if (word_at(slot + MAGIC * WORD, copy.is_swapped) != HPM_JOURNAL_MAGIC ||
        word_at(slot + ORDER * WORD, copy.is_swapped) != HPM_JOURNAL_ORDER)
        return NOTHING_THERE;
    if (word_at(slot + VERSION * WORD, copy.is_swapped) != HPM_JOURNAL_VERSION)
        return OTHER_SLOT;
    copy.table = word_at(slot + TABLE * WORD, copy.is_swapped);
    copy.sequence = word_at(slot + SEQUENCE * WORD, copy.is_swapped);
    copy.length = word_at(slot + LENGTH * WORD, copy.is_swapped);
    copy.n_tables = word_at(slot + TABLES * WORD, copy.is_swapped);
    copy.end = word_at(slot + END * WORD, copy.is_swapped);
    copy.n_copies = word_at(slot + COPIES * WORD, copy.is_swapped);
    copy.other = word_at(slot + OTHER * WORD, copy.is_swapped);
    *ret_copy = copy;
    return SLOT;
}

/* Is the copy complete in the file, and unchanged? */
static bool
is_whole(const unsigned char *slot, size_t size, const struct hpm_copy *copy)
{
    return copy->length % WORD == 0 && copy->length <= size - N_HEAD * WORD &&
           has_right_checksum(slot, copy);
}

/* Keep the latest copy of each table. */
static bool
keep(struct hpm_copies *copies, const struct hpm_copy *copy)
{
    for (size_t i = 0; i < copies->n; i++) {
        if (copies->all[i].table != copy->table)
            continue;
        if (copies->all[i].sequence < copy->sequence)
            copies->all[i] = *copy;
        return true;
    }
    if (!hpm_memory_grow(&copies->all, &copies->capacity, copies->n + 1,
                         sizeof *copies->all))
        return false;
    copies->all[copies->n++] = *copy;
    return true;
}

static int
compare_tables(const void *a, const void *b)
{
    const struct hpm_copy *x = a, *y = b;

    return (x->table > y->table) - (x->table < y->table);
}

/* Has a page in which no slot begins any byte that is not 0? */
static bool
has_bytes_in(const unsigned char *page, size_t size)
{
    for (size_t i = 0; i < size && i < HPM_JOURNAL_PAGE; i++) {
        if (page[i] != 0)
            return true;
    }
    return false;
}

/* Read the page at `at`; the last whole copy before it ended at `*end`. */
static enum found
take_page(struct hpm_copies *copies, size_t at, size_t size, size_t *end,
          bool *ret_is_good)
{
    const unsigned char *page = copies->file + at;
    struct hpm_copy copy;
    enum found found = look_at(page, size - at, &copy);

    if (found == SLOT && is_whole(page, size - at, &copy)) {
        copy.offset = at;
        *end = at + N_HEAD * WORD + copy.length;
        *ret_is_good = keep(copies, &copy);
    } else if (found != NOTHING_THERE ||
               (at >= *end && has_bytes_in(page, size - at))) {
        copies->n_damaged++;
    }
    return found;
}

/* The latest copies tell how many tables there were, and how long the file
 * was. */
static void
find_lost(struct hpm_copies *copies, uint64_t length)
{
    uint64_t n_tables = 0;

    for (size_t i = 0; i < copies->n; i++) {
        if (copies->all[i].n_tables > n_tables)
            n_tables = copies->all[i].n_tables;
        copies->is_cut |= copies->all[i].end > length;
    }
    if (n_tables > copies->n)
        copies->n_lost = (size_t)n_tables - copies->n;
}

/* Is the page of the table's other copy empty, though there was a copy? */
static bool
lacks_other(const struct hpm_copies *copies, const struct hpm_copy *copy,
            size_t size)
{
    return copy->other != copy->offset && copy->other < size &&
           !has_bytes_in(copies->file + copy->other,
                         size - (size_t)copy->other);
}

/* Count copies that left no trace.  If no copy is damaged or lost, the sequence
 * numbers of the latest copies add up to the number of all copies. */
static void
find_empty(struct hpm_copies *copies, size_t size)
{
    uint64_t n_copies = 0, sum = 0;
    size_t n_empty = 0;

    for (size_t i = 0; i < copies->n; i++) {
        const struct hpm_copy *copy = &copies->all[i];

        n_empty += lacks_other(copies, copy, size);
        sum += copy->sequence;
        if (copy->n_copies > n_copies)
            n_copies = copy->n_copies;
    }
    if (n_empty == 0 && copies->n_damaged == 0 && copies->n_lost == 0 &&
        sum < n_copies)
        n_empty = 1;
    copies->n_damaged += n_empty;
}

bool
hpm_copies_read(struct hpm_copies *copies, const char *path,
                struct hpm_error *err)
{
    size_t size, n_slots = 0, n_other = 0, end = 0;
    uint64_t length;
    bool is_good = true;

    if (!load(copies, path, &size, &length, err))
        return false;
    for (size_t i = 0; i < size && is_good; i += HPM_JOURNAL_PAGE) {
        enum found found = take_page(copies, i, size, &end, &is_good);

        n_slots += found != NOTHING_THERE;
        n_other += found == OTHER_SLOT;
    }
    if (!is_good)
        return hpm_error_no_memory(err);
    if (copies->n == 0 && n_other > 0)
        return hpm_error_set(err,
                             "%s: is a journal of another version of the HPM "
                             "Toolkit; recover it with that one",
                             path);
    if (n_slots == 0)
        return hpm_error_set(err, "%s: is no journal", path);
    if (copies->n > 0)
        qsort(copies->all, copies->n, sizeof *copies->all, compare_tables);
    find_lost(copies, length);
    find_empty(copies, size);
    return true;
}

void
hpm_copies_clear(struct hpm_copies *copies)
{
    hpm_memory_free(copies->file);
    hpm_memory_free(copies->all);
    *copies = (struct hpm_copies){0};
}

/* ---- words ----------------------------------------------------------- */

static bool
has_bytes(struct hpm_words *words, size_t n)
{
    if (!words->is_wrong && n <= words->copy->length - words->at)
        return true;
    words->is_wrong = true;
    return false;
}

uint64_t
hpm_words_word(struct hpm_words *words)
{
    uint64_t word;

    if (!has_bytes(words, WORD))
        return 0;
    word = word_at(words->copy->bytes + words->at, words->copy->is_swapped);
    words->at += WORD;
    return word;
}

int
hpm_words_int(struct hpm_words *words)
{
    int64_t value = (int64_t)hpm_words_word(words);

    if (value >= INT_MIN && value <= INT_MAX)
        return (int)value;
    words->is_wrong = true;
    return 0;
}

void
hpm_words_take(struct hpm_words *words, uint64_t *ret_words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ret_words[i] = hpm_words_word(words);
}

size_t
hpm_words_count(struct hpm_words *words, size_t n_words_each)
{
    uint64_t n = hpm_words_word(words);

    if (n <= (words->copy->length - words->at) / WORD / n_words_each)
        return (size_t)n;
    words->is_wrong = true;
    return 0;
}

char *
hpm_words_text(struct hpm_words *words)
{
    uint64_t length = hpm_words_word(words);
    size_t padded;
    char *text;

    if (length == HPM_JOURNAL_NO_TEXT || words->is_wrong)
        return NULL;
    padded = (size_t)(length + WORD - 1) / WORD * WORD;
    if (length > words->copy->length || !has_bytes(words, padded)) {
        words->is_wrong = true;
        return NULL;
    }
    text = hpm_memory_new((size_t)length + 1, 1);
    if (text == NULL)
        words->is_wrong = true;
    else
        memcpy(text, words->copy->bytes + words->at, (size_t)length);
    words->at += padded;
    return text;
}

static enum hpm_state
read_state(struct hpm_words *words)
{
    enum hpm_state state = HPM_STATE_COUNTED;
    char *name = hpm_words_text(words);

    while (name != NULL && state < HPM_STATE_UNDEFINED &&
           strcmp(hpm_state_name(state), name) != 0)
        state++;
    if (name == NULL || strcmp(hpm_state_name(state), name) != 0)
        words->is_wrong = true;
    hpm_memory_free(name);
    return state;
}

static uint16_t
read_half(struct hpm_words *words)
{
    uint64_t word = hpm_words_word(words);

    words->is_wrong |= word > UINT16_MAX;
    return (uint16_t)word;
}

/* A double is stored as a word with the same bits. */
static void
read_field(struct hpm_words *words, enum hpm_journal_type type, void *field)
{
    uint64_t word;

    if (type == HPM_JOURNAL_TEXT || type == HPM_JOURNAL_PRESENT) {
        *(char **)field = hpm_words_text(words);
        words->is_wrong |=
            type == HPM_JOURNAL_PRESENT && *(char **)field == NULL;
    } else if (type == HPM_JOURNAL_STATE) {
        *(enum hpm_state *)field = read_state(words);
    } else if (type == HPM_JOURNAL_INT) {
        *(int *)field = hpm_words_int(words);
    } else if (type == HPM_JOURNAL_LONG) {
        *(long *)field = hpm_words_int(words);
    } else if (type == HPM_JOURNAL_BOOL) {
        *(bool *)field = hpm_words_word(words) != 0;
    } else if (type == HPM_JOURNAL_HALF) {
        *(uint16_t *)field = read_half(words);
    } else {
        word = hpm_words_word(words);
        memcpy(field, &word, sizeof word);
    }
}

void
hpm_words_fields(struct hpm_words *words,
                 const struct hpm_journal_field *fields, void *thing)
{
    for (; fields->type != HPM_JOURNAL_END; fields++)
        read_field(words, fields->type, (char *)thing + fields->offset);
}

bool
hpm_words_end(const struct hpm_words *words)
{
    return !words->is_wrong && words->at == words->copy->length;
}
