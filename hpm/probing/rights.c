/* SPDX-License-Identifier: BSD-3-Clause
 * What users other than root may do with defined probes. */
#include <grp.h>
#include <stdio.h>
#include <sys/stat.h>

#include "hpm/probing/probing.h"
#include "source/machine/procfile.h"
#include "study/words/words.h"

/* The folder and the list in it decide; the numbers of events have the group of the
 * list. */
static void
add_reading(struct hpm_string *text)
{
    static const char root[] = "/sys/kernel/tracing";
    struct stat folder, list;
    const struct group *group;

    if (stat(root, &folder) != 0 ||
        stat("/sys/kernel/tracing/uprobe_events", &list) != 0)
        return;
    group = getgrgid(list.st_gid);
    if ((folder.st_mode & S_IXGRP) != 0 && (list.st_mode & S_IRGRP) != 0 &&
        list.st_gid != 0)
        hpm_string_add_format(text,
                              _("tracefs: users of the group '%s' may read "
                                "the probes, and measure with them\n"),
                              group != NULL ? group->gr_name : "?");
    else
        hpm_string_add_format(
            text,
            _("tracefs: only root may read the probes; for the users of a "
              "group:\n"
              "  mount -o remount,gid=GROUP,mode=750 %s\n"),
            root);
}

/* Who may not hear of the kernel's switches between threads gets no counters. */
static void
add_counting(struct hpm_string *text)
{
    long paranoid =
        hpm_procfile_number("/proc/sys/kernel/perf_event_paranoid", -1);

    if (paranoid > 2)
        hpm_string_add_format(
            text,
            _("kernel.perf_event_paranoid is %ld: users may measure nothing; "
              "for calls, time and counters:\n"),
            paranoid);
    else if (paranoid == 2)
        hpm_string_add_format(
            text,
            _("kernel.perf_event_paranoid is %ld: users measure calls and "
              "time; for counters, too:\n"),
            paranoid);
    else
        hpm_string_add_format(text,
                              _("kernel.perf_event_paranoid is %ld: users "
                                "measure calls, time and counters\n"),
                              paranoid);
    if (paranoid >= 2)
        hpm_string_add(text, _("  sysctl kernel.perf_event_paranoid=1\n"
                               "  (or give these users the capability "
                               "CAP_PERFMON)\n"));
}

void
probing_add_rights(struct hpm_string *text)
{
    add_reading(text);
    add_counting(text);
}
