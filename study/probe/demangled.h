/* SPDX-License-Identifier: BSD-3-Clause
 * Names of C++ functions as people write them. */
#ifndef HPM_STUDY_PROBE_DEMANGLED_H
#define HPM_STUDY_PROBE_DEMANGLED_H

/* The name with its arguments, "grid::solve(int) const", to be freed with
 * hpm_memory_free; NULL for a name of another language, where the C++ library is
 * not installed, or without memory. */
char *hpm_demangled_name(const char *linkage);

/* Of such a name only what a call in the source has, "grid::solve"; free it.  NULL
 * without memory. */
char *hpm_demangled_plain(const char *name);

#endif
