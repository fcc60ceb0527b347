/* SPDX-License-Identifier: BSD-3-Clause
 * The functions of a program or library at which the kernel can set probes, and
 * why not at the others. */
#ifndef HPM_STUDY_PROBE_PROBEABLE_H
#define HPM_STUDY_PROBE_PROBEABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum hpm_probe_extent {
    HPM_PROBE_WHOLE, /* at entry and return */
    HPM_PROBE_ENTRY, /* at the entry only: a return probe would harm */
    HPM_PROBE_NOT,
};

/* A name of a function; a function may have several. */
struct hpm_probeable {
    const char *name; /* linkage name; in the list's memory */
    uint64_t address; /* as linked */
    uint64_t size;    /* in bytes; 0: not known */
    uint64_t start;   /* offset in the file of its first byte */
    uint64_t offset;  /* the same of the place for the probe */
    enum hpm_probe_extent probe;
    const char *why; /* a constant sentence, NULL for HPM_PROBE_WHOLE */
};

/* Start from {0}. */
struct hpm_probeables {
    struct hpm_probeable *list; /* by name, then by address */
    size_t n;
    char *names;
    bool is_stripped; /* only functions for dynamic linking are known */
};

/* Read the file; false where it is no program or library of this machine, cannot
 * be read, or memory runs out.  Clear in any case. */
bool hpm_probeables_read(struct hpm_probeables *functions, const char *path,
                         struct hpm_error *err);
void hpm_probeables_clear(struct hpm_probeables *functions);

#endif
