/* SPDX-License-Identifier: BSD-3-Clause
 * Questions of the metrics' subcommands about machines. */
#include "hpm/frame/machine.h"

#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include "base/env.h"
#include "hpm/frame/subcommand.h"
#include "metric/language/definitions.h"
#include "source/sources.h"
#include "study/node/nodesource.h"
#include "study/tool/pmus.h"

bool
machine_inquire(const char *subcommand, struct hpm_inquiry *inquiry)
{
    const char *source = hpm_env_get(HPM_VARIABLE_SOURCE);
    const char *word = hpm_env_get(HPM_VARIABLE_DOMAIN);
    struct hpm_error err;
    const struct hpm_source *const *sources = hpm_sources_choose(source, &err);
    static const struct hpm_source *with_node[HPM_MAX_SOURCES];
    enum hpm_domain domain = HPM_DOMAIN_USER;

    if (sources != NULL) {
        hpm_nodesource_add(sources, with_node);
        sources = with_node;
    }
    if (sources != NULL && word != NULL &&
        !hpm_domain_from_name(word, &domain)) {
        hpm_error_set(&err,
                      "HPM_DOMAIN='%.40s' is unknown; expected user, "
                      "kernel or all",
                      word);
    } else if (sources != NULL &&
               hpm_inquiry_open(inquiry, sources, domain, true, &err)) {
        subcommand_say_lines(
            subcommand, hpm_string_text(&inquiry->library.spec->complaints));
        return true;
    }
    subcommand_say(subcommand, "%s", err.text);
    return false;
}

/* ---- other machines -------------------------------------------------- */

static bool
has_models(const char *folder)
{
    char path[PATH_MAX];

    return snprintf(path, sizeof path, "%s/node.hpm", folder) >= PATH_MAX ||
           access(path, R_OK) == 0;
}

/* A different message for a processor that is known, or may be, but whose
 * definitions are missing in the folder of the models. */
static bool
check_pmu(const struct hpm_names *pmus, const struct hpm_spec *spec,
          const char *pmu, struct hpm_error *err)
{
    const char *folder = hpm_definitions_models();

    if (hpm_pmus_check(pmus, pmu, err))
        return true;
    if (!hpm_pmus_is_processor(spec, pmu) && has_models(folder))
        return false;
    return hpm_error_set(err,
                         "there is no model '%.40s.hpm' in %.200s; "
                         "HPM_MODELS names the folder of the models, "
                         "metrics/models of the sources",
                         pmu, folder);
}

/* Models of processors that other files define in part would be missed by nobody. */
void
machine_check_models(const char *subcommand)
{
    const char *folder = hpm_env_get(HPM_VARIABLE_MODELS);

    if (folder != NULL && !has_models(folder))
        subcommand_say(subcommand,
                       "HPM_MODELS: '%.200s' has no models of processors; "
                       "expected their folder, metrics/models of the sources",
                       folder);
}

struct hpm_spec *
machine_read_all(const char *pmu, struct hpm_error *err)
{
    struct hpm_spec *spec = hpm_spec_new();
    struct hpm_names pmus = {0};
    bool is_good;

    if (spec == NULL) {
        hpm_error_no_memory(err);
        return NULL;
    }
    is_good = hpm_definitions_read(spec, NULL, err) &&
              (hpm_pmus_add(&pmus, spec, NULL) || hpm_error_no_memory(err)) &&
              check_pmu(&pmus, spec, pmu, err);
    hpm_names_free(&pmus);
    if (is_good)
        return spec;
    hpm_spec_free(spec);
    return NULL;
}

bool
machine_check_arch(const char *pmu, struct hpm_error *err)
{
    struct hpm_spec *spec = machine_read_all(pmu, err);
    bool is_good = spec != NULL;

    hpm_spec_free(spec);
    return is_good;
}

bool
machine_open_model(const char *subcommand, struct machine_model *model,
                   const char *pmu)
{
    struct hpm_error err;

    *model = (struct machine_model){.spec = machine_read_all(pmu, &err)};
    if (model->spec != NULL &&
        hpm_processor_open(&model->processor, model->spec, pmu, &err)) {
        snprintf(model->place, sizeof model->place, "on %.70s", pmu);
        model->processor.request.place = model->place;
        subcommand_say_lines(subcommand,
                             hpm_string_text(&model->spec->complaints));
        return true;
    }
    subcommand_say(subcommand, "%s", err.text);
    hpm_spec_free(model->spec);
    return false;
}

void
machine_close_model(struct machine_model *model)
{
    hpm_processor_close(&model->processor);
    hpm_spec_free(model->spec);
}
