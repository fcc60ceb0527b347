/* SPDX-License-Identifier: BSD-3-Clause
 * Names of events that the kernel counts: software events, the kernel's generic
 * names, and the PMU events that sysfs and libpfm4 list. */
#ifndef HPM_SOURCE_KERNELNAMES_H
#define HPM_SOURCE_KERNELNAMES_H

#include "source/source.h"

/* The functions find and list of the source "kernel" (source.h).  An event that
 * was found has been opened once, in the domain asked for or the nearest one
 * allowed. */
enum hpm_finding hpm_kernelnames_find(const char *name, enum hpm_domain domain,
                                      struct hpm_event *ret_event,
                                      struct hpm_error *err)
    __attribute__((cold));
void hpm_kernelnames_list(void (*visit)(const char *name, void *context),
                          void *context) __attribute__((cold));

#endif
