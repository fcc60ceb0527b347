/* SPDX-License-Identifier: BSD-3-Clause
 * The calls by which code from gcc uses its runtime, libgomp. */
#include "openmp/gompcall.h"

#include <dlfcn.h>
#include <stdlib.h>

#include "base/message.h"
#include "openmp/ompruntime.h"

/* Where a plug-in brings the runtime, the plug-in alone may see it.  The handle is kept,
 * so that the runtime stays loaded. */
static void *
find_by_object(const char *name, const void *caller)
{
    Dl_info info;
    void *handle;

    if (dladdr(caller, &info) == 0 || info.dli_fname == NULL)
        return NULL;
    handle = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    return handle == NULL ? NULL : dlsym(handle, name);
}

/* 0: not known yet. */
enum answer { YES = 1, NO };

static atomic_int does_tell;

/* The first call of any of these functions decides. */
static void
decide(const void *function)
{
    Dl_info info;
    int none = 0;
    bool tells_itself = dladdr(function, &info) != 0 &&
                        hpm_ompruntime_has_tools(info.dli_fname);

    atomic_compare_exchange_strong(&does_tell, &none, tells_itself ? NO : YES);
}

/* A function of the runtime's that was found before; NULL: none. */
static const void *_Atomic known;

hpm_gompcall *
hpm_gompcall_search(hpm_gompcall *_Atomic *found, const char *name,
                    const void *caller)
{
    void *function = dlsym(RTLD_NEXT, name);

    if (function == NULL)
        function = find_by_object(name, caller);
    if (function == NULL && atomic_load(&known) != NULL)
        function = find_by_object(name, atomic_load(&known));
    if (function == NULL) {
        hpm_message_say_format(
            "no library that is loaded has %s, which the program calls; run it "
            "without libhpm_openmp",
            name);
        abort();
    }
    decide(function);
    atomic_store(&known, function);
    atomic_store_explicit(found, (hpm_gompcall *)function,
                          memory_order_release);
    return (hpm_gompcall *)function;
}

bool
hpm_gompcall_tells(void)
{
    return atomic_load_explicit(&does_tell, memory_order_relaxed) == YES;
}

int omp_get_thread_num(void);

unsigned
hpm_gompcall_number(void)
{
    return (unsigned)HPM_GOMPCALL_REAL(omp_get_thread_num)();
}
