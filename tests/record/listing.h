/* SPDX-License-Identifier: BSD-3-Clause
 * A sequence (sequence.h) as a program in C, or C++, for a reader or a
 * compiler. */
#ifndef TESTS_RECORD_LISTING_H
#define TESTS_RECORD_LISTING_H

#include <stdbool.h>

#include "sequence.h"

/* Print it to standard output, as comments of TAP. */
void listing_print(const struct sequence *sequence, const char *event,
                   bool has_scopes);

#endif
