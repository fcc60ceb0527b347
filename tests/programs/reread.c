/* SPDX-License-Identifier: BSD-3-Clause
 * Read performance files and write what was understood to standard output; what
 * was wrong goes to standard error.
 *
 *     reread FILE      0 good, 1 in part, 3 nothing usable
 *
 * With REREAD_PEAK set, the largest memory it took is said at the end, in kB.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file/reader.h"
#include "file/studyfile.h"

static struct hpm_study *
read_file(const char *path, int *ret_status)
{
    struct hpm_reader_report report = {0};
    struct hpm_error err = {""};
    struct hpm_study *study = hpm_reader_read(path, 0, &report, &err);

    fputs(hpm_string_text(&report.notes.lines), stderr);
    if (report.n_unknown > 0)
        fprintf(stderr, "%s: %zu unknown passed over\n", path,
                report.n_unknown);
    if (study == NULL)
        fprintf(stderr, "%s\n", err.text);
    if (report.notes.n > 0 || study == NULL)
        *ret_status = 1;
    hpm_notes_free(&report.notes);
    return study;
}

static void
print(const struct hpm_study *study)
{
    struct hpm_string text = {0};

    hpm_studyfile_print(study, &text);
    fwrite(hpm_string_text(&text), 1, text.length, stdout);
    hpm_string_free(&text);
}

/* ru_maxrss would be that of the program that started us. */
static void
print_peak(void)
{
    FILE *file = fopen("/proc/self/status", "r");
    char line[256];

    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, "VmHWM:", 6) == 0)
            fprintf(stderr, "peak %ld\n", strtol(line + 6, NULL, 10));
    }
    if (file != NULL)
        fclose(file);
}

int
main(int argc, char **argv)
{
    struct hpm_study *study;
    int status = 0;

    if (argc != 2)
        return 2;
    study = read_file(argv[1], &status);
    if (study != NULL)
        print(study);
    else
        status = 3;
    hpm_study_free(study);
    if (getenv("REREAD_PEAK") != NULL)
        print_peak();
    return status;
}
