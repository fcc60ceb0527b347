/* SPDX-License-Identifier: BSD-3-Clause
 * Many files read by several threads: the results are the same as with one. */
#include "config.h"

#include "study/file/collect.h"

#include <stdlib.h>
#include <unistd.h>

#include "study/columns/merge.h"
#include "study/file/studyfile.h"
#include "tap.h"

enum { N_FILES = 60 };

static char folder[] = "/tmp/hpm-test-XXXXXX";
static char names[N_FILES][64];
static const char *paths[N_FILES];

/* A task whose number is in reverse order to its name; every seventh file is
 * cut, every eleventh is missing. */
static void
write_task(int i)
{
    FILE *file;

    snprintf(names[i], sizeof names[i], "%s/%02d.xml", folder, i);
    paths[i] = names[i];
    if (i % 11 == 10)
        return;
    file = fopen(names[i], "w");
    fprintf(file,
            "<HPMPerformanceFile version=\"1\" complete=\"yes\" "
            "kind=\"run\">\n"
            "<Run task=\"%d\" program=\"swim\"/>\n",
            N_FILES - i);
    for (int j = 1; j <= 50; j++)
        fprintf(file,
                "<InstrumentationPt label=\"s%d\" id=\"%d\" tid=\"0\">\n"
                "<data name=\"Count\" value=\"%d\" kind=\"counter\"/>\n"
                "</InstrumentationPt>\n",
                j, j, i * j);
    fputs(i % 7 == 6 ? "<Inst" : "<End records=\"50\"/></HPMPerformanceFile>",
          file);
    fclose(file);
}

struct taking {
    struct hpm_study *merged;
    struct hpm_string messages;
    size_t n;
    size_t stop_at;
    bool is_in_order;
};

static bool
take(void *owner, struct hpm_collected *collected)
{
    struct taking *taking = owner;
    struct hpm_error err = {""};
    bool is_broken;

    taking->is_in_order = taking->is_in_order && collected->i == taking->n &&
                          collected->path == paths[taking->n];
    taking->n++;
    hpm_string_add(&taking->messages,
                   hpm_string_text(&collected->report.notes.lines));
    if (collected->study == NULL)
        hpm_string_add(&taking->messages, collected->err.text);
    else if (!hpm_merge_add(taking->merged, collected->study, false, &is_broken,
                            &err))
        hpm_string_add(&taking->messages, err.text);
    hpm_study_free(collected->study);
    return taking->n < taking->stop_at;
}

/* The results, messages and bytes together; to be freed by the caller. */
static char *
collect(int n_threads, size_t stop_at, bool *ret_is_right)
{
    struct taking taking = {
        .merged = hpm_study_new(0), .stop_at = stop_at, .is_in_order = true};
    char *copy;

    hpm_collect(paths, N_FILES, n_threads, 0, take, &taking);
    hpm_merge_end(taking.merged, false, NULL);
    hpm_studyfile_print(taking.merged, &taking.messages);
    *ret_is_right = taking.is_in_order &&
                    taking.n == (stop_at < N_FILES ? stop_at : (size_t)N_FILES);
    copy = strdup(hpm_string_text(&taking.messages));
    hpm_string_free(&taking.messages);
    hpm_study_free(taking.merged);
    return copy;
}

static void
test_threads(void)
{
    static const int counts[] = {2, 3, 8, 100, 0};
    bool is_right, is_same = true, are_all_right = true;
    char *alone = collect(1, N_FILES, &is_right);

    ok(is_right, "one thread takes all files in their order");
    ok(strstr(alone, "06.xml") != NULL && strstr(alone, "10.xml") != NULL,
       "the broken ones are named");
    for (int i = 0; i < 50; i++) {
        char *several = collect(counts[i % 5], N_FILES, &is_right);

        is_same = is_same && strcmp(several, alone) == 0;
        are_all_right = are_all_right && is_right;
        free(several);
    }
    ok(are_all_right, "so do any number of threads");
    ok(is_same, "and the same comes out, to the byte");
    free(alone);
}

static void
test_stop(void)
{
    bool is_right, are_all_right = true;

    for (size_t i = 1; i < 30; i++) {
        free(collect(4, i, &is_right));
        are_all_right = are_all_right && is_right;
    }
    ok(are_all_right, "stopped early, no more is taken");
}

int
main(void)
{
    if (mkdtemp(folder) == NULL)
        return 99;
    for (int i = 0; i < N_FILES; i++)
        write_task(i);
    test_threads();
    test_stop();
    for (int i = 0; i < N_FILES; i++)
        unlink(paths[i]);
    rmdir(folder);
    return done();
}
