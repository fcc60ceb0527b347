/* SPDX-License-Identifier: BSD-3-Clause
 * A program of a sequence (sequence.h) in C, or C++, to be compiled and looked
 * at. */
#ifndef TESTS_RECORD_LISTING_H
#define TESTS_RECORD_LISTING_H

#include <stdbool.h>

#include "sequence.h"

/* To standard output, as comments of TAP. */
void listing_print(const struct sequence *sequence, const char *event,
                   bool has_scopes);

#endif
