/* SPDX-License-Identifier: BSD-3-Clause
 * A library for LD_PRELOAD: the program removes no files. */
int unlink(const char *path);

int
unlink(const char *path)
{
    (void)path;
    return 0;
}
