/* SPDX-License-Identifier: BSD-3-Clause
 * What this library itself makes the process use: processor time, page faults
 * and all else that getrusage counts.
 *
 * That is of work whose length differs: setting up, calibrations, tables that
 * grow, threads that come and go, journals.  Starts and stops that find what they
 * need are not in it, for to ask at each would cost more than they do. */
#ifndef HPM_HOST_OWNUSAGE_H
#define HPM_HOST_OWNUSAGE_H

#include <stdbool.h>
#include <sys/resource.h>

#include "host/others.h"

enum { HPM_OWNUSAGE_AMOUNTS = 8 };
struct hpm_ownusage {
    long amounts[HPM_OWNUSAGE_AMOUNTS];
};

/* Somebody reads getrusage in this process: count from now on.  Until then
 * begin and end cost next to nothing. */
void hpm_ownusage_watch(void);

/* What the calling thread does in between is the library's work.  Pairs may be
 * inside others. */
void hpm_ownusage_begin(void);
void hpm_ownusage_end(void);

/* The library has made the calling thread: the first it does, and, outside such
 * pairs, that all it has done since then is the library's work. */
void hpm_ownusage_mark_thread(struct hpm_ownusage *ret_process);
void hpm_ownusage_add_thread(const struct hpm_ownusage *process);

/* Inside such a pair, before a reading that is compared with later ones: what was
 * done until now is in what they take off. */
void hpm_ownusage_settle(void);

/* Inside such a pair: where no other thread of the process runs in between, all that
 * the process does is the library's work, also the end of threads, of which they
 * cannot tell themselves. */
struct hpm_ownusage_alone {
    struct hpm_others others;
    struct hpm_ownusage unknown; /* by then, to those pairs */
};
void hpm_ownusage_begin_alone(struct hpm_ownusage_alone *ret_begin);

/* False where another thread has run, or may have: then nothing is done but for the
 * time, where that of each such thread is known. */
bool hpm_ownusage_end_alone(const struct hpm_ownusage_alone *begin);

/* Take off what is known by now: of the calling thread, or of all threads that
 * this process has had.  Only differences of two such values say something: what
 * was there before hpm_ownusage_watch is in all of them, and a value may be below
 * 0. */
void hpm_ownusage_take_off(struct rusage *usage, bool is_of_thread);

#endif
