/* SPDX-License-Identifier: BSD-3-Clause
 * One set of events of one PAPI component. */
#include "source/papiset.h"

#include <errno.h>
#include <string.h>

#include "host/descriptor.h"
#include "host/standard.h"
#include "source/eventset.h"
#include "source/obstacle.h"
#include "source/perf.h"

void
hpm_papiset_explain(int error, struct hpm_error *err)
{
    if (error == PAPI_ENOINIT) {
        hpm_error_set(err, "the program has shut PAPI down");
        return;
    }
    /* PAPI says "Too many events or attributes" when no descriptor is left */
    if (error == PAPI_ECOUNT && !hpm_descriptor_has_room(1)) {
        hpm_obstacle_explain(EMFILE, err);
        return;
    }
    if (error == PAPI_EPERM) {
        hpm_obstacle_explain(EACCES, err);
        return;
    }
    if (error == PAPI_EISRUN) {
        hpm_error_set(err, "a PAPI set of the program is running in this "
                           "thread");
        return;
    }
    hpm_error_set(err, "PAPI: %s", hpm_papilib.strerror(error));
}

static int
papi_domain(enum hpm_domain domain)
{
    switch (domain) {
    case HPM_DOMAIN_USER:
        return PAPI_DOM_USER;
    case HPM_DOMAIN_KERNEL:
        return PAPI_DOM_KERNEL;
    default:
        return PAPI_DOM_ALL;
    }
}

static int
set_domain(const struct hpm_papiset *set, enum hpm_domain domain)
{
    PAPI_option_t option;

    memset(&option, 0, sizeof option);
    option.domain.eventset = set->id;
    option.domain.domain = papi_domain(domain);
    return hpm_papilib.set_opt(PAPI_DOMAIN, &option);
}

static int
set_inherit(const struct hpm_papiset *set)
{
    PAPI_option_t option;

    memset(&option, 0, sizeof option);
    option.inherit.eventset = set->id;
    option.inherit.inherit = PAPI_INHERIT_ALL;
    return hpm_papilib.set_opt(PAPI_INHERIT, &option);
}

/* Attaches a set even to the calling thread: PAPI lets only one set that is not
 * attached run in a thread, and that one is left to the program. */
static int
prepare(struct hpm_papiset *set, const struct hpm_papiset_request *request)
{
    int result =
        hpm_papilib.assign_eventset_component(set->id, request->component);

    if (!request->is_attached)
        return result;
    if (result == PAPI_OK)
        result = set_domain(set, request->domain);
    if (result == PAPI_OK && request->inherits)
        result = set_inherit(set);
    if (result == PAPI_OK)
        result = hpm_papilib.attach(set->id, (unsigned long)request->tid);
    return result;
}

bool
hpm_papiset_open(struct hpm_papiset *set,
                 const struct hpm_papiset_request *request,
                 struct hpm_error *err)
{
    struct hpm_standard_hold hold;
    int result;

    *set = (struct hpm_papiset){.id = PAPI_NULL, .inherits = request->inherits};
    if (!hpm_papicounters_scan(&set->before, err)) {
        hpm_papicounters_free(&set->before);
        return false;
    }
    hpm_standard_hold(&hold);
    result = hpm_papilib.create_eventset(&set->id);
    if (result == PAPI_OK)
        result = prepare(set, request);
    hpm_standard_release(&hold);
    if (result == PAPI_OK)
        return true;
    hpm_papiset_explain(result, err);
    hpm_papiset_close(set);
    return false;
}

/* If an addition is refused half-way, PAPI may open all other counters anew: so
 * keep 0 to 2 occupied. */
int
hpm_papiset_add(struct hpm_papiset *set, const char *name)
{
    struct hpm_standard_hold hold;
    int result;

    hpm_standard_hold(&hold);
    result = hpm_papilib.add_named_event(set->id, name);
    hpm_standard_release(&hold);
    if (result == PAPI_OK)
        set->n++;
    return result;
}

static bool
leaves_some(const struct hpm_papicounters *counters)
{
    for (size_t i = 0; i < counters->n; i++) {
        if (hpm_descriptor_is_reserved(counters->list[i].fd))
            return false;
    }
    return true;
}

static bool
start(struct hpm_papiset *set, struct hpm_error *err)
{
    struct hpm_standard_hold hold;
    int result;

    hpm_standard_hold(&hold);
    result = hpm_papilib.start(set->id);
    hpm_standard_release(&hold);
    if (result != PAPI_OK) {
        hpm_papiset_explain(result, err);
        return false;
    }
    set->is_running = true;
    if (set->is_known)
        return true; /* it has no descriptors */
    if (!hpm_papicounters_scan(&set->counters, err))
        return false;
    hpm_papicounters_keep_new(&set->counters, &set->before);
    set->is_known = true;
    if (!leaves_some(&set->counters)) {
        hpm_obstacle_explain(EMFILE, err);
        return false;
    }
    return true;
}

bool
hpm_papiset_start(struct hpm_papiset *set, struct hpm_error *err)
{
    return start(set, err);
}

/* Otherwise PAPI would use files of the program. */
static bool
are_there(const struct hpm_papiset *set, struct hpm_error *err)
{
    if (hpm_papilib_is_up() && hpm_papicounters_are_there(&set->counters))
        return true;
    return hpm_error_set(err, "the counter was closed or taken away while it "
                              "was in use");
}

bool
hpm_papiset_rest(struct hpm_papiset *set, long long *ret_values,
                 struct hpm_error *err)
{
    int result;

    if (!are_there(set, err))
        return false;
    result = hpm_papilib.stop(set->id, ret_values);
    set->is_running = result != PAPI_OK;
    if (result != PAPI_OK)
        hpm_papiset_explain(result, err);
    return result == PAPI_OK;
}

/* If another set has counted for the thread meanwhile, PAPI opens all
 * descriptors of this set anew. */
bool
hpm_papiset_resume(struct hpm_papiset *set, struct hpm_error *err)
{
    if (!are_there(set, err))
        return false;
    if (set->counters.n > 0) {
        hpm_papicounters_free(&set->before);
        hpm_papicounters_free(&set->counters);
        set->is_known = false;
        if (!hpm_papicounters_scan(&set->before, err))
            return false;
    }
    return start(set, err);
}

/* A set that does not inherit is read by its leader, which was opened first. */
bool
hpm_papiset_is_there(const struct hpm_papiset *set)
{
    const struct hpm_papicounter *leader = set->counters.list;

    if (set->inherits)
        return hpm_papicounters_are_there(&set->counters);
    return set->counters.n == 0 ||
           hpm_perf_identity(leader->fd) == leader->identity;
}

void
hpm_papiset_close(struct hpm_papiset *set)
{
    long long values[HPM_MAX_ALL_EVENTS]; /* a set has at most so many */

    if (!hpm_papilib_is_up() ||
        (set->is_known && !hpm_papicounters_are_there(&set->counters))) {
        hpm_papiset_abandon(set);
        return;
    }
    if (set->is_running)
        hpm_papilib.stop(set->id, values);
    if (set->id != PAPI_NULL) {
        hpm_papilib.cleanup_eventset(set->id);
        hpm_papilib.destroy_eventset(&set->id);
    }
    hpm_papicounters_free(&set->before);
    hpm_papicounters_free(&set->counters);
    set->is_running = false;
}

void
hpm_papiset_abandon(struct hpm_papiset *set)
{
    hpm_papicounters_close(&set->counters);
    hpm_papicounters_free(&set->counters);
    hpm_papicounters_free(&set->before);
    set->is_running = false;
}
