/* SPDX-License-Identifier: BSD-3-Clause
 * --mpi, --openmp, --functions, --library: libraries of ours are loaded into the
 * program. */
#include "hpmcount/preload.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/env.h"
#include "base/globs.h"
#include "base/string.h"
#include "host/memory.h"
#include "hpmcount/libomp.h"
#include "hpmcount/say.h"
#include "hpmcount/written.h"

struct library {
    const char *option, *file;
    const char *otherwise; /* what else to do where there is none */
};

static const struct library of_mpi = {"--mpi", "libhpm_mpi.so",
                                      "configure --with-mpi=MPICC builds it"};
static const struct library of_openmp = {"--openmp", "libhpm_openmp.so",
                                         "configure --enable-shared builds it"};
static const struct library of_functions = {
    "--functions", "libhpm_functions.so",
    "configure --enable-shared builds it"};

/* Variables that are changed for the program. */
enum {
    PRELOAD,
    LIBRARY_PATH,
    SET,
    FUNCTIONS,
    REGIONS,
    LIBRARY,
    WRITTEN,
    OUTPUT,
    N_VARIABLES
};

static struct {
    const char *name;
    bool is_changed;
    char *saved; /* as it was; NULL: not set */
} variables[N_VARIABLES] = {
    [PRELOAD] = {.name = "LD_PRELOAD"},
    [LIBRARY_PATH] = {.name = "LD_LIBRARY_PATH"},
    [SET] = {.name = "HPM_SET"},
    [FUNCTIONS] = {.name = "HPM_FUNCTIONS"},
    [REGIONS] = {.name = "HPM_OPENMP_REGIONS"},
    [LIBRARY] = {.name = "HPM_LIBRARY"},
    [WRITTEN] = {.name = "HPM_WRITTEN"},
    [OUTPUT] = {.name = "HPM_OUTPUT_NAME"},
};

static bool
change(int variable, const char *value, struct hpm_error *err)
{
    const char *before = getenv(variables[variable].name);

    variables[variable].saved = hpm_memory_copy_text(before);
    if ((before != NULL && variables[variable].saved == NULL) ||
        setenv(variables[variable].name, value, 1) != 0)
        return hpm_error_no_memory(err);
    variables[variable].is_changed = true;
    return true;
}

/* The library in the first folder of the list that has it. */
static bool
find(struct hpm_string *path, const char *file, const char *folders)
{
    while (*folders != '\0') {
        size_t length = strcspn(folders, ":");

        path->length = 0;
        hpm_string_add_bytes(path, folders, length);
        hpm_string_add_format(path, "/%s", file);
        if (length > 0 && !path->failed && access(path->text, R_OK) == 0)
            return true;
        folders += length + (folders[length] == ':');
    }
    return false;
}

/* Adds the library's path to the list. */
static bool
add_library(struct hpm_string *list, const struct library *library,
            struct hpm_error *err)
{
    const char *folders = getenv("LD_LIBRARY_PATH");
    struct hpm_string path = {0};
    bool is_found = (folders != NULL && find(&path, library->file, folders)) ||
                    find(&path, library->file, HPM_LIBRARY_DIR);

    if (is_found)
        hpm_string_add_format(list, "%s%s", list->length > 0 ? ":" : "",
                              path.text);
    hpm_string_free(&path);
    return is_found ||
           hpm_error_set(err,
                         "%s: there is no %s in LD_LIBRARY_PATH nor in %s; %s",
                         library->option, library->file, HPM_LIBRARY_DIR,
                         library->otherwise);
}

/* ---- --library ---------------------------------------------------------- */

/* Has the list of LD_PRELOAD a library of this path, or of this name in any folder? */
static bool
has_library(const struct hpm_string *list, const char *name)
{
    const char *each = hpm_string_text(list);
    size_t length = strlen(name), whole;

    for (; *each != '\0'; each += whole + (each[whole] != '\0')) {
        const char *tail;

        whole = strcspn(each, ":");
        if (whole < length)
            continue;
        tail = each + whole - length;
        if (memcmp(tail, name, length) == 0 &&
            (tail == each || tail[-1] == '/'))
            return true;
    }
    return false;
}

/* A library that hpmwrap made.  The choice names it as LD_PRELOAD does, which is how
 * the program knows it. */
static bool
add_own_list(struct hpm_string *list, struct hpm_string *choice,
             const char *path, struct hpm_error *err)
{
    char *whole = realpath(path, NULL);

    if (whole == NULL || access(whole, R_OK) != 0) {
        hpm_error_set(err, "--library: '%s': %s", path, strerror(errno));
        free(whole);
        return false;
    }
    if (strpbrk(whole, ": ") != NULL) {
        hpm_error_set(err,
                      "--library: '%s' has a colon or a blank in its path, "
                      "which LD_PRELOAD cannot name; copy it elsewhere",
                      whole);
        free(whole);
        return false;
    }
    if (!has_library(list, whole))
        hpm_string_add_format(list, "%s%s", list->length > 0 ? ":" : "", whole);
    /* an item of the choice ends with a comma */
    if (strchr(whole, ',') == NULL)
        hpm_string_add(choice, whole);
    else
        hpm_string_add_format(choice, ".%s", strrchr(whole, '/'));
    free(whole);
    return true;
}

static bool
add_shipped_list(struct hpm_string *list, const char *name,
                 const struct preload *wanted, struct hpm_error *err)
{
    char file[64];
    const struct library library = {"--library", file,
                                    "configure --enable-shared builds it"};

    if (!hpm_globs_match(HPM_WRAPPED_LISTS, name))
        return hpm_error_set(
            err,
            "--library: there is no list '%s'; expected %s, or "
            "the path of a library that hpmwrap has made, "
            "such as ./mine.so",
            name, HPM_WRAPPED_LISTS);
    if (wanted->takes_mpi && strcmp(name, "mpi") == 0)
        return hpm_error_set(err, "--library mpi takes the calls that --mpi "
                                  "takes; give one of them");
    snprintf(file, sizeof file, "libhpm_library_%s.so", name);
    return has_library(list, file) || add_library(list, &library, err);
}

/* The library of one item of --library, which may have come by an earlier one. */
static bool
add_list(struct hpm_string *list, struct hpm_string *choice, const char *item,
         size_t length, const struct preload *wanted, struct hpm_error *err)
{
    struct hpm_string name = {0};
    bool is_good = true;

    while (length > 0 && item[length - 1] == ' ')
        length--;
    hpm_string_add_bytes(&name, item, length);
    if (name.failed)
        is_good = hpm_error_no_memory(err);
    else if (memchr(item, '/', length) != NULL)
        is_good = add_own_list(list, choice, hpm_string_text(&name), err);
    else if (add_shipped_list(list, hpm_string_text(&name), wanted, err))
        hpm_string_add(choice, hpm_string_text(&name));
    else
        is_good = false;
    hpm_string_free(&name);
    return is_good;
}

static bool
add_lists(struct hpm_string *list, struct hpm_string *choice,
          const struct preload *wanted, struct hpm_error *err)
{
    const char *item = wanted->libraries;

    while (*item != '\0') {
        size_t whole, name;

        item += strspn(item, ", ");
        whole = strcspn(item, ",");
        name = strcspn(item, ",:");
        if (whole > 0 && !add_list(list, choice, item, name, wanted, err))
            return false;
        if (whole > 0) {
            hpm_string_add_bytes(choice, item + name, whole - name);
            hpm_string_add(choice, ",");
        }
        item += whole;
    }
    return list->length > 0 ||
           hpm_error_set(err, "--library names no library; expected %s",
                         HPM_WRAPPED_LISTS);
}

static bool
add_libraries(struct hpm_string *list, struct hpm_string *choice,
              const struct preload *wanted, struct hpm_error *err)
{
    const char *before = getenv("LD_PRELOAD");

    if ((wanted->libraries != NULL && !add_lists(list, choice, wanted, err)) ||
        (wanted->takes_mpi && !add_library(list, &of_mpi, err)) ||
        (wanted->takes_openmp && !add_library(list, &of_openmp, err)) ||
        (wanted->functions != NULL && !add_library(list, &of_functions, err)))
        return false;
    if (list->length > 0 && before != NULL && before[0] != '\0')
        hpm_string_add_format(list, ":%s", before);
    return (!list->failed && !choice->failed) || hpm_error_no_memory(err);
}

/* The set of the times that are taken, where nobody has said what a program counts;
 * else NULL. */
static const char *
find_set(const struct preload *wanted)
{
    if (hpm_env_get(HPM_VARIABLE_SET) != NULL ||
        hpm_env_get(HPM_VARIABLE_EVENT_SET) != NULL ||
        hpm_env_get(HPM_VARIABLE_METRICS) != NULL ||
        hpm_env_get(HPM_VARIABLE_EVENTS) != NULL)
        return NULL;
    if (wanted->takes_mpi && hpm_env_is_on(HPM_VARIABLE_WAITING, false))
        return wanted->takes_openmp ? "MPI_WAITING_OPENMP" : "MPI_WAITING";
    if (wanted->takes_openmp)
        return wanted->takes_mpi ? "MPI_OPENMP" : "OPENMP";
    return wanted->takes_mpi ? "MPI" : NULL;
}

/* HPM_EVENTS is for the program, too, where it is the only thing that is counted.  Once,
 * also where the program is run several times. */
static void
say_missing(const struct preload *wanted)
{
    static bool is_said;
    const char *events = hpm_env_get(HPM_VARIABLE_EVENTS);
    bool lacks_mpi, lacks_openmp;

    if (is_said || events == NULL || hpm_env_get(HPM_VARIABLE_METRICS) != NULL)
        return;
    is_said = true;
    lacks_mpi = wanted->takes_mpi && strstr(events, "mpi::") == NULL;
    lacks_openmp = wanted->takes_openmp && strstr(events, "openmp::") == NULL;
    if (lacks_mpi)
        say("HPM_EVENTS names no event mpi::..., so the program's file will "
            "have no times of MPI; name some (hpm-events(7)), or unset it");
    if (lacks_openmp)
        say("HPM_EVENTS names no event openmp::..., so the program's file will "
            "have no times of OpenMP; name some (hpm-events(7)), or unset it");
}

static bool
begin_libomp(struct hpm_error *err)
{
    struct hpm_string folders = {0};
    bool is_good =
        libomp_begin(&folders, err) && change(LIBRARY_PATH, folders.text, err);

    hpm_string_free(&folders);
    return is_good;
}

bool
preload_begin(const struct preload *wanted, struct hpm_error *err)
{
    const char *set = find_set(wanted), *written = NULL;
    struct hpm_string list = {0}, choice = {0};
    bool is_good = add_libraries(&list, &choice, wanted, err) &&
                   (list.length == 0 || change(PRELOAD, list.text, err));

    if (is_good && list.length > 0 && hpm_env_get(HPM_VARIABLE_WRITTEN) == NULL)
        written = written_begin();
    is_good =
        is_good && (written == NULL || change(WRITTEN, written, err)) &&
        (!wanted->has_libomp || begin_libomp(err)) &&
        (set == NULL || change(SET, set, err)) &&
        (!wanted->has_regions || change(REGIONS, "yes", err)) &&
        (wanted->functions == NULL ||
         change(FUNCTIONS, wanted->functions, err)) &&
        (wanted->libraries == NULL || change(LIBRARY, choice.text, err)) &&
        (wanted->output == NULL || change(OUTPUT, wanted->output, err));

    if (is_good)
        say_missing(wanted);
    hpm_string_free(&list);
    hpm_string_free(&choice);
    return is_good;
}

void
preload_end(void)
{
    libomp_end();
    for (int i = 0; i < N_VARIABLES; i++) {
        if (!variables[i].is_changed)
            continue;
        if (variables[i].saved != NULL)
            setenv(variables[i].name, variables[i].saved, 1);
        else
            unsetenv(variables[i].name);
        hpm_memory_free(variables[i].saved);
        variables[i].saved = NULL;
        variables[i].is_changed = false;
    }
}
