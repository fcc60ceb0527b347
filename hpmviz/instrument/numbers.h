/* SPDX-License-Identifier: BSD-3-Clause
 * Numbers that names of a source stand for: ids of sections are often given so.
 */
#ifndef HPMVIZ_INSTRUMENT_NUMBERS_H
#define HPMVIZ_INSTRUMENT_NUMBERS_H

#include "hpmviz/instrument/ctokens.h"
#include "hpmviz/instrument/fcode.h"

/* Of C and C++: macros that are a number or another such name, and enumerators.
 * Of a name with several numbers (in branches) the largest.  For
 * g_hash_table_unref. */
GHashTable *hpmviz_numbers_of_c(const struct hpmviz_ctokens *tokens);

/* Of Fortran: parameters, enumerators, and macros.  Names are in small letters. */
GHashTable *hpmviz_numbers_of_fortran(const struct hpmviz_fcode *code);

/* FALSE where the source does not tell. */
gboolean hpmviz_numbers_find(GHashTable *numbers, const char *name,
                             int *ret_number);

#endif
