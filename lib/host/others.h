/* SPDX-License-Identifier: BSD-3-Clause
 * Whether the other threads of this process have slept for a while: then all that
 * the process has used meanwhile is the calling thread's, and that of threads it
 * has made and waited for. */
#ifndef HPM_HOST_OTHERS_H
#define HPM_HOST_OTHERS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { HPM_MOST_OTHERS = 256 };

/* The other threads, and the processor time of each. */
struct hpm_others {
    bool is_known; /* all are here */
    unsigned n;
    struct hpm_other {
        pid_t tid;
        uint64_t ns;
    } threads[HPM_MOST_OTHERS];
};

/* Before that while.  The structure has 4 KB: not on a program's stack. */
void hpm_others_look(struct hpm_others *ret_others);

/* After it: for how long they have run, in ns of processor time.  False where that
 * is not known: there were too many, or one of them has ended. */
bool hpm_others_find_time(const struct hpm_others *others, uint64_t *ret_ns);

/* Has none of them run?  False, too, where that is not known. */
bool hpm_others_slept(const struct hpm_others *others);

#endif
