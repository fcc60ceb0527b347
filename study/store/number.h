/* SPDX-License-Identifier: BSD-3-Clause
 * A number of a performance file: a count stays an exact integer, seconds stay
 * exact to the nanosecond, any other number is a double. */
#ifndef HPM_STUDY_STORE_NUMBER_H
#define HPM_STUDY_STORE_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/string.h"

enum hpm_number_kind {
    HPM_NUMBER_NONE,          /* there is no number */
    HPM_NUMBER_COUNT,         /* amount */
    HPM_NUMBER_MINUS,         /* -amount */
    HPM_NUMBER_SECONDS,       /* amount nanoseconds, written as seconds */
    HPM_NUMBER_MINUS_SECONDS, /* -amount nanoseconds */
    HPM_NUMBER_REAL,          /* real, always finite */
};

/* {0} is no number. */
struct hpm_number {
    union {
        uint64_t amount;
        double real;
    };
    enum hpm_number_kind kind;
};

struct hpm_number hpm_number_count(uint64_t count);
struct hpm_number hpm_number_integer(int64_t value);
/* No number for NAN and infinities. */
struct hpm_number hpm_number_real(double value);

/* Read the bytes from `text` up to `end` by the rule of the schema: blanks
 * around it, a sign, digits with a decimal point, an exponent.  Only digits are
 * a count, exactly nine decimals are seconds, all else is real.  NULL and the
 * number in *ret_number; or what is wrong, to follow "is". */
const char *hpm_number_read(const char *text, const char *end,
                            struct hpm_number *ret_number);

bool hpm_number_is_seconds(struct hpm_number number);

/* Append the number so that reading it gives the same number; nothing for
 * NONE. */
void hpm_number_add(struct hpm_string *string, struct hpm_number number);

/* As a double, seconds in seconds; NAN for NONE. */
double hpm_number_to_real(struct hpm_number number);

/* Is this an integer from `least` to `most`?  Then *ret_value is set. */
bool hpm_number_to_integer(struct hpm_number number, int64_t least,
                           int64_t most, int64_t *ret_value);

/* Less than, equal to or greater than 0, as a is compared with b; NONE
 * first. */
int hpm_number_compare(struct hpm_number a, struct hpm_number b);

/* a - b and a + b; exact where both are counts or both are seconds and the
 * result fits; NONE where either is NONE. */
struct hpm_number hpm_number_subtract(struct hpm_number a, struct hpm_number b);
struct hpm_number hpm_number_sum(struct hpm_number a, struct hpm_number b);

/* a + b, where NONE adds nothing. */
struct hpm_number hpm_number_total(struct hpm_number a, struct hpm_number b);

#endif
