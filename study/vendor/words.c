/* SPDX-License-Identifier: BSD-3-Clause
 * Vendors' words: processors, and values that are no events. */
#include "study/vendor/words.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

struct pair {
    const char *theirs, *ours;
};

static const char *
find(const struct pair *pairs, size_t n, const char *word)
{
    for (size_t i = 0; i < n; i++) {
        if (hpm_string_same_word(pairs[i].theirs, word))
            return pairs[i].ours;
    }
    return NULL;
}

const char *
hpm_words_of_pmu(const char *processor)
{
    static const struct pair pairs[] = {
        {"nehalemep", "nhm"},
        {"nehalemex", "nhm_ex"},
        {"westmereep-sp", "wsm"},
        {"westmereep-dp", "wsm_dp"},
        {"sandybridge", "snb"},
        {"jaketown", "snb_ep"},
        {"ivybridge", "ivb"},
        {"ivytown", "ivb_ep"},
        {"haswell", "hsw"},
        {"haswellx", "hsw_ep"},
        {"broadwell", "bdw"},
        {"broadwellx", "bdw_ep"},
        {"skylake", "skl"},
        {"skylakex", "skx"},
        {"cascadelakex", "clx"},
        {"icelake", "icl"},
        {"icelakex", "icx"},
        {"tigerlake", "tgl"},
        {"sapphirerapids", "spr"},
        {"emeraldrapids", "emr"},
        {"graniterapids", "gnr"},
        {"sierraforest", "srf"},
        {"clearwaterforest", "cwf"},
        {"alderlake", "adl"},
        {"raptorlake", "adl"},
        {"meteorlake", "mtl"},
        {"lunarlake", "lnl"},
        {"arrowlake", "arl"},
        {"amdzen1", "amd64_fam17h_zen1"},
        {"amdzen2", "amd64_fam17h_zen2"},
        {"amdzen3", "amd64_fam19h_zen3"},
        {"amdzen4", "amd64_fam19h_zen4"},
        {"amdzen5", "amd64_fam1ah_zen5"},
        {"neoverse-n1", "arm_n1"},
        {"neoverse-n2", "arm_n2"},
        {"neoverse-v1", "arm_v1"},
        {"neoverse-v2", "arm_v2"},
        {"neoverse-v3", "arm_v3"},
        {"neoverse-n2-v2", "arm_n2 arm_v2"},
        {"cortex-a57", "arm_ac57"},
        {"cortex-a72", "arm_ac72"},
        {"cortex-a76", "arm_ac76"},
        {"cortex-a57-a72", "arm_ac57 arm_ac72"},
        {"thunderx2", "arm_thunderx2"},
        {"a64fx", "arm_a64fx"},
        {"power9", "power9"},
        {"power10", "power10"},
    };

    return find(pairs, sizeof pairs / sizeof pairs[0], processor);
}

const char *
hpm_words_of_cores(const char *key)
{
    static const struct pair pairs[] = {
        {"goldencove", "cpu_core"}, {"redwoodcove", "cpu_core"},
        {"lioncove", "cpu_core"},   {"gracemont", "cpu_atom"},
        {"crestmont", "cpu_atom"},  {"skymont", "cpu_atom"},
    };
    /* where the same cores are another kind than elsewhere */
    static const struct pair others[] = {
        {"arrowlake_crestmont", "cpu_lowpower"}};
    const char *last = strrchr(key, '_');
    const char *pmu = find(others, sizeof others / sizeof others[0], key);

    if (last == NULL || pmu != NULL)
        return pmu;
    return find(pairs, sizeof pairs / sizeof pairs[0], last + 1);
}

const char *
hpm_words_of_kind(const char *pmu)
{
    static const struct pair pairs[] = {
        {"cpu_core", "P_"}, {"cpu_atom", "E_"}, {"cpu_lowpower", "LP_"}};
    const char *kind =
        pmu != NULL ? find(pairs, sizeof pairs / sizeof pairs[0], pmu) : NULL;

    return kind != NULL ? kind : "";
}

void
hpm_words_add_unit(struct hpm_string *text, const char *unit)
{
    static const struct pair pairs[] = {
        {"CBO", "uncore_cbox"},   {"SBO", "uncore_sbox"},
        {"QPI LL", "uncore_qpi"}, {"UPI LL", "uncore_upi"},
        {"NCU", "uncore_clock"},  {"iMPH-U", "uncore_arb"},
        {"L3PMC", "amd_l3"},      {"DFPMC", "amd_df"},
        {"UMCPMC", "amd_umc"},    {"l3", "amd_l3"},
        {"df", "amd_df"},         {"umc", "amd_umc"},
        {"imx8_ddr", "imx8_ddr"}, {"imx9_ddr", "imx9_ddr"},
        {"ali_drw", "ali_drw"},   {"arm_cmn", "arm_cmn"},
    };
    const char *pmu = find(pairs, sizeof pairs / sizeof pairs[0], unit);

    hpm_string_add(text, pmu != NULL ? pmu : "uncore_");
    for (; pmu == NULL && *unit != '\0'; unit++)
        hpm_string_add_char(text, isalnum((unsigned char)*unit)
                                      ? (char)tolower((unsigned char)*unit)
                                      : '_');
}

/* The kernel's topdown-* events count slots; PERF_METRICS are their parts.
 * Intel counts energy in units of 61 (memory: 15.6) microjoules; here it is in
 * joules. */
const char *
hpm_words_of_literal(const char *name)
{
    static const struct pair pairs[] = {
        {"HYPERTHREADING_ON", "smt"},
        {"#smt_on", "smt"},
        {"#SMT_on", "smt"},
        {"DURATIONTIMEINMILLISECONDS", "(1000 * time::wall)"},
        {"DURATIONTIMEINSECONDS", "time::wall"},
        {"duration_time", "time::wall"},
        {"SYSTEM_TSC_FREQ", "(1000000 * cpu::mhz)"},
        {"#system_tsc_freq", "(1000000 * cpu::mhz)"},
        {"TSC", "(1000000 * cpu::mhz * time::wall)"},
        {"#num_cpus_online", "cpu::count"},
        {"system.sockets[0].cpus.count * system.socket_count", "cpu::count"},
        {"#slots", "WIDTH"},
        {"instructions", "perf::instructions"},
        {"cycles", "perf::cycles"},
        {"cpu-cycles", "perf::cycles"},
        {"UNC_PKG_ENERGY_STATUS", "(1000000 * node::energy-pkg / 61)"},
        {"FREERUN_PKG_ENERGY_STATUS", "(1000000 * node::energy-pkg / 61)"},
        {"FREERUN_DRAM_ENERGY_STATUS", "(1000000 * node::energy-ram / 15.6)"},
        {"PERF_METRICS.RETIRING", "cpu::topdown-retiring"},
        {"PERF_METRICS.BAD_SPECULATION", "cpu::topdown-bad-spec"},
        {"PERF_METRICS.FRONTEND_BOUND", "cpu::topdown-fe-bound"},
        {"PERF_METRICS.BACKEND_BOUND", "cpu::topdown-be-bound"},
        {"PERF_METRICS.HEAVY_OPERATIONS", "cpu::topdown-heavy-ops"},
        {"PERF_METRICS.BRANCH_MISPREDICTS", "cpu::topdown-br-mispredict"},
        {"PERF_METRICS.FETCH_LATENCY", "cpu::topdown-fetch-lat"},
        {"PERF_METRICS.MEMORY_BOUND", "cpu::topdown-mem-bound"},
        {"topdown-retiring", "cpu::topdown-retiring"},
        {"topdown-bad-spec", "cpu::topdown-bad-spec"},
        {"topdown-fe-bound", "cpu::topdown-fe-bound"},
        {"topdown-be-bound", "cpu::topdown-be-bound"},
        {"topdown-heavy-ops", "cpu::topdown-heavy-ops"},
        {"topdown-br-mispredict", "cpu::topdown-br-mispredict"},
        {"topdown-fetch-lat", "cpu::topdown-fetch-lat"},
        {"topdown-mem-bound", "cpu::topdown-mem-bound"},
    };

    return find(pairs, sizeof pairs / sizeof pairs[0], name);
}

const char *
hpm_words_why_not(const char *name)
{
    static const char sockets[] =
        "it needs how many sockets, dies or units a machine has, as what is "
        "counted for all of the machine does";
    static const struct pair pairs[] = {
        {"SOCKET_COUNT", sockets},
        {"CHAS_PER_SOCKET", sockets},
        {"CORES_PER_SOCKET", sockets},
        {"#num_packages", sockets},
        {"#num_dies", sockets},
        {"#num_cores", sockets},
        {"#num_cpus", sockets},
        {"#core_wide", "it depends on how perf was called"},
        {"source_count", sockets},
        {"has_event", "it asks whether an event is there, which a definition "
                      "says by having another one beside it"},
        {"THREADS_PER_CORE", "it needs how many threads a core runs"},
    };

    return find(pairs, sizeof pairs / sizeof pairs[0], name);
}
