/* SPDX-License-Identifier: BSD-3-Clause
 * The dialog that writes what the window of distributions shows into a file. */
#ifndef HPMVIZ_SHELL_DISTRIBUTIONEXPORT_H
#define HPMVIZ_SHELL_DISTRIBUTIONEXPORT_H

#include "hpmviz/places/placeswindow.h"

/* Ask for a file and write it: CSV where its name ends so, else a picture (PNG, or
 * SVG or PDF by the name). */
void hpmviz_distributionexport_ask(HpmvizPlaceswindow *window);

#endif
