/* SPDX-License-Identifier: BSD-3-Clause
 * The parts of an experiment about the run: program, machine, events,
 * resources. */
#include "record/run.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/env.h"
#include "base/launcher.h"
#include "host/memory.h"
#include "source/clock.h"
#include "source/defined.h"
#include "source/machine/cpuinfo.h"
#include "source/facts.h"
#include "source/machine/affinity.h"
#include "source/hardware.h"
#include "source/machine/procfile.h"
#include "source/pfm.h"
#include "source/usage.h"

#define set_text hpm_experiment_set_text

static bool
is_leap(long year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static long
days_in(int month, long year)
{
    static const char days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

    return days[month] + (month == 1 && is_leap(year));
}

/* gmtime_r and strftime are not used: they take a lock of the C library, which
 * in a forked child may be taken for ever. */
bool
hpm_run_set_start(struct hpm_run *run, const struct timespec *start)
{
    long days = start->tv_sec / 86400, seconds = start->tv_sec % 86400;
    long year = 1970;
    int month = 0;
    char stamp[96];

    for (; days >= 365 + is_leap(year); year++)
        days -= 365 + is_leap(year);
    for (; days >= days_in(month, year); month++)
        days -= days_in(month, year);
    snprintf(stamp, sizeof stamp, "%04ld-%02d-%02ldT%02ld:%02ld:%02ld.%03ldZ",
             year, month + 1, days + 1, seconds / 3600, seconds / 60 % 60,
             seconds % 60, start->tv_nsec / 1000000);
    return set_text(&run->start, stamp);
}

bool
hpm_run_describe(struct hpm_run *run, const char *program, int task,
                 const struct timespec *start)
{
    char job[128];

    hpm_launcher_job(job, sizeof job);
    run->task = task;
    run->pid = getpid();
    return set_text(&run->program, program) && set_text(&run->job, job) &&
           hpm_run_set_start(run, start);
}

bool
hpm_run_set_filter(struct hpm_run *run, const struct hpm_filter *filter)
{
    run->n_skipped = filter->n_skipped;
    return set_text(&run->only, filter->only) &&
           set_text(&run->except, filter->except);
}

static const hpm_known_place *known_place;

void
hpm_run_look_for_place(const hpm_known_place *known)
{
    known_place = known;
}

bool
hpm_run_set_place(struct hpm_run *run)
{
    const char *const *place =
        known_place != NULL ? atomic_load(known_place) : NULL;

    for (int i = 0; i < HPM_N_PLACE && place != NULL; i++) {
        if (!set_text(&run->place[i], place[i]))
            return false;
    }
    return true;
}

/* ---- the machine ----------------------------------------------------- */

/* The nominal clock frequency and its source; 0 when there is none. */
static double
nominal_mhz(const char *cpu, double ns_per_tick, const char **ret_source)
{
    long khz = hpm_procfile_number(
        "/sys/devices/system/cpu/cpu0/cpufreq/base_frequency", 0);
    const char *at = cpu != NULL ? strstr(cpu, "@ ") : NULL;
    unsigned whole, hundredths;

    if (khz > 0) {
        *ret_source = "cpufreq base_frequency";
        return (double)khz / 1000.0;
    }
    if (at != NULL && sscanf(at, "@ %1u.%2uGHz", &whole, &hundredths) == 2) {
        *ret_source = "processor name";
        return whole * 1000.0 + hundredths * 10.0;
    }
#if defined(__x86_64__) || defined(__i386__)
    if (hpm_clock_is_tick && ns_per_tick > 0.0) {
        *ret_source = "time stamp counter";
        return (double)(long)(1e3 / ns_per_tick * 10.0 + 0.5) / 10.0;
    }
#endif
    *ret_source = NULL;
    return 0.0;
}

static bool
describe_system(struct hpm_machine *machine)
{
    struct utsname system;
    char text[256];

    if (uname(&system) != 0)
        return true;
    snprintf(text, sizeof text, "%s %s", system.sysname, system.release);
    return set_text(&machine->host, system.nodename) &&
           set_text(&machine->system, text) &&
           set_text(&machine->architecture, system.machine);
}

static bool
describe_counters(struct hpm_machine *machine, const struct hpm_eventset *set)
{
    const char *source = hpm_env_get(HPM_VARIABLE_SOURCE);
    struct hpm_error why = {.text = "not looked for: no event is counted"};

    machine->is_virtual = hpm_hardware_is_virtual();
    if (source != NULL && strcmp(source, "none") == 0)
        return true; /* perf_event_open may kill the process here */
    /* events that counted prove it; a second try could fail by now */
    machine->has_hardware_counters =
        hpm_eventset_has_hardware(set) ||
        (set->n_events > 0 && hpm_hardware_is_usable(&why));
    return machine->has_hardware_counters ||
           set_text(&machine->no_counters_reason, why.text);
}

/* The name from definitions for exactly this processor, else the name of
 * libpfm4. */
static bool
find_pmu(char *ret_pmu, size_t size)
{
    return hpm_defined_name_pmu(ret_pmu, size) || hpm_pfm_core(ret_pmu, size);
}

/* Loading libpfm4 takes a millisecond, so do not load it where there can be no
 * PMU. */
bool
hpm_run_describe_pmu(struct hpm_machine *machine)
{
    struct hpm_string facts = {0};
    bool is_good;
    char pmu[64];

    hpm_facts_add(&facts);
    is_good = !facts.failed &&
              set_text(&machine->facts, hpm_string_text(&facts)) &&
              (!hpm_hardware_has_pmu() || !find_pmu(pmu, sizeof pmu) ||
               set_text(&machine->pmu, pmu));
    hpm_string_free(&facts);
    return is_good;
}

/* How many of the online processors this task may use.  If it may use all, they
 * are divided among the tasks on the node.  0: not known. */
static int
count_allowed(int n_online)
{
    int n_tasks = hpm_launcher_local_tasks();
    cpu_set_t allowed;
    int n;

    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
        return 0;
    n = CPU_COUNT(&allowed);
    if (n >= n_online && n_tasks > 1)
        n /= n_tasks;
    return n > 0 ? n : 1;
}

/* A text that is not known stays NULL. */
static bool
describe_binding(struct hpm_machine *machine)
{
    struct hpm_string processors = {0}, nodes = {0};
    bool is_good;

    hpm_affinity_add(&processors, &nodes);
    is_good = !processors.failed && !nodes.failed &&
              (processors.length == 0 ||
               set_text(&machine->binding, processors.text)) &&
              (nodes.length == 0 || set_text(&machine->numa_nodes, nodes.text));
    hpm_string_free(&processors);
    hpm_string_free(&nodes);
    return is_good;
}

bool
hpm_run_describe_machine(struct hpm_machine *machine,
                         const struct hpm_eventset *set, double ns_per_tick)
{
    const char *cpu = hpm_cpuinfo_get()->name;
    const char *source;

    if (cpu[0] != '\0' && !set_text(&machine->cpu, cpu))
        return false;
    /* replayed counts are from another machine, and its numbers are not
     * known */
    if (!hpm_clock_is_replayed()) {
        machine->n_cpus = (int)sysconf(_SC_NPROCESSORS_ONLN);
        machine->n_allowed = count_allowed(machine->n_cpus);
        machine->mhz = nominal_mhz(machine->cpu, ns_per_tick, &source);
        if (!set_text(&machine->mhz_source, source) ||
            !describe_binding(machine))
            return false;
    }
    return describe_system(machine) &&
           (machine->facts != NULL || hpm_run_describe_pmu(machine)) &&
           describe_counters(machine, set);
}

/* ---- events and resources -------------------------------------------- */

bool
hpm_run_add_counters(struct hpm_experiment *experiment,
                     const struct hpm_eventset *set)
{
    for (size_t i = 0; i < set->n_events; i++) {
        const struct hpm_event *event = &set->events[i];
        struct hpm_counter *counter = hpm_experiment_add_counter(experiment);
        const char *unit = event->unit != NULL ? event->unit : "";

        if (counter == NULL || !set_text(&counter->name, event->name) ||
            !set_text(&counter->description, event->description) ||
            !set_text(&counter->unit, unit) ||
            !set_text(&counter->domain,
                      hpm_domain_name(event->ignores_domain ? HPM_DOMAIN_ALL
                                                            : event->domain)) ||
            !set_text(&counter->reason, event->reason) ||
            (event->source != NULL &&
             !set_text(&counter->source, event->source->name)))
            return false;
        counter->state = event->state;
        counter->is_hidden = event->is_hidden;
        counter->omits_children = event->belongs_to_process;
    }
    return true;
}

/* The state of a counter over all records: that of a value if there is one. */
static enum hpm_state
overall_state(const struct hpm_experiment *experiment, size_t counter)
{
    enum hpm_state state = experiment->counters[counter].state;

    for (size_t i = 0; i < experiment->n_records; i++) {
        const struct hpm_value *value =
            hpm_experiment_value(experiment, i, counter);

        if (!value->is_present)
            continue;
        if (hpm_state_has_value(value->state))
            return experiment->counters[counter].state;
        state = value->state;
    }
    return state;
}

void
hpm_run_settle_counters(struct hpm_experiment *experiment)
{
    for (size_t i = 0; i < experiment->n_counters; i++)
        experiment->counters[i].state = overall_state(experiment, i);
}

bool
hpm_run_add_resources(struct hpm_experiment *experiment,
                      const struct rusage *usage)
{
    if (hpm_clock_is_replayed())
        return true;
    for (size_t i = 0; i < HPM_USAGE_FIELDS; i++) {
        const struct hpm_usage_field *field = &hpm_usage_fields[i];
        struct hpm_resource *resource = hpm_experiment_add_resource(experiment);

        if (resource == NULL)
            return false;
        resource->name = field->name;
        resource->description = field->description;
        resource->unit = field->unit;
        resource->is_known = field->is_known;
        resource->value = hpm_usage_value(usage, i);
    }
    return true;
}
