/* SPDX-License-Identifier: BSD-3-Clause
 * The PMUs' folders in /sys/bus/event_source/devices. */
#ifndef HPM_SOURCE_MACHINE_DEVICES_H
#define HPM_SOURCE_MACHINE_DEVICES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Can the folders be read?  Not if /sys is not mounted. */
bool hpm_devices_are_there(void) __attribute__((cold));

/* Is there the file FOLDER/FILE of a PMU ("" for its own folder)?  False for a
 * name that would lead out of the folder. */
bool hpm_devices_have(const char *pmu, const char *folder, const char *file)
    __attribute__((cold));

/* May a PMU have an event of this name?  True may be wrong, false is not.
 * Definitions of metrics ask for thousands of names that the kernel does not
 * have: the folders are listed once. */
bool hpm_devices_may_have_event(const char *name) __attribute__((cold));

/* The first line of such a file; false if it cannot be read. */
bool hpm_devices_line(const char *pmu, const char *folder, const char *file,
                      char *ret_line, size_t size) __attribute__((cold));

/* The type (perf_event_attr) of a PMU; false if there is no PMU of this
 * name. */
bool hpm_devices_type(const char *pmu, uint32_t *ret_type)
    __attribute__((cold));

/* Call `visit` for every PMU until it returns true.  False if the list could
 * not be read. */
bool hpm_devices_each(bool (*visit)(const char *pmu, void *context),
                      void *context) __attribute__((cold));

/* Call `visit` for every file of a PMU's folder "events" or "format". */
void hpm_devices_each_file(const char *pmu, const char *folder,
                           void (*visit)(const char *file, void *context),
                           void *context) __attribute__((cold));

/* Names of the PMUs of the processor's cores, with commas between ("cpu",
 * "cpu_atom, cpu_core"); returns their number, more than one on hybrid
 * processors.  Looked up once in a process. */
size_t hpm_devices_cores(char *ret_names, size_t size) __attribute__((cold));

#endif
