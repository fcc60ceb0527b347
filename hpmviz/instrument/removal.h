/* SPDX-License-Identifier: BSD-3-Clause
 * Calls of libhpm taken away from a source. */
#ifndef HPMVIZ_INSTRUMENT_REMOVAL_H
#define HPMVIZ_INSTRUMENT_REMOVAL_H

#include "hpmviz/instrument/wanted.h"

/* Edits (edits.h) that take away the start, the stops and hpmWork of a section:
 * of that whose call is in the lines, or else of the innermost around them.
 * With the last call of libhpm its #include or `use hpm` goes, too.
 *
 * NULL, with a reason for the user, where there is none, or a call cannot be
 * taken away alone, because an `if` decides about it or it has a label. */
GArray *hpmviz_removal_of_section(const char *text,
                                  const struct hpmviz_wanted *wanted,
                                  GError **error);

/* Of all sections; calls of no section (hpmInit ...) stay. */
GArray *hpmviz_removal_of_all(const char *text,
                              const struct hpmviz_wanted *wanted,
                              GError **error);

#endif
