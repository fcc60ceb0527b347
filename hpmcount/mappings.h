/* SPDX-License-Identifier: BSD-3-Clause
 * The memory mappings of each process of a program, followed from the kernel's
 * records of mappings, forks, execs and ends, in the order of time. */
#ifndef HPMCOUNT_MAPPINGS_H
#define HPMCOUNT_MAPPINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hpmcount/cpurings.h"
#include "model/profile.h"
#include "study/kernel/kernelcode.h"

/* Module numbers are those of the profile. */
struct mappings {
    struct hpm_profile *profile;
    struct mappings_process {
        uint32_t pid;
        size_t n_threads; /* 0: an empty slot */
        struct mappings_part {
            uint64_t start, end, offset;
            size_t module;
        } * parts; /* where parts overlap, the last one counts */
        size_t n_parts, parts_capacity;
        size_t jit; /* module of the process's perf-PID.map, or
                     * HPM_PROFILE_NO_MODULE */
    } * processes;
    size_t n_processes, processes_capacity;
    uint64_t n_begun; /* threads and processes started by the program */
    struct hpm_kernelcode kernel; /* valid if has_kernel */
    bool has_kernel;
};

/* Follow a record of a mapping, fork, exec or end; other records are ignored.
 * False when there is no memory. */
bool mappings_take(struct mappings *mappings,
                   const struct cpuring_record *record);

/* The module and offset of an address in a process at the present time; false
 * when there is no memory.  Where they are not known: HPM_PROFILE_NO_MODULE and
 * the address. */
bool mappings_find(struct mappings *mappings, uint32_t pid, bool is_kernel,
                   uint64_t address, size_t *ret_module, uint64_t *ret_offset);

void mappings_clear(struct mappings *mappings);

#endif
