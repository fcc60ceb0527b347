/* SPDX-License-Identifier: BSD-3-Clause
 * The callers of samples (--chains fp).  The kernel follows frame pointers:
 * code without them gives no callers, or addresses that are not code. */
#ifndef HPMCOUNT_CALLERS_H
#define HPMCOUNT_CALLERS_H

#include "hpmcount/cpurings.h"
#include "hpmcount/mappings.h"
#include "model/experiment.h"

/* As many as flame graphs show; longer chains are cut, and marked as cut.
 * Kernels allow 127 (kernel.perf_event_max_stack). */
enum { CALLERS_MOST = 100 };

struct callers {
    unsigned n_most; /* of a sample; 0: not asked for */
    uint64_t n_samples;
    uint64_t n_without; /* samples without callers */
    uint64_t n_broken;  /* samples whose callers end at an address that is not
                         * code */
};

/* As many callers as this kernel allows, at most CALLERS_MOST; false where it
 * allows none. */
bool callers_most(unsigned *ret_most, struct hpm_error *err);

/* Find the chain of a sample's callers in the profile of the mappings; 0: none.
 * The chain is cut before the first address that is not code.  False when there
 * is no memory. */
bool callers_find(struct callers *callers, struct mappings *mappings,
                  const struct cpuring_record *sample, bool is_kernel,
                  uint32_t *ret_chain);

/* Add the numbers of samples with callers to an experiment; false when there is
 * no memory. */
bool callers_tell(const struct callers *callers,
                  struct hpm_experiment *experiment);

#endif
