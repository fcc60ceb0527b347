/* SPDX-License-Identifier: BSD-3-Clause
 * Several hpm that one launcher has started share the work.
 *
 *     .hpm-together-JOB/3      what hpm number 3 and those below it have read:
 *                              a head, then the study as bytes
 *
 * A file gets its name when it is whole.  A program of a job may start hpm, too:
 * that hpm is alone, though it finds the variables of the launcher.  So hpm
 * looks at its parent: only a launcher's process starts all of them. */
#include "hpm/frame/together.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/env.h"
#include "base/launcher.h"
#include "host/memory.h"
#include "host/write.h"
#include "base/jobtree.h"
#include "source/machine/procfile.h"
#include "study/columns/merge.h"
#include "study/columns/studybytes.h"
#include "study/file/summarise.h"

enum { TIMEOUT_SECONDS = 600, FOLDER_BYTES = 240, NAME_BYTES = 300 };

/* Stands before the bytes of the study. */
struct head {
    uint64_t token;  /* of this time; what another time has left is not taken */
    uint64_t length; /* of the study; 0: there is none */
    uint64_t n_taken, n_bad;
    uint64_t is_broken; /* what went wrong was said there */
};

struct together {
    struct inputs *inputs;
    int rank, n;
    bool is_forced;
    char folder[FOLDER_BYTES];
};

/* ---- are there several? ------------------------------------------------- */

/* Processes that start the processes of a job on a node: of MPICH, Open MPI 4 and
 * 5, and Slurm. */
static bool
is_launcher(const char *name)
{
    static const char *const names[] = {"hydra_pmi_proxy", "mpirun", "mpiexec",
                                        "mpiexec.hydra",   "orted",  "prted",
                                        "slurmstepd",      "prterun"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        /* The kernel keeps 15 bytes of a name. */
        if (strncmp(name, names[i], 15) == 0)
            return true;
    }
    return strncmp(name, "mpirun.", 7) == 0 ||
           strncmp(name, "mpiexec.", 8) == 0;
}

static bool
has_launcher(void)
{
    char path[40], name[64];

    snprintf(path, sizeof path, "/proc/%ld/comm", (long)getppid());
    return hpm_procfile_line(path, name, sizeof name) && is_launcher(name);
}

/* A job without a name is that of the launcher's process on this node. */
static bool
find_together(struct together *together)
{
    char job[200];

    together->rank = hpm_launcher_rank();
    together->n = hpm_launcher_size();
    if (together->rank < 0 || together->n < 2 ||
        together->rank >= together->n || !has_launcher())
        return false;
    hpm_launcher_job(job, sizeof job);
    for (char *c = job; *c != '\0'; c++) {
        if (*c == '/')
            *c = '_';
    }
    if (job[0] == '\0')
        snprintf(job, sizeof job, "%ld", (long)getppid());
    snprintf(together->folder, sizeof together->folder, ".hpm-together-%s",
             job);
    return true;
}

/* ---- the own part ------------------------------------------------------- */

/* Keep the files of this hpm: neighbours, as many as others have.  What is wrong
 * with the words is said by the first one. */
static void
keep_part(struct together *together)
{
    struct hpm_inputs *all = &together->inputs->all;
    size_t n = (size_t)together->n, rank = (size_t)together->rank;
    size_t first = all->n_files * rank / n;
    size_t end = all->n_files * (rank + 1) / n;

    for (size_t i = 0; i < all->n_files; i++) {
        if (i >= first && i < end)
            continue;
        hpm_memory_free(all->files[i].path);
        all->files[i].path = NULL;
    }
    memmove(all->files, all->files + first, (end - first) * sizeof *all->files);
    all->n_files = end - first;
    if (together->rank == 0)
        return;
    all->has_standard_input = false;
    all->n_repeated = 0;
    for (size_t i = 0; i < all->n_refusals; i++) {
        hpm_memory_free(all->refusals[i].file);
        hpm_memory_free(all->refusals[i].reason);
        hpm_memory_free(all->refusals[i].unsaid);
    }
    all->n_refusals = 0;
}

/* ---- handing over ------------------------------------------------------- */

static void
name_file(const struct together *together, int rank, const char *end,
          char *ret_name)
{
    snprintf(ret_name, NAME_BYTES, "%s/%d%s", together->folder, rank, end);
}

static bool
write_file(const char *name, const struct head *head,
           const struct hpm_string *bytes, struct hpm_error *err)
{
    int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    int error = fd < 0 ? errno : 0;

    if (error == 0)
        error = hpm_write_all(fd, (const char *)head, sizeof *head);
    if (error == 0 && bytes->length > 0)
        error = hpm_write_all(fd, bytes->text, bytes->length);
    if (fd >= 0 && close(fd) != 0 && error == 0)
        error = errno;
    return error == 0 || hpm_error_set(err, "cannot write '%.300s': %s", name,
                                       strerror(error));
}

/* The first hpm writes a number that no earlier one had.  0: it is not there. */
static uint64_t
read_token(const struct together *together)
{
    char name[NAME_BYTES];
    uint64_t token = 0;
    int fd;

    snprintf(name, sizeof name, "%s/token", together->folder);
    fd = open(name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (fd >= 0 && read(fd, &token, sizeof token) != sizeof token)
        token = 0;
    if (fd >= 0)
        close(fd);
    return token;
}

static bool
write_token(const struct together *together, struct hpm_error *err)
{
    char part[NAME_BYTES + 8], whole[NAME_BYTES];
    struct head head = {0};
    struct hpm_string none = {0};

    snprintf(whole, sizeof whole, "%s/token", together->folder);
    snprintf(part, sizeof part, "%s.part", whole);
    if (getrandom(&head.token, sizeof head.token, 0) != sizeof head.token)
        return hpm_error_set(err, "no random number: %s", strerror(errno));
    head.token |= 1;
    return write_file(part, &head, &none, err) &&
           (rename(part, whole) == 0 ||
            hpm_error_set(err, "cannot rename '%.300s': %s", part,
                          strerror(errno)));
}

/* The folder belongs to this user alone: other users plant no links there. */
static bool
make_folder(const struct together *together, struct hpm_error *err)
{
    struct stat status;

    if (mkdir(together->folder, 0700) != 0 && errno != EEXIST)
        return hpm_error_set(err, "cannot make the folder '%.300s': %s",
                             together->folder, strerror(errno));
    if (lstat(together->folder, &status) != 0 || !S_ISDIR(status.st_mode) ||
        status.st_uid != geteuid() || (status.st_mode & 077) != 0)
        return hpm_error_set(err, "'%.300s' is not a folder of this user alone",
                             together->folder);
    return together->rank > 0 || write_token(together, err);
}

/* To the hpm that takes from this one. */
static bool
hand_over(const struct together *together, const struct hpm_study *study,
          struct head *head, struct hpm_error *err)
{
    char whole[NAME_BYTES], part[NAME_BYTES];
    struct hpm_string bytes = {0};
    bool is_good;

    name_file(together, together->rank, "", whole);
    name_file(together, together->rank, ".part", part);
    is_good = study == NULL || hpm_studybytes_write(study, &bytes, err);
    head->token = read_token(together);
    head->length = bytes.length;
    head->is_broken |= !is_good;
    if (head->is_broken)
        head->length = bytes.length = 0;
    is_good = write_file(part, head, &bytes, err) && is_good;
    if (rename(part, whole) != 0 && is_good)
        is_good = hpm_error_set(err, "cannot rename '%.300s': %s", part,
                                strerror(errno));
    hpm_string_free(&bytes);
    return is_good;
}

/* Is this file of this time?  What an earlier time has left is removed. */
static bool
is_of_this_time(const struct together *together, const char *name, int fd)
{
    uint64_t token = read_token(together), files = 0;

    if (token != 0 && pread(fd, &files, sizeof files, 0) == sizeof files &&
        files == token)
        return true;
    if (token != 0 && token != files)
        unlink(name);
    return false;
}

/* The file of another hpm, when it is whole; -1 when it does not come. */
static int
wait_for_file(const struct together *together, const char *name)
{
    const struct timespec step = {0, 20000000};
    unsigned long seconds =
        hpm_env_number(HPM_VARIABLE_TIMEOUT, 1, TIMEOUT_SECONDS);
    struct timespec now, start;
    int fd;

    clock_gettime(CLOCK_MONOTONIC, &start);
    do {
        fd = open(name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
        if (fd >= 0 && is_of_this_time(together, name, fd))
            return fd;
        if (fd >= 0)
            close(fd);
        nanosleep(&step, NULL);
        clock_gettime(CLOCK_MONOTONIC, &now);
    } while ((unsigned long)(now.tv_sec - start.tv_sec) < seconds);
    return -1;
}

static bool
set_torn(struct hpm_error *err)
{
    return hpm_error_set(err, "what another hpm has read cannot be taken over: "
                              "its file was changed; one hpm alone, without "
                              "the launcher, merges the files");
}

/* Read what stands in the file; *ret_study is NULL where that is no study. */
static bool
read_file(const struct together *together, int fd, struct head *ret_head,
          struct hpm_study **ret_study, struct hpm_error *err)
{
    struct stat status;
    const char *bytes;
    bool is_good;

    *ret_study = NULL;
    if (fstat(fd, &status) != 0 || (size_t)status.st_size < sizeof *ret_head)
        return set_torn(err);
    bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (bytes == MAP_FAILED)
        return hpm_error_set(
            err,
            "what another hpm has read cannot be taken over: "
            "%s; one hpm alone, without the launcher, merges the files",
            strerror(errno));
    memcpy(ret_head, bytes, sizeof *ret_head);
    is_good = ret_head->length == (size_t)status.st_size - sizeof *ret_head ||
              set_torn(err);
    if (is_good && ret_head->length > 0)
        *ret_study =
            hpm_studybytes_read(bytes + sizeof *ret_head, ret_head->length,
                                together->inputs->all.most_bytes, err);
    munmap((void *)(uintptr_t)bytes, (size_t)status.st_size);
    return is_good && (ret_head->length == 0 || *ret_study != NULL);
}

/* A single file is no merge yet. */
static bool
begin_merge(const struct together *together, struct hpm_study **study,
            struct hpm_error *err)
{
    struct hpm_study *merged;
    bool is_broken, is_good;

    if ((*study)->kind != HPM_STUDY_RUN)
        return true;
    merged = hpm_study_new(together->inputs->all.most_bytes);
    is_good = merged != NULL
                  ? hpm_merge_add(merged, *study, true, &is_broken, err)
                  : hpm_error_no_memory(err);
    hpm_study_free(*study);
    *study = merged;
    return is_good;
}

static bool
add_study(const struct together *together, struct hpm_study **study,
          struct hpm_study *other, struct hpm_error *err)
{
    bool is_broken, is_good;

    if (other == NULL)
        return true;
    if (*study == NULL) {
        *study = other;
        return true;
    }
    if (!begin_merge(together, study, err)) {
        hpm_study_free(other);
        return false;
    }
    is_good =
        hpm_merge_add(*study, other, together->is_forced, &is_broken, err);
    hpm_study_free(other);
    return is_good;
}

/* Take what another hpm has read. */
static bool
take_from(const struct together *together, int rank, struct head *head,
          struct hpm_study **study, struct hpm_error *err)
{
    struct hpm_study *other = NULL;
    struct head others = {0};
    char name[NAME_BYTES];
    bool is_good;
    int fd;

    name_file(together, rank, "", name);
    fd = wait_for_file(together, name);
    if (fd < 0)
        return hpm_error_set(
            err,
            "hpm number %d of %d has not read its part of the "
            "files within HPM_TIMEOUT; do all of them see this "
            "folder?",
            rank, together->n);
    is_good = read_file(together, fd, &others, &other, err) &&
              add_study(together, study, other, err);
    close(fd);
    unlink(name);
    head->n_taken += others.n_taken;
    head->n_bad += others.n_bad;
    head->is_broken |= others.is_broken;
    return is_good;
}

/* Without the first hpm's token nobody would take what this one hands over. */
static bool
wait_for_token(const struct together *together, struct hpm_error *err)
{
    const struct timespec step = {0, 20000000};
    unsigned long n_looks =
        50 * hpm_env_number(HPM_VARIABLE_TIMEOUT, 1, TIMEOUT_SECONDS);

    for (unsigned long i = 0; i < n_looks; i++) {
        if (read_token(together) != 0)
            return true;
        nanosleep(&step, NULL);
    }
    return hpm_error_set(err, "hpm number 0 does not begin within HPM_TIMEOUT; "
                              "do all of them see this folder?");
}

static bool
take_all(const struct together *together, struct head *head,
         struct hpm_study **study, struct hpm_error *err)
{
    int n = hpm_jobtree_n_children(together->rank, together->n);

    for (int i = 0; i < n; i++) {
        if (!take_from(together, hpm_jobtree_child(together->rank, i), head,
                       study, err))
            return false;
    }
    return true;
}

/* ---- all ---------------------------------------------------------------- */

static void
remove_folder(const struct together *together)
{
    char name[NAME_BYTES];

    snprintf(name, sizeof name, "%s/token", together->folder);
    unlink(name);
    rmdir(together->folder);
}

/* The first hpm has the study of all, in its order. */
static enum status
end_first(struct together *together, const struct head *head,
          struct hpm_study **study, struct hpm_error *err)
{
    struct hpm_inputs *all = &together->inputs->all;

    remove_folder(together);
    if (head->is_broken || *study == NULL)
        return NOTHING;
    if ((*study)->kind != HPM_STUDY_RUN &&
        !hpm_merge_end(*study, together->is_forced, err)) {
        subcommand_say(together->inputs->command, "%s", err->text);
        return NOTHING;
    }
    all->n_taken = head->n_taken;
    all->n_bad = head->n_bad;
    return head->n_bad > 0 ? SOME_BAD : GOOD;
}

/* Read the own part, and take from those below.  False after a failure, which is
 * said. */
static bool
read_part(struct together *together, struct head *head,
          struct hpm_study **study)
{
    const struct hpm_inputs *all = &together->inputs->all;
    struct hpm_error err = {""};
    bool is_good;

    keep_part(together);
    if (all->n_files > 0 || all->has_standard_input || all->n_refusals > 0) {
        inputs_merge(together->inputs, together->is_forced, study);
        head->n_taken = all->n_taken;
        head->n_bad = all->n_bad;
    }
    is_good = take_all(together, head, study, &err);
    head->is_broken |= !is_good;
    if (!is_good)
        subcommand_say(together->inputs->command, "%s", err.text);
    return is_good;
}

static enum status
merge_part(struct together *together, struct hpm_study **study)
{
    struct head head = {0};
    struct hpm_error err = {""};
    bool is_good;

    if (!make_folder(together, &err)) {
        subcommand_say(together->inputs->command, "%s", err.text);
        return NOTHING;
    }
    is_good = read_part(together, &head, study);
    if (together->rank == 0)
        return end_first(together, &head, study, &err);
    if (!wait_for_token(together, &err) ||
        !hand_over(together, *study, &head, &err)) {
        subcommand_say(together->inputs->command, "%s", err.text);
        is_good = false;
    }
    hpm_study_free(*study);
    *study = NULL;
    return is_good ? GOOD : NOTHING;
}

/* The parts are handed over with all tasks: a summary is made at the end. */
static enum status
merge_together(struct together *together, bool is_summary,
               struct hpm_study **ret_study)
{
    struct hpm_error err;
    enum status status = merge_part(together, ret_study);

    if (status != NOTHING && is_summary && *ret_study != NULL) {
        *ret_study = hpm_summarise(*ret_study, together->is_forced, &err);
        if (*ret_study == NULL) {
            subcommand_say(together->inputs->command, "%s", err.text);
            return NOTHING;
        }
    }
    if (status == NOTHING) {
        hpm_study_free(*ret_study);
        *ret_study = NULL;
    }
    return status;
}

enum status
together_merge(struct inputs *inputs, bool is_forced, bool is_summary,
               struct hpm_study **ret_study)
{
    struct together together = {.inputs = inputs, .is_forced = is_forced};

    *ret_study = NULL;
    if (find_together(&together))
        return merge_together(&together, is_summary, ret_study);
    return is_summary ? inputs_summarise(inputs, is_forced, ret_study)
                      : inputs_merge(inputs, is_forced, ret_study);
}
