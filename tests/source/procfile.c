/* SPDX-License-Identifier: BSD-3-Clause
 * Small files of /proc and /sys. */
#include "source/machine/procfile.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tap.h"

static int file;
static char path[64];

static void
write_text(const char *text)
{
    if (ftruncate(file, 0) != 0 ||
        pwrite(file, text, strlen(text), 0) != (ssize_t)strlen(text))
        abort();
}

static void
test_read(void)
{
    char text[8] = "before";

    write_text("one\ntwo\n");
    errno = 77;
    is_count((uint64_t)hpm_procfile_read(path, text, sizeof text), 7,
             "as much is read as there is room for");
    is_text(text, "one\ntwo", "and ended by a NUL");
    write_text("one\n");
    is_count((uint64_t)hpm_procfile_read(path, text, sizeof text), 4,
             "no more than there is");
    is_text(text, "one\n", "also ended");
    ok(hpm_procfile_read("/nowhere/at/all", text, sizeof text) == -1,
       "a file that is not there");
    ok(errno == 77, "errno is the program's");
}

static void
test_line(void)
{
    char line[8];

    write_text("one\ntwo\n");
    ok(hpm_procfile_line(path, line, sizeof line), "a line is read");
    is_text(line, "one", "the first one alone");
    write_text("");
    ok(hpm_procfile_line(path, line, sizeof line) && line[0] == '\0',
       "an empty file has an empty line");
    ok(!hpm_procfile_line("/nowhere/at/all", line, sizeof line),
       "a file that is not there has none");
}

static void
test_number(void)
{
    write_text("-17\n");
    ok(hpm_procfile_number(path, 5) == -17, "a number below 0");
    write_text("12 34\n");
    ok(hpm_procfile_number(path, 5) == 12, "the first number");
    write_text("none\n");
    ok(hpm_procfile_number(path, 5) == 5, "a text is no number");
    ok(hpm_procfile_number("/nowhere/at/all", 6) == 6,
       "nor has a file that is not there one");
}

static void
test_held(void)
{
    struct hpm_procfile held = {.fd = -1};
    char text[8] = "before";
    int other;

    write_text("one\n");
    ok(hpm_procfile_reread(&held, text, sizeof text) == -1,
       "a file that is not open is not read");
    hpm_procfile_release(&held);
    hpm_procfile_hold(&held, "/nowhere/at/all");
    ok(held.fd == -1, "a file that is not there is not kept open");
    errno = 77;
    hpm_procfile_hold(&held, path);
    ok(held.fd > 2, "a file is kept open");
    is_count((uint64_t)hpm_procfile_reread(&held, text, sizeof text), 4,
             "it is read");
    is_text(text, "one\n", "what is in it");
    write_text("two and three\n");
    is_count((uint64_t)hpm_procfile_reread(&held, text, sizeof text), 7,
             "and again from its begin");
    is_text(text, "two and", "as far as there is room");
    other = held.fd;
    hpm_procfile_release(&held);
    ok(held.fd == -1 && fcntl(other, F_GETFD) == -1, "it is closed");
    ok(errno == EBADF || errno == 77, "errno is the program's");
    errno = 77;
    hpm_procfile_hold(&held, path);
    dup2(0, held.fd); /* the program has taken the number */
    other = held.fd;
    hpm_procfile_release(&held);
    ok(fcntl(other, F_GETFD) != -1, "what is the program's stays open");
    ok(errno == 77, "errno is the program's");
    close(other);
}

int
main(void)
{
    file = memfd_create("procfile", MFD_CLOEXEC);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    test_read();
    test_line();
    test_number();
    test_held();
    return done();
}
