/* SPDX-License-Identifier: BSD-3-Clause
 * The input files of hpm compare: the runs of each side, and a baseline. */
#include "hpm/compare/storedruns.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "host/memory.h"
#include "host/write.h"
#include "hpm/frame/inputs.h"
#include "study/compare/baseline.h"
#include "study/compare/functions.h"
#include "study/metric/unify.h"

enum { MOST_BASELINE = 64 << 20 }; /* bytes */

/* ---- performance files -------------------------------------------------- */

static const char *
program_of(const struct hpm_study *study)
{
    return study->n_tasks > 0 && study->tasks[0].program != NULL
               ? study->tasks[0].program
               : "";
}

/* Is the program of this study the first one's? */
static bool
is_same_program(struct hpm_string *first, const struct hpm_study *study,
                bool any_program)
{
    const char *program = program_of(study);

    if (first->length == 0)
        hpm_string_add(first, program);
    if (any_program || program[0] == '\0' ||
        strcmp(hpm_string_text(first), program) == 0)
        return true;
    subcommand_say("compare",
                   "a run of '%.100s' beside one of '%.100s': --any-program "
                   "compares programs of different names, their sections by "
                   "their labels",
                   program, hpm_string_text(first));
    return false;
}

static void
add_name(struct hpm_samples *samples, const struct storedruns_side *side,
         const struct hpm_study *study)
{
    struct hpm_string name = {0};

    hpm_string_add_format(&name, "%s, %s", program_of(study), side->words[0]);
    if (side->n_words > 1)
        hpm_string_add(&name, " ...");
    hpm_samples_add_side(samples, hpm_string_text(&name));
    hpm_string_finish(&name, &samples->failed);
}

/* `functions` may be NULL. */
static bool
take(struct hpm_intake *intake, struct hpm_functions *functions,
     struct hpm_study *const *studies, size_t n, size_t side,
     struct hpm_error *err)
{
    for (size_t i = 0; i < n; i++) {
        if (!hpm_intake_take(intake, studies[i], side, i, err) ||
            (functions != NULL &&
             !hpm_functions_take(functions, studies[i], side, i, err)))
            return false;
    }
    return true;
}

/* One event may have different names in different runs: unify them. */
static bool
read_side(const struct storedruns_side *words, size_t side, bool is_forced,
          struct hpm_intake *intake, struct hpm_functions *functions,
          struct hpm_samples *samples, struct hpm_string *program,
          bool any_program, enum status *status)
{
    struct inputs inputs = {.command = "compare"};
    struct hpm_study **studies = NULL;
    struct hpm_error err = {""};
    enum status read = NOTHING;
    bool is_good = inputs_find(&inputs, words->words, words->n_words, &err);

    if (is_good)
        read = inputs_read_runs(&inputs, is_forced, &studies);
    *status = read > *status ? read : *status;
    is_good = is_good && read != NOTHING && inputs.all.n_taken > 0;
    for (size_t i = 0; is_good && i < inputs.all.n_taken; i++)
        is_good = is_same_program(program, studies[i], any_program);
    if (is_good) {
        add_name(samples, words, studies[0]);
        is_good =
            hpm_unify(studies, inputs.all.n_taken, &err) &&
            take(intake, functions, studies, inputs.all.n_taken, side, &err);
    }
    if (err.text[0] != '\0')
        subcommand_say("compare", "%s", err.text);
    for (size_t i = 0; studies != NULL && i < inputs.all.n_taken; i++)
        hpm_study_free(studies[i]);
    hpm_memory_free(studies);
    inputs_clear(&inputs);
    return is_good;
}

enum status
storedruns_read(const struct storedruns_side *sides, size_t n,
                const struct hpm_intake_choice *choice, bool is_forced,
                struct hpm_samples *samples)
{
    struct hpm_error err;
    struct hpm_intake *intake = hpm_intake_new(samples, choice, &err);
    struct hpm_functions functions = {.n_runs = 0};
    struct hpm_string program = {0};
    enum status status = GOOD;
    size_t first = samples->n_sides; /* after a baseline */
    bool is_good = intake != NULL;

    if (!is_good)
        subcommand_say("compare", "%s", err.text);
    hpm_samples_add_subject(samples, "");
    for (size_t i = 0; i < n && is_good; i++)
        is_good = read_side(&sides[i], first + i, is_forced, intake,
                            choice->has_functions ? &functions : NULL, samples,
                            &program, choice->any_program, &status);
    hpm_functions_add(&functions, samples, choice->metrics);
    if (functions.n_lossy > 0)
        subcommand_say("compare",
                       "%zu %s lost more than 1 %% of the samples: the "
                       "functions there are not compared; sample with a longer "
                       "period",
                       functions.n_lossy,
                       functions.n_lossy == 1 ? "run has" : "runs have");
    else if (is_good && choice->has_functions && functions.n_values == 0)
        subcommand_say("compare",
                       "no run has samples, so there are no functions; run "
                       "with HPM_SAMPLE, or under hpmcount --sample");
    hpm_functions_clear(&functions);
    hpm_intake_free(intake);
    hpm_string_free(&program);
    return is_good ? status : NOTHING;
}

/* ---- a baseline ---------------------------------------------------------- */

static bool
read_text(int fd, struct hpm_string *text)
{
    char piece[4096];
    ssize_t n;

    while ((n = read(fd, piece, sizeof piece)) > 0 &&
           text->length < MOST_BASELINE)
        hpm_string_add_bytes(text, piece, (size_t)n);
    if (n > 0)
        errno = EFBIG;
    return n == 0 && !text->failed;
}

bool
storedruns_read_baseline(struct hpm_samples *samples, const char *path,
                         struct hpm_error *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct hpm_string text = {0};
    bool is_good = fd >= 0 && read_text(fd, &text);

    if (!is_good)
        hpm_error_set(err, "cannot read the baseline '%.200s': %s%s", path,
                      strerror(errno),
                      errno == ENOENT ? "; --renew makes it" : "");
    if (fd >= 0)
        close(fd);
    is_good = is_good &&
              hpm_baseline_read(samples, path, hpm_string_text(&text), err);
    hpm_string_free(&text);
    return is_good;
}

bool
storedruns_may_replace(const char *path, struct hpm_error *err)
{
    struct hpm_string folder = {0};
    const char *slash = strrchr(path, '/');
    struct stat status;
    int error = 0;

    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
        return hpm_error_set(err,
                             "'%.200s' is not a regular file; choose another "
                             "name",
                             path);
    if (slash == NULL)
        hpm_string_add(&folder, ".");
    else
        hpm_string_add_bytes(&folder, path, (size_t)(slash - path) + 1);
    if (folder.failed)
        error = ENOMEM;
    else if (access(hpm_string_text(&folder), W_OK | X_OK) != 0)
        error = errno;
    hpm_string_free(&folder);
    return error == 0 || hpm_error_set(err, "cannot write '%.200s': %s", path,
                                       strerror(error));
}

/* Replaces the target of a symbolic link, because a rename would replace the
 * link itself.  The temporary file's name is unique. */
bool
storedruns_replace(const char *path, const struct hpm_string *text,
                   struct hpm_error *err)
{
    struct hpm_string new = {0};
    char target[PATH_MAX];
    int fd, error = 0;

    if (!storedruns_may_replace(path, err))
        return false;
    if (realpath(path, target) == NULL)
        snprintf(target, sizeof target, "%s", path);
    hpm_string_add_format(&new, "%s.%ld.new", target, (long)getpid());
    fd = open(hpm_string_text(&new), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
              0666);
    if (fd < 0 || text->failed || new.failed)
        error = fd < 0 ? errno : ENOMEM;
    if (fd >= 0 && error == 0)
        error = hpm_write_all(fd, hpm_string_text(text), text->length);
    if (fd >= 0 && close(fd) != 0 && error == 0)
        error = errno;
    if (error == 0 && rename(hpm_string_text(&new), target) != 0)
        error = errno;
    if (fd >= 0 && error != 0)
        unlink(hpm_string_text(&new));
    hpm_string_free(&new);
    return error == 0 || hpm_error_set(err, "cannot write '%.200s': %s", path,
                                       strerror(error));
}

bool
storedruns_write_baseline(const struct hpm_samples *samples, size_t side,
                          const char *path, struct hpm_error *err)
{
    struct hpm_string text = {0};
    struct utsname system;
    time_t now = time(NULL);
    struct tm parts;
    char date[32];
    bool is_good;

    gmtime_r(&now, &parts);
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &parts);
    uname(&system);
    hpm_baseline_add(&text, samples, side, system.nodename, date);
    is_good = storedruns_replace(path, &text, err);
    hpm_string_free(&text);
    return is_good;
}
