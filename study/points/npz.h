/* SPDX-License-Identifier: BSD-3-Clause
 * Arrays in NumPy's format, in a zip archive (.npz): the formats as
 * numpy.lib.format and PKWARE's APPNOTE describe them. */
#ifndef HPM_STUDY_POINTS_NPZ_H
#define HPM_STUDY_POINTS_NPZ_H

#include <stdint.h>

#include "base/error.h"
#include "base/string.h"

/* An archive while it is written.  Start from {.bytes = ...}; all is appended
 * to that string. */
struct hpm_npz {
    struct hpm_string *bytes;
    size_t begin; /* where the archive begins in `bytes` */
    struct hpm_string directory;
    unsigned n_arrays;
    bool is_too_large;
};

/* Arrays of n numbers. */
void hpm_npz_add_reals(struct hpm_npz *npz, const char *name,
                       const double *values, size_t n);
void hpm_npz_add_integers(struct hpm_npz *npz, const char *name,
                          const int32_t *values, size_t n);

/* An array of n texts in UTF-8; text(owner, i, string) appends the i-th.  They
 * are compressed, since many repeat. */
void hpm_npz_add_texts(struct hpm_npz *npz, const char *name, size_t n,
                       void (*text)(const void *owner, size_t i,
                                    struct hpm_string *string),
                       const void *owner);

/* Write the directory of the archive.  False when there was no memory, or it
 * is larger than 4 GB, which is the most that such an archive holds. */
bool hpm_npz_end(struct hpm_npz *npz, struct hpm_error *err);

#endif
