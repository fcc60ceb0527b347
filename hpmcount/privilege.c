/* SPDX-License-Identifier: BSD-3-Clause
 * Programs that gain privileges, and so lose their counters. */
#include "hpmcount/privilege.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/mark.h"
#include "base/string.h"
#include "study/probe/executable.h"

/* Without the group's execute bit, the set-group-ID bit means file locking. */
static bool
changes_group(const struct stat *status)
{
    return (status->st_mode & (S_ISGID | S_IXGRP)) == (S_ISGID | S_IXGRP) &&
           status->st_gid != getegid();
}

static const char *
judge(const char *path)
{
    struct stat status;

    if (stat(path, &status) != 0)
        return NULL;
    if ((status.st_mode & S_ISUID) != 0 && status.st_uid != geteuid())
        return N_("is set-user-ID");
    if (changes_group(&status))
        return N_("is set-group-ID");
    if (getxattr(path, "security.capability", NULL, 0) > 0)
        return N_("has capabilities (getcap)");
    return access(path, R_OK) != 0 ? N_("is not readable") : NULL;
}

const char *
privilege_of(const char *word)
{
    struct hpm_string path = {0};
    const char *what = NULL;

    if (hpm_executable_find(word, &path))
        what = judge(hpm_string_text(&path));
    hpm_string_free(&path);
    return what;
}
