/* SPDX-License-Identifier: BSD-3-Clause */
#include "study/report/human.h"

#include <math.h>

#include "tap.h"

static void
check(double value, const char *unit, const char *expected)
{
    struct hpm_string string = {0};

    hpm_human_add(&string, value, unit);
    is_text(hpm_string_text(&string), expected, expected);
    hpm_string_free(&string);
}

int
main(void)
{
    check(592046646.0, "byte/s", "592 MB/s");
    check(1831000.0, "bytes", "1.83 MB");
    check(999.0, "byte", "999 B");
    check(999499.0, "byte", "999 kB");
    check(999500.0, "byte", "1.00 MB");
    check(24.3e9, "cycles", "24.3 G cycles");
    check(9999.0, "cycles", "9999 cycles");
    check(10000.0, "cycles", "10.0 k cycles");
    check(1.41591, "", "1.42");
    check(9.996, "", "10.0");
    check(99.96, "", "100");
    check(-12345.0, "", "-12.3 k");
    check(0.0, "", "0");
    check(0.25, "1/s", "0.25 per second");
    check(570.12, "1/s", "570 per second");
    check(1.5, "1e6/s", "1.50 M per second");
    check(84.34, "%", "84.3 %");
    check(0.0004, "s", "400 us");
    check(0.0, "s", "0.00 s");
    check(2e-9, "s", "2.00 ns");
    check(3e-12, "s", "0.00 ns");
    check(0.30412, "s", "304 ms");
    check(0.9996, "s", "1.000 s");
    check(4.545193, "s", "4.545 s");
    check(123.45, "s", "123.5 s");
    check(605.2, "s", "10 min 5 s");
    check(3599.6, "s", "1 h 0 min");
    check(7500.0, "s", "2 h 5 min");
    check(14.486, "us", "14.5 us");
    check(NAN, "s", "n/a");
    check(INFINITY, "", "n/a");
    check(3.2e21, "", "3200 E");
    return done();
}
