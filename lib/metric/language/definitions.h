/* SPDX-License-Identifier: BSD-3-Clause
 * Where definitions come from: those shipped, those of the site, the user's. */
#ifndef HPM_METRIC_LANGUAGE_DEFINITIONS_H
#define HPM_METRIC_LANGUAGE_DEFINITIONS_H

#include <stdbool.h>

#include "base/error.h"
#include "metric/language/spec.h"

/* Read all definitions:
 *
 *   1. the shipped ones, compiled in;
 *   2. *.hpm of the installed folder (pkgdatadir/metrics);
 *   3. *.hpm of the user's folder ($XDG_CONFIG_HOME/hpm-toolkit, else
 *      ~/.config/hpm-toolkit);
 *   4. `paths`, files and folders with colons between them; NULL for HPM_DEFS.
 *
 * Later ones override earlier ones, name by name; a file of the base name of a
 * shipped one stands in its place instead.  A file is read once.  What is
 * wrong with them, or cannot be read, is added to the spec's complaints, and
 * all else holds.  False when memory runs out. */
bool hpm_definitions_read(struct hpm_spec *spec, const char *paths,
                          struct hpm_error *err);

/* The same for one PMU (NULL: not known): of the shipped files, those that are
 * only for others are passed over, be they compiled in or installed. */
bool hpm_definitions_read_for(struct hpm_spec *spec, const char *paths,
                              const char *pmu, struct hpm_error *err);

/* From now on, wherever models are looked for, read this one, too, beside that of the
 * PMU: what tools know and measured programs do not carry ("node").  A constant, set
 * once, before anything is read. */
void hpm_definitions_read_also(const char *model);

/* Read the shipped files and one more, which stands in the place of a shipped
 * one of its name: nobody else's. */
bool hpm_definitions_read_file(struct hpm_spec *spec, const char *path,
                               struct hpm_error *err);

#endif
