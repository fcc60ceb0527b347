/* SPDX-License-Identifier: BSD-3-Clause
 * The probes of a run: events of tracefs. */
#include "hpmcount/tracefs.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/memory.h"
#include "source/machine/tracepoint.h"
#include "study/probe/probelist.h"
#include "study/probe/standing.h"

#define GROUP "hpmcount_"

/* ---- what others have left --------------------------------------------- */

/* Is this the group of an hpmcount that is no more? */
static bool
is_left(const char *group)
{
    long pid = 0;

    return sscanf(group, GROUP "%ld", &pid) == 1 && pid > 0 &&
           kill((pid_t)pid, 0) != 0 && errno == ESRCH;
}

/* A group that something still uses stays, and does not keep the others. */
static void
remove_left(int descriptor)
{
    struct hpm_probelist list = {0};
    const char *last = "";

    if (hpm_probelist_read(&list)) {
        for (size_t i = 0; i < list.n; i++) {
            if (!is_left(list.lines[i].group) ||
                strcmp(list.lines[i].group, last) == 0)
                continue;
            last = list.lines[i].group;
            hpm_probelist_remove(descriptor, last, "entry");
            hpm_probelist_remove(descriptor, last, "back");
        }
    }
    hpm_probelist_clear(&list);
}

/* ---- ours -------------------------------------------------------------- */

static bool
explain(struct hpm_error *err)
{
    if (errno == EACCES || errno == EPERM)
        return hpm_error_set(err,
                             "--section: only root may set probes in programs "
                             "(tracefs); run hpmcount as root");
    if (errno == ENOENT)
        return hpm_error_set(
            err, "--section: the kernel's list of probes is not here; as root "
                 "'mount -t tracefs nodev /sys/kernel/tracing', and the kernel "
                 "must have CONFIG_UPROBE_EVENTS");
    return hpm_error_set(err, "--section: the kernel refuses a probe: %s",
                         strerror(errno));
}

static bool
add(int descriptor, bool is_return, const struct tracefs *tracefs,
    const struct tracefs_place *place)
{
    struct hpm_probeline line = {.is_return = is_return,
                                 .path = (char *)place->path,
                                 .offset = place->offset};

    strcpy(line.group, tracefs->group);
    strcpy(line.event, is_return ? "back" : "entry");
    return hpm_probelist_add(descriptor, &line);
}

static bool
find_number(const char *group, const char *event, uint64_t *ret_number)
{
    char name[160];

    snprintf(name, sizeof name, "%s:%s", group, event);
    return hpm_tracepoint_find(name, ret_number);
}

static void
find_ends(struct tracefs *tracefs)
{
    if (!hpm_tracepoint_find("sched:sched_process_exit", &tracefs->end) ||
        !hpm_tracepoint_find("sched:sched_prepare_exec", &tracefs->exec))
        tracefs->end = tracefs->exec = 0;
}

bool
tracefs_is_writable(void)
{
    int descriptor = hpm_probelist_open(O_WRONLY | O_APPEND);

    if (descriptor >= 0)
        close(descriptor);
    return descriptor >= 0;
}

bool
tracefs_define(struct tracefs *tracefs, const struct tracefs_place *places,
               size_t n, bool is_entry_only, struct hpm_error *err)
{
    int descriptor = hpm_probelist_open(O_WRONLY | O_APPEND);
    struct tracefs_events *events = &tracefs->files[0];
    bool is_good = true;

    *tracefs = (struct tracefs){.n_files = 1};
    if (descriptor < 0)
        return explain(err);
    snprintf(tracefs->group, sizeof tracefs->group, GROUP "%ld",
             (long)getpid());
    /* a killed hpmcount may have had this number: in containers it often has */
    hpm_probelist_remove(descriptor, tracefs->group, "entry");
    hpm_probelist_remove(descriptor, tracefs->group, "back");
    remove_left(descriptor);
    tracefs->is_defined = true;
    for (size_t i = 0; i < n && is_good; i++)
        is_good = add(descriptor, false, tracefs, &places[i]) &&
                  (is_entry_only || add(descriptor, true, tracefs, &places[i]));
    if (!is_good)
        explain(err);
    else if (!find_number(tracefs->group, "entry", &events->entry) ||
             (!is_entry_only &&
              !find_number(tracefs->group, "back", &events->back)))
        is_good = hpm_error_set(err, "--section: the kernel does not show its "
                                     "new probes in tracefs");
    find_ends(tracefs);
    close(descriptor);
    if (!is_good)
        tracefs_remove(tracefs);
    return is_good;
}

/* ---- those that root has defined before -------------------------------- */

static bool
explain_reading(struct hpm_error *err)
{
    if (errno == EACCES || errno == EPERM)
        return hpm_error_set(
            err, "--section: only root may set probes in programs (tracefs), "
                 "and you may not read those that are there; root can define "
                 "them for you: 'hpm probes define PROGRAM FUNCTION...', see "
                 "hpm-probes(7)");
    return explain(err);
}

/* One file's places, with those before them done. */
struct use {
    const struct hpm_probelist *list;
    const char *entry; /* name of the event */
    bool is_entry_only;
    bool has_old; /* of a file that was another one then */
};

static bool
is_first_of_file(const struct tracefs_place *places, size_t i)
{
    for (size_t k = 0; k < i; k++) {
        if (strcmp(places[k].path, places[i].path) == 0)
            return false;
    }
    return true;
}

static bool
is_asked_for(const struct tracefs_place *places, size_t n, const char *path,
             uint64_t offset)
{
    for (size_t i = 0; i < n; i++) {
        if (places[i].offset == offset && strcmp(places[i].path, path) == 0)
            return true;
    }
    return false;
}

static bool
add_others(struct tracefs *tracefs, const struct use *use, const char *group,
           const char *path, const struct tracefs_place *places, size_t n)
{
    for (size_t i = 0; i < use->list->n; i++) {
        const struct hpm_probeline *line = &use->list->lines[i];

        if (strcmp(line->group, group) != 0 ||
            strcmp(line->event, use->entry) != 0 ||
            is_asked_for(places, n, path, line->offset))
            continue;
        if (!hpm_memory_grow(&tracefs->others, &tracefs->others_capacity,
                             tracefs->n_others + 1, sizeof *tracefs->others))
            return false;
        tracefs->others[tracefs->n_others++] =
            (struct tracefs_place){path, line->offset, false};
    }
    return true;
}

/* Mark which places of the file have no probe, and note the file's events. */
static bool
use_file(struct tracefs *tracefs, struct use *use, struct tracefs_place *places,
         size_t n, size_t first, struct hpm_error *err)
{
    const char *path = places[first].path;
    struct tracefs_events *events = &tracefs->files[tracefs->n_files];
    char group[HPM_STANDING_NAME];
    size_t n_found = 0;

    if (!hpm_standing_group(path, group, err))
        return false;
    for (size_t i = first; i < n; i++) {
        if (strcmp(places[i].path, path) != 0)
            continue;
        places[i].is_missing =
            !hpm_standing_has(use->list, group, use->entry, places[i].offset);
        n_found += !places[i].is_missing;
    }
    use->has_old =
        use->has_old ||
        (n_found == 0 && hpm_standing_is_old(use->list, group, path));
    if (n_found == 0)
        return true;
    if (tracefs->n_files == TRACEFS_MOST_FILES)
        return hpm_error_set(err,
                             "--section: functions of more than %d files are "
                             "wanted; name fewer",
                             TRACEFS_MOST_FILES);
    if (!find_number(group, use->entry, &events->entry) ||
        (!use->is_entry_only &&
         !find_number(group, HPM_STANDING_BACK, &events->back)))
        return hpm_error_set(err, "--section: you may not read the numbers of "
                                  "probes in tracefs; 'hpm probes list' says "
                                  "what root must do");
    tracefs->n_files++;
    return add_others(tracefs, use, group, path, places, n) ||
           hpm_error_no_memory(err);
}

bool
tracefs_use(struct tracefs *tracefs, struct tracefs_place *places, size_t n,
            bool is_entry_only, struct hpm_error *err)
{
    struct hpm_probelist list = {0};
    struct use use = {.list = &list,
                      .entry = is_entry_only ? HPM_STANDING_CALLS
                                             : HPM_STANDING_ENTRY,
                      .is_entry_only = is_entry_only};
    bool is_good;

    *tracefs = (struct tracefs){.n_files = 0};
    is_good = hpm_probelist_read(&list) || explain_reading(err);
    for (size_t i = 0; i < n && is_good; i++) {
        if (is_first_of_file(places, i))
            is_good = use_file(tracefs, &use, places, n, i, err);
    }
    if (is_good && tracefs->n_files == 0 && use.has_old)
        is_good = hpm_error_set(
            err,
            "--section: '%.200s' has changed since root defined its "
            "probes; as root: 'hpm probes define' once more",
            places[0].path);
    else if (is_good && tracefs->n_files == 0)
        is_good = hpm_error_set(
            err,
            "--section: only root may set probes in programs (tracefs), and "
            "root has defined none for these functions; as root: 'hpm probes "
            "define %s%.200s FUNCTION...'",
            is_entry_only ? "--entry-only " : "", places[0].path);
    find_ends(tracefs);
    hpm_probelist_clear(&list);
    return is_good;
}

void
tracefs_remove(struct tracefs *tracefs)
{
    int descriptor =
        tracefs->is_defined ? hpm_probelist_open(O_WRONLY | O_APPEND) : -1;

    if (descriptor >= 0) {
        hpm_probelist_remove(descriptor, tracefs->group, "entry");
        hpm_probelist_remove(descriptor, tracefs->group, "back");
        close(descriptor);
    }
    hpm_memory_free(tracefs->others);
    *tracefs = (struct tracefs){.is_defined = false};
}
