/* SPDX-License-Identifier: BSD-3-Clause
 * The calls by which code from gcc uses its runtime, libgomp. */
#include "openmp/gompcall.h"

#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/message.h"
#include "host/memory.h"
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

static hpm_gompcall *
keep(struct hpm_gompfound *_Atomic *list, struct hpm_gompfound found)
{
    struct hpm_gompfound *kept = hpm_memory_new(1, sizeof *kept);

    decide((const void *)(uintptr_t)found.function);
    if (kept == NULL)
        return found.function;
    *kept = found;
    kept->next = atomic_load(list);
    while (!atomic_compare_exchange_weak(list, &kept->next, kept))
        continue;
    return found.function;
}

/* The part of the memory that an object has loaded, with the address `begin`. */
static int
cover(struct dl_phdr_info *info, size_t size, void *context)
{
    struct hpm_gompfound *found = context;

    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        uintptr_t begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;

        if (info->dlpi_phdr[i].p_type == PT_LOAD &&
            found->begin - begin < info->dlpi_phdr[i].p_memsz) {
            found->begin = begin;
            found->size = info->dlpi_phdr[i].p_memsz;
            return 1;
        }
    }
    return 0;
}

static bool
is_own(const void *address)
{
    Dl_info info, own;

    return dladdr(address, &info) != 0 &&
           dladdr((void *)(uintptr_t)is_own, &own) != 0 &&
           info.dli_fbase == own.dli_fbase;
}

__thread const void *hpm_gompcall_inside;

hpm_gompcall *
hpm_gompcall_search(struct hpm_gompfound *_Atomic *list, const char *name,
                    const void *caller)
{
    void *function = dlsym(RTLD_NEXT, name);
    struct hpm_gompfound found = {0, UINTPTR_MAX, (hpm_gompcall *)function,
                                  NULL};

    if (function != NULL && atomic_load(list) == NULL)
        return keep(list, found);
    if (is_own(caller) && hpm_gompcall_inside != NULL &&
        !is_own(hpm_gompcall_inside))
        return hpm_gompcall_find(list, name, hpm_gompcall_inside);
    if (function == NULL)
        function = find_by_object(name, caller);
    if (function == NULL) {
        hpm_message_say_format(
            "no library that is loaded has %s, which the program calls; run it "
            "without libhpm_openmp",
            name);
        abort();
    }
    found.begin = (uintptr_t)caller;
    found.size = 1;
    found.function = (hpm_gompcall *)function;
    dl_iterate_phdr(cover, &found);
    return keep(list, found);
}

bool
hpm_gompcall_tells(void)
{
    return atomic_load_explicit(&does_tell, memory_order_relaxed) == YES;
}

int omp_get_thread_num(void);
int omp_get_num_threads(void);

unsigned
hpm_gompcall_number(const void *work)
{
    return (unsigned)HPM_GOMPCALL_OF(omp_get_thread_num, work)();
}

unsigned
hpm_gompcall_size(const void *work)
{
    return (unsigned)HPM_GOMPCALL_OF(omp_get_num_threads, work)();
}
