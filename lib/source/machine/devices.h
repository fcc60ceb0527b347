/* SPDX-License-Identifier: BSD-3-Clause
 * The folders of the PMUs under /sys/bus/event_source/devices. */
#ifndef HPM_SOURCE_MACHINE_DEVICES_H
#define HPM_SOURCE_MACHINE_DEVICES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Can the folders be seen?  Not where /sys is not mounted. */
bool hpm_devices_are_there(void) __attribute__((cold));

/* Is there the file FOLDER/FILE of a PMU ("" for its own folder)?  No for a name
 * that would leave the folder. */
bool hpm_devices_have(const char *pmu, const char *folder, const char *file)
    __attribute__((cold));

/* May a PMU have an event of the name?  Definitions of metrics ask for thousands
 * of names, of which the kernel has none: the folders are listed once.  "Yes" may
 * be wrong, "no" is not. */
bool hpm_devices_may_have_event(const char *name) __attribute__((cold));

/* Its first line; false when it cannot be read. */
bool hpm_devices_line(const char *pmu, const char *folder, const char *file,
                      char *ret_line, size_t size) __attribute__((cold));

/* The type (perf_event_attr) of a PMU; false where there is none of the name. */
bool hpm_devices_type(const char *pmu, uint32_t *ret_type)
    __attribute__((cold));

/* Call `visit` with every PMU until it says stop (true).  False where the list
 * could not be read. */
bool hpm_devices_each(bool (*visit)(const char *pmu, void *context),
                      void *context) __attribute__((cold));

/* The same with every file of a PMU's folder "events" or "format". */
void hpm_devices_each_file(const char *pmu, const char *folder,
                           void (*visit)(const char *file, void *context),
                           void *context) __attribute__((cold));

/* The PMUs of the processor's cores, with commas between the names ("cpu",
 * "cpu_atom, cpu_core"); their number, more than one on hybrid processors.  Looked up once in a
 * process. */
size_t hpm_devices_cores(char *ret_names, size_t size) __attribute__((cold));

#endif
