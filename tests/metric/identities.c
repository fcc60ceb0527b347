/* SPDX-License-Identifier: BSD-3-Clause
 * The PMU that the shipped definitions give a processor, by its identity, on
 * each architecture. */
#include "config.h"

#include "metric/trial.h"
#include "tap.h"

static const struct {
    const char *identity;
    const char *pmu; /* NULL: libpfm4 names it */
} identities[] = {
    {"GenuineIntel-6-CF-2", "emr"},
    {"GenuineIntel-6-AD-1", "gnr"},
    {"GenuineIntel-6-AE-0", "gnr"},
    {"GenuineIntel-6-AF-3", "srf"},
    {"GenuineIntel-6-DD-1", "cwf"},
    {"GenuineIntel-6-8F-8", NULL},
    {"AuthenticAMD-26-2-1", "amd64_fam1ah_zen5"},
    {"AuthenticAMD-26-11-0", "amd64_fam1ah_zen5"},
    {"AuthenticAMD-26-44-0", "amd64_fam1ah_zen5"},
    {"AuthenticAMD-26-70-0", "amd64_fam1ah_zen5"},
    {"AuthenticAMD-26-50-0", "amd64_fam1ah_zen6"},
    {"AuthenticAMD-26-A0-0", "amd64_fam1ah_zen6"},
    {"AuthenticAMD-25-11-1", NULL},
    {"MIDR-410fd490", "arm_n2"},
    {"MIDR-411fd493", "arm_n2"},
    {"MIDR-410fd4f0", "arm_v2"},
    {"MIDR-410fd830", "arm_v3"},
    {"MIDR-410fd840", "arm_v3"},
    {"MIDR-410fd8e1", "arm_n3"},
    {"GenuineIntel-6-97-2", "adl"},
    {"GenuineIntel-6-9A-3", "adl"},
    {"GenuineIntel-6-B7-1", "adl"},
    {"GenuineIntel-6-BA-2", "adl"},
    {"GenuineIntel-6-BF-2", "adl"},
    {"GenuineIntel-6-BE-0", NULL},
    {"GenuineIntel-6-AA-4", "mtl"},
    {"GenuineIntel-6-AC-2", "mtl"},
    {"GenuineIntel-6-B5-0", "mtl"},
    {"GenuineIntel-6-BD-1", "lnl"},
    {"GenuineIntel-6-C5-2", "arl"},
    {"GenuineIntel-6-C6-2", "arl"},
    {"MIDR-c00fac30", "arm_ampereone"},
    {"MIDR-c00fac40", NULL},
    {"MIDR-431f0af1", "arm_thunderx2"},
    {"MIDR-420f5160", "arm_thunderx2"},
    {"PVR-00800200", "power10"},
    {"PVR-00820200", "power10"},
    {"MIDR-460fd490", NULL},
    {"MIDR-410fd0c1", NULL},
    {"PVR-004e1202", NULL},
    {"MIDR-611f0221", "apple_m1"},
    {"MIDR-611f0230", "apple_m1"},
    {"MIDR-612f0290", "apple_m1"},
    {"MIDR-611f0320", "apple_m2"},
    {"MIDR-610f0390", "apple_m2"},
    {"MIDR-611f0420", NULL},
    {"RISCV-0x489-0x8000000000000007-0x1", "riscv"},
};

int
main(void)
{
    struct hpm_spec *shipped = read_shipped();

    for (size_t i = 0; i < sizeof identities / sizeof identities[0]; i++) {
        const char *pmu =
            hpm_spec_find_processor(shipped, identities[i].identity);
        const char *wanted = identities[i].pmu;
        char sentence[160];

        snprintf(sentence, sizeof sentence, "%s is %s, not %s",
                 identities[i].identity, wanted != NULL ? wanted : "unnamed",
                 pmu != NULL ? pmu : "unnamed");
        ok(wanted == NULL ? pmu == NULL
                          : pmu != NULL && strcmp(pmu, wanted) == 0,
           sentence);
    }
    hpm_spec_free(shipped);
    return done();
}
