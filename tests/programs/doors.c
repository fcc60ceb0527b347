/* SPDX-License-Identifier: BSD-3-Clause
 * The ways into the library. */
#include "doors.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <libhpm.h>

/* The procedures that Fortran compilers call for f_hpm.h and the module, for
 * sources without the header, and for -DHPM_SHORT with integers of 4 and 8
 * bytes. */
void f_hpmtstartat_(const int *, const char *, const char *, const int *,
                    size_t, size_t);
void f_hpmtstopat_(const int *, const char *, const int *, size_t);
void f_hpmstartat_(const int *, const char *, const char *, const int *, size_t,
                   size_t);
void f_hpmstopat_(const int *, const char *, const int *, size_t);
void f_hpmtstartxat_(const int *, const int *, const char *, const char *,
                     const int *, size_t, size_t);
void f_hpmstartxat_(const int *, const int *, const char *, const char *,
                    const int *, size_t, size_t);
void f_hpmtstart_(const int *, const char *, size_t);
void f_hpmtstop_(const int *);
void f_hpmstart_(const int *, const char *, size_t);
void f_hpmstop_(const int *);
void f_hpmtstartx_(const int *, const int *, const char *, size_t);
void f_hpmstartx_(const int *, const int *, const char *, size_t);
void h9ts_(const int32_t *, const char *, const int32_t *, size_t);
void h9tp_(const int32_t *, const int32_t *);
void h9s_(const int32_t *, const char *, const int32_t *, size_t);
void h9p_(const int32_t *, const int32_t *);
void q9ts_(const int64_t *, const char *, const int64_t *, size_t);
void q9tp_(const int64_t *, const int64_t *);
void q9s_(const int64_t *, const char *, const int64_t *, size_t);
void q9p_(const int64_t *, const int64_t *);

static const char file[] = "doors";
static const int a_parent = HPM_AUTO_PARENT;
enum { LENGTH = sizeof file - 1 };

/* `name`_thread_start and so on, with the arguments of one entry each. */
#define DOOR(name, tstart, tstop, pstart, pstop)                               \
    static void name##_thread_start(int id, const char *label)                 \
    {                                                                          \
        tstart;                                                                \
    }                                                                          \
    static void name##_thread_stop(int id)                                     \
    {                                                                          \
        tstop;                                                                 \
    }                                                                          \
    static void name##_process_start(int id, const char *label)                \
    {                                                                          \
        pstart;                                                                \
    }                                                                          \
    static void name##_process_stop(int id)                                    \
    {                                                                          \
        pstop;                                                                 \
    }

#define ENTRIES(name)                                                          \
    name##_thread_start, name##_thread_stop, name##_process_start,             \
        name##_process_stop

DOOR(c_at, hpmTstartAt(id, label, file, id), hpmTstopAt(id, file, id),
     hpmStartAt(id, label, file, id), hpmStopAt(id, file, id))
DOOR(c_plain, (hpmTstart)(id, label), (hpmTstop)(id), (hpmStart)(id, label),
     (hpmStop)(id))
DOOR(c_x_at, hpmTstartxAt(id, HPM_AUTO_PARENT, label, file, id),
     hpmTstopAt(id, file, id),
     hpmStartxAt(id, HPM_AUTO_PARENT, label, file, id), hpmStopAt(id, file, id))
DOOR(c_x, (hpmTstartx)(id, HPM_AUTO_PARENT, label), (hpmTstop)(id),
     (hpmStartx)(id, HPM_AUTO_PARENT, label), (hpmStop)(id))
DOOR(f_at, f_hpmtstartat_(&id, label, file, &id, strlen(label), LENGTH),
     f_hpmtstopat_(&id, file, &id, LENGTH),
     f_hpmstartat_(&id, label, file, &id, strlen(label), LENGTH),
     f_hpmstopat_(&id, file, &id, LENGTH))
DOOR(f_x_at,
     f_hpmtstartxat_(&id, &a_parent, label, file, &id, strlen(label), LENGTH),
     f_hpmtstopat_(&id, file, &id, LENGTH),
     f_hpmstartxat_(&id, &a_parent, label, file, &id, strlen(label), LENGTH),
     f_hpmstopat_(&id, file, &id, LENGTH))
DOOR(f_plain, f_hpmtstart_(&id, label, strlen(label)), f_hpmtstop_(&id),
     f_hpmstart_(&id, label, strlen(label)), f_hpmstop_(&id))
DOOR(f_x, f_hpmtstartx_(&id, &a_parent, label, strlen(label)), f_hpmtstop_(&id),
     f_hpmstartx_(&id, &a_parent, label, strlen(label)), f_hpmstop_(&id))
DOOR(f_short, h9ts_(&id, label, &id, strlen(label)), h9tp_(&id, &id),
     h9s_(&id, label, &id, strlen(label)), h9p_(&id, &id))
DOOR(f_wide, q9ts_(&(int64_t){id}, label, &(int64_t){id}, strlen(label)),
     q9tp_(&(int64_t){id}, &(int64_t){id}),
     q9s_(&(int64_t){id}, label, &(int64_t){id}, strlen(label)),
     q9p_(&(int64_t){id}, &(int64_t){id}))

const struct door doors[] = {
    {"C-at", ENTRIES(c_at)},           {"C", ENTRIES(c_plain)},
    {"C-x-at", ENTRIES(c_x_at)},       {"C-x", ENTRIES(c_x)},
    {"f_hpm-at", ENTRIES(f_at)},       {"f_hpm-x-at", ENTRIES(f_x_at)},
    {"f_hpm", ENTRIES(f_plain)},       {"f_hpm-x", ENTRIES(f_x)},
    {"f_hpm-short", ENTRIES(f_short)}, {"f_hpm-short-wide", ENTRIES(f_wide)},
    {NULL, NULL, NULL, NULL, NULL},
};

const struct door *
door_named(const char *name)
{
    for (const struct door *door = doors; door->name != NULL; door++) {
        if (strcmp(door->name, name) == 0)
            return door;
    }
    return NULL;
}
