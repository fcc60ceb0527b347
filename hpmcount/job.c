/* SPDX-License-Identifier: BSD-3-Clause
 * The tasks of a job that make a common report. */
#include "hpmcount/job.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/env.h"
#include "base/launcher.h"
#include "host/memory.h"
#include "host/path.h"
#include "hpmcount/say.h"
#include "hpmcount/sibling.h"
#include "hpmcount/webpage.h"

#ifndef RENAME_NOREPLACE
#define RENAME_NOREPLACE 1
#endif

enum { PATIENCE_S = 60, STEP_MS = 20 };

/* ---- names ----------------------------------------------------------- */

/* The path of the folder, or of a file in it. */
static char *
path_in(const struct job *job, const char *name)
{
    struct hpm_string path = {0};

    hpm_string_add(&path, job->folder);
    hpm_string_add_char(&path, '/');
    hpm_string_add(&path, name);
    return path.text;
}

static char *
path_of_task(const struct job *job, int task, const char *ending)
{
    char name[32];

    snprintf(name, sizeof name, "%06d%s", task, ending);
    return path_in(job, name);
}

/* Jobs are distinguished by their names, or by their launcher's process on this
 * machine, which is the parent of the tasks. */
static void
add_key(struct hpm_string *path)
{
    char job[256];

    hpm_launcher_job(job, sizeof job);
    for (char *c = job; *c != '\0'; c++) {
        if (*c == '/')
            *c = '_';
    }
    if (job[0] != '\0')
        hpm_string_add(path, job);
    else
        hpm_string_add_format(path, "%ld", (long)getppid());
}

static bool
choose_names(struct job *job, const struct outputs *outputs,
             struct hpm_error *err)
{
    struct hpm_string folder = {0}, result = {0};

    if (outputs->has_file)
        hpm_string_add(&folder, outputs->file.folder);
    else
        hpm_string_add(&folder, ".");
    hpm_string_add(&folder, "/.hpm-job-");
    add_key(&folder);
    job->folder = folder.text;
    job->keeps_result = outputs->has_file;
    if (job->keeps_result)
        hpm_destination_add_path(&outputs->file, outputs->file.name, &result);
    else
        hpm_string_add_format(&result, "%s/result.xml",
                              hpm_string_text(&folder));
    job->result = result.text;
    job->own_file = path_of_task(job, job->task, ".hpm.xml");
    return (!folder.failed && !result.failed && job->own_file != NULL) ||
           hpm_error_no_memory(err);
}

/* ---- begin ----------------------------------------------------------- */

static void
remove_one(char *path)
{
    if (path != NULL)
        unlink(path);
    hpm_memory_free(path);
}

/* The n-th name for a task's file of an earlier job.  It is beside the job's
 * folder, because the folder is removed at the end. */
static void
add_old_name(const struct job *job, unsigned n, struct hpm_string *old)
{
    hpm_string_clear(old);
    hpm_string_add_format(old, "%s-earlier/%06d.hpm.xml", job->folder,
                          job->task);
    if (n > 0)
        hpm_string_add_format(old, ".%u", n);
}

/* A file system without RENAME_NOREPLACE has links, which replace nothing
 * either. */
static bool
move(const char *from, const char *to)
{
    if (syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to,
                RENAME_NOREPLACE) == 0)
        return true;
    return (errno == EINVAL || errno == ENOSYS) && link(from, to) == 0 &&
           unlink(from) == 0;
}

/* Keep this task's file of an earlier job by moving it; never replace another
 * file. */
static void
keep_earlier(const struct job *job)
{
    struct hpm_string folder = {0}, old = {0};
    bool is_moved = false;

    if (access(job->own_file, F_OK) != 0)
        return;
    hpm_string_add_format(&folder, "%s-earlier", job->folder);
    if (!folder.failed)
        mkdir(folder.text, 0777);
    for (unsigned n = 0; !old.failed && !is_moved; n++) {
        add_old_name(job, n, &old);
        is_moved = !old.failed && move(job->own_file, old.text);
        if (!is_moved && errno != EEXIST)
            break;
    }
    if (is_moved) {
        say("-a: an earlier job of this name has left "
            "a file, which is now '%s'",
            old.text);
    }
    hpm_string_free(&folder);
    hpm_string_free(&old);
}

/* Remove what an earlier job of this name left: its marks are out of date, but
 * a task's file belongs to the user and is kept. */
static void
clear_earlier(const struct job *job)
{
    remove_one(path_of_task(job, job->task, ".done"));
    keep_earlier(job);
    if (job->task == 0) {
        remove_one(path_in(job, "taken"));
        remove_one(path_in(job, "early"));
    }
}

bool
job_begin(struct job *ret_job, struct outputs *outputs, struct hpm_error *err)
{
    struct job job = {.task = hpm_launcher_rank(),
                      .n_tasks = hpm_launcher_size()};

    if (job.task < 0 || job.n_tasks < 1)
        return hpm_error_set(err, "-a: no launcher says which task of how many "
                                  "this is; expected mpirun -n 4 hpmcount -a "
                                  "program; -A counts the whole machine");
    if (!choose_names(&job, outputs, err)) {
        job_clear(&job);
        return false;
    }
    *ret_job = job;
    if (mkdir(job.folder, 0777) != 0 && errno != EEXIST)
        return hpm_error_set(err, "-a: cannot make the folder '%s': %s",
                             job.folder, strerror(errno));
    clear_earlier(&job);
    if (outputs->has_file)
        hpm_destination_clear(&outputs->file);
    outputs->has_file = hpm_destination_fix(&outputs->file, job.own_file, err);
    return outputs->has_file;
}

void
job_clear(struct job *job)
{
    hpm_memory_free(job->folder);
    hpm_memory_free(job->own_file);
    hpm_memory_free(job->result);
    *job = (struct job){0};
}

/* ---- marks ----------------------------------------------------------- */

/* Make a new file; false when the file existed. */
static bool
make_mark(char *path)
{
    int fd = path != NULL
                 ? open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666)
                 : -1;

    hpm_memory_free(path);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

static bool
is_there(char *path)
{
    bool is_there = path != NULL && access(path, F_OK) == 0;

    hpm_memory_free(path);
    return is_there;
}

/* Append the numbers of tasks that are not done; returns how many. */
static int
list_missing(const struct job *job, struct hpm_string *list)
{
    int n = 0;

    for (int i = 0; i < job->n_tasks; i++) {
        if (is_there(path_of_task(job, i, ".done")))
            continue;
        if (n++ < 20)
            hpm_string_add_format(list, "%s%d", n > 1 ? ", " : "", i);
    }
    if (n > 20)
        hpm_string_add(list, " ...");
    return n;
}

static bool
are_all_done(const struct job *job)
{
    struct hpm_string list = {0};
    int n = list_missing(job, &list);

    hpm_string_free(&list);
    return n == 0;
}

/* ---- the report of all ----------------------------------------------- */

/* Remove the folder with all files of the tasks. */
static void
remove_folder(const struct job *job)
{
    for (int i = 0; i < job->n_tasks; i++) {
        remove_one(path_of_task(job, i, ".hpm.xml"));
        remove_one(path_of_task(job, i, ".done"));
    }
    remove_one(path_in(job, "early"));
    remove_one(path_in(job, "taken"));
    remove_one(path_in(job, "result.xml"));
    rmdir(job->folder);
}

static void
say_by_hand(const struct job *job, const char *why)
{
    say("-a: %s; 'hpm merge -o %s %s' makes one file of the "
        "%d tasks",
        why, job->keeps_result ? job->result : "all.hpm.xml", job->folder,
        job->n_tasks);
}

static bool
is_quiet(const struct outputs *outputs)
{
    return outputs->options->is_quiet && !outputs->has_log &&
           !outputs->has_log_fd;
}

/* Print the report; false where there is none. */
static bool
report(const struct job *job, const struct outputs *outputs)
{
    const char *const arguments[] = {
        "hpm",       "report",    "--format", outputs->options->format->name,
        job->result, (char *)NULL};
    struct hpm_string text = {0};
    int status = sibling_run(NULL, arguments, &text);
    bool is_good = sibling_was_good(status);

    if (is_good)
        outputs_write_report(outputs, &text);
    hpm_string_free(&text);
    return is_good;
}

/* Make the page; false where one is wanted but was not made. */
static bool
make_page(const struct job *job, const struct outputs *outputs)
{
    const char *name = hpm_path_base_name(job->result);
    struct hpm_string folder = {0};
    bool is_made;

    if (!outputs->has_page)
        return true;
    hpm_string_add_bytes(&folder, job->result, (size_t)(name - job->result));
    is_made =
        !folder.failed &&
        webpage_make(outputs, folder.length > 0 ? folder.text : NULL, &name, 1);
    hpm_string_free(&folder);
    if (!is_made && job->keeps_result)
        webpage_say_by_hand(outputs, job->result, 1);
    else if (!is_made)
        say_by_hand(job, "--html: there is no page");
    return is_made;
}

/* An existing file is never replaced: take the next free name. */
static void
choose_free_result(struct job *job)
{
    struct hpm_string path = {0};

    hpm_string_add(&path, job->result);
    for (unsigned i = 1; access(hpm_string_text(&path), F_OK) == 0; i++) {
        hpm_string_clear(&path);
        hpm_string_add_format(&path, "%s.%u", job->result, i);
    }
    if (path.failed) {
        hpm_string_free(&path);
        return;
    }
    hpm_memory_free(job->result);
    job->result = path.text;
}

/* Merged with --force: the tasks of a job may run one after another. */
static void
merge_and_report(const struct job *job, const struct outputs *outputs,
                 bool is_last)
{
    const char *const arguments[] = {"hpm",       "merge",     "--force",
                                     "-o",        job->result, job->folder,
                                     (char *)NULL};
    struct hpm_string said = {0};
    int status = sibling_run(NULL, arguments, &said);
    bool is_reported, has_page;

    hpm_string_free(&said);
    if (!sibling_was_good(status)) {
        say_by_hand(job,
                    status == -1 ? "hpm is not found" : "hpm merge failed");
        return;
    }
    is_reported = is_quiet(outputs) || report(job, outputs);
    if (!is_reported && job->keeps_result)
        say("-a: hpm report failed; what all tasks have is in %s", job->result);
    else if (!is_reported)
        say_by_hand(job, "hpm report failed");
    has_page = make_page(job, outputs);
    if (is_last && status == 0 &&
        ((is_reported && has_page) || job->keeps_result))
        remove_folder(job);
}

/* ---- the end --------------------------------------------------------- */

enum waited { ALL_ARE_DONE, ANOTHER_REPORTS, TIME_IS_OVER };

/* If another task made the report, it has removed the marks first. */
static enum waited
look_around(const struct job *job)
{
    if (are_all_done(job))
        return ALL_ARE_DONE;
    if (access(job->folder, F_OK) != 0 || is_there(path_in(job, "taken")))
        return ANOTHER_REPORTS;
    return TIME_IS_OVER;
}

static enum waited
wait_for_others(const struct job *job)
{
    unsigned long patience =
        hpm_env_number(HPM_VARIABLE_TIMEOUT, 0, PATIENCE_S);
    enum waited waited = look_around(job);
    struct timespec now, end;

    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec += (time_t)patience;
    while (waited == TIME_IS_OVER) {
        clock_gettime(CLOCK_MONOTONIC, &now);
        if (now.tv_sec > end.tv_sec ||
            (now.tv_sec == end.tv_sec && now.tv_nsec >= end.tv_nsec))
            break;
        nanosleep(&(struct timespec){0, STEP_MS * 1000000L}, NULL);
        waited = look_around(job);
    }
    return waited;
}

static void
say_missing(const struct job *job)
{
    struct hpm_string missing = {0};
    int n = list_missing(job, &missing);

    say("-a: no result of task%s %s of %d (HPM_TIMEOUT); the "
        "report is of the others, all files are in %s",
        n == 1 ? "" : "s", hpm_string_text(&missing), job->n_tasks,
        job->folder);
    hpm_string_free(&missing);
}

/* The first task to leave this mark makes the report. */
static void
report_once(struct job *job, const struct outputs *outputs, bool are_all_there)
{
    if (!are_all_there)
        make_mark(path_in(job, "early"));
    if (make_mark(path_in(job, "taken"))) {
        if (!are_all_there)
            say_missing(job);
        choose_free_result(job);
        merge_and_report(job, outputs, are_all_there);
    } else if (are_all_there && is_there(path_in(job, "early"))) {
        say_by_hand(job, "the report was made without this task, which ended "
                         "too late");
    }
}

void
job_end(struct job *job, const struct outputs *outputs)
{
    enum waited waited;

    make_mark(path_of_task(job, job->task, ".done"));
    waited = job->task == 0 ? wait_for_others(job) : look_around(job);
    if (waited == ALL_ARE_DONE || (waited == TIME_IS_OVER && job->task == 0))
        report_once(job, outputs, waited == ALL_ARE_DONE);
    else if (job->task != 0 && is_there(path_in(job, "early")))
        say_by_hand(job, "the report was made without this task, which ended "
                         "too late");
}
