/* SPDX-License-Identifier: BSD-3-Clause
 * The parts of a path. */
#include "host/path.h"

#include <string.h>

const char *
hpm_path_base_name(const char *path)
{
    const char *slash;

    if (path == NULL)
        return "";
    slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}
