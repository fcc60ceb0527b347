/* SPDX-License-Identifier: BSD-3-Clause
 * From where samples were called (--chains fp): the kernel follows frame pointers, and
 * code without them gives it none, or addresses that are no code. */
#ifndef HPMCOUNT_CALLERS_H
#define HPMCOUNT_CALLERS_H

#include "hpmcount/cpurings.h"
#include "hpmcount/mappings.h"
#include "model/experiment.h"

/* As many as flame graphs show; more are cut, and the chain says so.  Kernels allow
 * 127 (kernel.perf_event_max_stack). */
enum { CALLERS_MOST = 100 };

struct callers {
    unsigned n_most; /* of a sample; 0: they are not asked for */
    uint64_t n_samples;
    uint64_t n_without; /* samples with no caller */
    uint64_t n_broken;  /* samples with callers up to what is no code */
};

/* As many as this kernel allows, and no more than CALLERS_MOST; false where it allows
 * none. */
bool callers_most(unsigned *ret_most, struct hpm_error *err);

/* The chain of a sample's callers, in the profile of the mappings; 0: there is none.
 * What is behind the first address that is no code is left out, and the chain is cut
 * then.  False when there is no memory. */
bool callers_find(struct callers *callers, struct mappings *mappings,
                  const struct cpuring_record *sample, bool is_kernel,
                  uint32_t *ret_chain);

/* Tell an experiment how many samples have callers; false when there is no
 * memory. */
bool callers_tell(const struct callers *callers,
                  struct hpm_experiment *experiment);

#endif
