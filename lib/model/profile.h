/* SPDX-License-Identifier: BSD-3-Clause
 * The profile of an experiment: what was sampled, as raw counts.
 *
 *     events[]                what was sampled, and how often
 *     modules[]               the program and its libraries
 *     hits[] --> record, event, module      so many samples at one address
 *            --> chains                     called from there
 */
#ifndef HPM_MODEL_PROFILE_H
#define HPM_MODEL_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/chains.h"

/* An event that was sampled, in all threads together. */
struct hpm_profile_event {
    char *name;   /* as the user gave it, without the period */
    char *unit;   /* of the period: "ns" of clocks, "" of counts */
    char *domain; /* "user", "kernel", "all" */
    uint64_t period;
    bool has_count; /* how much of the event there was is known */
    uint64_t count;
    uint64_t n_taken; /* samples */
    uint64_t n_lost;  /* samples that the kernel or the library had to drop */
    uint64_t n_threads_without; /* threads that could not be sampled */
    bool has_chains;            /* callers were looked for, by frame pointers */
};

/* A file of code, or memory that has none: then in brackets. */
struct hpm_profile_module {
    char *path;
    char *build_id; /* in hexadecimal; "": not known */
};

/* In place of a module. */
#define HPM_PROFILE_NO_MODULE SIZE_MAX  /* nobody knows what was there */
#define HPM_PROFILE_LOST (SIZE_MAX - 1) /* samples of a record that are lost */

/* So many samples at one address, of the record that was innermost in its scope
 * when they were taken. */
struct hpm_profile_hit {
    size_t record; /* index of the experiment's */
    size_t event;
    size_t module;
    uint64_t offset; /* in the module's file; without a file the address; of
                        what is lost 0 */
    uint64_t n;
    uint32_t chain; /* its callers, 0: none is known */
};

/* It owns every string and array below it. */
struct hpm_profile {
    struct hpm_profile_event *events;
    size_t n_events; /* 0: nothing was sampled */
    size_t events_capacity;
    struct hpm_profile_module *modules;
    size_t n_modules;
    size_t modules_capacity;
    struct hpm_profile_hit *hits; /* in the order of their fields, each once,
                                     once they are settled */
    size_t n_hits;
    size_t hits_capacity;
    struct hpm_chains chains;
};

void hpm_profile_clear(struct hpm_profile *profile);

/* Each of these is false when there is no memory. */

bool hpm_profile_add_event(struct hpm_profile *profile, const char *name,
                           const char *unit, const char *domain,
                           uint64_t period);
bool hpm_profile_add_module(struct hpm_profile *profile, const char *path,
                            const char *build_id);
bool hpm_profile_add_hit(struct hpm_profile *profile,
                         const struct hpm_profile_hit *hit);

/* Put the hits into their order, those of one place together. */
void hpm_profile_settle(struct hpm_profile *profile);

/* Leave out modules without hits and callers; of settled hits, which stay settled.
 * Nothing is to be added after that.  False when there is no memory. */
bool hpm_profile_keep_used_modules(struct hpm_profile *profile);

/* Of items in the order of their keys those with that key: the first one (where it
 * would be; NULL of no items), and how many there are. */
size_t hpm_profile_find_all(const void *items, size_t n, size_t bytes,
                            uint64_t (*key_of)(const void *item), uint64_t key,
                            const void **ret_first);

/* The hits of a record: the first one, and how many there are. */
size_t hpm_profile_hits_of(const struct hpm_profile *profile, size_t record,
                           const struct hpm_profile_hit **ret_first);

#endif
