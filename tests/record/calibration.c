/* SPDX-License-Identifier: BSD-3-Clause
 * Which costs follow from windows, and from two calibrations. */
#include "config.h"

#include "record/calibration.h"

#include <string.h>

#include "tap.h"

/* Windows in the order in which they were measured. */
static void
test_spread(void)
{
    static const uint64_t windows[] = {7, 3, (uint64_t)-2, 9, 5};
    struct hpm_probe probe = {0};
    struct hpm_spread spread;
    bool is_unknown;

    if (!hpm_probe_init(&probe, 1, 5)) {
        ok(false, "room for windows");
        return;
    }
    hpm_probe_spread(&probe, 0, &is_unknown);
    ok(is_unknown, "of no window nothing is known");
    memcpy(probe.windows, windows, sizeof windows);
    probe.n_windows = 5;
    spread = hpm_probe_spread(&probe, 0, &is_unknown);
    ok(!is_unknown, "of five windows something is");
    is_count(spread.min, (uint64_t)-2, "the smallest, which may be below 0");
    is_count(spread.median, 5, "the one in the middle");
    is_count(spread.max, 9, "the largest");
    hpm_probe_clear(&probe);
}

static void
test_choose(void)
{
    struct hpm_calibration init = {.is_done = true, .n_overheads = 4};
    struct hpm_calibration end = init;
    struct hpm_final final;
    uint64_t(*amounts)[HPM_MAX_CHARGED] = final.costs.amounts;

    for (size_t i = 0; i < 4; i++) {
        init.costs.amounts[HPM_COST_START][i] = 20 + i;
        end.costs.amounts[HPM_COST_START][i] = 10 + i;
    }
    end.costs.amounts[HPM_COST_STOP][1] = 5; /* more than at init */
    init.is_unknown[2] = true;
    end.is_unknown[3] = true;
    end.costs.amounts[HPM_COST_START][2] = 30;
    hpm_calibration_choose(&init, &end, &final);
    is_count(amounts[HPM_COST_START][0], 20, "time keeps what was charged");
    is_count(amounts[HPM_COST_START][1], 11, "the smaller cost, of the end");
    is_count(amounts[HPM_COST_STOP][1], 0, "or of the beginning");
    is_count(amounts[HPM_COST_START][2], 30,
             "a cost that was not known before is that of the end");
    is_count(amounts[HPM_COST_START][3], 23,
             "one that is not known at the end is that of the beginning");
    end.is_done = false;
    hpm_calibration_choose(&init, &end, &final);
    is_count(amounts[HPM_COST_START][1], 21, "without an end, the first one");
}

int
main(void)
{
    test_spread();
    test_choose();
    return done();
}
