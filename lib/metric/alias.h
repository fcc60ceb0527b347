/* SPDX-License-Identifier: BSD-3-Clause
 * One spelling for an event that has several. */
#ifndef HPM_METRIC_ALIAS_H
#define HPM_METRIC_ALIAS_H

#include "base/string.h"

/* Append the spelling under which names of one event are equal:
 *
 *   task-clock  sw::task-clock  perf::TASK-CLOCK  PERF_COUNT_SW_TASK_CLOCK
 *   FOO:BAR:c=1:i=1  skx::FOO.BAR:i=1:c=1  FOO:BAR:cmask=1:inv:u
 *
 * Small letters where only an event can be meant: the kernel's names, PAPI's
 * presets, names with masks.  A plain name keeps its case, for EC_misses may be
 * an event and EC_MISSES a metric.  Without the name of a PMU in front, but
 * with ru::, proc::, time:: and cpu::, which are no PMUs; masks and modifiers
 * in order, the domain (:u, :k) left out.  It is for comparing, not for
 * showing. */
void hpm_alias_add(struct hpm_string *string, const char *name);

/* The same in small letters: libpfm4 and PAPI know their events in any case. */
void hpm_alias_add_folded(struct hpm_string *string, const char *name);

#endif
