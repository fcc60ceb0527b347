/* SPDX-License-Identifier: BSD-3-Clause
 * Objects that replace functions of the C library, most often preloaded ones
 * (LD_PRELOAD): faketime, fakeroot, tracers of input and output.  Once the
 * destructors of such an object have run, its functions may crash. */
#ifndef HPM_HOST_INTERPOSER_H
#define HPM_HOST_INTERPOSER_H

#include <stdbool.h>

/* Does another object replace the C library's function of this name? */
bool hpm_interposer_has(const char *function);

/* The path of an object that replaces a function needed at the end of a run,
 * and may run its destructors before ours; NULL if there is none.  Never the
 * program itself, a library that this one was linked with, or the run time of a
 * sanitizer: these end after us, or work until the end. */
const char *hpm_interposer_path(void);

#endif
