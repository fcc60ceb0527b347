/* SPDX-License-Identifier: BSD-3-Clause
 * A plug-in that measures, built twice with different labels (LABEL) of the
 * same length: all its addresses are those of its twin, which
 * tests/programs/lives loads in its place. */
#include <stddef.h>

#include <libhpm.h>

const char *turn_run(void);

/* The entry of Fortran. */
void f_hpmtstartat_(const int *, const char *, const char *, const int *,
                    size_t, size_t);
void f_hpmtstopat_(const int *, const char *, const int *, size_t);

/* Returns the label: its address tells whether the twin was at the same
 * place. */
const char *
turn_run(void)
{
    static const char label[] = LABEL, file[] = __FILE__;
    const int id = 3, line = 1;

    hpmTstartAt(1, label, file, 1);
    hpmTstart(2, LABEL " inside");
    hpmTstop(2);
    hpmTstopAt(1, file, 1);
    f_hpmtstartat_(&id, label, file, &line, sizeof label - 1, sizeof file - 1);
    f_hpmtstopat_(&id, file, &line, sizeof file - 1);
    hpmStart(4, LABEL);
    hpmStop(4);
    return label;
}
