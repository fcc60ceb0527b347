/* SPDX-License-Identifier: BSD-3-Clause
 * Files packed by gzip: reading them unpacked, and writing them. */
#ifndef HPM_STUDY_XML_GZIP_H
#define HPM_STUDY_XML_GZIP_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "file/output.h"

/* ---- reading --------------------------------------------------------- */

struct hpm_unpacking;

/* A file that is read from its start; its first bytes, not its name, tell
 * whether it is packed.  Start from {.fd = ...}, end with hpm_bytes_clear. */
struct hpm_bytes {
    int fd;
    const char
        *text; /* if not NULL, these `left` bytes, not packed, are read */
    size_t left;
    bool has_begun;
    bool is_at_end;                  /* nothing more to read */
    struct hpm_unpacking *unpacking; /* NULL: not packed */
    const char *problem;             /* why reading failed */
};

/* Read the next bytes: fewer than `size` only at the end, then 0. -1 when the
 * file cannot be read, or its packed data are damaged, cut, or become far
 * larger than any performance file; the bytes before that are returned
 * first. */
ssize_t hpm_bytes_read(struct hpm_bytes *bytes, char *buffer, size_t size);

void hpm_bytes_clear(struct hpm_bytes *bytes);

/* ---- writing --------------------------------------------------------- */

/* Does the name end in .gz, so that the file is to be packed? */
bool hpm_gzip_is_name(const char *path);

struct hpm_gzip;

/* Pack all that is written, into `output`.  The same bytes always give the same
 * packed file.  NULL when there is no memory. */
struct hpm_gzip *hpm_gzip_new(struct hpm_output *output);

/* hpm_gzip_end reports failures. */
void hpm_gzip_write(struct hpm_gzip *gzip, const char *bytes, size_t length);

/* Write the rest and free; false when zlib failed. */
bool hpm_gzip_end(struct hpm_gzip *gzip);

#endif
