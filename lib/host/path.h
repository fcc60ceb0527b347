/* SPDX-License-Identifier: BSD-3-Clause
 * The parts of a path. */
#ifndef HPM_HOST_PATH_H
#define HPM_HOST_PATH_H

/* The part of `path` after the last slash; "" for NULL. */
const char *hpm_path_base_name(const char *path);

#endif
