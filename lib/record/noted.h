/* SPDX-License-Identifier: BSD-3-Clause
 * What libraries that make sections of functions say of these sections. */
#ifndef HPM_RECORD_NOTED_H
#define HPM_RECORD_NOTED_H

/* The bits of what is noted; above them is enum hpm_via. */
enum {
    HPM_NOTED_FIRST_CALLS = 1, /* and no others: it takes less time than
                                * measuring it, so it is started no more */
    HPM_NOTED_VIA = 2          /* times the number of a hpm_via */
};

/* Note these bits of the sections with this instance, beside what was noted
 * before.  Any thread. */
void hpm_noted_add(int instance, unsigned bits);

/* 0 where nothing was noted. */
unsigned hpm_noted_get(int instance);

#endif
