/* SPDX-License-Identifier: BSD-3-Clause
 * Points as files that other programs read. */
#ifndef HPM_STUDY_POINTS_POINTTABLE_H
#define HPM_STUDY_POINTS_POINTTABLE_H

#include "study/points/points.h"

/* The wide table as CSV: section, file, line, host, task, thread, of single calls
 * their number and begin, then a column each; empty where a value is missing, the thread of what is of the whole
 * process, too. */
void hpm_pointtable_add_csv(struct hpm_string *string,
                            const struct hpm_points *points);

/* The same as a .npz file: a zip archive with an array of NumPy's format (.npy)
 * for each column.  numpy.load reads it, pandas takes what that gives, and base
 * R reads it through unz() and readBin().  Numbers are not packed, so that they
 * are read as fast as they are copied, missing ones are NaN, and the thread of
 * what is of the whole process is -1.  The bytes are the same whenever and
 * wherever it is made. */
bool hpm_pointtable_add_npz(struct hpm_string *string,
                            const struct hpm_points *points,
                            struct hpm_error *err);

/* What each column is and lacks, and what is no point, in lines for people. */
void hpm_pointtable_add_lacks(struct hpm_string *string,
                              const struct hpm_points *points);

#endif
