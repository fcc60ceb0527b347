/* SPDX-License-Identifier: BSD-3-Clause
 * The ids of a source's sections, in their order. */
#ifndef HPMVIZ_INSTRUMENT_RENUMBERING_H
#define HPMVIZ_INSTRUMENT_RENUMBERING_H

#include "hpmviz/instrument/language.h"

/* Edits (edits.h) that give the sections ids from `first_id` in the order of
 * their starts, and stops and hpmWork that of the start above them.  Starts that
 * follow each other with one id, as in both branches of an `if`, stay one
 * section.  Ids that are not numbers stay.
 *
 * NULL, with a reason for the user, where no section has a number. */
GArray *hpmviz_renumbering_edits(const char *text,
                                 enum hpmviz_language language, int first_id,
                                 GError **error);

#endif
