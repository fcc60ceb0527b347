/* SPDX-License-Identifier: BSD-3-Clause
 * Files packed by gzip: reading them as if they were not, and writing them.
 */
#ifndef HPM_STUDY_XML_GZIP_H
#define HPM_STUDY_XML_GZIP_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "file/output.h"

/* ---- reading --------------------------------------------------------- */

struct hpm_unpacking;

/* A file that is read from its start; the first bytes, whatever its name, tell
 * if it is packed.  Start from {.fd = ...}, end with hpm_bytes_clear. */
struct hpm_bytes {
    int fd;
    bool has_begun;
    bool is_at_end;                  /* of what is to be read */
    struct hpm_unpacking *unpacking; /* NULL: not packed */
    const char *problem;             /* why reading failed */
};

/* The next bytes, fewer than `size` only at the end; 0 there.  -1 when it
 * cannot be read, or its packing is damaged, cut, or makes far more of it than
 * of any performance file; what was read before that comes first. */
ssize_t hpm_bytes_read(struct hpm_bytes *bytes, char *buffer, size_t size);

void hpm_bytes_clear(struct hpm_bytes *bytes);

/* ---- writing --------------------------------------------------------- */

/* Is this the name of a file that is to be packed: one that ends in .gz? */
bool hpm_gzip_is_name(const char *path);

struct hpm_gzip;

/* Pack what is written, into `output`.  The same bytes give the same file,
 * whenever and wherever.  NULL when there is no memory. */
struct hpm_gzip *hpm_gzip_new(struct hpm_output *output);

/* Failures come with the end. */
void hpm_gzip_write(struct hpm_gzip *gzip, const char *bytes, size_t length);

/* Write what is left and free it; false when zlib failed. */
bool hpm_gzip_end(struct hpm_gzip *gzip);

#endif
