/* SPDX-License-Identifier: BSD-3-Clause
 * The terms of a PMU's event, and their bits. */
#include "source/format.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/string.h"
#include "source/hardware.h"
#include "source/machine/devices.h"

/* ---- the known fields ----------------------------------------------- */

/* Fields of core PMUs, for a system on which the kernel's list cannot be
 * seen. */
static const char *const usual[][2] = {
#if defined(__x86_64__) || defined(__i386__)
    {"event", "config:0-7,32-35"},  {"umask", "config:8-15,40-47"},
    {"edge", "config:18"},          {"any", "config:21"},
    {"inv", "config:23"},           {"cmask", "config:24-31"},
    {"ldlat", "config1:0-15"},      {"frontend", "config1:0-23"},
    {"offcore_rsp", "config1:0-63"}
#else
    {"event", "config:0-63"}
#endif
};

enum { N_USUAL = sizeof usual / sizeof usual[0] };

static bool
find_field(const char *pmu, const char *name, char *ret_bits, size_t size)
{
    if (strncmp(name, "config", 6) == 0 && strlen(name) <= 7) {
        snprintf(ret_bits, size, "%s:0-63", name);
        return true;
    }
    if (pmu != NULL)
        return hpm_devices_line(pmu, "format", name, ret_bits, size);
    for (size_t i = 0; i < N_USUAL; i++) {
        if (strcmp(usual[i][0], name) == 0) {
            snprintf(ret_bits, size, "%s", usual[i][1]);
            return true;
        }
    }
    return false;
}

static void
add_name(const char *name, void *context)
{
    hpm_string_add_format(context, " %s", name);
}

/* Where no PMU could have the term, that is the reason. */
static bool
refuse_unknown(const char *pmu, const char *term, struct hpm_error *err)
{
    struct hpm_string names = {0};

    if (pmu == NULL && !hpm_hardware_has_pmu() && !hpm_hardware_is_usable(err))
        return false;
    if (pmu != NULL)
        hpm_devices_each_file(pmu, "format", add_name, &names);
    for (size_t i = 0; i < N_USUAL && pmu == NULL; i++)
        add_name(usual[i][0], &names);
    hpm_error_set(err,
                  "'%.60s' is neither an event nor a field of the PMU '%s'; "
                  "its fields are:%.250s config",
                  term, pmu != NULL ? pmu : "cpu", hpm_string_text(&names));
    hpm_string_free(&names);
    return false;
}

/* ---- bits ------------------------------------------------------------ */

static uint64_t *
word_of(const char *bits, struct hpm_encoding *encoding)
{
    static const char *const words[] = {
        "config:", "config1:", "config2:", "config3:"};
    uint64_t *const places[] = {&encoding->config, &encoding->config1,
                                &encoding->config2, &encoding->config3};

    for (size_t i = 0; i < 4; i++) {
        if (strncmp(bits, words[i], strlen(words[i])) == 0)
            return places[i];
    }
    return NULL;
}

/* Put the value into the bits that "config1:0-7,32-35" names: the bits to set
 * into *put, all bits of the field into *all.  What is left in *value did not
 * fit.  False for a line of another form. */
static bool
spread(const char *bits, uint64_t *value, uint64_t *put, uint64_t *all)
{
    const char *c = strchr(bits, ':');

    while (*c == ':' || *c == ',') {
        char *end;
        unsigned long first = strtoul(c + 1, &end, 10);
        unsigned long last = *end == '-' ? strtoul(end + 1, &end, 10) : first;

        if (end == c + 1 || first > last || last > 63)
            return false;
        for (unsigned long bit = first; bit <= last; bit++) {
            *all |= UINT64_C(1) << bit;
            *put |= (*value & 1) << bit;
            *value >>= 1;
        }
        c = end;
    }
    return true;
}

static bool
put_value(const char *name, const char *bits, uint64_t value,
          struct hpm_encoding *encoding, struct hpm_error *err)
{
    uint64_t *word = word_of(bits, encoding);
    uint64_t put = 0, all = 0, rest = value;

    if (word == NULL || !spread(bits, &rest, &put, &all))
        return hpm_error_set(err,
                             "the field '%.60s' is at '%.60s', which this "
                             "toolkit cannot set; expected config to config3 "
                             "and bits",
                             name, bits);
    if (rest != 0)
        return hpm_error_set(err,
                             "0x%" PRIx64 " is too large for the %d bits of "
                             "'%.60s' (%.60s)",
                             value, __builtin_popcountll(all), name, bits);
    if ((*word & all) != 0)
        return hpm_error_set(err,
                             "'%.60s' sets bits (%.60s) that a term before it "
                             "has set; leave one of them out",
                             name, bits);
    *word |= put;
    return true;
}

/* ---- terms ----------------------------------------------------------- */

/* Add one "name=value" or "name". */
static bool
add_term(const char *pmu, char *term, struct hpm_encoding *encoding,
         struct hpm_error *err)
{
    char bits[128];
    char *equals = strchr(term, '=');
    uint64_t value = 1;

    if (equals != NULL) {
        *equals = '\0';
        if (!hpm_string_to_count(equals + 1, &value))
            return hpm_error_set(err,
                                 "'%.60s' is not a number, as the value of "
                                 "'%.60s' must be",
                                 equals + 1, term);
    }
    if (!find_field(pmu, term, bits, sizeof bits))
        return refuse_unknown(pmu, term, err);
    return put_value(term, bits, value, encoding, err);
}

bool
hpm_format_add_terms(const char *pmu, char *terms,
                     struct hpm_encoding *encoding, struct hpm_error *err)
{
    char *rest = NULL;

    for (char *term = strtok_r(terms, ",", &rest); term != NULL;
         term = strtok_r(NULL, ",", &rest)) {
        if (!add_term(pmu, term, encoding, err))
            return false;
    }
    return true;
}
