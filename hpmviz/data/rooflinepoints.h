/* SPDX-License-Identifier: BSD-3-Clause
 * The places of a section below the roofs of the machine: calculations per byte of
 * memory and per second, by the metrics of metrics/roofline.hpm. */
#ifndef HPMVIZ_DATA_ROOFLINEPOINTS_H
#define HPMVIZ_DATA_ROOFLINEPOINTS_H

#include "hpmviz/data/distribution.h"

struct hpmviz_rooflinepoint {
    guint row;                 /* of the sheet */
    double intensity, reached; /* operations per byte; 1e9 of them per second */
    double part;               /* per cent of the attainable roof */
};

/* Of the places of a distribution, whatever its metric. */
struct hpmviz_roofline {
    struct hpmviz_rooflinepoint *points;
    guint n;
    double flops,
        bytes; /* roofs, the highest of these places: 1e9 per second */
};

struct hpmviz_roofline *
hpmviz_roofline_new(const struct hpmviz_distribution *distribution);
void hpmviz_roofline_free(struct hpmviz_roofline *roofline);

/* The point of a row; NULL where it has none. */
const struct hpmviz_rooflinepoint *
hpmviz_roofline_find(const struct hpmviz_roofline *roofline, guint row);

/* Append how many places there are and how near to the roofs, or what is missing and
 * how to get it. */
void hpmviz_roofline_add_summary(const struct hpmviz_roofline *roofline,
                                 const struct hpmviz_distribution *distribution,
                                 struct hpm_string *text);

#endif
