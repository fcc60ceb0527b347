/* SPDX-License-Identifier: BSD-3-Clause
 * The profile of an experiment: samples, as raw counts.
 *
 *     events[]                what was sampled, and how often
 *     modules[]               the program and its libraries
 *     hits[] --> record, event, module      number of samples at one address
 *            --> chains                     called from there */
#ifndef HPM_MODEL_PROFILE_H
#define HPM_MODEL_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/chains.h"

/* An event that was sampled, in all threads together. */
struct hpm_profile_event {
    char *name;   /* as the user gave it, without the period */
    char *unit;   /* of the period: "ns" for clocks, "" for counts */
    char *domain; /* "user", "kernel", "all" */
    uint64_t period;
    bool has_count; /* the event's count is known */
    uint64_t count;
    uint64_t n_taken; /* samples */
    uint64_t n_lost;  /* samples that the kernel or the library had to drop */
    uint64_t n_threads_without; /* threads that could not be sampled */
    bool has_chains;            /* callers were searched by frame pointers */
};

/* A file with code; memory without a file has a name in brackets. */
struct hpm_profile_module {
    char *path;
    char *build_id; /* in hexadecimal; "": not known */
};

/* Values in place of a module's index. */
#define HPM_PROFILE_NO_MODULE SIZE_MAX  /* not known */
#define HPM_PROFILE_LOST (SIZE_MAX - 1) /* lost samples of a record */

/* The number of samples at one address, for the record that was innermost in
 * its scope when they were taken. */
struct hpm_profile_hit {
    size_t record; /* index in the experiment */
    size_t event;
    size_t module;
    uint64_t offset; /* in the module's file; without a file the address; 0 for
                      * lost samples */
    uint64_t n;
    uint32_t chain; /* its callers; 0: none known */
};

/* The profile owns every string and array in it. */
struct hpm_profile {
    struct hpm_profile_event *events;
    size_t n_events; /* 0: no sampling */
    size_t events_capacity;
    struct hpm_profile_module *modules;
    size_t n_modules;
    size_t modules_capacity;
    struct hpm_profile_hit *hits; /* after hpm_profile_settle: sorted by their
                                   * members, each place once */
    size_t n_hits;
    size_t hits_capacity;
    struct hpm_chains chains;
};

void hpm_profile_clear(struct hpm_profile *profile);

/* Each of these returns false when memory runs out. */

bool hpm_profile_add_event(struct hpm_profile *profile, const char *name,
                           const char *unit, const char *domain,
                           uint64_t period);
bool hpm_profile_add_module(struct hpm_profile *profile, const char *path,
                            const char *build_id);
bool hpm_profile_add_hit(struct hpm_profile *profile,
                         const struct hpm_profile_hit *hit);

/* Sort the hits, and merge hits of one place. */
void hpm_profile_settle(struct hpm_profile *profile);

/* Remove modules without hits and callers.  The hits must be settled, and stay
 * so.  Add nothing after this.  False when memory runs out. */
bool hpm_profile_keep_used_modules(struct hpm_profile *profile);

/* Find the items with this key among items sorted by key: returns their number,
 * and in *ret_first the first one (or where it would be; NULL if n is 0). */
size_t hpm_profile_find_all(const void *items, size_t n, size_t bytes,
                            uint64_t (*key_of)(const void *item), uint64_t key,
                            const void **ret_first);

/* Find the hits of a record: returns their number, and in *ret_first the first
 * one. */
size_t hpm_profile_hits_of(const struct hpm_profile *profile, size_t record,
                           const struct hpm_profile_hit **ret_first);

#endif
