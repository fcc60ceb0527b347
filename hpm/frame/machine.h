/* SPDX-License-Identifier: BSD-3-Clause
 * Questions of the metrics' subcommands about machines. */
#ifndef HPM_MACHINE_H
#define HPM_MACHINE_H

#include "inquiry/inquiry.h"
#include "study/plan/processor.h"

/* Open the inquiry with the sources and the domain given by the environment;
 * report problems of definitions or variables.  False after reporting why. */
bool machine_inquire(const char *subcommand, struct hpm_inquiry *inquiry);

/* Report that HPM_MODELS names a folder without models. */
void machine_check_models(const char *subcommand);

/* Read all definitions; NULL where none of them is for this PMU (err has the
 * nearest name), or when memory runs out. */
struct hpm_spec *machine_read_all(const char *pmu, struct hpm_error *err);

/* Are there definitions for this PMU? */
bool machine_check_arch(const char *pmu, struct hpm_error *err);

/* Another processor, as definitions describe it. */
struct machine_model {
    struct hpm_spec *spec;
    struct hpm_processor processor;
    char place[80]; /* "on skx" */
};

/* False after reporting why; then nothing must be closed. */
bool machine_open_model(const char *subcommand, struct machine_model *model,
                        const char *pmu);

void machine_close_model(struct machine_model *model);

#endif
