/* SPDX-License-Identifier: BSD-3-Clause
 * How single calls of a section differ, as pictures. */
#ifndef HPM_STUDY_ANALYSIS_CALLPICTURES_H
#define HPM_STUDY_ANALYSIS_CALLPICTURES_H

#include "study/analysis/picture.h"
#include "study/points/points.h"

enum hpm_callpicture {
    HPM_CALLPICTURE_HISTOGRAM, /* which part of all calls is in each range */
    HPM_CALLPICTURE_DRIFT,     /* values by when the calls began */
    HPM_N_CALLPICTURES
};

/* Into a picture that is empty, the columns of single calls of one section one
 * below the other.  False, and why, where no column has one. */
bool hpm_callpicture_draw(struct hpm_picture *picture,
                          const struct hpm_points *points,
                          enum hpm_callpicture which, struct hpm_error *err);

#endif
