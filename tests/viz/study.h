/* SPDX-License-Identifier: BSD-3-Clause
 * A study made by hand for tests of the viewer's models: section "calc" in two
 * tasks of two threads, on processors of POWER4.
 *
 *     task thread  seconds  cycles  instructions  IPC   FP_OPS           Own
 *     0    0       1        1000     500          0.5   100 counted      1
 *     0    1       2        1000    1500          1.5   200 shared 50 %  2
 *     1    0       3        1000    2500          2.5   never scheduled  3
 *     1    1       4        1000     800          0.8   unsupported      4
 *     0    process 9        5000    1000          0.2
 *
 * IPC is bad below 1 and good above 2 in either precision; Own is recorded, and
 * bad below 2.5 only in double precision. */
#ifndef TESTS_VIZ_STUDY_H
#define TESTS_VIZ_STUDY_H

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "hpmviz/data/sheet.h"
#include "study/file/reader.h"
#include "study/survey/surveying.h"
#include "tap.h"

static const char *const fp_ops[4] = {
    "value=\"100\"", "value=\"200\" state=\"shared\" share=\"0.5\" error=\"7\"",
    "state=\"unscheduled\" reason=\"too few counters\"",
    "state=\"unsupported\" reason=\"no such event\""};

static const int cycles[5] = {1000, 1000, 1000, 1000, 5000};
static const int instructions[5] = {500, 1500, 2500, 800, 1000};

static void
add_record(GString *file, int i, const char *label, int line)
{
    gboolean is_process = i == 4;
    int seconds = is_process ? 9 : i + 1;

    g_string_append_printf(
        file,
        "<InstrumentationPt lid=\"x\" tid=\"%d\" task=\"%d\" label=\"%s\" "
        "file=\"a.c\" linestart=\"%d\" lineend=\"%d\" inst=\"1\" id=\"%d\" "
        "scope=\"thread\">"
        "<data name=\"Count\" value=\"10\" kind=\"counter\"/>"
        "<data name=\"ExcSec\" value=\"%d.0\" kind=\"time\" unit=\"s\"/>"
        "<data name=\"IncSec\" value=\"%d.0\" kind=\"time\" unit=\"s\"/>"
        "<data name=\"PM_CYC\" value=\"%d\" exclusive=\"%d\" kind=\"counter\"/>"
        "<data name=\"PM_INST_CMPL\" value=\"%d\" exclusive=\"%d\" "
        "kind=\"counter\"/>",
        is_process ? -1 : i % 2, is_process ? 0 : i / 2, label, line, line + 9,
        i + 1, seconds, seconds, cycles[i], cycles[i], instructions[i],
        instructions[i]);
    if (!is_process)
        g_string_append_printf(file,
                               "<data name=\"FP_OPS\" %s kind=\"counter\"/>"
                               "<data name=\"Own\" value=\"%d\" kind=\"metric\""
                               " dbad=\"-2.5\"/>",
                               fp_ops[i], i + 1);
    g_string_append(file, "</InstrumentationPt>");
}

/* Read it, with this label and first line. */
static struct hpm_study *
read_study_of(const char *label, int line)
{
    static const int order[5] = {0, 1, 4, 2, 3};
    struct hpm_reader_report report = {0};
    struct hpm_study *study = NULL;
    GString *file =
        g_string_new("<HPMPerformanceFile version=\"1\" kind=\"merged\">"
                     "<Run task=\"0\" program=\"p\" job=\"j\"/>"
                     "<Run task=\"1\" program=\"p\" job=\"j\" degrees=\"1 2\""
                     " sources=\"0\" destinations=\"0 1\"/>"
                     "<Machine task=\"0\" pmu=\"power4\" host=\"a\"/>"
                     "<Machine task=\"1\" pmu=\"power4\" host=\"b\""
                     " binding=\"2,3\" numa=\"0\"/>");
    int fd = memfd_create("study", 0);

    for (int i = 0; i < 5; i++)
        add_record(file, order[i], label, line);
    g_string_append(file, "</HPMPerformanceFile>");
    if (fd >= 0 && write(fd, file->str, file->len) == (ssize_t)file->len &&
        lseek(fd, 0, SEEK_SET) == 0)
        study = hpm_reader_read_open(fd, "study", 0, &report, NULL);
    if (fd >= 0)
        close(fd);
    hpm_notes_free(&report.notes);
    g_string_free(file, TRUE);
    if (study == NULL)
        exit(1);
    return study;
}

static struct hpm_survey *
survey_of(const struct hpm_study *study)
{
    const struct hpm_survey_options options = {.precision =
                                                   HPM_PRECISION_DOUBLE};
    struct hpm_survey *survey = hpm_survey_new(study, &options, NULL);

    if (survey == NULL || survey->n_subjects == 0)
        exit(1);
    return survey;
}

#endif
