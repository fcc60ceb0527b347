/* SPDX-License-Identifier: BSD-3-Clause
 * What this process may do, and what it is shut in. */
#ifndef HPM_SOURCE_CONFINEMENT_H
#define HPM_SOURCE_CONFINEMENT_H

#include <stdbool.h>

enum { HPM_CONFINEMENT_UNKNOWN = -99 };

struct hpm_confinement {
    long paranoid;      /* kernel.perf_event_paranoid */
    long seccomp;       /* 0 no filter, 1 strict, 2 a filter decides */
    bool has_perfmon;   /* CAP_PERFMON or, of old, CAP_SYS_ADMIN, but maybe of a
                         user namespace, where it is worth nothing */
    bool counts_user;   /* tried: a program can be counted, ... */
    bool counts_kernel; /* ... and what the kernel does for it */
    bool has_selinux;
    bool is_locked;        /* kernel lockdown "confidentiality" */
    const char *container; /* "Docker" ..., NULL for none that is known */
};

/* As it is now, which takes two calls of perf_event_open; numbers that cannot be
 * read are HPM_CONFINEMENT_UNKNOWN. */
void hpm_confinement_read(struct hpm_confinement *ret_confinement)
    __attribute__((cold));

#endif
