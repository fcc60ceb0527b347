/* SPDX-License-Identifier: BSD-3-Clause
 * A list of the performance files that measured programs have written. */
#include "file/written.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/env.h"
#include "base/string.h"
#include "host/descriptor.h"
#include "host/write.h"

void
hpm_written_add(const char *path)
{
    const char *list = hpm_env_get(HPM_VARIABLE_WRITTEN);
    struct hpm_string line = {0};
    struct stat status;
    int fd;

    if (list == NULL)
        return;
    /* opening a pipe must not block the program */
    fd = hpm_descriptor_move_up(
        open(list, O_WRONLY | O_APPEND | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
    if (fd < 0)
        return;
    hpm_string_add_format(&line, "%s\n", path);
    if (!line.failed && fstat(fd, &status) == 0 && S_ISREG(status.st_mode))
        hpm_write_all(fd, line.text, line.length);
    hpm_string_free(&line);
    close(fd);
}
