/* SPDX-License-Identifier: BSD-3-Clause
 * The names that definitions of metrics have, of all processors at once. */
#include "study/metric/definednames.h"

#include <string.h>

#include "metric/alias.h"

/* All names of the spec but texts of several words, which describe.  A text of one
 * word is taken for a name, too: that only asks more than must be asked. */
bool
hpm_definednames_add(struct hpm_definednames *names,
                     const struct hpm_spec *spec)
{
    struct hpm_string spelling = {0};
    bool is_good = true;

    for (size_t i = 0; i < spec->names.n_texts && is_good; i++) {
        const char *text = hpm_names_text(&spec->names, (uint32_t)i);

        if (strchr(text, ' ') != NULL)
            continue;
        hpm_string_clear(&spelling);
        hpm_alias_add_folded(&spelling, text);
        is_good = !spelling.failed &&
                  hpm_names_add(&names->spellings, hpm_string_text(&spelling),
                                spelling.length) != HPM_NO_NAME;
    }
    hpm_string_free(&spelling);
    return is_good;
}

void
hpm_definednames_clear(struct hpm_definednames *names)
{
    hpm_names_free(&names->spellings);
}

/* Names that are equal in their own case are so in small letters, too. */
bool
hpm_definednames_may_have(const struct hpm_definednames *names,
                          const char *counter)
{
    struct hpm_string spelling = {0};
    bool has;

    hpm_alias_add_folded(&spelling, counter);
    has = spelling.failed ||
          hpm_names_find(&names->spellings, hpm_string_text(&spelling)) !=
              HPM_NO_NAME;
    hpm_string_free(&spelling);
    return has;
}
