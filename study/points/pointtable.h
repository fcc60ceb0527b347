/* SPDX-License-Identifier: BSD-3-Clause
 * Points in files for other programs. */
#ifndef HPM_STUDY_POINTS_POINTTABLE_H
#define HPM_STUDY_POINTS_POINTTABLE_H

#include "study/points/points.h"

/* The wide table as CSV: section, file, line, host, task, thread, for single
 * calls their number and begin, then one column each.  Cells are empty where a
 * value is missing; the thread is empty for a whole process. */
void hpm_pointtable_add_csv(struct hpm_string *string,
                            const struct hpm_points *points);

/* The same as a .npz file: a zip archive with an array in NumPy's format (.npy)
 * for each column.  numpy.load reads it, pandas uses the result, and base R
 * reads it through unz() and readBin().  Numbers are not compressed, so that
 * they are read at the speed of a copy; missing numbers are NaN, and the thread
 * of a whole process is -1.  The same points always give the same bytes. */
bool hpm_pointtable_add_npz(struct hpm_string *string,
                            const struct hpm_points *points,
                            struct hpm_error *err);

/* Lines for people: what columns are, what values they lack, and which records
 * are no points. */
void hpm_pointtable_add_lacks(struct hpm_string *string,
                              const struct hpm_points *points);

#endif
