/* SPDX-License-Identifier: BSD-3-Clause
 * Names of points: the columns that are not dimensions. */
#ifndef HPM_STUDY_POINTS_POINTLABELS_H
#define HPM_STUDY_POINTS_POINTLABELS_H

#include "study/points/points.h"

/* The section's label, or "#7" if it has none. */
void hpm_pointlabels_add_section(struct hpm_string *string,
                                 const struct hpm_points *points, size_t point);

/* The base name of its file and the line of its start; "" and -1 where they are
 * not known. */
const char *hpm_pointlabels_file(const struct hpm_points *points, size_t point);
int hpm_pointlabels_line(const struct hpm_points *points, size_t point);

/* The host of its task; "" if that is not known. */
const char *hpm_pointlabels_host(const struct hpm_points *points, size_t point);

/* "task 3 thread 1"; "task 3" for a point of a whole process. */
void hpm_pointlabels_add(struct hpm_string *string,
                         const struct hpm_points *points, size_t point);

#endif
