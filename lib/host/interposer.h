/* SPDX-License-Identifier: BSD-3-Clause
 * Objects that stand in for functions of the C library, most often preloaded
 * ones (LD_PRELOAD): faketime, fakeroot, tracers of input and output.  Once
 * such an object's destructors have run its functions may crash. */
#ifndef HPM_HOST_INTERPOSER_H
#define HPM_HOST_INTERPOSER_H

#include <stdbool.h>

/* Is the C library's function of this name another object's? */
bool hpm_interposer_has(const char *function);

/* The path of an object that stands in for a function which is needed at the
 * end of a run, and may run its destructors before ours; NULL when there is
 * none.  Not the program itself, nor what this library was linked with, nor the
 * run time of a sanitizer: these end after us, or work until the end. */
const char *hpm_interposer_path(void);

#endif
