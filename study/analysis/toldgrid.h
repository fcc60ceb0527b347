/* SPDX-License-Identifier: BSD-3-Clause
 * Tasks as the grid that they say they stand in, that of a Cartesian communicator of
 * MPI: where those stand that have something in common. */
#ifndef HPM_STUDY_ANALYSIS_TOLDGRID_H
#define HPM_STUDY_ANALYSIS_TOLDGRID_H

#include "base/string.h"
#include "study/columns/study.h"

enum hpm_toldgrid_mark {
    HPM_TOLDGRID_ABSENT,
    HPM_TOLDGRID_MEMBER,
    HPM_TOLDGRID_OTHER
};

/* Does any task say where it stands? */
bool hpm_toldgrid_is_told(const struct hpm_study *study);

/* Append "corners of the Cartesian grid of 8 x 8 tasks" where the members, by task of
 * the study, are that and no others are.  In a dimension that is periodic, or less than
 * 3 long, no task is at an end more than others.  False, and nothing, where they
 * are nothing of the kind, a task is absent, or not each task of one grid is there
 * once; `failed` of the string when there is no memory. */
bool hpm_toldgrid_add_border(const struct hpm_study *study,
                             const unsigned char *marks,
                             struct hpm_string *string);

/* The same of "coordinate 0 in dimension 1 of the Cartesian grid of 8 x 8 tasks". */
bool hpm_toldgrid_add_coordinate(const struct hpm_study *study,
                                 const unsigned char *marks,
                                 struct hpm_string *string);

#endif
