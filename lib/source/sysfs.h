/* SPDX-License-Identifier: BSD-3-Clause
 * The PMUs and events that the kernel lists under /sys/bus/event_source. */
#ifndef HPM_SOURCE_SYSFS_H
#define HPM_SOURCE_SYSFS_H

#include "source/source.h"

/* A name as the kernel's lists translate it. */
struct hpm_sysfs_event {
    struct hpm_encoding encoding;
    char unit[32];  /* "" or one word */
    char name[128]; /* given by the term "name=", or "" */
};

/* Translate `pmu/event/`, `pmu/term=value,.../`, the plain name of an event
 * that some PMU lists ("topdown-retiring", also "cpu::topdown-retiring"), or
 * the code of a core's event, "r1a8".  "cpu" is the PMU of the cores, whatever
 * its name. */
enum hpm_finding hpm_sysfs_find(const char *name,
                                struct hpm_sysfs_event *ret_event,
                                struct hpm_error *err) __attribute__((cold));

/* Put an event that the PMU lists, or terms ("event=0xa,rdwrmask=1"), into
 * *encoding; false, with err, if they do not fit.  Does not check whether the
 * PMU counts programs. */
bool hpm_sysfs_encode(const char *pmu, const char *what,
                      struct hpm_encoding *encoding, struct hpm_error *err)
    __attribute__((cold));

/* List every `pmu/event/` of PMUs that can count one program. */
void hpm_sysfs_list(void (*visit)(const char *name, void *context),
                    void *context) __attribute__((cold));

/* Operations per cycle that a core can start, as its PMU tells (Arm's
 * caps/slots); 0 if no PMU tells, or cores differ. */
long hpm_sysfs_core_slots(void) __attribute__((cold));

/* The type (perf_event_attr) of the cores' PMU; PERF_TYPE_RAW if there are
 * several or none. */
uint32_t hpm_sysfs_core_type(void) __attribute__((cold));

#endif
