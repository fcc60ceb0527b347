/* SPDX-License-Identifier: BSD-3-Clause
 * Sections that last until the program ends: that nobody stops them is no problem. */
#ifndef HPM_RECORD_LASTING_H
#define HPM_RECORD_LASTING_H

#include <stdbool.h>

struct hpm_recorder;
struct hpm_thread;

/* Sections with this instance last.  One instance; call this before there are
 * threads. */
void hpm_lasting_let(int instance) __attribute__((cold));

bool hpm_lasting_is(int instance);

/* The program ends: so do these sections of other threads than `self`, before the
 * library does anything more that takes time.  What a thread that is in a call has is
 * left to hpm_recorder_harvest. */
void hpm_lasting_end(struct hpm_recorder *recorder,
                     const struct hpm_thread *self) __attribute__((cold));

#endif
