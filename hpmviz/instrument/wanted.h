/* SPDX-License-Identifier: BSD-3-Clause
 * Lines of a source that are to be measured. */
#ifndef HPMVIZ_INSTRUMENT_WANTED_H
#define HPMVIZ_INSTRUMENT_WANTED_H

#include "hpmviz/instrument/language.h"

struct hpmviz_wanted {
    enum hpmviz_language language;
    const char *name;  /* of the file, for Fortran; its ending counts, too */
    guint first, last; /* lines, from 1 */
    int least_id;      /* ids below are taken elsewhere */
};

#endif
