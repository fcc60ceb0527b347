/* SPDX-License-Identifier: BSD-3-Clause
 * Loaded before a program, keeps the files it would remove. */
int unlink(const char *path);

int
unlink(const char *path)
{
    (void)path;
    return 0;
}
