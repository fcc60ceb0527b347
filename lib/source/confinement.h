/* SPDX-License-Identifier: BSD-3-Clause
 * What this process may do, and what confines it. */
#ifndef HPM_SOURCE_CONFINEMENT_H
#define HPM_SOURCE_CONFINEMENT_H

#include <stdbool.h>

enum { HPM_CONFINEMENT_UNKNOWN = -99 };

struct hpm_confinement {
    long paranoid;      /* kernel.perf_event_paranoid */
    long seccomp;       /* 0 no filter, 1 strict, 2 a filter decides */
    bool has_perfmon;   /* CAP_PERFMON, or CAP_SYS_ADMIN as before it; but in a
                         * user namespace it has no effect */
    bool counts_user;   /* tried: user instructions can be counted */
    bool counts_kernel; /* tried: kernel instructions, too */
    bool has_selinux;
    bool is_locked;        /* kernel lockdown "confidentiality" */
    const char *container; /* "Docker" ...; NULL: no known one */
};

/* Read the present state, with two calls of perf_event_open.  Numbers that
 * cannot be read are HPM_CONFINEMENT_UNKNOWN. */
void hpm_confinement_read(struct hpm_confinement *ret_confinement)
    __attribute__((cold));

#endif
