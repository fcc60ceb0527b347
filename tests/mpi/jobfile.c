/* SPDX-License-Identifier: BSD-3-Clause
 * The file of a job, without a job: tasks are texts. */
#include "mpi/jobfile.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/memory.h"
#include "base/jobtree.h"
#include "tap.h"

static char folder[] = "/tmp/hpm-test-XXXXXX";

/* The file of a task with one section, called `calls` times. */
static void
make_text(char *ret_text, size_t size, int task, int calls)
{
    snprintf(ret_text, size,
             "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
             "<HPMPerformanceFile version=\"1\" complete=\"yes\" "
             "kind=\"run\">\n"
             "  <Run task=\"%d\" program=\"a &#38; b\" job=\"\" pid=\"%d\" "
             "start=\"2026-11-20T11:30:00.123Z\" seconds=\"1.000000000\" "
             "tool=\"t\">\n  </Run>\n"
             "  <InstrumentationPt lid=\"x.c1\" disp=\"true\" tid=\"0\" "
             "task=\"%d\" label=\"x\" file=\"x.c\" linestart=\"1\" "
             "lineend=\"2\" scope=\"thread\" inst=\"1\" id=\"1\">\n"
             "    <data name=\"Count\" value=\"%d\" kind=\"counter\"/>\n"
             "  </InstrumentationPt>\n"
             "  <End records=\"1\"/>\n</HPMPerformanceFile>\n",
             task, 100 + task, task, calls);
}

/* Add a task in two pieces. */
static bool
add_task(struct hpm_jobfile *jobfile, const char *text, size_t length,
         struct hpm_error *err)
{
    size_t half = length / 2;

    hpm_jobfile_begin_task(jobfile);
    hpm_jobfile_add(jobfile, text, half);
    hpm_jobfile_add(jobfile, text + half, length - half);
    return hpm_jobfile_end_task(jobfile, "task.hpm.xml", err);
}

/* Two tasks, the second one first, in the file `name`. */
static bool
write_two(const char *name, int second, char **ret_path, struct hpm_error *err)
{
    struct hpm_jobfile *jobfile = hpm_jobfile_new(false, err);
    struct hpm_string found = {0};
    char texts[2][1000];
    bool is_good = jobfile != NULL;

    make_text(texts[0], sizeof texts[0], 0, 7);
    make_text(texts[1], sizeof texts[1], second, 8);
    for (int i = 1; i >= 0 && is_good; i--)
        is_good = add_task(jobfile, texts[i], strlen(texts[i]), err);
    is_good = is_good && hpm_jobfile_n_tasks(jobfile) == 2 &&
              hpm_jobfile_write(jobfile, folder, name, false, false, ret_path,
                                &found, err);
    hpm_string_free(&found);
    hpm_jobfile_free(jobfile);
    return is_good;
}

static void
read_file(const char *path, char *ret_text, size_t size)
{
    FILE *file = fopen(path, "r");
    size_t n = file != NULL ? fread(ret_text, 1, size - 1, file) : 0;

    ret_text[n] = '\0';
    if (file != NULL)
        fclose(file);
}

static bool
exists(const char *name)
{
    char path[200];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    return access(path, F_OK) == 0;
}

static void
remove_file(const char *name)
{
    char path[200];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    unlink(path);
}

static void
test_two_tasks(void)
{
    struct hpm_error err = {""};
    char *path = NULL, text[4000];
    const char *first, *second;

    ok(write_two("job", 1, &path, &err), "two tasks make a file");
    read_file(path != NULL ? path : "", text, sizeof text);
    first = strstr(text, "task=\"0\" label=\"x\"");
    second = strstr(text, "task=\"1\" label=\"x\"");
    ok(strstr(text, "kind=\"merged\"") != NULL && first != NULL &&
           second != NULL && first < second,
       "with both, in the order of their numbers");
    ok(strstr(text, "value=\"7\"") != NULL &&
           strstr(text, "value=\"8\"") != NULL,
       "and their counts");
    ok(strstr(text, "a &#38; b") != NULL || strstr(text, "a &amp; b") != NULL,
       "what is escaped comes through");
    hpm_memory_free(path);
    remove_file("job");
    if (write_two("job", 0, &path, &err))
        read_file(path, text, sizeof text);
    ok(strstr(text, "task=\"0\" label=\"x\"") != NULL &&
           strstr(text, "task=\"1\" label=\"x\"") != NULL,
       "of two tasks with one number the second gets the next free one");
    hpm_memory_free(path);
    remove_file("job");
}

/* ---- along the tree ----------------------------------------------------- */

/* The tasks below `task`, as the task has them when it has taken from its
 * children. */
static struct hpm_jobfile *
merge_subtree(int task, int n, struct hpm_error *err)
{
    struct hpm_jobfile *jobfile = hpm_jobfile_new(false, err);
    int n_children = hpm_jobtree_n_children(task, n);
    char text[1000];
    bool is_good;

    make_text(text, sizeof text, task, 7 + task);
    is_good = jobfile != NULL && add_task(jobfile, text, strlen(text), err);
    for (int i = 0; i < n_children && is_good; i++) {
        struct hpm_jobfile *child =
            merge_subtree(hpm_jobtree_child(task, i), n, err);
        struct hpm_string bytes = {0};

        is_good =
            child != NULL && hpm_jobfile_get_columns(child, &bytes, err) &&
            hpm_jobfile_add_columns(jobfile, bytes.text, bytes.length, err);
        hpm_string_free(&bytes);
        hpm_jobfile_free(child);
    }
    if (is_good)
        return jobfile;
    hpm_jobfile_free(jobfile);
    return NULL;
}

/* Write the job's file, read its text, remove the file. */
static bool
take_text(struct hpm_jobfile *jobfile, bool is_part, const char *name,
          char *ret_text, size_t size)
{
    struct hpm_error err = {""};
    struct hpm_string found = {0};
    char *path = NULL;
    bool is_good = jobfile != NULL &&
                   hpm_jobfile_write(jobfile, folder, "job.hpm.xml", is_part,
                                     false, &path, &found, &err) &&
                   strcmp(found.text, name) == 0;

    read_file(path != NULL ? path : "", ret_text, size);
    remove_file(name);
    hpm_memory_free(path);
    hpm_string_free(&found);
    hpm_jobfile_free(jobfile);
    return is_good;
}

static struct hpm_jobfile *
merge_in_turn(int n, struct hpm_error *err)
{
    struct hpm_jobfile *jobfile = hpm_jobfile_new(false, err);
    char text[1000];

    for (int i = 0; i < n && jobfile != NULL; i++) {
        make_text(text, sizeof text, i, 7 + i);
        add_task(jobfile, text, strlen(text), err);
    }
    return jobfile;
}

static void
test_tree(void)
{
    static char first[100000], second[100000];
    struct hpm_error err = {""};
    int n_wrong = 0, n_unlike = 0;

    for (int n = 1; n < 40; n++) {
        bool is_there[40] = {true};
        int n_there = 1;

        for (int task = 0; task < n; task++) {
            for (int i = 0; i < hpm_jobtree_n_children(task, n); i++) {
                int child = hpm_jobtree_child(task, i);

                n_there += child < n && !is_there[child] &&
                           hpm_jobtree_parent(child) == task;
                is_there[child] = true;
            }
        }
        n_wrong += n_there != n;
        n_unlike += !take_text(merge_subtree(0, n, &err), false, "job.hpm.xml",
                               first, sizeof first) ||
                    !take_text(merge_in_turn(n, &err), false, "job.hpm.xml",
                               second, sizeof second) ||
                    strcmp(first, second) != 0;
    }
    is_count((uint64_t)n_wrong, 0, "in the tree each task has one parent");
    is_count((uint64_t)n_unlike, 0,
             "merged along the tree, the file is the same to the byte");
    ok(hpm_jobtree_n_children(0, INT_MAX) == 31 &&
           hpm_jobtree_n_children(1 << 30, INT_MAX) == 30,
       "there may be as many tasks as MPI can count");
    ok(take_text(merge_subtree(4, 8, &err), true, "job.tasks-4-7.hpm.xml",
                 first, sizeof first),
       "a part of the tasks has their numbers in the name of its file");
}

/* With each byte in turn replaced by others: in how many cases is a job's file
 * promised that cannot be made. */
static size_t
count_used(const struct hpm_string *bytes)
{
    static const unsigned char flips[] = {1, 0x40, 0xff};
    char *text = hpm_memory_new(bytes->length, 1);
    size_t n_wrong = 0;

    for (size_t i = 0; i < bytes->length * sizeof flips && text != NULL; i++) {
        struct hpm_error err = {""};
        struct hpm_jobfile *jobfile = hpm_jobfile_new(false, &err);
        struct hpm_string name = {0};
        char *path = NULL;

        memcpy(text, bytes->text, bytes->length);
        text[i / sizeof flips] ^= (char)flips[i % sizeof flips];
        if (hpm_jobfile_add_columns(jobfile, text, bytes->length, &err)) {
            n_wrong += !hpm_jobfile_write(jobfile, folder, "job", false, false,
                                          &path, &name, &err);
            remove_file("job");
        }
        hpm_memory_free(path);
        hpm_string_free(&name);
        hpm_jobfile_free(jobfile);
    }
    hpm_memory_free(text);
    return n_wrong;
}

static void
test_bad_columns(void)
{
    struct hpm_error err = {""};
    struct hpm_jobfile *child = merge_subtree(4, 8, &err);
    struct hpm_string bytes = {0};
    size_t n_wrong = 0;

    hpm_jobfile_get_columns(child, &bytes, &err);
    for (size_t i = 0; i < bytes.length; i++) {
        struct hpm_jobfile *jobfile = hpm_jobfile_new(false, &err);

        err.text[0] = '\0';
        n_wrong += hpm_jobfile_add_columns(jobfile, bytes.text, i, &err) ||
                   err.text[0] == '\0';
        hpm_jobfile_free(jobfile);
    }
    ok(bytes.length > 100 && n_wrong == 0,
       "columns that came in part are refused");
    is_count((uint64_t)count_used(&bytes), 0,
             "columns with a wrong byte are refused, or make a file");
    hpm_string_free(&bytes);
    hpm_jobfile_free(child);
}

static void
test_names(void)
{
    struct hpm_error err = {""};
    char *paths[3];

    for (int i = 0; i < 3; i++)
        write_two("job", 1, &paths[i], &err);
    ok(exists("job") && exists("job.1") && exists("job.2"),
       "a name that is taken gets a number");
    remove_file("job");
    hpm_jobfile_rename(paths[2], "job");
    ok(exists("job") && exists("job.1") && !exists("job.2"),
       "that goes when the name is free");
    remove_file("job.1");
    for (int i = 1; i < 3; i++) {
        hpm_memory_free(paths[i]);
        write_two("job", 1, &paths[i], &err);
    }
    remove_file("job.1");
    hpm_jobfile_rename(paths[2], "job");
    ok(exists("job") && exists("job.1") && !exists("job.2"),
       "or becomes the first that is free");
    hpm_jobfile_rename(paths[1], "job");
    ok(exists("job") && exists("job.1"), "or stays where none is");
    remove_file("job");
    remove_file("job.1");
    for (int i = 0; i < 3; i++)
        hpm_memory_free(paths[i]);
}

static void
test_bad_texts(void)
{
    struct hpm_error err;
    char text[1000];
    size_t n_wrong = 0, length;

    make_text(text, sizeof text, 0, 7);
    length = strlen(text);
    for (size_t i = 0; i + 1 < length; i++) {
        struct hpm_jobfile *jobfile = hpm_jobfile_new(false, &err);

        err.text[0] = '\0';
        n_wrong += add_task(jobfile, text, i, &err) ||
                   strstr(err.text, "task.hpm.xml") == NULL;
        hpm_jobfile_free(jobfile);
    }
    is_count(n_wrong, 0, "a text that came in part is refused and named");
}

static void
test_no_folder(void)
{
    struct hpm_error err = {""};
    char *path = NULL;

    ok(!write_two("gone/job", 1, &path, &err) && err.text[0] != '\0',
       "a folder that is not there is said");
}

static void
test_no_memory(void)
{
    bool is_right = true, is_written = false;
    unsigned long k;

    for (k = 1; k < 100000 && !is_written && is_right; k++) {
        struct hpm_error err = {""};
        char *path = NULL;

        hpm_memory_fail_at(k, true);
        is_written = write_two("job", 1, &path, &err);
        hpm_memory_fail_at(0, false);
        is_right = is_written || strstr(err.text, "memory") != NULL;
        if (!is_right)
            printf("# allocation %lu: '%s'\n", k, err.text);
        hpm_memory_free(path);
        remove_file("job");
    }
    ok(is_written && k > 3, "every allocation has failed");
    ok(is_right, "without memory there is no file, and it is said");
}

int
main(void)
{
    if (mkdtemp(folder) == NULL)
        return 99;
    test_two_tasks();
    test_tree();
    test_bad_columns();
    test_names();
    test_bad_texts();
    test_no_folder();
    test_no_memory();
    ok(rmdir(folder) == 0, "nothing else is left behind");
    return done();
}
