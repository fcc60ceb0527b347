/* SPDX-License-Identifier: BSD-3-Clause
 * Where definitions come from: the shipped files, the site's and the user's. */
#ifndef HPM_METRIC_LANGUAGE_DEFINITIONS_H
#define HPM_METRIC_LANGUAGE_DEFINITIONS_H

#include <stdbool.h>

#include "base/error.h"
#include "metric/language/spec.h"

/* Read all definitions:
 *
 *   1. the shipped ones, compiled in, then the models of all processors;
 *   2. *.hpm of the installed folder (pkgdatadir/metrics);
 *   3. *.hpm of the user's folder ($XDG_CONFIG_HOME/hpm-toolkit, else
 *      ~/.config/hpm-toolkit);
 *   4. `paths`, files and folders with colons between them; NULL for HPM_DEFS.
 *
 * Later definitions override earlier ones, name by name; but a file with the
 * base name of a shipped one replaces that file.  Each file is read once.
 * Faults in the files, and files that cannot be read, are added to the spec's
 * complaints, and all other definitions are kept.  False when memory runs
 * out. */
bool hpm_definitions_read(struct hpm_spec *spec, const char *paths,
                          struct hpm_error *err);

/* Like hpm_definitions_read, for one PMU (NULL: not known): shipped files only
 * for other PMUs are skipped, whether compiled in or installed, and of the models
 * the PMU's alone is read, where there is one. */
bool hpm_definitions_read_for(struct hpm_spec *spec, const char *paths,
                              const char *pmu, struct hpm_error *err);

/* From now on, read this model, too, wherever the model of the PMU is read: tools
 * have such models ("node", "mpi"), and a program that libhpm_mpi measures ("mpi").
 * `model` is a constant text; set at most two, in the order of their names, before
 * anything is read. */
void hpm_definitions_read_also(const char *model);

/* The folder of the models: that of HPM_MODELS, or the installed one; it may be
 * missing. */
const char *hpm_definitions_models(void);

/* Read the shipped files and the file `path`, which replaces a shipped one of
 * its name, and no others. */
bool hpm_definitions_read_file(struct hpm_spec *spec, const char *path,
                               struct hpm_error *err);

#endif
