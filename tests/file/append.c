/* SPDX-License-Identifier: BSD-3-Clause
 * Adding to a file to which another program, which knows no lock, adds as
 * well. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "file/output.h"
#include "tap.h"

enum { LIMIT = 40 };

static const char theirs[] = "theirs\n";
static const char *path; /* the file to which another program is about to add */

/* Replaces the C library's function: another program adds first. */
ssize_t write(int fd, const void *bytes, size_t length);

ssize_t
write(int fd, const void *bytes, size_t length)
{
    if (path != NULL && fd > STDERR_FILENO) {
        int other = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);

        path = NULL;
        syscall(SYS_write, other, theirs, strlen(theirs));
        close(other);
    }
    return syscall(SYS_write, fd, bytes, length);
}

static void
fill(const char *name, const char *text)
{
    FILE *file = fopen(name, "we");

    fputs(text, file);
    fclose(file);
}

static bool
has(const char *name, const char *text)
{
    char there[256] = "";
    FILE *file = fopen(name, "re");
    size_t n = fread(there, 1, sizeof there - 1, file);

    fclose(file);
    return n == strlen(text) && strcmp(there, text) == 0;
}

/* Add 50 bytes to a file that has room for less. */
static bool
add(const char *name)
{
    const struct rlimit small = {LIMIT, RLIM_INFINITY};
    const struct rlimit large = {RLIM_INFINITY, RLIM_INFINITY};
    struct hpm_destination destination;
    struct hpm_error err;
    char bytes[51];
    bool is_good;

    memset(bytes, 'x', 50);
    bytes[50] = '\0';
    hpm_destination_fix(&destination, name, &err);
    setrlimit(RLIMIT_FSIZE, &small);
    is_good = hpm_output_append(&destination, bytes, 50, 0, &err);
    setrlimit(RLIMIT_FSIZE, &large);
    hpm_destination_clear(&destination);
    return is_good;
}

/* Check a file after a table of two columns, with its heading, was appended. */
static void
check_heading(const char *name, const char *before, const char *after,
              const char *sentence)
{
    static const char table[] = "a,b\n1,2\n";
    struct hpm_destination destination;
    struct hpm_error err;
    bool is_good;

    fill(name, before);
    hpm_destination_fix(&destination, name, &err);
    is_good = hpm_output_append(&destination, table, sizeof table - 1, 4, &err);
    hpm_destination_clear(&destination);
    ok(is_good && has(name, after), sentence);
}

static void
test_headings(const char *name)
{
    check_heading(name, "", "a,b\n1,2\n", "an empty file gets the heading");
    check_heading(name, "a,b\n3,4\n", "a,b\n3,4\n1,2\n",
                  "one of the same table has it");
    check_heading(name, "c,d\n3,4\n", "c,d\n3,4\na,b\n1,2\n",
                  "one of another table of as many columns gets it");
    check_heading(name, "a,b\n3,4\nx,y,z\n", "a,b\n3,4\nx,y,z\na,b\n1,2\n",
                  "and one that ends with another table");
}

int
main(void)
{
    char folder[] = "/tmp/hpm-append-XXXXXX", name[64], expected[64] = "";

    if (mkdtemp(folder) == NULL)
        return 1;
    snprintf(name, sizeof name, "%s/log", folder);
    fill(name, "before\n");
    ok(!add(name) && has(name, "before\n"), "what does not fit is taken back");
    path = name;
    strcat(strcat(expected, "before\n"), theirs);
    memset(expected + strlen(expected), 'x', LIMIT - strlen(expected));
    ok(!add(name) && has(name, expected),
       "but not where another program has added to the file meanwhile");
    test_headings(name);
    unlink(name);
    rmdir(folder);
    return done();
}
