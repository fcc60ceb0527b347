/* SPDX-License-Identifier: BSD-3-Clause
 * Any bytes as a performance file: they are refused with a reason, or read; and
 * a study that was read can be written and read again.
 *
 * Built as a test it damages files, the same way each time, or with
 *     fuzz SECONDS [SEED]
 * for so long; built with -fsanitize=fuzzer (tests/libfuzzer.sh) clang's
 * libFuzzer makes the bytes. */
#include "config.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "study/file/reader.h"
#include "study/file/studyfile.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

enum { MOST_BYTES = 64 << 20 };

/* ---- properties that hold for any bytes ----------------------------- */

struct reading {
    struct hpm_study *study;
    struct hpm_reader_report report;
    struct hpm_error err;
    struct hpm_string text; /* the study, written */
};

static void
read_bytes(struct reading *reading, const void *bytes, size_t length)
{
    int fd = memfd_create("fuzz", MFD_CLOEXEC);

    if (fd < 0 || write(fd, bytes, length) != (ssize_t)length ||
        lseek(fd, 0, SEEK_SET) != 0)
        exit(99);
    *reading = (struct reading){0};
    reading->study = hpm_reader_read_open(fd, "x", MOST_BYTES, &reading->report,
                                          &reading->err);
    if (reading->study != NULL)
        hpm_studyfile_print(reading->study, &reading->text);
    close(fd);
}

static void
free_reading(struct reading *reading)
{
    hpm_study_free(reading->study);
    hpm_notes_free(&reading->report.notes);
    hpm_string_free(&reading->text);
}

/* Does each line begin with a place such as "x:12:34: "? */
static bool
have_places(const char *lines)
{
    while (*lines != '\0') {
        int length = 0;

        sscanf(lines, "x:%*d:%*d: %n", &length);
        if (length == 0)
            return false;
        lines += strcspn(lines, "\n");
        lines += *lines == '\n';
    }
    return true;
}

static bool
is_said(const struct reading *reading)
{
    const char *notes = hpm_string_text(&reading->report.notes.lines);

    if (!have_places(notes) || strlen(notes) > 20 * 800)
        return false;
    return reading->study != NULL ||
           (reading->err.text[0] != '\0' && have_places(reading->err.text));
}

/* Written and read again, nothing is unknown, and the bytes are the same. */
static bool
comes_back(const struct reading *reading)
{
    struct reading again;
    bool is_same;

    read_bytes(&again, reading->text.text, reading->text.length);
    is_same =
        again.study != NULL && again.report.n_unknown == 0 &&
        again.text.length == reading->text.length &&
        memcmp(again.text.text, reading->text.text, again.text.length) == 0;
    if (!is_same)
        printf("# %s%s\n", again.err.text,
               hpm_string_text(&again.report.notes.lines));
    free_reading(&again);
    return is_same;
}

static bool
survives(const void *bytes, size_t length)
{
    struct reading reading;
    bool is_good;

    read_bytes(&reading, bytes, length);
    is_good =
        is_said(&reading) && (reading.study == NULL || comes_back(&reading));
    if (!is_good)
        printf("# %s%s\n# %.*s\n", reading.err.text,
               hpm_string_text(&reading.report.notes.lines), (int)length,
               (const char *)bytes);
    free_reading(&reading);
    return is_good;
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    if (!survives(bytes, length))
        abort();
    return 0;
}

#ifndef HPM_LIBFUZZER

#include "file/sample.h"
#include "tap.h"

/* ---- damage ---------------------------------------------------------- */

static const char *const words[] = {"\"",
                                    "<",
                                    "/>",
                                    "&#0;",
                                    "&lt;",
                                    "&#x9b;",
                                    "<!DOCTYPE x>",
                                    "\\x00",
                                    "\\x1B",
                                    "-1",
                                    "1e308",
                                    "0.000000001",
                                    "99999999999999999999",
                                    "2147483648",
                                    "<data name=\"x\"/>",
                                    " id=\"1\"",
                                    " parent=\"2\"",
                                    " task=\"7\"",
                                    "]]>",
                                    "<?a?>",
                                    "<!--",
                                    "</InstrumentationPt>",
                                    "<InstrumentationPt>"};

/* A file while it is damaged. */
struct damaged {
    char *bytes;
    size_t size, capacity;
};

static void
put(struct damaged *file, size_t at, const char *piece, size_t length)
{
    if (file->size + length > file->capacity)
        return;
    memmove(file->bytes + at + length, file->bytes + at, file->size - at);
    memcpy(file->bytes + at, piece, length);
    file->size += length;
}

/* Change a byte, insert a word, copy a piece over another one or between two,
 * or remove one. */
static void
damage(struct damaged *file)
{
    size_t at = next_random() % file->size;
    size_t from = next_random() % file->size;
    size_t most = file->size - (at > from ? at : from);
    size_t n = next_random() % (most < 300 ? most : 300);
    const char *word = words[below(sizeof words / sizeof *words)];
    char piece[300];

    switch (below(5)) {
    case 0:
        file->bytes[at] = (char)below(256);
        break;
    case 1:
        put(file, at, word, strlen(word));
        break;
    case 2:
        memmove(file->bytes + at, file->bytes + from, n);
        break;
    case 3:
        memcpy(piece, file->bytes + from, n);
        put(file, at, piece, n);
        break;
    default:
        memmove(file->bytes + at, file->bytes + at + n, file->size - at - n);
        file->size -= n;
    }
}

static bool
survives_damage(const char *bytes, size_t size, int n)
{
    struct damaged file = {.capacity = size + 4096};
    bool is_good = true;

    file.bytes = malloc(file.capacity);
    for (int i = 0; i < n && is_good; i++) {
        memcpy(file.bytes, bytes, size);
        file.size = size;
        for (int j = below(5); j >= 0 && file.size > 1; j--)
            damage(&file);
        is_good = survives(file.bytes, file.size);
    }
    free(file.bytes);
    return is_good;
}

/* Read n damaged files, made from n / 100 good ones. */
static bool
survives_files(int n)
{
    bool is_good = true;

    for (int i = 0; i < n / 100 && is_good; i++) {
        struct hpm_experiment *experiment = random_experiment();
        size_t size;
        char *bytes = written_by_recorder(experiment, &size);

        is_good = survives_damage(bytes, size, 100);
        hpm_experiment_free(experiment);
        free(bytes);
    }
    return is_good;
}

/* Prints the seed, so that a fault can be found again. */
static int
fuzz(long seconds, uint64_t seed)
{
    time_t end = time(NULL) + seconds;
    bool is_good = true;
    long n = 0;

    printf("# seed %llu\n", (unsigned long long)seed);
    begin_random(seed);
    while (is_good && time(NULL) < end) {
        is_good = survives_files(1000);
        n += 1000;
    }
    printf("# %ld files\n", n);
    ok(is_good, "damaged files are read or refused");
    return done();
}

int
main(int argc, char **argv)
{
    if (argc > 1)
        return fuzz(atol(argv[1]), argc > 2 ? strtoull(argv[2], NULL, 10)
                                            : (uint64_t)time(NULL));
    ok(survives_files(is_repeated() ? 10000 : 40000),
       "40,000 damaged files, or a quarter, are read or refused");
    return done();
}

#endif
