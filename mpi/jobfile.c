/* SPDX-License-Identifier: BSD-3-Clause
 * The performance file of a whole job, merged from the files of its tasks. */
#include "mpi/jobfile.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/message.h"
#include "base/string.h"
#include "file/output.h"
#include "file/written.h"
#include "host/descriptor.h"
#include "host/memory.h"
#include "host/path.h"
#include "host/write.h"
#include "study/columns/jobsummary.h"
#include "study/columns/merge.h"
#include "study/columns/studybytes.h"
#include "study/file/reader.h"
#include "study/file/studyfile.h"

#ifndef RENAME_NOREPLACE
#define RENAME_NOREPLACE 1
#endif

struct hpm_jobfile {
    struct hpm_study *study; /* all tasks; or */
    struct hpm_jobsummary *summary;
    int fd;    /* a task's file, in memory; -1: none */
    int error; /* errno of its failure */
};

struct hpm_jobfile *
hpm_jobfile_new(bool is_summary, struct hpm_error *err)
{
    struct hpm_jobfile *jobfile = hpm_memory_new(1, sizeof *jobfile);

    if (jobfile != NULL) {
        jobfile->fd = -1;
        if (is_summary)
            jobfile->summary = hpm_jobsummary_new();
        else
            jobfile->study = hpm_study_new(0);
    }
    if (jobfile == NULL ||
        (jobfile->study == NULL && jobfile->summary == NULL)) {
        hpm_memory_free(jobfile);
        hpm_error_no_memory(err);
        return NULL;
    }
    return jobfile;
}

void
hpm_jobfile_free(struct hpm_jobfile *jobfile)
{
    if (jobfile == NULL)
        return;
    if (jobfile->fd >= 0)
        close(jobfile->fd);
    hpm_study_free(jobfile->study);
    hpm_jobsummary_free(jobfile->summary);
    hpm_memory_free(jobfile);
}

/* ---- tasks ----------------------------------------------------------- */

void
hpm_jobfile_begin_task(struct hpm_jobfile *jobfile)
{
    jobfile->fd = hpm_descriptor_move_up(memfd_create("hpm-task", MFD_CLOEXEC));
    jobfile->error = jobfile->fd < 0 ? errno : 0;
}

void
hpm_jobfile_add(struct hpm_jobfile *jobfile, const char *bytes, size_t length)
{
    if (jobfile->error == 0)
        jobfile->error = hpm_write_all(jobfile->fd, bytes, length);
}

static bool
add_study(struct hpm_jobfile *jobfile, const struct hpm_study *other,
          struct hpm_error *err)
{
    bool is_broken;

    if (jobfile->summary != NULL)
        return hpm_jobsummary_add(jobfile->summary, other, true, err);
    return hpm_merge_add(jobfile->study, other, true, &is_broken, err);
}

static bool
read_task(struct hpm_jobfile *jobfile, const char *name, struct hpm_error *err)
{
    struct hpm_reader_report report = {0};
    struct hpm_study *study;
    bool is_good = false;

    if (jobfile->error == 0 && lseek(jobfile->fd, 0, SEEK_SET) != 0)
        jobfile->error = errno;
    if (jobfile->error != 0)
        return hpm_error_set(err, "%.200s: cannot be kept in memory: %s", name,
                             strerror(jobfile->error));
    study = hpm_reader_read_open(jobfile->fd, name, 0, &report, err);
    if (study != NULL && report.is_cut)
        hpm_error_set(err, "%.200s: came incomplete", name);
    else if (study != NULL && report.n_unknown > 0)
        hpm_error_set(err, "%.200s: has what this HPM Toolkit does not know",
                      name);
    else
        is_good = study != NULL && add_study(jobfile, study, err);
    hpm_notes_free(&report.notes);
    hpm_study_free(study);
    return is_good;
}

bool
hpm_jobfile_end_task(struct hpm_jobfile *jobfile, const char *name,
                     struct hpm_error *err)
{
    bool is_good = read_task(jobfile, name, err);

    if (jobfile->fd >= 0)
        close(jobfile->fd);
    jobfile->fd = -1;
    return is_good;
}

size_t
hpm_jobfile_n_tasks(const struct hpm_jobfile *jobfile)
{
    return jobfile->summary != NULL ? hpm_jobsummary_n_tasks(jobfile->summary)
                                    : jobfile->study->n_tasks;
}

/* ---- columns --------------------------------------------------------- */

size_t
hpm_jobfile_memory(const struct hpm_jobfile *jobfile)
{
    return jobfile->summary != NULL ? hpm_jobsummary_memory(jobfile->summary)
                                    : jobfile->study->arena.taken;
}

bool
hpm_jobfile_get_columns(const struct hpm_jobfile *jobfile,
                        struct hpm_string *ret_bytes, struct hpm_error *err)
{
    struct hpm_study *study = jobfile->study;
    bool is_good;

    if (jobfile->summary != NULL)
        study = hpm_jobsummary_study(jobfile->summary, err);
    is_good = study != NULL && hpm_studybytes_write(study, ret_bytes, err);
    if (study != jobfile->study)
        hpm_study_free(study);
    return is_good;
}

bool
hpm_jobfile_add_columns(struct hpm_jobfile *jobfile, const char *bytes,
                        size_t length, struct hpm_error *err)
{
    struct hpm_study *study = hpm_studybytes_read(bytes, length, 0, err);
    bool is_good = study != NULL && add_study(jobfile, study, err);

    hpm_study_free(study);
    return is_good;
}

/* ---- the file -------------------------------------------------------- */

static bool
write_to(const struct hpm_study *study,
         const struct hpm_destination *destination, bool is_synced,
         char **ret_path, struct hpm_error *err)
{
    struct hpm_output *output = hpm_output_open(destination, err);

    if (output == NULL)
        return false;
    if (!hpm_studyfile_write(study, output, err)) {
        hpm_output_abandon(output);
        return false;
    }
    return hpm_output_commit(output, is_synced, ret_path, err);
}

/* "NAME.tasks-0-63.hpm.xml" for NAME.hpm.xml: the files of a job stand together
 * in a list of names, and one pattern finds them. */
static void
name_part(const struct hpm_jobfile *jobfile, const char *name,
          struct hpm_string *ret_name)
{
    static const char end[] = ".hpm.xml";
    size_t length = strlen(name);
    const struct hpm_study *study = jobfile->study;
    int first, last;

    if (study != NULL) {
        first = study->tasks[0].number;
        last = study->tasks[study->n_tasks - 1].number;
    } else {
        first = hpm_jobsummary_first_task(jobfile->summary);
        last = hpm_jobsummary_last_task(jobfile->summary);
    }
    if (length > strlen(end) && strcmp(name + length - strlen(end), end) == 0)
        length -= strlen(end);
    hpm_string_add_bytes(ret_name, name, length);
    hpm_string_add_format(ret_name, ".tasks-%d-%d%s", first, last,
                          name + length);
}

/* What is to be written; NULL when it cannot be made. */
static struct hpm_study *
end_study(struct hpm_jobfile *jobfile, struct hpm_error *err)
{
    if (jobfile->summary != NULL)
        return hpm_jobsummary_study(jobfile->summary, err);
    return hpm_merge_end(jobfile->study, true, err) ? jobfile->study : NULL;
}

static bool
write_in(const struct hpm_study *study, const char *folder, const char *name,
         bool is_synced, char **ret_path, struct hpm_error *err)
{
    struct hpm_destination destination;
    struct hpm_string path = {0};
    bool is_good;

    hpm_string_add_format(&path, "%s/%s", folder, name);
    is_good = path.failed ? hpm_error_no_memory(err)
                          : hpm_destination_fix(&destination, path.text, err);
    hpm_string_free(&path);
    if (!is_good)
        return false;
    is_good = write_to(study, &destination, is_synced, ret_path, err);
    if (is_good)
        hpm_written_add(*ret_path);
    hpm_destination_clear(&destination);
    return is_good;
}

bool
hpm_jobfile_write(struct hpm_jobfile *jobfile, const char *folder,
                  const char *name, bool is_part, bool is_synced,
                  char **ret_path, struct hpm_string *ret_name,
                  struct hpm_error *err)
{
    struct hpm_study *study = end_study(jobfile, err);
    bool is_good;

    if (study == NULL)
        return false;
    if (is_part)
        name_part(jobfile, name, ret_name);
    else
        hpm_string_add(ret_name, name);
    is_good = ret_name->failed
                  ? hpm_error_no_memory(err)
                  : write_in(study, folder, hpm_string_text(ret_name),
                             is_synced, ret_path, err);
    if (study != jobfile->study)
        hpm_study_free(study);
    return is_good;
}

/* Rename to the first free of NAME, NAME.1 ..., but stop at the file's own
 * name. */
static void
find_name(const char *path, size_t folder, const char *name,
          struct hpm_string *ret_path)
{
    for (unsigned suffix = 0; !ret_path->failed; suffix++) {
        hpm_string_clear(ret_path);
        hpm_string_add_bytes(ret_path, path, folder);
        hpm_string_add(ret_path, name);
        if (suffix > 0)
            hpm_string_add_format(ret_path, ".%u", suffix);
        if (ret_path->failed || strcmp(ret_path->text, path) == 0 ||
            syscall(SYS_renameat2, AT_FDCWD, path, AT_FDCWD, ret_path->text,
                    RENAME_NOREPLACE) == 0 ||
            errno != EEXIST)
            return;
    }
}

void
hpm_jobfile_rename(const char *path, const char *name)
{
    size_t folder = (size_t)(hpm_path_base_name(path) - path);
    struct hpm_string found = {0};

    find_name(path, folder, name, &found);
    if (found.failed || access(found.text, F_OK) != 0) {
        hpm_string_clear(&found);
        hpm_string_add(&found, path);
    }
    if (!found.failed && strcmp(found.text, path) != 0)
        hpm_written_add(found.text);
    if (!found.failed && strcmp(found.text + folder, name) != 0)
        hpm_message_say_format("%s exists already; wrote %s", name, found.text);
    hpm_string_free(&found);
}
