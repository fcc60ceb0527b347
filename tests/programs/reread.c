/* SPDX-License-Identifier: BSD-3-Clause
 * Read performance files and write their contents to standard output; faults go
 * to standard error.
 *
 *     reread FILE
 *     reread merge|mean|integrate FILE...
 *     reread diff A B
 *     reread root|remove LABEL FILE
 *
 * The status is 0 for good, 1 for partly good, 3 for nothing usable.  With
 * REREAD_WITNESS set, the last line has the largest memory used, in kB, and how
 * many files and sockets were asked for. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "opened.h"
#include "study/columns/cut.h"
#include "study/columns/diff.h"
#include "study/columns/mean.h"
#include "study/columns/merge.h"
#include "study/file/collect.h"
#include "study/file/reader.h"
#include "study/file/studyfile.h"

/* Print the faults of a file. */
static void
say(const struct hpm_collected *collected, int *ret_status)
{
    const struct hpm_reader_report *report = &collected->report;

    fputs(hpm_string_text(&report->notes.lines), stderr);
    if (report->n_unknown > 0)
        fprintf(stderr, "%s: %zu unknown passed over\n", collected->path,
                report->n_unknown);
    if (collected->study == NULL)
        fprintf(stderr, "%s\n", collected->err.text);
    if (report->notes.n > 0 || collected->study == NULL)
        *ret_status = 1;
}

static struct hpm_study *
read_file(const char *path, int *ret_status)
{
    struct hpm_collected collected = {.path = path};

    collected.study =
        hpm_reader_read(path, 0, &collected.report, &collected.err);
    say(&collected, ret_status);
    hpm_notes_free(&collected.report.notes);
    return collected.study;
}

static void
print(const struct hpm_study *study)
{
    struct hpm_string text = {0};

    hpm_studyfile_print(study, &text);
    fwrite(hpm_string_text(&text), 1, text.length, stdout);
    hpm_string_free(&text);
}

/* ru_maxrss would be that of the program that started this one. */
static void
print_witness(void)
{
    int n_files = opened_files;
    FILE *file = fopen("/proc/self/status", "r");
    char line[256];
    long peak = 0;

    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, "VmHWM:", 6) == 0)
            peak = strtol(line + 6, NULL, 10);
    }
    if (file != NULL)
        fclose(file);
    fprintf(stderr, "%ld %d %d\n", peak, n_files, opened_sockets);
}

/* ---- results ---------------------------------------------------------- */

struct merging {
    struct hpm_study *result;
    int *ret_status;
};

static bool
merge_one(void *owner, struct hpm_collected *collected)
{
    struct merging *merging = owner;
    struct hpm_error err = {""};
    bool is_broken = false;

    say(collected, merging->ret_status);
    if (collected->study != NULL &&
        !hpm_merge_add(merging->result, collected->study, false, &is_broken,
                       &err)) {
        fprintf(stderr, "%s\n", err.text);
        *merging->ret_status = 1;
    }
    hpm_study_free(collected->study);
    return !is_broken;
}

static struct hpm_study *
read_and_merge(char **paths, size_t n, int *ret_status)
{
    struct merging merging = {hpm_study_new(0), ret_status};
    struct hpm_error err = {""};

    hpm_collect((const char *const *)paths, n, 0, 0, merge_one, &merging);
    if (merging.result->n_tasks > 0 &&
        hpm_merge_end(merging.result, false, &err))
        return merging.result;
    fprintf(stderr, "%s\n", err.text);
    hpm_study_free(merging.result);
    return NULL;
}

static struct hpm_study *
combine(const char *how, const struct hpm_study *const *studies, size_t n,
        const char *label)
{
    struct hpm_mean_options options = {0};
    struct hpm_error err = {""};
    struct hpm_study *result = NULL;

    if (strcmp(how, "mean") == 0)
        result = hpm_mean(studies, n, &options, &err);
    else if (strcmp(how, "integrate") == 0)
        result = hpm_integrate(studies, n, &options, &err);
    else if (strcmp(how, "diff") == 0 && n == 2)
        result = hpm_diff(studies[0], studies[1], 0, &err);
    else if (strcmp(how, "root") == 0 && n == 1)
        result = hpm_cut_root(studies[0], label, 0, &err);
    else if (strcmp(how, "remove") == 0 && n == 1)
        result = hpm_cut_remove(studies[0], label, 0, &err);
    if (result == NULL)
        fprintf(stderr, "%s\n", err.text);
    return result;
}

static struct hpm_study *
read_and_combine(const char *how, char **paths, size_t n, const char *label,
                 int *ret_status)
{
    struct hpm_study **studies = calloc(n, sizeof *studies);
    struct hpm_study *result;
    size_t n_read = 0;

    for (size_t i = 0; i < n; i++) {
        studies[n_read] = read_file(paths[i], ret_status);
        n_read += studies[n_read] != NULL;
    }
    result =
        combine(how, (const struct hpm_study *const *)studies, n_read, label);
    for (size_t i = 0; i < n_read; i++)
        hpm_study_free(studies[i]);
    free(studies);
    return result;
}

static bool
takes_label(const char *how)
{
    return strcmp(how, "root") == 0 || strcmp(how, "remove") == 0;
}

int
main(int argc, char **argv)
{
    struct hpm_study *study;
    int status = 0;

    if (argc < 2)
        return 2;
    if (argc == 2)
        study = read_file(argv[1], &status);
    else if (strcmp(argv[1], "merge") == 0)
        study = read_and_merge(argv + 2, (size_t)argc - 2, &status);
    else if (takes_label(argv[1]))
        study = read_and_combine(argv[1], argv + 3, (size_t)argc - 3, argv[2],
                                 &status);
    else
        study = read_and_combine(argv[1], argv + 2, (size_t)argc - 2, NULL,
                                 &status);
    if (study != NULL)
        print(study);
    else
        status = 3;
    hpm_study_free(study);
    if (getenv("REREAD_WITNESS") != NULL)
        print_witness();
    return status;
}
