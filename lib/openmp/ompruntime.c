/* SPDX-License-Identifier: BSD-3-Clause
 * The OpenMP runtime of the program: which one there is, and whether it tells. */
#include "openmp/ompruntime.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/auxv.h>

#include "host/path.h"

/* A call of OpenMP that each runtime has. */
static const char any_call[] = "omp_get_thread_num";

/* The file of the object that has the symbol; NULL: none has. */
static const char *
file_of(const char *symbol)
{
    void *address = dlsym(RTLD_DEFAULT, symbol);
    Dl_info info;

    return address != NULL && dladdr(address, &info) != 0 ? info.dli_fname
                                                          : NULL;
}

bool
hpm_ompruntime_is_there(void)
{
    return file_of(any_call) != NULL;
}

bool
hpm_ompruntime_is(const char *file)
{
    const char *runtime = file_of(any_call);

    return runtime != NULL && strcmp(runtime, file) == 0;
}

/* Has the file, which is loaded, the symbol itself? */
static bool
has(const char *file, const char *symbol)
{
    void *object = dlopen(file, RTLD_LAZY | RTLD_NOLOAD);
    void *address = object != NULL ? dlsym(object, symbol) : NULL;
    Dl_info info;
    bool is_its_own = address != NULL && dladdr(address, &info) != 0 &&
                      strcmp(info.dli_fname, file) == 0;

    if (object != NULL)
        dlclose(object);
    return is_its_own;
}

bool
hpm_ompruntime_has_tools(const char *file)
{
    return has(file, "ompt_start_tool");
}

/* Does this library get the calls of a runtime that tells no tool?  It does where it was
 * loaded before the runtime. */
static bool
gets_calls(const char *runtime)
{
    const char *first = file_of("GOMP_parallel");
    Dl_info own;

    return first != NULL && has(runtime, "GOMP_parallel") &&
           dladdr((void *)(uintptr_t)hpm_ompruntime_is, &own) != 0 &&
           strcmp(first, own.dli_fname) == 0;
}

/* The object whose tool the runtime takes, if that is not this library; NULL else. */
static const char *
other_tool(void)
{
    const char *first = file_of("ompt_start_tool");
    Dl_info own;

    if (first == NULL ||
        dladdr((void *)(uintptr_t)hpm_ompruntime_is, &own) == 0 ||
        strcmp(first, own.dli_fname) == 0 || hpm_ompruntime_is(first))
        return NULL;
    return first;
}

static bool
is_disabled(void)
{
    const char *word = getenv("OMP_TOOL");

    return word != NULL && strcasecmp(word, "disabled") == 0;
}

/* Is the runtime a part of the program's own file?  That is loaded before anything. */
static bool
is_in_program(const char *runtime)
{
    Dl_info info;

    return dladdr((void *)getauxval(AT_ENTRY), &info) != 0 &&
           strcmp(info.dli_fname, runtime) == 0;
}

bool
hpm_ompruntime_tells(struct hpm_error *err)
{
    const char *runtime = file_of(any_call);

    if (runtime == NULL)
        return true;
    if (!hpm_ompruntime_has_tools(runtime) && gets_calls(runtime))
        return true;
    if (!hpm_ompruntime_has_tools(runtime) && is_in_program(runtime))
        return hpm_error_set(
            err, "the program is linked with its OpenMP runtime statically: "
                 "nobody sees the calls of that, and it does not tell tools "
                 "what its threads do; link it dynamically");
    if (is_disabled())
        return hpm_error_set(err, "OMP_TOOL=disabled keeps the OpenMP runtime "
                                  "from telling; unset that variable");
    if (!hpm_ompruntime_has_tools(runtime))
        return hpm_error_set(
            err,
            "the program's OpenMP runtime, %.60s, does not tell tools what its "
            "threads do, and its calls are not seen: libhpm_openmp must be "
            "loaded before it (hpmcount --openmp)",
            hpm_path_base_name(runtime));
    if (other_tool() != NULL)
        return hpm_error_set(err,
                             "%.60s is the program's OpenMP tool already, and "
                             "a runtime takes one only",
                             hpm_path_base_name(other_tool()));
    return true;
}
