/* SPDX-License-Identifier: BSD-3-Clause
 * Files that change while they are read: between two pieces of the file, by the
 * read(2) defined below. */
#include "config.h"

#include "study/file/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tap.h"

enum { N_RECORDS = 2000 }; /* about 200 KB, several pieces */

static char path[] = "/tmp/hpm-test-XXXXXX";

/* ---- the hook -------------------------------------------------------- */

/* Called before the n-th reading, from 1. */
static void (*before_reading)(int n);
static int n_readings;
static int failing_errno; /* error of the second reading, once */
static size_t most_bytes; /* the most bytes that this reading returns */

/* Replaces the C library's function for all code in this program. */
ssize_t
read(int fd, void *buffer, size_t size)
{
    if (before_reading != NULL)
        before_reading(++n_readings);
    if (failing_errno != 0 && n_readings == 2) {
        errno = failing_errno;
        failing_errno = 0;
        return -1;
    }
    if (most_bytes > 0 && size > most_bytes)
        size = most_bytes;
    return syscall(SYS_read, fd, buffer, size);
}

static void
nothing(int n)
{
    (void)n;
}

/* ---- the file -------------------------------------------------------- */

static void
print_file(FILE *file, int n, int count)
{
    fprintf(file, "<HPMPerformanceFile version=\"1\" complete=\"yes\" "
                  "kind=\"run\">\n<Run task=\"0\" program=\"swim\"/>\n");
    for (int i = 1; i <= n; i++)
        fprintf(file,
                "<InstrumentationPt label=\"section %d\" id=\"%d\" tid=\"0\">"
                "<data name=\"Count\" value=\"%d\" kind=\"counter\"/>"
                "</InstrumentationPt>\n",
                i, i, count);
    fprintf(file, "<End records=\"%d\"/></HPMPerformanceFile>\n", n);
}

static void
write_file(int n, int count)
{
    FILE *file = fopen(path, "w");

    print_file(file, n, count);
    fclose(file);
}

static void
shrink(int n)
{
    if (n == 2 && truncate(path, 100000) != 0)
        exit(99);
}

static void
empty(int n)
{
    if (n == 2 && truncate(path, 0) != 0)
        exit(99);
}

static void
append(int n)
{
    if (n == 2) {
        FILE *file = fopen(path, "a");

        fputs("<!-- more -->\n", file);
        fclose(file);
    }
}

/* Same size, other contents: only the file's time differs. */
static void
write_again(int n)
{
    struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}, {.tv_sec = 1}};

    if (n != 2)
        return;
    write_file(N_RECORDS, 8);
    if (utimensat(AT_FDCWD, path, times, 0) != 0)
        exit(99);
}

static void
take_away(int n)
{
    if (n == 2)
        unlink(path);
}

/* ---- reading --------------------------------------------------------- */

/* Read a file; returns the number of records, and the messages. */
static size_t
read_while(void (*change)(int n), struct hpm_string *ret_said)
{
    struct hpm_reader_report report = {0};
    struct hpm_error err = {""};
    struct hpm_study *study;
    size_t n_rows;

    write_file(N_RECORDS, 7);
    n_readings = 0;
    before_reading = change;
    study = hpm_reader_read(path, 0, &report, &err);
    before_reading = NULL;
    hpm_string_clear(ret_said);
    hpm_string_add(ret_said, hpm_string_text(&report.notes.lines));
    hpm_string_add(ret_said, err.text);
    n_rows = study != NULL ? study->n_rows : 0;
    hpm_notes_free(&report.notes);
    hpm_study_free(study);
    return n_rows;
}

static bool
says(const struct hpm_string *said, const char *what)
{
    bool is_said = strstr(hpm_string_text(said), what) != NULL;

    if (!is_said)
        printf("# %s\n", hpm_string_text(said));
    return is_said;
}

static void
test_changes(void)
{
    static const char changed[] = "was changed while it was read";
    struct hpm_string said = {0};
    size_t n;

    n = read_while(nothing, &said);
    ok(n == N_RECORDS && n_readings > 3 && said.length == 0,
       "a file read in several pieces is whole");
    n = read_while(shrink, &said);
    ok(n > 0 && n < N_RECORDS && says(&said, changed) &&
           says(&said, "was it cut off?"),
       "of one that shrinks the records before the cut are kept");
    n = read_while(empty, &said);
    ok(n > 0 && n < N_RECORDS && says(&said, changed),
       "so they are of one that is emptied");
    n = read_while(append, &said);
    ok(n == N_RECORDS && says(&said, changed), "one that grows is said to");
    read_while(write_again, &said);
    ok(says(&said, changed), "one written again, in the same size, is said so");
    n = read_while(take_away, &said);
    ok(n == N_RECORDS && said.length == 0,
       "one that loses its name is whole and unchanged");
    hpm_string_free(&said);
}

static void
test_failures(void)
{
    struct hpm_string said = {0};
    size_t n;

    failing_errno = EIO;
    n = read_while(nothing, &said);
    ok(n > 0 && n < N_RECORDS && says(&said, strerror(EIO)),
       "when the disk fails the records before are kept, and it is said");
    failing_errno = EINTR;
    n = read_while(nothing, &said);
    ok(n == N_RECORDS && said.length == 0, "an interrupted reading goes on");
    failing_errno = EAGAIN;
    n = read_while(nothing, &said);
    ok(n == N_RECORDS && said.length == 0, "one that would have to wait waits");
    most_bytes = 1;
    n = read_while(nothing, &said);
    ok(n == N_RECORDS && said.length == 0, "a byte at a time will do");
    most_bytes = 0;
    hpm_string_free(&said);
}

int
main(void)
{
    int fd = mkstemp(path);

    if (fd < 0)
        return 99;
    close(fd);
    test_changes();
    test_failures();
    unlink(path);
    return done();
}
