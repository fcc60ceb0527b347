/* SPDX-License-Identifier: BSD-3-Clause
 * What the library itself makes the process use: processor time, page faults
 * and all else that getrusage counts.
 *
 * Only work of varying length is measured: setting up, calibrations, tables
 * that grow, threads that come and go, journals.  Starts and stops that find
 * what they need are left out, for measuring each would cost more than the
 * start or stop itself. */
#ifndef HPM_HOST_OWNUSAGE_H
#define HPM_HOST_OWNUSAGE_H

#include <stdbool.h>
#include <sys/resource.h>

#include "host/others.h"

enum { HPM_OWNUSAGE_AMOUNTS = 8 };
struct hpm_ownusage {
    long amounts[HPM_OWNUSAGE_AMOUNTS];
};

/* Somebody reads getrusage in this process: measure from now on.  Until then
 * begin and end cost next to nothing. */
void hpm_ownusage_watch(void);

/* What the calling thread does between begin and end is the library's work.
 * Pairs may be nested. */
void hpm_ownusage_begin(void);
void hpm_ownusage_end(void);

/* For a thread that the library has made: it calls mark_thread first of all,
 * and add_thread, outside of begin and end, to say that all it has done since
 * is the library's work. */
void hpm_ownusage_mark_thread(struct hpm_ownusage *ret_process);
void hpm_ownusage_add_thread(const struct hpm_ownusage *process);

/* Between begin and end, before a reading that is compared with later ones:
 * count the work until now, so that hpm_ownusage_take_off takes it off that
 * reading. */
void hpm_ownusage_settle(void);

/* Between begin and end: if no other thread of the process runs from
 * begin_alone to end_alone, all that the process does is the library's work.
 * That includes the end of threads, which a thread cannot measure itself. */
struct hpm_ownusage_alone {
    struct hpm_others others;
    struct hpm_ownusage unknown; /* not known to be the library's at
                                  * begin_alone */
};
void hpm_ownusage_begin_alone(struct hpm_ownusage_alone *ret_begin);

/* False if another thread has run, or may have.  Then only time is counted as
 * the library's, and only if the time of each such thread is known. */
bool hpm_ownusage_end_alone(const struct hpm_ownusage_alone *begin);

/* Subtract what is known until now as the library's: of the calling thread, or
 * of all threads this process has had.  Only differences of two such values
 * have a meaning: each contains what was used before hpm_ownusage_watch, and a
 * value may be below 0. */
void hpm_ownusage_take_off(struct rusage *usage, bool is_of_thread);

#endif
