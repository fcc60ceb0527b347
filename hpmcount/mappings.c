/* SPDX-License-Identifier: BSD-3-Clause
 * The memory mappings of each process of a program. */
#include "hpmcount/mappings.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "host/memory.h"
#include "source/modules.h"

/* ---- modules --------------------------------------------------------- */

static bool
get_module(struct mappings *mappings, const char *path, const char *build_id,
           size_t *ret_module)
{
    struct hpm_profile *profile = mappings->profile;

    for (size_t i = 0; i < profile->n_modules; i++) {
        const struct hpm_profile_module *module = &profile->modules[i];

        if (strcmp(module->path, path) == 0 &&
            strcmp(module->build_id, build_id) == 0) {
            *ret_module = i;
            return true;
        }
    }
    *ret_module = profile->n_modules;
    return hpm_profile_add_module(profile, path, build_id);
}

/* Kernels before 5.12 give no build id, and no kernel gives one of the vDSO.
 * The vDSO is the same as this process's, except in a 32-bit program, where it
 * is at a low address. */
static bool
get_identified(struct mappings *mappings, const char *path,
               const unsigned char *bytes, size_t n_bytes, bool is_low,
               size_t *ret_module)
{
    struct hpm_module module = {.path = (char *)path};

    for (size_t i = 0; i < n_bytes && i < HPM_BUILD_ID_BYTES; i++)
        snprintf(module.build_id + 2 * i, 3, "%02x", bytes[i]);
    if (!is_low || path[0] == '/')
        hpm_modules_identify(&module);
    return get_module(mappings, path, module.build_id, ret_module);
}

/* ---- processes ------------------------------------------------------- */

static struct mappings_process *
find_process(struct mappings *mappings, uint32_t pid)
{
    for (size_t i = mappings->n_processes; i-- > 0;) {
        if (mappings->processes[i].pid == pid)
            return &mappings->processes[i];
    }
    return NULL;
}

static void
remove_process(struct mappings *mappings, struct mappings_process *process)
{
    hpm_memory_free(process->parts);
    *process = mappings->processes[--mappings->n_processes];
}

static struct mappings_process *
get_process(struct mappings *mappings, uint32_t pid)
{
    struct mappings_process *process = find_process(mappings, pid);

    if (process != NULL)
        return process;
    if (!hpm_memory_grow(&mappings->processes, &mappings->processes_capacity,
                         mappings->n_processes + 1,
                         sizeof *mappings->processes))
        return NULL;
    process = &mappings->processes[mappings->n_processes++];
    *process = (struct mappings_process){
        .pid = pid, .n_threads = 1, .jit = HPM_PROFILE_NO_MODULE};
    return process;
}

/* ---- mappings -------------------------------------------------------- */

/* A new mapping replaces all mappings that it covers completely: so a program
 * that maps and unmaps for ever needs no more parts than it has mappings at
 * once. */
static bool
add_part(struct mappings_process *process, const struct mappings_part *part)
{
    size_t n = 0;

    for (size_t i = 0; i < process->n_parts; i++) {
        if (process->parts[i].start < part->start ||
            process->parts[i].end > part->end)
            process->parts[n++] = process->parts[i];
    }
    process->n_parts = n;
    if (!hpm_memory_grow(&process->parts, &process->parts_capacity, n + 1,
                         sizeof *process->parts))
        return false;
    process->parts[process->n_parts++] = *part;
    return true;
}

/* The words: pid, tid, address, length, offset, then the build id or numbers of
 * a file system (24 bytes), protection and flags, and the path; memory without
 * a file is called "//anon". */
static bool
take_mapping(struct mappings *mappings, const struct cpuring_record *record)
{
    const uint64_t *words = record->words;
    const unsigned char *id = (const unsigned char *)(words + 4);
    const char *path = (const char *)(words + 8);
    struct mappings_part part = {words[1], words[1] + words[2], words[3], 0};
    struct mappings_process *process =
        get_process(mappings, ((const uint32_t *)words)[0]);
    size_t n_id = 0;

    if (process == NULL)
        return false;
#ifdef PERF_RECORD_MISC_MMAP_BUILD_ID
    if ((record->misc & PERF_RECORD_MISC_MMAP_BUILD_ID) != 0)
        n_id = id[0];
#endif
    if (path[0] == '\0' || strncmp(path, "//", 2) == 0)
        path = "[anonymous]";
    if (path[0] == '[')
        part.offset = 0;
    return get_identified(mappings, path, id + 4, n_id, part.start >> 32 == 0,
                          &part.module) &&
           add_part(process, &part);
}

/* The words: pid, parent's pid, tid, parent's tid.  It is a thread where both
 * pids are equal. */
static bool
take_fork(struct mappings *mappings, const struct cpuring_record *record)
{
    const uint32_t *ids = (const uint32_t *)record->words;
    struct mappings_process *process = get_process(mappings, ids[0]), *parent;

    mappings->n_begun++;
    if (process == NULL)
        return false;
    if (ids[0] == ids[1]) {
        process->n_threads++;
        return true;
    }
    process->n_parts = 0;
    process->n_threads = 1;
    process->jit = HPM_PROFILE_NO_MODULE;
    parent = find_process(mappings, ids[1]);
    if (parent == NULL || parent->n_parts == 0)
        return true;
    if (!hpm_memory_grow(&process->parts, &process->parts_capacity,
                         parent->n_parts, sizeof *process->parts))
        return false;
    memcpy(process->parts, parent->parts,
           parent->n_parts * sizeof *process->parts);
    process->n_parts = parent->n_parts;
    return true;
}

static void
take_exit(struct mappings *mappings, const struct cpuring_record *record)
{
    struct mappings_process *process =
        find_process(mappings, ((const uint32_t *)record->words)[0]);

    if (process != NULL && --process->n_threads == 0)
        remove_process(mappings, process);
}

static void
take_exec(struct mappings *mappings, const struct cpuring_record *record)
{
    struct mappings_process *process =
        find_process(mappings, ((const uint32_t *)record->words)[0]);

    if (process == NULL || (record->misc & PERF_RECORD_MISC_COMM_EXEC) == 0)
        return;
    process->n_parts = 0;
    process->n_threads = 1;
    process->jit = HPM_PROFILE_NO_MODULE;
}

bool
mappings_take(struct mappings *mappings, const struct cpuring_record *record)
{
    switch (record->type) {
    case PERF_RECORD_MMAP2:
        return take_mapping(mappings, record);
    case PERF_RECORD_FORK:
        return take_fork(mappings, record);
    case PERF_RECORD_EXIT:
        take_exit(mappings, record);
        return true;
    case PERF_RECORD_COMM:
        take_exec(mappings, record);
        return true;
    default:
        return true;
    }
}

/* ---- addresses ------------------------------------------------------- */

/* A compiler inside the program (JIT) lists its functions in such a file. */
static bool
find_jit(struct mappings *mappings, struct mappings_process *process)
{
    char path[64];

    if (process->jit != HPM_PROFILE_NO_MODULE)
        return true;
    snprintf(path, sizeof path, "/tmp/perf-%u.map", process->pid);
    return access(path, R_OK) != 0 ||
           get_module(mappings, path, "", &process->jit);
}

static const struct mappings_part *
find_part(const struct mappings_process *process, uint64_t address)
{
    for (size_t i = process->n_parts; i-- > 0;) {
        const struct mappings_part *part = &process->parts[i];

        if (address >= part->start && address < part->end)
            return part;
    }
    return NULL;
}

static bool
find_kernel(struct mappings *mappings, uint64_t address, size_t *ret_module,
            uint64_t *ret_offset)
{
    if (!mappings->has_kernel)
        hpm_kernelcode_find(&mappings->kernel);
    mappings->has_kernel = true;
    *ret_offset = hpm_kernelcode_offset(&mappings->kernel, address);
    return get_module(mappings, "[kernel]", mappings->kernel.build_id,
                      ret_module);
}

/* In memory without a file the offset is the address. */
bool
mappings_find(struct mappings *mappings, uint32_t pid, bool is_kernel,
              uint64_t address, size_t *ret_module, uint64_t *ret_offset)
{
    struct mappings_process *process = find_process(mappings, pid);
    const struct mappings_part *part = NULL;

    *ret_module = HPM_PROFILE_NO_MODULE;
    *ret_offset = address;
    if (is_kernel)
        return find_kernel(mappings, address, ret_module, ret_offset);
    if (process != NULL)
        part = find_part(process, address);
    if (part == NULL)
        return true;
    *ret_module = part->module;
    if (strcmp(mappings->profile->modules[part->module].path, "[anonymous]") !=
        0) {
        *ret_offset = address - part->start + part->offset;
        return true;
    }
    if (!find_jit(mappings, process))
        return false;
    if (process->jit != HPM_PROFILE_NO_MODULE)
        *ret_module = process->jit;
    return true;
}

void
mappings_clear(struct mappings *mappings)
{
    for (size_t i = 0; i < mappings->n_processes; i++)
        hpm_memory_free(mappings->processes[i].parts);
    hpm_memory_free(mappings->processes);
    *mappings = (struct mappings){0};
}
