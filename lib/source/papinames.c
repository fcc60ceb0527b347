/* SPDX-License-Identifier: BSD-3-Clause
 * PAPI's names for events. */
#include "config.h"

#include "source/papinames.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/string.h"
#include "host/memory.h"
#include "source/hardware.h"
#include "source/papilib.h"
#include "source/pfm.h"

/* In "sde:::Lib::count" the component stands before the three colons. */
static const char component_mark[] = ":::";

/* Can the name only be PAPI's? */
static bool
is_surely_papi_s(const char *name)
{
    return strncmp(name, "PAPI_", 5) == 0 ||
           strstr(name, component_mark) != NULL;
}

/* ---- the names of a component ----------------------------------------- */

/* Calls `visit` for each name until it returns true. */
static void
each_name(int component, bool (*visit)(const char *name, void *context),
          void *context)
{
    char name[PAPI_HUGE_STR_LEN];
    int code = PAPI_NATIVE_MASK;
    int result = hpm_papilib.enum_cmp_event(&code, PAPI_ENUM_FIRST, component);

    while (result == PAPI_OK) {
        if (hpm_papilib.event_code_to_name(code, name) == PAPI_OK &&
            visit(name, context))
            return;
        result = hpm_papilib.enum_cmp_event(&code, PAPI_ENUM_EVENTS, component);
    }
}

struct search {
    const char *name;
    char list_length[256]; /* "NAME:CNT", which only a recorder has */
    bool is_listed;
    bool is_recorder;
    unsigned edits;
    char nearest[128];
};

static const char *
without_component(const char *name)
{
    const char *mark = strstr(name, component_mark);

    return mark != NULL ? mark + sizeof component_mark - 1 : name;
}

static bool
compare(const char *name, void *context)
{
    struct search *search = context;
    const char *plain = without_component(name);
    unsigned edits = hpm_string_distance(without_component(search->name), plain,
                                         search->edits);

    if (strcmp(plain, without_component(search->name)) == 0)
        search->is_listed = true;
    else if (strcmp(plain, search->list_length) == 0)
        search->is_recorder = true;
    else if (edits < search->edits && strlen(name) < sizeof search->nearest) {
        search->edits = edits;
        strcpy(search->nearest, name);
    }
    return false;
}

static void
search_component(int component, const char *name, struct search *ret_search)
{
    *ret_search = (struct search){.name = name, .edits = 4};
    snprintf(ret_search->list_length, sizeof ret_search->list_length, "%s:CNT",
             without_component(name));
    each_name(component, compare, ret_search);
}

/* ---- components ------------------------------------------------------- */

static int
find_component(const char *name, size_t length)
{
    for (int i = 0; i < hpm_papilib.num_components(); i++) {
        const PAPI_component_info_t *info = hpm_papilib.get_component_info(i);

        if (info != NULL && strlen(info->short_name) == length &&
            strncasecmp(info->short_name, name, length) == 0)
            return i;
        if (info != NULL && strlen(info->name) == length &&
            strncasecmp(info->name, name, length) == 0)
            return i;
    }
    return -1;
}

static bool
is_usable(int component, struct hpm_error *err)
{
    const PAPI_component_info_t *info =
        hpm_papilib.get_component_info(component);

    if (info == NULL)
        return hpm_error_set(err, "PAPI does not know its component");
    if (info->disabled != 0 && info->disabled != PAPI_EDELAY_INIT)
        return hpm_error_set(err, "PAPI's component '%s' is off: %.300s",
                             info->name, info->disabled_reason);
    if (strstr(info->name, "uncore") != NULL)
        return hpm_error_set(err, "counts whole processors; what it counts "
                                  "cannot be given to one program");
    return true;
}

/* Libraries register their events with PAPI as they start.  PAPI takes an
 * unknown name for an event that will be registered later, and reads it as -1;
 * asking PAPI for the name would add it to the list.  So search the list
 * instead. */
static bool
is_registered(int component, const char *name, struct hpm_error *err)
{
    struct search search;

    search_component(component, name, &search);
    if (search.is_recorder)
        return hpm_error_set(err,
                             "it is a recorder, whose value is a list; "
                             "'%.200s:CNT' is its length",
                             name);
    if (search.is_listed)
        return true;
    if (search.nearest[0] != '\0')
        return hpm_error_set(err,
                             "no library has registered it so far; did "
                             "you mean '%s'?",
                             search.nearest);
    return hpm_error_set(err, "no library has registered it so far; call "
                              "hpmInit after they have started");
}

/* ---- find ------------------------------------------------------------ */

/* The component in front of a name; -1 if there is none. */
static int
named_component(const char *name)
{
    const char *mark = strstr(name, component_mark);

    return mark != NULL ? find_component(name, (size_t)(mark - name)) : -1;
}

/* A preset is a formula of native events, which not every processor has. */
static bool
is_available(const char *name, int code, struct hpm_error *err)
{
    if (hpm_papilib.query_event(code) == PAPI_OK)
        return true;
    if (!hpm_hardware_is_usable(err))
        return false;
    return hpm_error_set(err,
                         "PAPI has no events of this processor for '%s'; "
                         "see papi_avail(1)",
                         name);
}

/* ":u=1:k=1" in a native name overrides the domain asked for. */
static enum hpm_domain
domain_of(const char *name, enum hpm_domain domain)
{
    const char *user = strstr(name, ":u=");
    const char *kernel = strstr(name, ":k=");
    bool has_user = domain != HPM_DOMAIN_KERNEL;
    bool has_kernel = domain != HPM_DOMAIN_USER;

    if (user != NULL)
        has_user = user[3] != '0';
    if (kernel != NULL)
        has_kernel = kernel[3] != '0';
    if (has_user && has_kernel)
        return HPM_DOMAIN_ALL;
    return has_kernel ? HPM_DOMAIN_KERNEL : HPM_DOMAIN_USER;
}

/* PAPI 7.0 accepts ":u" and ":k" but ignores them and counts the set's domain;
 * it obeys ":u=1". */
static bool
is_domain_clear(const char *name, struct hpm_error *err)
{
    for (const char *part = strchr(name, ':'); part != NULL;
         part = strchr(part + 1, ':')) {
        size_t length = strcspn(part + 1, ":");

        if (length >= 1 && length <= 2 && strspn(part + 1, "ukUK") == length)
            return hpm_error_set(err,
                                 "PAPI ignores ':%.*s'; write as in "
                                 "':u=1:k=0'",
                                 (int)length, part + 1);
    }
    return true;
}

static bool
describe(int code, const char *name, struct hpm_event *event,
         struct hpm_error *err)
{
    PAPI_event_info_t info;

    memset(&info, 0, sizeof info);
    if (hpm_papilib.get_event_info(code, &info) != PAPI_OK)
        snprintf(info.long_descr, sizeof info.long_descr, "%.200s", name);
    if (info.data_type == PAPI_DATATYPE_FP64)
        return hpm_error_set(err, "its value is a floating-point number; only "
                                  "integers are counted");
    info.long_descr[sizeof info.long_descr - 1] = '\0';
    info.long_descr[strcspn(info.long_descr, "\n")] = '\0';
    info.units[sizeof info.units - 1] = '\0';
    event->description = hpm_memory_copy_text(info.long_descr);
    event->unit = hpm_memory_copy_text(info.units);
    if (event->description != NULL && event->unit != NULL)
        return true;
    hpm_memory_free(event->description);
    hpm_memory_free(event->unit);
    return hpm_error_no_memory(err);
}

/* Hardware events have libpfm4's names and codes in PAPI, too. */
static bool
is_native_right(const char *name, struct hpm_error *err)
{
    struct hpm_error why;

    if (!hpm_pfm_is_wrong(NULL, without_component(name), &why))
        return true;
    return hpm_error_set(err, "%s", why.text);
}

/* A preset is right if all native events in it are. */
static bool
is_right(const char *name, int code, struct hpm_error *err)
{
    PAPI_event_info_t info;
    struct hpm_error why;

    if (strncmp(name, "PAPI_", 5) != 0)
        return is_native_right(name, err);
    memset(&info, 0, sizeof info);
    if (hpm_papilib.get_event_info(code, &info) != PAPI_OK)
        return true;
    for (unsigned i = 0; i < info.count && i < PAPI_MAX_INFO_TERMS; i++) {
        if (!is_native_right(info.name[i], &why))
            return hpm_error_set(err, "PAPI derives it from '%.60s'; %.400s",
                                 info.name[i], why.text);
    }
    return true;
}

static enum hpm_finding
take(const char *name, int code, struct hpm_event *event, struct hpm_error *err)
{
    int component = hpm_papilib.get_event_component(code);
    const PAPI_component_info_t *info;

    if (!is_usable(component, err))
        return HPM_FINDING_FAILED;
    info = hpm_papilib.get_component_info(component);
    if ((info->attach &&
         (!hpm_hardware_is_usable(err) || !is_domain_clear(name, err) ||
          !is_right(name, code, err))) ||
        !describe(code, name, event, err))
        return HPM_FINDING_FAILED;
    event->encoding.type = (uint32_t)component;
    event->domain_asked = event->domain;
    event->belongs_to_process = !info->attach || !info->inherit;
    event->ignores_domain = event->belongs_to_process;
    event->domain = event->belongs_to_process ? HPM_DOMAIN_ALL
                                              : domain_of(name, event->domain);
    return HPM_FINDING_FOUND;
}

static enum hpm_finding
find_preset(const char *name, struct hpm_event *event, struct hpm_error *err)
{
    int code;

    if (hpm_papilib.event_name_to_code(name, &code) != PAPI_OK)
        return HPM_FINDING_UNKNOWN;
    return is_available(name, code, err) ? take(name, code, event, err)
                                         : HPM_FINDING_FAILED;
}

static enum hpm_finding
find_native(const char *name, struct hpm_event *event, struct hpm_error *err)
{
    int sde = find_component("sde", 3);
    int component = named_component(name);
    int code;

    if (component >= 0 && !is_usable(component, err))
        return HPM_FINDING_FAILED;
    if (component >= 0 && component == sde &&
        !is_registered(component, name, err))
        return HPM_FINDING_FAILED;
    /* PAPI would make an event of that component of "Lib::count", too */
    if (component < 0 && sde >= 0 && strstr(name, "::") != NULL &&
        hpm_papilib.get_component_info(sde)->disabled == 0) {
        struct search search;

        search_component(sde, name, &search);
        if (!search.is_listed)
            sde = -2;
    }
    if (hpm_papilib.event_name_to_code(name, &code) != PAPI_OK)
        return HPM_FINDING_UNKNOWN;
    if (sde == -2 &&
        hpm_papilib.get_event_component(code) == find_component("sde", 3))
        return HPM_FINDING_UNKNOWN;
    return take(name, code, event, err);
}

enum hpm_finding
hpm_papinames_find(const char *name, struct hpm_event *event,
                   struct hpm_error *err)
{
    size_t length = strlen(name);

    /* the kernel's spelling of a PMU's event */
    if (length > 0 && name[length - 1] == '/')
        return HPM_FINDING_UNKNOWN;
    if (hpm_papilib_get(err) == NULL)
        return is_surely_papi_s(name) ? HPM_FINDING_FAILED
                                      : HPM_FINDING_UNKNOWN;
    if (strncmp(name, "PAPI_", 5) == 0)
        return find_preset(name, event, err);
    return find_native(name, event, err);
}

/* ---- resolve --------------------------------------------------------- */

static void
explain_derived(const PAPI_event_info_t *info, struct hpm_error *err)
{
    struct hpm_string natives = {0};

    for (unsigned i = 0; i < info->count && i < PAPI_MAX_INFO_TERMS; i++)
        hpm_string_add_format(&natives, "%s'%.100s'", i > 0 ? ", " : "",
                              info->name[i]);
    hpm_error_set(err, "PAPI derives it from %.400s; count these",
                  hpm_string_text(&natives));
    hpm_string_free(&natives);
}

bool
hpm_papinames_resolve(const char *name, char *ret_native, size_t size,
                      struct hpm_error *err)
{
    PAPI_event_info_t info;
    int code;

    memset(&info, 0, sizeof info);
    if (hpm_papilib_get(err) == NULL)
        return false;
    if (strncmp(name, "PAPI_", 5) != 0)
        return hpm_error_set(err, "PAPI counts it only in programs that link "
                                  "libhpm; see hpm-events(7)");
    if (hpm_papilib.event_name_to_code(name, &code) != PAPI_OK ||
        hpm_papilib.get_event_info(code, &info) != PAPI_OK)
        return hpm_error_set(err, "PAPI does not say what it is made of");
    /* a single event may still be multiplied: "DERIVED_POSTFIX" */
    if (info.count != 1 || strcmp(info.derived, "NOT_DERIVED") != 0) {
        explain_derived(&info, err);
        return false;
    }
    snprintf(ret_native, size, "%s", info.name[0]);
    return true;
}

/* ---- list ------------------------------------------------------------ */

/* First collect all names, then visit them: the visitor may look up a name,
 * which takes PAPI's lock. */
struct names {
    struct hpm_string text; /* one name after another, each with its NUL */
};

static bool
keep(const char *name, void *context)
{
    struct names *names = context;

    hpm_string_add_bytes(&names->text, name, strlen(name) + 1);
    return false;
}

static void
keep_presets(struct names *names)
{
    char name[PAPI_HUGE_STR_LEN];
    int code = PAPI_PRESET_MASK;
    int result = hpm_papilib.enum_event(&code, PAPI_ENUM_FIRST);

    while (result == PAPI_OK) {
        if (hpm_papilib.query_event(code) == PAPI_OK &&
            hpm_papilib.event_code_to_name(code, name) == PAPI_OK)
            keep(name, names);
        result = hpm_papilib.enum_event(&code, PAPI_PRESET_ENUM_AVAIL);
    }
}

static void
keep_all(struct names *names)
{
    keep_presets(names);
    for (int i = 0; i < hpm_papilib.num_components(); i++) {
        const PAPI_component_info_t *info = hpm_papilib.get_component_info(i);

        if (info != NULL && !info->attach && is_usable(i, NULL))
            each_name(i, keep, names);
    }
}

void
hpm_papinames_list(void (*visit)(const char *name, void *context),
                   void *context)
{
    struct names names = {{0}};
    struct hpm_error err;

    hpm_papilib_lock();
    if (hpm_papilib_get(&err) != NULL)
        keep_all(&names);
    hpm_papilib_unlock();
    if (!names.text.failed) {
        const char *name = hpm_string_text(&names.text);
        const char *end = name + names.text.length;

        for (; name < end; name += strlen(name) + 1)
            visit(name, context);
    }
    hpm_string_free(&names.text);
}
