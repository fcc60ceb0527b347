/* SPDX-License-Identifier: BSD-3-Clause
 * Files of samples: the contents of good ones, the messages about bad ones. */
#include "source/replayfile.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/memory.h"
#include "tap.h"

static char path[] = "/tmp/hpm-replay-XXXXXX";

static void
write_bytes(const char *text, size_t length)
{
    int fd = open(path, O_WRONLY | O_TRUNC);

    if (fd < 0 || write(fd, text, length) != (ssize_t)length)
        printf("Bail out! cannot write %s\n", path);
    close(fd);
}

static struct hpm_replayfile *
load(const char *text, struct hpm_error *err)
{
    write_bytes(text, strlen(text));
    return hpm_replayfile_load(path, err);
}

/* ---- good files ------------------------------------------------------ */

static void
check_good(const char *text, const char *sentence)
{
    struct hpm_error err = {.text = ""};
    struct hpm_replayfile *file = load(text, &err);

    ok(file != NULL, sentence);
    if (file == NULL)
        printf("# %s\n", err.text);
    hpm_replayfile_free(file);
}

static void
test_good(void)
{
    check_good("events a\n0 1 2\n", "a file of one sample");
    check_good("\n# comment\n \t\nevents a # b\n\n0 1 2 # start\n0 1 2",
               "comments, blank lines, no newline at the end");
    check_good("events a b\r\n0 1 2 3\r\n", "lines as Windows ends them");
    check_good("events\n0 1\n0 2\n", "a file of time alone");
    check_good("events a\n", "a file without samples");
}

static void
test_values(void)
{
    struct hpm_replayfile *file =
        load("events cycles task-clock/ns cpu/event=1,umask=2/ msr/tsc//ns\n"
             "1 10 20 30:40:40 50 60\n"
             "-1 5 1 2 3 18446744073709551615\n"
             "1 11 21 31:50:45 - 60\n",
             NULL);
    const struct hpm_replaystream *stream = hpm_replayfile_stream(file, 1);
    const uint64_t *row = hpm_replaystream_row(stream, 1);

    is_count(file->n_events, 4, "the head names four events");
    is_text(file->events[0].unit, NULL, "a name alone has no unit");
    is_text(file->events[1].unit, "ns", "a unit follows a slash");
    is_text(file->events[2].name, "cpu/event=1,umask=2/",
            "slashes of a PMU's event stay");
    is_text(file->events[2].unit, NULL, "and are no unit");
    is_text(file->events[3].name, "msr/tsc/", "a third slash has one");
    ok(!file->events[0].is_shared && file->events[1].is_shared,
       "one event is shared");
    is_count(stream->n_samples, 2, "thread 1 has two samples");
    is_count(stream->last_line, 4, "the last in line 4");
    is_count(row[0], 11, "a time");
    is_count(row[1], 21, "a count");
    ok(row[2] == 31 && row[5 + 2] == 50 && row[5 + 3] == 45,
       "a shared count and its pair");
    ok(stream->columns[2].is_gone && stream->columns[2].gone_sample == 1 &&
           stream->columns[2].gone_line == 4 && row[3] == 50,
       "a value that is gone keeps the last count");
    stream = hpm_replayfile_stream(file, -1);
    ok(stream != NULL && hpm_replaystream_row(stream, 0)[4] == UINT64_MAX,
       "the process, and the largest count");
    ok(hpm_replayfile_stream(file, 0) == NULL &&
           hpm_replayfile_stream(file, 2) == NULL,
       "other threads have nothing");
    hpm_replayfile_free(file);
}

/* ---- bad files ------------------------------------------------------- */

/* The message after the name of the file. */
static const struct {
    const char *text;
    const char *said;
} bad[] = {
    {"", ": expected a line 'events' with the names of the events; make that "
         "the first line"},
    {"# nothing\n", ": expected a line 'events' with the names of the events; "
                    "make that the first line"},
    {"0 1 2\nevents a\n", ":1: '0': expected 'events' and the names of the "
                          "events; make that the first line"},
    {"events a a\n", ":1: 'a': expected each event once; leave it out"},
    {"events a,b\n",
     ":1: 'a,b': expected the name of one event; put blanks between names"},
    {"events /ns\n",
     ":1: '': expected the name of an event, at most 255 bytes; shorten it"},
    {"events a/\n", ":1: 'a/': expected a unit of at most 31 bytes after the "
                    "slash; give one or leave out the slash"},
    {"events a\n\nevents b\n",
     ":3: 'events': expected the number of a thread, 0 to 65535, or -1 for the "
     "process; begin the line with it"},
    {"events a\n-2 1 2\n",
     ":2: '-2': expected the number of a thread, 0 to 65535, or -1 for the "
     "process; begin the line with it"},
    {"events a\n65536 1 2\n",
     ":2: '65536': expected the number of a thread, 0 to 65535, or -1 for the "
     "process; begin the line with it"},
    {"events a\n0\n", ":2: end of line: expected the time in nanoseconds; "
                      "write an integer below 2^64 after the thread"},
    {"events a\n0 1.5 2\n",
     ":2: '1.5': expected the time in nanoseconds; write an integer below 2^64 "
     "after the thread"},
    {"events a\n0 0x10 2\n",
     ":2: '0x10': expected the time in nanoseconds; write an integer below "
     "2^64 after the thread"},
    {"events a\n0 5 2\n1 1 1\n0 4 3\n",
     ":4: '4': expected a time of at least 5 as in the line before of this "
     "thread; time does not run back"},
    {"events a b\n0 1 2\n",
     ":2: end of line: expected 2 values after the time, one for each event, "
     "found 1; write '-' for one that is not there"},
    {"events a\n0 1 2 3\n", ":2: '3': expected the end of the line after 1 "
                            "values, one for each event; leave it out"},
    {"events a\n0 1 x\n", ":2: 'x': expected a count, count:enabled:running or "
                          "'-'; write integers below 2^64"},
    {"events a\n0 1 -5\n", ":2: '-5': expected a count, count:enabled:running "
                           "or '-'; write integers below 2^64"},
    {"events a\n0 1 18446744073709551616\n",
     ":2: '18446744073709551616': expected a count, count:enabled:running or "
     "'-'; write integers below 2^64"},
    {"events a\n0 1 5:3\n", ":2: '5:3': expected a count, "
                            "count:enabled:running or '-'; write integers "
                            "below 2^64"},
    {"events a\n0 1 5:3:2:1\n", ":2: '5:3:2:1': expected a count, "
                                "count:enabled:running or '-'; write integers "
                                "below 2^64"},
    {"events a\n0 1 5\n0 2 4\n",
     ":3: '4': expected at least 5 as in the line before of this thread; "
     "counts only grow"},
    {"events a\n0 1 5:2:3\n",
     ":2: '5:2:3': expected enabled and running to grow from 0 and 0, running "
     "by no more than enabled"},
    {"events a\n0 1 5:9:3\n0 2 5:10:5\n",
     ":3: '5:10:5': expected enabled and running to grow from 9 and 3, running "
     "by no more than enabled"},
    {"events a\n0 1 5\n0 2 6:1:1\n",
     ":3: '6:1:1': expected a count alone, as in the lines before of this "
     "thread"},
    {"events a\n0 1 6:1:1\n0 2 7\n",
     ":3: '7': expected count:enabled:running, as in the lines before of this "
     "thread"},
    {"events a\n0 1 -\n0 2 7\n",
     ":3: '7': expected '-', for what is gone since line 2 does not come "
     "back"},
    {"events a\n0 1 \xff\n",
     ":2: byte 0xff: expected text in UTF-8; write the file anew as such"},
    {"events a\n0 1 wort-\xc3\xa4-das-viel-zu-lang-ist-um-ganz-da-zu-sein\n",
     ":2: 'wort-\xc3\xa4-das-viel-zu-lang-ist-um-ganz-da-': expected a count, "
     "count:enabled:running or '-'; write integers below 2^64"},
};

static void
check_bad(const char *name, const char *said, const char *sentence)
{
    struct hpm_error err = {.text = ""};
    struct hpm_replayfile *file = hpm_replayfile_load(name, &err);
    char expected[512];

    snprintf(expected, sizeof expected, "%s%s", name, said);
    ok(file == NULL, sentence);
    is_text(err.text, expected, sentence);
    hpm_replayfile_free(file);
}

static void
test_bad(void)
{
    static char many[16 * (HPM_MAX_EVENTS + 1)] = "events";

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        write_bytes(bad[i].text, strlen(bad[i].text));
        check_bad(path, bad[i].said, bad[i].said);
    }
    write_bytes("events a\n0 1\0 2\n", 16);
    check_bad(path,
              ":2: byte 0x00: expected text in UTF-8; write the file "
              "anew as such",
              "a NUL in the file");
    for (int i = 0; i <= HPM_MAX_EVENTS; i++)
        sprintf(many + strlen(many), " e%d", i);
    write_bytes(many, strlen(many));
    check_bad(path,
              ":1: 'e64': expected at most 64 events; leave out the "
              "others",
              "65 events");
}

/* HPM_REPLAY must name a regular file: other files are not read. */
static void
test_no_files(void)
{
    char fifo[64];

    check_bad("/nonexistent/x",
              ": cannot be read (No such file or directory); "
              "set HPM_REPLAY to a file of samples",
              "a file that is not there");
    check_bad("/", ": not a regular file; set HPM_REPLAY to a file of samples",
              "a folder");
    check_bad("/dev/zero",
              ": not a regular file; set HPM_REPLAY to a file of samples",
              "a device");
    snprintf(fifo, sizeof fifo, "%s.fifo", path);
    if (mkfifo(fifo, 0600) == 0)
        check_bad(fifo,
                  ": not a regular file; set HPM_REPLAY to a file of samples",
                  "a pipe nobody writes to");
    unlink(fifo);
    if (truncate(path, 1 << 30) == 0)
        check_bad(path,
                  ": larger than 64 MiB; set HPM_REPLAY to a shorter file",
                  "a file of 1 GiB");
}

/* ---- no memory ------------------------------------------------------- */

static void
test_no_memory(void)
{
    struct hpm_replayfile *file = NULL;
    bool is_said = true;
    unsigned long n = 0;

    while (file == NULL && n < 100) {
        struct hpm_error err = {.text = ""};

        hpm_memory_fail_at(++n, false);
        file = load("events a b/ns\n0 1 2:3:3 4\n3 1 2 4\n", &err);
        is_said =
            is_said && (file != NULL || strcmp(err.text, "out of memory") == 0);
    }
    hpm_memory_fail_at(0, false);
    ok(file != NULL && n > 5 && is_said,
       "any allocation may fail, and that is said");
    hpm_replayfile_free(file);
}

int
main(void)
{
    int fd = mkstemp(path);

    if (fd < 0)
        return 99;
    close(fd);
    test_good();
    test_values();
    test_bad();
    test_no_files();
    test_no_memory();
    unlink(path);
    return done();
}
