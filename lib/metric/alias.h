/* SPDX-License-Identifier: BSD-3-Clause
 * One spelling for an event that has several. */
#ifndef HPM_METRIC_ALIAS_H
#define HPM_METRIC_ALIAS_H

#include "base/string.h"

/* Append the spelling under which all names of one event are equal:
 *
 *     task-clock  sw::task-clock  perf::TASK-CLOCK  PERF_COUNT_SW_TASK_CLOCK
 *     FOO:BAR:c=1:i=1  skx::FOO.BAR:i=1:c=1  FOO:BAR:cmask=1:inv:u
 *
 * Small letters if the name can only be an event's: the kernel's names, PAPI's
 * presets, names with masks.  A plain name keeps its case, for EC_misses may be
 * an event and EC_MISSES a metric.  The name of a PMU in front is dropped, but
 * not ru::, proc::, time:: and cpu::, which are no PMUs; masks and modifiers
 * are sorted, the domain (:u, :k) is dropped.  The result is for comparing, not
 * for showing. */
void hpm_alias_add(struct hpm_string *string, const char *name);

/* Like hpm_alias_add, in small letters: libpfm4 and PAPI accept events in any
 * case. */
void hpm_alias_add_folded(struct hpm_string *string, const char *name);

#endif
