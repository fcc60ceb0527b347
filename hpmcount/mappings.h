/* SPDX-License-Identifier: BSD-3-Clause
 * What is mapped where in each process of a program: followed from the kernel's
 * records of mappings, forks, execs and ends, in the order of their times. */
#ifndef HPMCOUNT_MAPPINGS_H
#define HPMCOUNT_MAPPINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hpmcount/cpurings.h"
#include "model/profile.h"
#include "study/kernel/kernelcode.h"

/* Its numbers of modules are those of the profile. */
struct mappings {
    struct hpm_profile *profile;
    struct mappings_process {
        uint32_t pid;
        size_t n_threads; /* 0: an empty slot */
        struct mappings_part {
            uint64_t start, end, offset;
            size_t module;
        } * parts; /* of addresses that overlap the last one holds */
        size_t n_parts, parts_capacity;
        size_t
            jit; /* module of its perf-PID.map, HPM_PROFILE_NO_MODULE: none */
    } * processes;
    size_t n_processes, processes_capacity;
    uint64_t n_begun; /* threads and processes that the program has started */
    struct hpm_kernelcode kernel; /* once it was looked for */
    bool has_kernel;
};

/* Take what a record says; others than of mappings, forks, execs and ends are left
 * alone.  False when there is no memory. */
bool mappings_take(struct mappings *mappings,
                   const struct cpuring_record *record);

/* Module and offset of an address in a process at that time; false when there is no
 * memory.  Where nothing is known they are HPM_PROFILE_NO_MODULE and the address. */
bool mappings_find(struct mappings *mappings, uint32_t pid, bool is_kernel,
                   uint64_t address, size_t *ret_module, uint64_t *ret_offset);

void mappings_clear(struct mappings *mappings);

#endif
