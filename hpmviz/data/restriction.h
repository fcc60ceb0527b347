/* SPDX-License-Identifier: BSD-3-Clause
 * That only a group of threads is shown, in words. */
#ifndef HPMVIZ_DATA_RESTRICTION_H
#define HPMVIZ_DATA_RESTRICTION_H

#include "hpmviz/data/loader.h"

/* "Only 8 of 64 threads are shown, group 1: thread 0 of each task", for g_free;
 * NULL where all are; "Only 8 of 64 threads are shown: tasks 0-7" of places that the user
 * chose.  Names in it come from files. */
char *hpmviz_restriction_sentence(const struct hpmviz_loaded *loaded);

/* What the members of a group have in common, in the language of the window. */
char *hpmviz_restriction_name(const struct hpm_kindgroup *group);

#endif
