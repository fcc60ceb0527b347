/* SPDX-License-Identifier: BSD-3-Clause
 * The PMUs and events the kernel lists under /sys/bus/event_source. */
#ifndef HPM_SOURCE_MACHINE_SYSFS_H
#define HPM_SOURCE_MACHINE_SYSFS_H

#include "source/source.h"

/* Translate `pmu/event/`, `pmu/term=value,.../` or the bare name of an event
 * that some PMU lists ("topdown-retiring", also "cpu::topdown-retiring").  FOUND fills *ret_encoding and
 * *ret_unit ("" or a word; static). */
enum hpm_finding hpm_sysfs_find(const char *name,
                                struct hpm_encoding *ret_encoding,
                                char *ret_unit, size_t unit_size,
                                struct hpm_error *err) __attribute__((cold));

/* Every `pmu/event/` of a PMU that can count for one program. */
void hpm_sysfs_list(void (*visit)(const char *name, void *context),
                    void *context) __attribute__((cold));

/* Can the list be seen?  Not where /sys is not mounted. */
bool hpm_sysfs_is_there(void) __attribute__((cold));

/* The PMUs of the processor's cores, with commas between the names ("cpu",
 * "cpu_atom, cpu_core"); their number, more than one on hybrid processors. */
size_t hpm_sysfs_core_pmus(char *ret_names, size_t size) __attribute__((cold));

/* Operations a core can take a cycle, as its PMU tells (Arm's caps/slots); 0
 * where none does, or cores differ. */
long hpm_sysfs_core_slots(void) __attribute__((cold));

/* The type (perf_event_attr) of their PMU; PERF_TYPE_RAW where there are several
 * or none. */
uint32_t hpm_sysfs_core_type(void) __attribute__((cold));

#endif
