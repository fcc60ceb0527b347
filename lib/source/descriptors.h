/* SPDX-License-Identifier: BSD-3-Clause
 * The descriptors of performance counters another library opens for us. */
#ifndef HPM_SOURCE_DESCRIPTORS_H
#define HPM_SOURCE_DESCRIPTORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Descriptors of counters, each with the identity it has for its life; the one
 * opened first comes first.  Start from {0}. */
struct hpm_descriptors {
    struct hpm_descriptor {
        int fd;
        uint64_t identity;
    } *list;
    size_t n;
    size_t capacity;
};

void hpm_descriptors_free(struct hpm_descriptors *descriptors);

/* All counters this process has open now.  False when there is no memory, or
 * no descriptor to look into /proc. */
bool hpm_descriptors_scan(struct hpm_descriptors *ret_descriptors,
                          struct hpm_error *err);

/* Leave those out that are in `before`; close the others at the next exec. */
void hpm_descriptors_keep_new(struct hpm_descriptors *descriptors,
                              const struct hpm_descriptors *before);

/* Is each still the counter it was?  The program may have closed it and opened
 * a file of its own. */
bool hpm_descriptors_are_there(const struct hpm_descriptors *descriptors);

/* Close those that are. */
void hpm_descriptors_close(struct hpm_descriptors *descriptors);

/* May so many be opened, with some left for the program? */
bool hpm_descriptors_has_room(int n);

/* Fill 0, 1 and 2 where they are closed, so that what is opened now is none of
 * them, and free them again. */
struct hpm_standard_hold {
    bool is_held[3];
};
void hpm_standard_hold(struct hpm_standard_hold *hold);
void hpm_standard_release(const struct hpm_standard_hold *hold);

#endif
