/* SPDX-License-Identifier: BSD-3-Clause
 * The views of a survey. */
#include "study/report/view.h"

const char *const hpm_view_names[] = {"section", "tree", "task", "thread",
                                      "metric",  "file", NULL};

enum hpm_grouping
hpm_view_grouping(enum hpm_view view)
{
    return view == HPM_VIEW_TREE   ? HPM_GROUP_PATHS
           : view == HPM_VIEW_FILE ? HPM_GROUP_FILES
                                   : HPM_GROUP_SECTIONS;
}
