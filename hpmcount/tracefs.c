/* SPDX-License-Identifier: BSD-3-Clause
 * The kernel's list of probes in programs. */
#include "hpmcount/tracefs.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/string.h"
#include "source/machine/tracepoint.h"

#define GROUP "hpmcount_"

/* Where tracefs is; the second is that of kernels and systems that mount it below
 * debugfs only. */
static const char *const lists[] = {"/sys/kernel/tracing/uprobe_events",
                                    "/sys/kernel/debug/tracing/uprobe_events"};

/* ---- writing ----------------------------------------------------------- */

static int
open_list(int flags)
{
    int descriptor = -1;

    errno = ENOENT;
    for (size_t i = 0; i < sizeof lists / sizeof lists[0] && descriptor < 0 &&
                       errno == ENOENT;
         i++)
        descriptor = open(lists[i], flags | O_CLOEXEC);
    return descriptor;
}

/* The kernel takes one definition a call. */
static bool
write_line(int descriptor, const struct hpm_string *line)
{
    return !line->failed &&
           write(descriptor, line->text, line->length) == (ssize_t)line->length;
}

static bool
write_removal(int descriptor, const char *group, const char *event)
{
    struct hpm_string line = {0};
    bool is_good;

    hpm_string_add_format(&line, "-:%s/%s\n", group, event);
    is_good = write_line(descriptor, &line);
    hpm_string_free(&line);
    return is_good;
}

/* ---- what others have left --------------------------------------------- */

/* Does this line define probes of an hpmcount that is no more?  "p:GROUP/entry
 * PATH:OFFSET". */
static bool
is_left(const char *line, char *ret_group, size_t size)
{
    long pid = 0;

    if (sscanf(line, "%*[pr]:" GROUP "%ld/", &pid) != 1 || pid <= 0 ||
        kill((pid_t)pid, 0) == 0 || errno != ESRCH)
        return false;
    snprintf(ret_group, size, GROUP "%ld", pid);
    return true;
}

/* A group is removed as a whole, and then looked for again: the list changes. */
static bool
remove_one(int descriptor)
{
    char line[4096], group[32];
    bool is_found = false;
    int copy = open_list(O_RDONLY);
    FILE *file = copy >= 0 ? fdopen(copy, "r") : NULL;

    while (!is_found && file != NULL && fgets(line, sizeof line, file) != NULL)
        is_found = is_left(line, group, sizeof group);
    if (file != NULL)
        fclose(file);
    else if (copy >= 0)
        close(copy);
    if (!is_found)
        return false;
    /* one of the two may be gone already */
    return (int)write_removal(descriptor, group, "entry") +
               (int)write_removal(descriptor, group, "back") >
           0;
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

/* Where the return address is at a function's first instruction. */
#if defined(__x86_64__)
#define RETURN_ADDRESS "+0(%sp)"
#else
#define RETURN_ADDRESS "%lr"
#endif

/* Stack pointer and return address tell which calls were left by a jump
 * (probethreads.c). */
static bool
add(int descriptor, const char *kind, const struct tracefs *tracefs,
    const char *event, const struct tracefs_place *place)
{
    struct hpm_string line = {0};
    bool is_good;

    hpm_string_add_format(&line, "%s:%s/%s %s:0x%llx sp=%%sp:u64%s\n", kind,
                          tracefs->group, event, place->path,
                          (unsigned long long)place->offset,
                          kind[0] == 'p' ? " ra=" RETURN_ADDRESS ":u64" : "");
    is_good = write_line(descriptor, &line);
    hpm_string_free(&line);
    return is_good;
}

static bool
find_number(const struct tracefs *tracefs, const char *event,
            uint64_t *ret_number)
{
    char name[64];

    snprintf(name, sizeof name, "%s:%s", tracefs->group, event);
    return hpm_tracepoint_find(name, ret_number);
}

static bool
find_ends(struct tracefs *tracefs)
{
    return hpm_tracepoint_find("sched:sched_process_exit", &tracefs->end) &&
           hpm_tracepoint_find("sched:sched_prepare_exec", &tracefs->exec);
}

bool
tracefs_define(struct tracefs *tracefs, const struct tracefs_place *places,
               size_t n, bool is_entry_only, struct hpm_error *err)
{
    int descriptor = open_list(O_WRONLY | O_APPEND);
    bool is_good = true;

    *tracefs = (struct tracefs){.is_defined = false};
    if (descriptor < 0)
        return explain(err);
    snprintf(tracefs->group, sizeof tracefs->group, GROUP "%ld",
             (long)getpid());
    /* a killed hpmcount may have had this number: in containers it often has */
    write_removal(descriptor, tracefs->group, "entry");
    write_removal(descriptor, tracefs->group, "back");
    while (remove_one(descriptor))
        continue;
    tracefs->is_defined = true;
    for (size_t i = 0; i < n && is_good; i++)
        is_good = add(descriptor, "p", tracefs, "entry", &places[i]) &&
                  (is_entry_only ||
                   add(descriptor, "r", tracefs, "back", &places[i]));
    if (!is_good)
        explain(err);
    else if (!find_number(tracefs, "entry", &tracefs->entry) ||
             (!is_entry_only && !find_number(tracefs, "back", &tracefs->back)))
        is_good = hpm_error_set(err, "--section: the kernel does not show its "
                                     "new probes in tracefs");
    else if (!is_entry_only && !find_ends(tracefs))
        is_good = hpm_error_set(err, "--section: this kernel does not show the "
                                     "ends of programs (the tracepoints "
                                     "sched_process_exit, sched_prepare_exec)");
    close(descriptor);
    if (!is_good)
        tracefs_remove(tracefs);
    return is_good;
}

void
tracefs_remove(struct tracefs *tracefs)
{
    int descriptor = tracefs->is_defined ? open_list(O_WRONLY | O_APPEND) : -1;

    tracefs->is_defined = false;
    if (descriptor < 0)
        return;
    write_removal(descriptor, tracefs->group, "entry");
    write_removal(descriptor, tracefs->group, "back");
    close(descriptor);
}
