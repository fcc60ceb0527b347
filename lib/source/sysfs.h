/* SPDX-License-Identifier: BSD-3-Clause
 * The PMUs and events the kernel lists under /sys/bus/event_source. */
#ifndef HPM_SOURCE_SYSFS_H
#define HPM_SOURCE_SYSFS_H

#include "source/source.h"

/* What the kernel makes of a name. */
struct hpm_sysfs_event {
    struct hpm_encoding encoding;
    char unit[32];  /* "" or a word */
    char name[128]; /* that the term "name=" gives it, or "" */
};

/* Translate `pmu/event/`, `pmu/term=value,.../`, the bare name of an event that
 * some PMU lists ("topdown-retiring", also "cpu::topdown-retiring") or the code
 * of a core's, "r1a8".  "cpu" is the PMU of the cores, whatever its name. */
enum hpm_finding hpm_sysfs_find(const char *name,
                                struct hpm_sysfs_event *ret_event,
                                struct hpm_error *err) __attribute__((cold));

/* Put an event that the PMU lists, or terms ("event=0xa,rdwrmask=1"), into
 * *encoding; false where they do not fit, err says why.  Whom the PMU counts is not
 * looked at. */
bool hpm_sysfs_encode(const char *pmu, const char *what,
                      struct hpm_encoding *encoding, struct hpm_error *err)
    __attribute__((cold));

/* Every `pmu/event/` of a PMU that can count for one program. */
void hpm_sysfs_list(void (*visit)(const char *name, void *context),
                    void *context) __attribute__((cold));

/* Operations a core can take a cycle, as its PMU tells (Arm's caps/slots); 0
 * where none does, or cores differ. */
long hpm_sysfs_core_slots(void) __attribute__((cold));

/* The type (perf_event_attr) of their PMU; PERF_TYPE_RAW where there are several
 * or none. */
uint32_t hpm_sysfs_core_type(void) __attribute__((cold));

#endif
