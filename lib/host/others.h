/* SPDX-License-Identifier: BSD-3-Clause
 * Did the other threads of this process sleep for a while?  If so, all that the
 * process used meanwhile was used by the calling thread, and by threads that it
 * made and joined. */
#ifndef HPM_HOST_OTHERS_H
#define HPM_HOST_OTHERS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { HPM_MOST_OTHERS = 256 };

/* The other threads, and the processor time of each. */
struct hpm_others {
    bool is_known; /* the list has all of them */
    unsigned n;
    struct hpm_other {
        pid_t tid;
        uint64_t ns;
    } threads[HPM_MOST_OTHERS];
};

/* Call this at the begin.  The structure has 4 KB: do not put it on a program's
 * stack. */
void hpm_others_look(struct hpm_others *ret_others);

/* Call this at the end: how long the other threads ran meanwhile, in ns of
 * processor time.  False if that is not known: there were too many threads, or
 * one has ended. */
bool hpm_others_find_time(const struct hpm_others *others, uint64_t *ret_ns);

/* Has no other thread run meanwhile?  False, too, if that is not known. */
bool hpm_others_slept(const struct hpm_others *others);

#endif
