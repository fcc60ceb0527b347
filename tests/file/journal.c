/* SPDX-License-Identifier: BSD-3-Clause
 * Journals: one whole copy of each table is always there. */
#include "file/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/memory.h"
#include "tap.h"

static char folder[PATH_MAX];
static struct hpm_destination destination;
static struct hpm_journal *journal;
static struct hpm_string copy;
static struct hpm_error err;

/* The path of a file in the folder; valid until the second call after this. */
static const char *
path_to(const char *name)
{
    static char paths[2][PATH_MAX + 64];
    static int n;
    char *path = paths[n++ % 2];

    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static void
begin(void)
{
    const char *parent = getenv("TMPDIR");

    snprintf(folder, sizeof folder, "%s/hpm-journal-XXXXXX",
             parent != NULL ? parent : "/tmp");
    if (mkdtemp(folder) == NULL ||
        !hpm_destination_fix(&destination, path_to("x"), &err)) {
        printf("Bail out! cannot make a folder\n");
        exit(1);
    }
    journal = hpm_journal_new(&destination, &err);
    ok(journal != NULL, "a journal is made");
}

static void
end(void)
{
    hpm_journal_free(journal);
    hpm_destination_clear(&destination);
    hpm_string_free(&copy);
    unlink(path_to("x.journal"));
    unlink(path_to("other"));
    ok(rmdir(folder) == 0, "nothing else is in the folder");
}

/* ---- a reader -------------------------------------------------------- */

static uint64_t *words;
static size_t n_words;

static void
load(const char *name)
{
    int fd = open(path_to(name), O_RDONLY);
    off_t length = lseek(fd, 0, SEEK_END);

    free(words);
    n_words = length > 0 ? (size_t)length / 8 : 0;
    words = calloc(n_words + 1, 8);
    if (words == NULL ||
        pread(fd, words, 8 * n_words, 0) != (ssize_t)(8 * n_words))
        n_words = 0;
    close(fd);
}

enum { N_HEAD = 11 }; /* words */

/* Number of words of the copy after its head, if a correct copy is here. */
static bool
is_copy(size_t at)
{
    const uint64_t *head = words + at;
    uint64_t hash;

    if (at + N_HEAD > n_words || head[0] != HPM_JOURNAL_MAGIC ||
        head[1] != HPM_JOURNAL_ORDER || head[2] != HPM_JOURNAL_VERSION ||
        head[5] % 8 != 0 || head[5] / 8 > n_words - at - N_HEAD)
        return false;
    hash = hpm_journal_checksum(HPM_JOURNAL_SEED, head, N_HEAD - 1);
    return hpm_journal_checksum(hash, head + N_HEAD, head[5] / 8) ==
           head[N_HEAD - 1];
}

/* The latest correct copy of the table: its head, NULL if there is none. */
static const uint64_t *
latest(uint64_t table)
{
    const uint64_t *best = NULL;

    for (size_t at = 0; at < n_words; at += HPM_JOURNAL_PAGE / 8) {
        if (is_copy(at) && words[at + 3] == table &&
            (best == NULL || words[at + 4] > best[4]))
            best = words + at;
    }
    return best;
}

/* Put a copy of n words, all `value`. */
static bool
put(struct hpm_journal_table *table, uint64_t value, size_t n)
{
    hpm_journal_begin(&copy);
    for (size_t i = 0; i < n; i++)
        hpm_journal_add_word(&copy, value);
    return hpm_journal_put(journal, table, &copy, &err);
}

/* The value of which the latest copy consists; 0 if there is none, or its words
 * differ. */
static uint64_t
value_of(uint64_t table)
{
    const uint64_t *head = latest(table);

    for (size_t i = 0; head != NULL && i < head[5] / 8; i++) {
        if (head[N_HEAD + i] != head[N_HEAD])
            return 0;
    }
    return head != NULL ? head[N_HEAD] : 0;
}

/* ---- tests ----------------------------------------------------------- */

static void
test_copies(void)
{
    struct hpm_journal_table one = {0}, two = {0};
    bool is_good = true, is_latest = true;

    begin();
    for (uint64_t i = 1; i < 20; i++) {
        is_good &= put(&one, i, 10) && put(&two, 100 + i, 2000);
        load("x.journal");
        is_latest &= value_of(1) == i && value_of(2) == 100 + i;
    }
    ok(is_good, "copies are put");
    ok(is_latest, "the latest one of each table is found");
    is_count(n_words * 8, 2 * 4096 + 2 * 32768, "two slots a table, no more");
    is_count(latest(1)[4], 19, "the sequence counts them");
    is_count(latest(1)[6], 2, "each knows how many tables there are");
    is_count(latest(1)[7], n_words * 8, "and how long the journal is");
    is_count(latest(2)[8], 38, "and how many copies were put of all tables");
    end();
}

static void
test_words(void)
{
    static const struct hpm_journal_field fields[] = {{HPM_JOURNAL_REAL, 0},
                                                      {HPM_JOURNAL_END, 0}};
    struct hpm_journal_table table = {0};
    const uint64_t *got;
    double real = -0.5, got_real;

    begin();
    hpm_journal_begin(&copy);
    hpm_journal_add_fields(&copy, fields, &real);
    hpm_journal_add_text(&copy, "twelve bytes");
    hpm_journal_add_text(&copy, "");
    hpm_journal_add_text(&copy, NULL);
    hpm_journal_add_words(&copy, (const uint64_t[]){7, UINT64_MAX}, 2);
    ok(hpm_journal_put(journal, &table, &copy, &err), "a copy is put");
    load("x.journal");
    got = latest(1) + N_HEAD;
    is_count(got[5 - N_HEAD], 8 * 8, "its length is in bytes");
    memcpy(&got_real, &got[0], sizeof real);
    is_near(got_real, real, 0.0, "a real is its bits");
    ok(got[1] == 12 && memcmp(&got[2], "twelve bytes\0\0\0\0", 16) == 0,
       "a text is its length and its bytes, filled up");
    ok(got[4] == 0, "an empty text is a length of 0");
    ok(got[5] == HPM_JOURNAL_NO_TEXT, "no text is told apart");
    ok(got[6] == 7 && got[7] == UINT64_MAX, "words are words");
    end();
}

static void
test_growth(void)
{
    struct hpm_journal_table table = {0};
    bool is_latest = true, is_logarithmic;

    begin();
    for (uint64_t i = 1; i <= 3000; i++) {
        is_latest &= put(&table, i, i);
        if (i % 100 == 0) {
            load("x.journal");
            is_latest &= value_of(1) == i;
        }
    }
    ok(is_latest, "a table may grow, the latest copy is found");
    is_logarithmic = n_words * 8 <= 8 * (3000 + N_HEAD) * 8;
    ok(is_logarithmic, "the file is not over 8 times the largest copy");
    end();
}

/* If one slot is damaged, the other one is used. */
static void
test_torn(void)
{
    struct hpm_journal_table table = {0};
    bool is_older = true, is_newer = true;

    begin();
    put(&table, 1, 100);
    put(&table, 2, 100);
    for (size_t i = 0; i < 107; i++) {
        load("x.journal");
        words[512 + i] ^= 1u << i % 32;
        is_older &= value_of(1) == 1;
        load("x.journal");
        words[i] ^= 1u << i % 32;
        is_newer &= value_of(1) == 2;
    }
    ok(is_older, "of a copy with one bit wrong the one before serves");
    ok(is_newer, "what is wrong in the older one does not matter");
    for (size_t i = 0, was_older = 1; i < 107; i++) {
        load("x.journal");
        memset(words + 512 + i, 0, (107 - i) * 8);
        was_older &= value_of(1) == 1;
        is_older &= was_older;
    }
    ok(is_older, "of a copy that ends early the one before serves");
    end();
}

static void
test_names(void)
{
    struct hpm_string path = {0};
    struct hpm_journal *second, *third;

    begin();
    second = hpm_journal_new(&destination, &err);
    third = hpm_journal_new(&destination, &err);
    hpm_journal_add_path(third, &path);
    is_text(path.text, path_to("x.journal.2"), "names that are there are left");
    hpm_journal_remove(second, &err);
    hpm_journal_remove(third, &err);
    ok(access(path_to("x.journal.1"), F_OK) != 0 &&
           access(path_to("x.journal.2"), F_OK) != 0 &&
           access(path_to("x.journal"), F_OK) == 0,
       "a journal removes its own file only");
    hpm_journal_free(second);
    hpm_journal_free(third);
    hpm_string_free(&path);
    end();
}

/* Remove a journal in a folder in which no file can be removed. */
static bool
removes_in_closed_folder(void)
{
    bool is_removed;

    chmod(folder, 0555);
    if (geteuid() == 0 && seteuid(65534) != 0)
        return true;
    is_removed = hpm_journal_remove(journal, &err);
    if (getuid() != geteuid() && seteuid(getuid()) != 0)
        return true;
    chmod(folder, 0700);
    return is_removed;
}

static void
test_removal(void)
{
    char expected[PATH_MAX + 128];

    begin();
    snprintf(expected, sizeof expected,
             "cannot remove the journal 'x.journal' in '%s': "
             "Permission denied",
             folder);
    ok(!removes_in_closed_folder() && access(path_to("x.journal"), F_OK) == 0,
       "a journal that cannot be removed is there");
    is_text(err.text, expected, "which is said");
    chmod(path_to("x.journal"), 0);
    ok(hpm_journal_remove(journal, &err) &&
           access(path_to("x.journal"), F_OK) != 0,
       "one that cannot be written can be removed");
    ok(hpm_journal_remove(journal, &err), "one that is gone is no failure");
    end();
}

static void
test_lost_descriptor(void)
{
    struct hpm_journal_table table = {0};
    int first = open("/dev/null", O_RDONLY), fd;
    char byte;

    close(first);
    begin();
    put(&table, 1, 1);
    for (fd = first; fd < first + 10; fd++)
        close(fd);
    fd = open(path_to("other"), O_RDWR | O_CREAT, 0600);
    for (int i = 0; i < 10; i++)
        (void)!dup(fd);
    ok(put(&table, 2, 1), "a journal whose descriptor was closed is written");
    load("x.journal");
    is_count(value_of(1), 2, "it has the copy");
    ok(pread(fd, &byte, 1, 0) == 0, "the file in its place has nothing");
    rename(path_to("x.journal"), path_to("other"));
    ok(put(&table, 3, 1), "a file that was renamed is the journal still");
    hpm_journal_forget(journal);
    ok(!put(&table, 4, 1), "one that cannot be found again is told");
    printf("# %s\n", err.text);
    fd = open(path_to("x.journal"), O_RDWR | O_CREAT, 0600);
    ok(!put(&table, 4, 1) && pread(fd, &byte, 1, 0) == 0,
       "a file of its name is not written");
    hpm_journal_remove(journal, &err);
    ok(access(path_to("x.journal"), F_OK) == 0, "nor removed");
    for (fd = first; fd < first + 30; fd++)
        close(fd);
    end();
}

/* The file may not grow: reserved space can still be written. */
static void
test_limit(void)
{
    struct hpm_journal_table table = {0}, other = {0};
    struct rlimit old;

    begin();
    put(&table, 1, 100);
    getrlimit(RLIMIT_FSIZE, &old);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){2 * 4096, old.rlim_max});
    ok(put(&table, 2, 500), "what is reserved can be written");
    ok(!put(&other, 3, 1), "no more tables");
    printf("# %s\n", err.text);
    ok(!put(&table, 4, 600), "no larger copies");
    ok(put(&table, 5, 100), "smaller ones can be written again");
    load("x.journal");
    is_count(value_of(1), 5, "and are found");
    setrlimit(RLIMIT_FSIZE, &old);
    ok(put(&table, 6, 600) && put(&other, 7, 600), "with more room it goes on");
    load("x.journal");
    ok(value_of(1) == 6 && value_of(2) == 7, "all of it is found");
    end();
}

/* A writer is killed again and again, at random points. */
static void
test_kill(void)
{
    enum { KILLS = 200 };
    volatile uint64_t *progress = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
                                       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int n_good = 0;

    begin();
    for (int i = 0; i < KILLS; i++) {
        uint64_t value;
        pid_t child;

        *progress = 0;
        (void)!truncate(path_to("x.journal"), 0);
        child = fork();
        if (child == 0) {
            struct hpm_journal_table table = {0};

            for (uint64_t k = 1;; k++) {
                put(&table, k, 1 + k % 5000);
                *progress = k;
            }
        }
        while (*progress == 0)
            usleep(10);
        usleep((useconds_t)(i * 37 % 5000));
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        load("x.journal");
        value = value_of(1);
        n_good += value == *progress || value == *progress + 1;
    }
    is_count((uint64_t)n_good, KILLS,
             "however often it is killed, the latest copy is whole");
    munmap((void *)progress, 4096);
    end();
}

static void
test_no_memory(void)
{
    struct hpm_journal_table table = {0};
    bool has_failed = false;

    begin();
    put(&table, 1, 1);
    hpm_string_free(&copy);
    hpm_memory_fail_at(1, false);
    has_failed = !put(&table, 2, 1);
    hpm_memory_fail_at(0, false);
    ok(has_failed, "without memory a copy is not put");
    load("x.journal");
    is_count(value_of(1), 1, "the one before is there");
    ok(put(&table, 3, 1), "and with memory the next one is put");
    for (unsigned long n = 1; n <= 2; n++) {
        hpm_memory_fail_at(n, true);
        has_failed &= hpm_journal_new(&destination, &err) == NULL;
        hpm_memory_fail_at(0, false);
        unlink(path_to("x.journal.1"));
    }
    ok(has_failed, "without memory there is no journal");
    end();
}

/* Other names are not tried then: they would not help. */
static void
test_no_folder(void)
{
    begin();
    hpm_journal_free(journal);
    unlink(path_to("x.journal"));
    ok(rmdir(folder) == 0, "nothing else is in the folder");
    journal = hpm_journal_new(&destination, &err);
    ok(journal == NULL && strstr(err.text, "'x.journal'") != NULL &&
           strstr(err.text, strerror(ENOENT)) != NULL,
       "a folder that is gone: no journal, and the first name is named");
    hpm_destination_clear(&destination);
}

int
main(void)
{
    signal(SIGXFSZ, SIG_DFL);
    test_copies();
    test_words();
    test_growth();
    test_torn();
    test_names();
    test_removal();
    test_lost_descriptor();
    test_limit();
    test_no_folder();
    test_kill();
    test_no_memory();
    free(words);
    return done();
}
