/* SPDX-License-Identifier: BSD-3-Clause
 * What the subcommands about metrics ask this machine. */
#ifndef HPM_MACHINE_H
#define HPM_MACHINE_H

#include "inquiry/inquiry.h"
#include "study/plan/processor.h"

/* Open the inquiry with the sources and the domain of the environment; what is
 * wrong with definitions or variables is said.  False after saying why. */
bool machine_inquire(const char *subcommand, struct hpm_inquiry *inquiry);

/* Say where HPM_MODELS names a folder that is not that of the models. */
void machine_check_models(const char *subcommand);

/* All definitions; NULL where none of them is for this PMU, with the nearest
 * one, or when memory runs out. */
struct hpm_spec *machine_read_all(const char *pmu, struct hpm_error *err);

/* Are there definitions for this PMU? */
bool machine_check_arch(const char *pmu, struct hpm_error *err);

/* Another processor, as its definitions describe it. */
struct machine_model {
    struct hpm_spec *spec;
    struct hpm_processor processor;
    char place[80]; /* "on skx" */
};

/* False after saying why; nothing is to be closed then. */
bool machine_open_model(const char *subcommand, struct machine_model *model,
                        const char *pmu);

void machine_close_model(struct machine_model *model);

#endif
