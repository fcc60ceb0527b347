/* SPDX-License-Identifier: BSD-3-Clause
 * libpfm4's names for events. */
#include "config.h"

#include "source/pfm.h"

#include <string.h>

const char *
hpm_pfm_relative(const char *model)
{
    /* Emerald Rapids has the core of Sapphire Rapids */
    return strcmp(model, "GenuineIntel family 6 model 207") == 0 ? "spr" : NULL;
}

#if HAVE_LIBPFM

#include <dlfcn.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <perfmon/pfmlib_perf_event.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "source/wrongcodes.h"

/* The functions of libpfm4 we call, with the names and types of its header. */
#define CALLS(CALL)                                                            \
    CALL(initialize)                                                           \
    CALL(get_os_event_encoding)                                                \
    CALL(get_event_info)                                                       \
    CALL(get_event_next)                                                       \
    CALL(get_pmu_info)                                                         \
    CALL(strerror)

#define DECLARE(name) __typeof__(pfm_##name) *name;
static struct {
    CALLS(DECLARE)
} pfm;

static bool is_ready;

/* ISO C has no conversion from object to function pointer. */
static bool
find_call(void *handle, const char *name, void *ret_function)
{
    void *symbol = dlsym(handle, name);

    memcpy(ret_function, &symbol, sizeof symbol);
    return symbol != NULL;
}

#define FIND(name) &&find_call(handle, "pfm_" #name, &pfm.name)

/* nodelete: a plug-in that contains this library may be closed and loaded
 * again. */
static void
initialize(void)
{
    void *handle = dlopen(PFM_FILE, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);

    is_ready = handle != NULL CALLS(FIND) && pfm.initialize() == PFM_SUCCESS;
}

bool
hpm_pfm_is_ready(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, initialize);
    return is_ready;
}

/* pfm_get_version says 4.0 for every libpfm4; the file's name has the
 * version. */
bool
hpm_pfm_version(char *ret_version, size_t size)
{
    char path[PATH_MAX];
    const char *suffix = NULL;
    Dl_info info;

    void *symbol;

    if (!hpm_pfm_is_ready())
        return false;
    memcpy(&symbol, &pfm.initialize, sizeof symbol);
    if (dladdr(symbol, &info) != 0 && info.dli_fname != NULL &&
        realpath(info.dli_fname, path) != NULL)
        suffix = strstr(path, ".so.");
    snprintf(ret_version, size, "%s", suffix != NULL ? suffix + 4 : "4");
    return true;
}

static int
privilege_levels(enum hpm_domain domain)
{
    switch (domain) {
    case HPM_DOMAIN_USER:
        return PFM_PLM3;
    case HPM_DOMAIN_KERNEL:
        return PFM_PLM0;
    default:
        return PFM_PLM0 | PFM_PLM3;
    }
}

static pfm_err_t
encode(const char *name, int levels, struct perf_event_attr *ret_attr,
       pfm_perf_encode_arg_t *ret_argument)
{
    memset(ret_attr, 0, sizeof *ret_attr);
    ret_attr->size = sizeof *ret_attr;
    *ret_argument = (pfm_perf_encode_arg_t){
        .attr = ret_attr, .size = sizeof *ret_argument, .cpu = -1};
    return pfm.get_os_event_encoding(name, levels, PFM_OS_PERF_EVENT_EXT,
                                     ret_argument);
}

/* Does a modifier in the name choose the domain, whatever the default is? */
static bool
has_domain(const char *name)
{
    struct perf_event_attr user, kernel;
    pfm_perf_encode_arg_t argument;

    return encode(name, PFM_PLM3, &user, &argument) == PFM_SUCCESS &&
           encode(name, PFM_PLM0, &kernel, &argument) == PFM_SUCCESS &&
           user.exclude_user == kernel.exclude_user &&
           user.exclude_kernel == kernel.exclude_kernel;
}

static enum hpm_domain
domain_of(const struct perf_event_attr *attr)
{
    if (attr->exclude_kernel)
        return HPM_DOMAIN_USER;
    return attr->exclude_user ? HPM_DOMAIN_KERNEL : HPM_DOMAIN_ALL;
}

static void
describe(int index, char *ret_text, size_t size)
{
    pfm_event_info_t info;

    memset(&info, 0, sizeof info);
    info.size = sizeof info;
    if (pfm.get_event_info(index, PFM_OS_PERF_EVENT_EXT, &info) ==
            PFM_SUCCESS &&
        info.desc != NULL)
        snprintf(ret_text, size, "%s", info.desc);
    else
        snprintf(ret_text, size, "event of the PMU");
}

static struct hpm_code
code_of(const struct perf_event_attr *attr)
{
    return (struct hpm_code){attr->config, attr->config1};
}

bool
hpm_pfm_encode(const char *pmu, const char *event, struct hpm_code *ret_code)
{
    struct perf_event_attr attr;
    pfm_perf_encode_arg_t argument;
    char name[256];

    snprintf(name, sizeof name, "%s::%s", pmu, event);
    if (!hpm_pfm_is_ready() ||
        encode(name, PFM_PLM3, &attr, &argument) != PFM_SUCCESS)
        return false;
    *ret_code = code_of(&attr);
    return true;
}

/* Does the libpfm4 in use encode the line's event wrongly, too? */
static bool
is_encoded_wrongly(const struct hpm_wrongcode *line)
{
    struct hpm_code code;

    return hpm_pfm_encode(line->pmu, line->event, &code) &&
           hpm_code_is_same(code, line->wrong);
}

/* The line of wrong codes for an event, or NULL.  `name` is the user's, `whole`
 * is libpfm4's: "skx::UOPS_RETIRED:ALL:i=1:c=1" for UOPS_RETIRED:STALL_CYCLES.
 * `whole` has the PMU and the masks the user did not name, but other names for
 * some. */
static const struct hpm_wrongcode *
find_wrong(const char *name, const char *whole, struct hpm_code code)
{
    size_t n, length = strcspn(whole, ":");
    const struct hpm_wrongcode *lines = hpm_wrongcodes_get(&n);
    const char *owner = strstr(name, "::");

    name = owner != NULL ? owner + 2 : name;
    for (size_t i = 0; i < n; i++) {
        if (strlen(lines[i].pmu) == length &&
            strncmp(lines[i].pmu, whole, length) == 0 &&
            (hpm_wrongcode_is_in(&lines[i], name) ||
             hpm_wrongcode_is_in(&lines[i], whole + length + 2)) &&
            !(lines[i].has_right && hpm_code_is_same(lines[i].right, code)) &&
            is_encoded_wrongly(&lines[i]))
            return &lines[i];
    }
    return NULL;
}

/* The line of wrong codes for a name as a user writes it. libpfm4 completes the
 * name, for an event may have a mask the user did not name.  *ret_code is
 * libpfm4's code. */
static const struct hpm_wrongcode *
find_wrong_name(const char *name, struct hpm_code *ret_code)
{
    const struct hpm_wrongcode *found = NULL;
    struct perf_event_attr attr;
    pfm_perf_encode_arg_t argument;
    char *whole = NULL;

    memset(&attr, 0, sizeof attr);
    attr.size = sizeof attr;
    argument = (pfm_perf_encode_arg_t){
        .attr = &attr, .fstr = &whole, .size = sizeof argument, .cpu = -1};
    if (pfm.get_os_event_encoding(name, PFM_PLM3, PFM_OS_PERF_EVENT_EXT,
                                  &argument) == PFM_SUCCESS &&
        whole != NULL && strstr(whole, "::") != NULL)
        found = find_wrong(name, whole, code_of(&attr));
    free(whole);
    *ret_code = code_of(&attr);
    return found;
}

/* Replace a wrong code by the vendor's.  False, with the reason, if the vendor
 * has none, or if modifiers in the name have changed the wrong code. */
static bool
mend(const char *name, struct hpm_code *code, struct hpm_error *ret_reason)
{
    struct hpm_code made;
    const struct hpm_wrongcode *found = find_wrong_name(name, &made);

    if (found == NULL)
        return true;
    if (found->has_right && hpm_code_is_same(made, found->wrong)) {
        *code = found->right;
        return true;
    }
    hpm_wrongcode_explain(found, ret_reason);
    return false;
}

/* libpfm4 encodes some events that cannot be counted by reading a counter. */
static bool
is_countable(const struct perf_event_attr *attr, int cpu, struct hpm_error *err)
{
    if (cpu >= 0)
        return hpm_error_set(err, "counts one processor; what it counts "
                                  "cannot be given to one program; leave out "
                                  "':cpu'");
    if (attr->precise_ip != 0)
        return hpm_error_set(err, "':precise' is for samples, not for counts; "
                                  "leave it out");
    if (attr->type == PERF_TYPE_BREAKPOINT)
        return hpm_error_set(err, "breakpoints are not counted");
    return true;
}

enum hpm_finding
hpm_pfm_find(const char *name, enum hpm_domain domain,
             struct hpm_pfm_event *ret_event, struct hpm_error *err)
{
    struct perf_event_attr attr;
    pfm_perf_encode_arg_t argument;
    struct hpm_error why;
    struct hpm_code code;
    pfm_err_t result;

    if (!hpm_pfm_is_ready())
        return HPM_FINDING_UNKNOWN;
    result = encode(name, privilege_levels(domain), &attr, &argument);
    if (result == PFM_ERR_ATTR || result == PFM_ERR_ATTR_VAL ||
        result == PFM_ERR_ATTR_SET || result == PFM_ERR_FEATCOMB ||
        result == PFM_ERR_UMASK) {
        hpm_error_set(err,
                      "libpfm4 knows the event, but not with these unit "
                      "masks and modifiers (%s)",
                      pfm.strerror(result));
        return HPM_FINDING_FAILED;
    }
    if (result != PFM_SUCCESS)
        return HPM_FINDING_UNKNOWN;
    if (!is_countable(&attr, argument.cpu, err))
        return HPM_FINDING_FAILED;
    code = code_of(&attr);
    if (!mend(name, &code, &why)) {
        hpm_error_set(err, "%s", why.text);
        return HPM_FINDING_FAILED;
    }
    ret_event->encoding = (struct hpm_encoding){.type = attr.type,
                                                .config = code.config,
                                                .config1 = code.config1,
                                                .config2 = attr.config2};
    ret_event->domain = domain_of(&attr);
    ret_event->is_domain_fixed = has_domain(name);
    describe(argument.idx, ret_event->description,
             sizeof ret_event->description);
    return HPM_FINDING_FOUND;
}

static bool
has_pmu(const char *name)
{
    for (pfm_pmu_t pmu = PFM_PMU_NONE; pmu < PFM_PMU_MAX; pmu++) {
        pfm_pmu_info_t info;

        memset(&info, 0, sizeof info);
        info.size = sizeof info;
        if (pfm.get_pmu_info(pmu, &info) == PFM_SUCCESS &&
            strcmp(info.name, name) == 0)
            return true;
    }
    return false;
}

void
hpm_pfm_list_pmus(void (*visit)(const char *name, void *context), void *context)
{
    if (!hpm_pfm_is_ready())
        return;
    for (pfm_pmu_t pmu = PFM_PMU_NONE; pmu < PFM_PMU_MAX; pmu++) {
        pfm_pmu_info_t info;

        memset(&info, 0, sizeof info);
        info.size = sizeof info;
        if (pfm.get_pmu_info(pmu, &info) == PFM_SUCCESS &&
            info.type == PFM_PMU_TYPE_CORE)
            visit(info.name, context);
    }
}

enum hpm_finding
hpm_pfm_find_anywhere(const char *pmu, const char *event)
{
    pfm_pmu_encode_arg_t argument = {.size = sizeof argument};
    bool has_owner = strstr(event, "::") != NULL;
    pfm_err_t result;
    char name[512];

    if (!hpm_pfm_is_ready() || !has_pmu(pmu))
        return HPM_FINDING_UNKNOWN;
    snprintf(name, sizeof name, "%s%s%s", has_owner ? "" : pmu,
             has_owner ? "" : "::", event);
    result = pfm.get_os_event_encoding(name, PFM_PLM3, PFM_OS_NONE, &argument);
    free(argument.codes);
    return result == PFM_SUCCESS ? HPM_FINDING_FOUND : HPM_FINDING_FAILED;
}

/* Write "pmu::event" into `ret_name`, and return that. */
static const char *
join(char *ret_name, size_t size, const char *pmu, const char *event)
{
    bool has_owner = pmu == NULL || strstr(event, "::") != NULL;

    snprintf(ret_name, size, "%s%s%s", has_owner ? "" : pmu,
             has_owner ? "" : "::", event);
    return ret_name;
}

bool
hpm_pfm_is_wrong(const char *pmu, const char *event,
                 struct hpm_error *ret_reason)
{
    const struct hpm_wrongcode *found;
    struct hpm_code code;
    char name[512];

    if (!hpm_pfm_is_ready())
        return false;
    found = find_wrong_name(join(name, sizeof name, pmu, event), &code);
    if (found != NULL)
        hpm_wrongcode_explain(found, ret_reason);
    return found != NULL;
}

bool
hpm_pfm_is_refused(const char *pmu, const char *event,
                   struct hpm_error *ret_reason)
{
    struct hpm_code code;
    char name[512];

    return hpm_pfm_is_ready() &&
           !mend(join(name, sizeof name, pmu, event), &code, ret_reason);
}

size_t
hpm_pfm_list_wrong(struct hpm_string *names)
{
    char pmu[64];
    size_t n, n_wrong = 0;
    const struct hpm_wrongcode *lines = hpm_wrongcodes_get(&n);

    if (!hpm_pfm_core(pmu, sizeof pmu))
        return 0;
    for (size_t i = 0; i < n; i++) {
        if (strcmp(lines[i].pmu, pmu) != 0 || !is_encoded_wrongly(&lines[i]))
            continue;
        hpm_string_add_format(names, "%s%s", n_wrong > 0 ? ", " : "",
                              lines[i].event);
        n_wrong++;
    }
    return n_wrong;
}

static void
list_pmu(const pfm_pmu_info_t *pmu,
         void (*visit)(const char *name, void *context), void *context)
{
    for (int i = pmu->first_event; i != -1; i = pfm.get_event_next(i)) {
        pfm_event_info_t event;

        memset(&event, 0, sizeof event);
        event.size = sizeof event;
        if (pfm.get_event_info(i, PFM_OS_PERF_EVENT_EXT, &event) == PFM_SUCCESS)
            visit(event.name, context);
    }
}

/* The first core PMU from `pmu` on; PFM_PMU_MAX if there is none. */
static pfm_pmu_t
next_core(pfm_pmu_t pmu, pfm_pmu_info_t *ret_info)
{
    for (; pmu < PFM_PMU_MAX; pmu++) {
        memset(ret_info, 0, sizeof *ret_info);
        ret_info->size = sizeof *ret_info;
        if (pfm.get_pmu_info(pmu, ret_info) == PFM_SUCCESS &&
            ret_info->is_present && ret_info->type == PFM_PMU_TYPE_CORE)
            break;
    }
    return pmu;
}

bool
hpm_pfm_core(char *ret_name, size_t size)
{
    pfm_pmu_info_t info;

    if (!hpm_pfm_is_ready() || next_core(PFM_PMU_NONE, &info) == PFM_PMU_MAX)
        return false;
    snprintf(ret_name, size, "%s", info.name);
    return true;
}

void
hpm_pfm_list(void (*visit)(const char *name, void *context), void *context)
{
    pfm_pmu_info_t info;
    pfm_pmu_t pmu = PFM_PMU_NONE;

    if (!hpm_pfm_is_ready())
        return;
    for (; (pmu = next_core(pmu, &info)) < PFM_PMU_MAX; pmu++)
        list_pmu(&info, visit, context);
}

#else

bool
hpm_pfm_is_ready(void)
{
    return false;
}

bool
hpm_pfm_version(char *ret_version, size_t size)
{
    (void)ret_version;
    (void)size;
    return false;
}

enum hpm_finding
hpm_pfm_find(const char *name, enum hpm_domain domain,
             struct hpm_pfm_event *ret_event, struct hpm_error *err)
{
    (void)name;
    (void)domain;
    (void)ret_event;
    (void)err;
    return HPM_FINDING_UNKNOWN;
}

bool
hpm_pfm_core(char *ret_name, size_t size)
{
    (void)ret_name;
    (void)size;
    return false;
}

enum hpm_finding
hpm_pfm_find_anywhere(const char *pmu, const char *event)
{
    (void)pmu;
    (void)event;
    return HPM_FINDING_UNKNOWN;
}

bool
hpm_pfm_is_wrong(const char *pmu, const char *event,
                 struct hpm_error *ret_reason)
{
    (void)pmu;
    (void)event;
    (void)ret_reason;
    return false;
}

bool
hpm_pfm_is_refused(const char *pmu, const char *event,
                   struct hpm_error *ret_reason)
{
    (void)pmu;
    (void)event;
    (void)ret_reason;
    return false;
}

bool
hpm_pfm_encode(const char *pmu, const char *event, struct hpm_code *ret_code)
{
    (void)pmu;
    (void)event;
    (void)ret_code;
    return false;
}

size_t
hpm_pfm_list_wrong(struct hpm_string *names)
{
    (void)names;
    return 0;
}

void
hpm_pfm_list_pmus(void (*visit)(const char *name, void *context), void *context)
{
    (void)visit;
    (void)context;
}

void
hpm_pfm_list(void (*visit)(const char *name, void *context), void *context)
{
    (void)visit;
    (void)context;
}

#endif
