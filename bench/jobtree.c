/* SPDX-License-Identifier: BSD-3-Clause
 * The end of a job of many tasks, in one process: the tasks' files go through
 * the code with which libhpm_mpi merges along a tree, and, for comparison, one
 * after the other into one task.
 *
 *     jobtree TASKS SECTIONS MIB
 *
 * Times are of the processor.  "as if at once" adds up what must follow each
 * other when each task has a processor of its own; the network is not in it,
 * only the number of bytes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/string.h"
#include "host/memory.h"
#include "mpi/jobfile.h"
#include "base/jobtree.h"

enum { N_COUNTERS = 4, N_COSTS = 8, MOST_LEVELS = 31 };

#define MIB 1048576.0

static int n_tasks, n_sections;
static size_t most_memory;

static struct {
    unsigned long n;
    double seconds;
    size_t bytes, memory; /* the most of one */
} levels[MOST_LEVELS];

static size_t n_files, n_bytes;
static double last_end; /* of all that is written */
static char folder[] = "/tmp/hpm-bench-XXXXXX";

static double
now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void
stop(const struct hpm_error *err)
{
    fprintf(stderr, "jobtree: %s\n", err->text);
    exit(1);
}

/* ---- the file of a task ------------------------------------------------ */

static void
add_calibration(struct hpm_string *text, int task)
{
    hpm_string_add_format(text,
                          "  <Calibration task=\"%d\" scope=\"thread\" "
                          "when=\"init\" calls=\"1000\">\n",
                          task);
    for (int i = 0; i < N_COSTS; i++)
        hpm_string_add_format(text,
                              "    <cost name=\"c%d\" self=\"%d\" "
                              "self_median=\"%d\" self_max=\"%d\"/>\n",
                              i, i + task % 3, i + 2, i + 99);
    hpm_string_add(text, "  </Calibration>\n");
}

static void
add_section(struct hpm_string *text, int task, int section)
{
    hpm_string_add_format(
        text,
        "  <InstrumentationPt lid=\"s.c%d\" disp=\"true\" tid=\"0\" "
        "task=\"%d\" label=\"section %d\" file=\"s.c\" linestart=\"%d\" "
        "lineend=\"%d\" scope=\"thread\" inst=\"%d\" id=\"%d\">\n"
        "    <data name=\"Count\" value=\"%d\" kind=\"counter\"/>\n"
        "    <data name=\"ExcSec\" value=\"%d.123456789\" kind=\"time\" "
        "unit=\"s\"/>\n"
        "    <data name=\"IncSec\" value=\"%d.123456789\" kind=\"time\" "
        "unit=\"s\"/>\n",
        section + 1, task, section, section + 1, section + 5, section,
        section + 1, 10 + task % 7, section, section + 1);
    for (int i = 0; i < N_COUNTERS; i++)
        hpm_string_add_format(
            text,
            "    <data name=\"counter%d\" value=\"%d\" exclusive=\"%d\" "
            "mean=\"%d.5\" sdev=\"0.25\" overhead=\"77\" kind=\"counter\"/>\n",
            i, 1000 * section + task, 900 * section + task, section + task);
    hpm_string_add(text, "  </InstrumentationPt>\n");
}

static void
make_text(struct hpm_string *text, int task)
{
    hpm_string_clear(text);
    hpm_string_add_format(
        text,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<HPMPerformanceFile version=\"1\" complete=\"yes\" kind=\"run\">\n"
        "  <Run task=\"%d\" program=\"program\" job=\"4711\" pid=\"%d\" "
        "start=\"2026-11-20T11:30:00.%03dZ\" seconds=\"1.000000000\" "
        "tool=\"t\">\n  </Run>\n"
        "  <Machine task=\"%d\" host=\"node%d\" system=\"Linux\" "
        "arch=\"x86_64\" cpus=\"64\"/>\n",
        task, 1000 + task % 64, task % 1000, task, task / 64);
    add_calibration(text, task);
    add_calibration(text, task);
    for (int i = 0; i < n_sections; i++)
        add_section(text, task, i);
    hpm_string_add_format(
        text, "  <End records=\"%d\"/>\n</HPMPerformanceFile>\n", n_sections);
}

static void
add_text(struct hpm_jobfile *jobfile, const struct hpm_string *text)
{
    struct hpm_error err = {""};

    hpm_jobfile_begin_task(jobfile);
    hpm_jobfile_add(jobfile, text->text, text->length);
    if (!hpm_jobfile_end_task(jobfile, "task.hpm.xml", &err))
        stop(&err);
}

/* ---- the tree ---------------------------------------------------------- */

struct subtree {
    struct hpm_jobfile *jobfile;
    double end; /* when all of it is here, if each task has a processor */
};

/* The file is removed again; its writing counts. */
static void
write_file(struct subtree *tree)
{
    struct hpm_string name = {0};
    struct hpm_error err = {""};
    char *path = NULL;
    double start = now();

    if (!hpm_jobfile_write(tree->jobfile, folder, "job.hpm.xml", true, false,
                           &path, &name, &err))
        stop(&err);
    tree->end += now() - start;
    if (tree->end > last_end)
        last_end = tree->end;
    n_files++;
    unlink(path);
    hpm_memory_free(path);
    hpm_string_free(&name);
    hpm_jobfile_free(tree->jobfile);
}

static void
note(int level, size_t length, size_t memory, double seconds)
{
    levels[level].n++;
    levels[level].seconds += seconds;
    if (length > levels[level].bytes)
        levels[level].bytes = length;
    if (memory > levels[level].memory)
        levels[level].memory = memory;
    n_bytes += length;
}

/* Take a child, or let it write where there is no room. */
static void
take(struct subtree *to, struct subtree *child, int level)
{
    struct hpm_string bytes = {0};
    struct hpm_error err = {""};
    size_t memory =
        hpm_jobfile_memory(to->jobfile) + hpm_jobfile_memory(child->jobfile);
    double start = now();

    if (memory > most_memory) {
        write_file(child);
        return;
    }
    if (!hpm_jobfile_get_columns(child->jobfile, &bytes, &err))
        stop(&err);
    hpm_jobfile_free(child->jobfile);
    child->end += now() - start;
    start = now();
    if (!hpm_jobfile_add_columns(to->jobfile, bytes.text, bytes.length, &err))
        stop(&err);
    to->end = child->end > to->end ? child->end : to->end;
    to->end += now() - start;
    /* The bytes and the child's study are there until the merge is done. */
    note(level, bytes.length, memory + bytes.length, now() - start);
    hpm_string_free(&bytes);
}

static struct subtree
merge_subtree(int task, struct hpm_string *text)
{
    int n = hpm_jobtree_n_children(task, n_tasks);
    struct hpm_error err = {""};
    struct subtree tree = {hpm_jobfile_new(false, &err), 0};
    double start;

    if (tree.jobfile == NULL)
        stop(&err);
    make_text(text, task);
    start = now();
    add_text(tree.jobfile, text);
    tree.end = now() - start;
    for (int i = 0; i < n; i++) {
        struct subtree child = merge_subtree(hpm_jobtree_child(task, i), text);

        take(&tree, &child, i);
    }
    return tree;
}

static void
try_tree(struct hpm_string *text)
{
    struct subtree tree;
    double start = now();

    tree = merge_subtree(0, text);
    write_file(&tree);
    printf("level     merges    s each   MiB sent   MiB in a task\n");
    for (int i = 0; i < MOST_LEVELS && levels[i].n > 0; i++)
        printf("%5d %10lu %9.6f %10.3f %15.3f\n", i, levels[i].n,
               levels[i].seconds / (double)levels[i].n,
               (double)levels[i].bytes / MIB, (double)levels[i].memory / MIB);
    printf("tree: %zu file%s, %.1f MiB sent in all, %.3f s as if at once, "
           "%.1f s of all processors\n",
           n_files, n_files == 1 ? "" : "s", (double)n_bytes / MIB, last_end,
           now() - start);
}

/* ---- one after the other ------------------------------------------------ */

static void
try_series(struct hpm_string *text)
{
    struct hpm_error err = {""};
    struct subtree tree = {hpm_jobfile_new(false, &err), 0};
    size_t n_text_bytes = 0, memory;

    if (tree.jobfile == NULL)
        stop(&err);
    for (int i = 0; i < n_tasks; i++) {
        double start;

        make_text(text, i);
        start = now();
        add_text(tree.jobfile, text);
        tree.end += now() - start;
        n_text_bytes += text->length;
    }
    memory = hpm_jobfile_memory(tree.jobfile);
    write_file(&tree);
    printf("one task: 1 file, %.1f MiB sent in all, %.3f s, %.3f MiB in that "
           "task\n",
           (double)n_text_bytes / MIB, tree.end, (double)memory / MIB);
}

int
main(int argc, char **argv)
{
    struct hpm_string text = {0};

    if (argc != 4 || mkdtemp(folder) == NULL) {
        fprintf(stderr, "usage: jobtree TASKS SECTIONS MIB\n");
        return 2;
    }
    n_tasks = atoi(argv[1]);
    n_sections = atoi(argv[2]);
    most_memory = strtoul(argv[3], NULL, 10) << 20;
    make_text(&text, 0);
    printf("%d tasks of %d sections, files of %zu bytes, at most %s MiB in a "
           "task\n",
           n_tasks, n_sections, text.length, argv[3]);
    try_tree(&text);
    try_series(&text);
    hpm_string_free(&text);
    rmdir(folder);
    return 0;
}
