/* SPDX-License-Identifier: BSD-3-Clause
 * What the subcommands about metrics ask this machine. */
#include "hpm/machine.h"

#include "base/env.h"
#include "hpm/subcommand.h"
#include "source/sources.h"

bool
machine_inquire(const char *subcommand, struct hpm_inquiry *inquiry)
{
    const char *source = hpm_env_get(HPM_VARIABLE_SOURCE);
    const char *word = hpm_env_get(HPM_VARIABLE_DOMAIN);
    struct hpm_error err;
    const struct hpm_source *const *sources = hpm_sources_choose(source, &err);
    enum hpm_domain domain = HPM_DOMAIN_USER;

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
