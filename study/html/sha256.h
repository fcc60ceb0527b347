/* SPDX-License-Identifier: BSD-3-Clause
 * SHA-256 (FIPS 180-4), by which a page's policy names the only script that may
 * run. */
#ifndef HPM_STUDY_HTML_SHA256_H
#define HPM_STUDY_HTML_SHA256_H

#include <stddef.h>

enum { HPM_SHA256_BYTES = 32 };

void hpm_sha256(const void *bytes, size_t length,
                unsigned char ret_digest[HPM_SHA256_BYTES]);

#endif
