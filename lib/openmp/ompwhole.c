/* SPDX-License-Identifier: BSD-3-Clause
 * The whole run of a program that has no sections of its own.
 *
 * LD_PRELOAD holds for all programs that a program starts: those without OpenMP, such
 * as shells, make no file. */
#include "openmp/ompwhole.h"

#include <dlfcn.h>
#include <link.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/needed.h"
#include "host/path.h"
#include "libhpm.h"
#include "openmp/ompbring.h"

static const char label[] = "whole run";

atomic_bool hpm_ompwhole_is_open;
__thread bool hpm_ompwhole_is_inside;

atomic_bool hpm_ompwhole_is_asked;
static pid_t process; /* that began the section: a forked child has none */

/* The name by which programs are linked with libhpm. */
static const char *
libhpm_name(void)
{
    Dl_info info;

    return dladdr((void *)(uintptr_t)hpmTstartAt, &info) != 0
               ? hpm_path_base_name(info.dli_fname)
               : "libhpm.so.0";
}

/* The first object is the program, and no other is asked. */
static int
has_libhpm(struct dl_phdr_info *info, size_t size, void *context)
{
    bool *ret_has = context;

    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
            *ret_has = hpm_needed_has(
                (const void *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr),
                info->dlpi_addr, libhpm_name());
    }
    return 1;
}

static bool
names(const char *variable, const char *library)
{
    const char *list = getenv(variable);

    return list != NULL && strstr(list, library) != NULL;
}

bool
hpm_ompwhole_begins_at_load(void)
{
    return names("LD_PRELOAD", "libhpm_openmp") &&
           !names("LD_PRELOAD", "libhpm_mpi");
}

static bool
is_wanted(void)
{
    bool has_own_sections = false;

    if (!names("LD_PRELOAD", "libhpm_openmp") &&
        !names("OMP_TOOL_LIBRARIES", "libhpm_openmp"))
        return false;
    dl_iterate_phdr(has_libhpm, &has_own_sections);
    return !has_own_sections;
}

static void
begin_section(void)
{
    hpmTstartAt(HPM_OMPBRING_WHOLE_ID, label, "", 0);
    hpm_ompwhole_is_inside = true;
}

static void
end_section(void)
{
    if (hpm_ompwhole_is_inside && getpid() == process)
        hpmTstopAt(HPM_OMPBRING_WHOLE_ID, "", 0);
    hpm_ompwhole_is_inside = false;
}

void
hpm_ompwhole_begin_once(void)
{
    hpm_ompbring_source();
    if (atomic_exchange(&hpm_ompwhole_is_asked, true) || !is_wanted())
        return;
    process = getpid();
    begin_section();
    atexit(end_section);
    atomic_store(&hpm_ompwhole_is_open, true);
}

void
hpm_ompwhole_add_thread(void)
{
    if (getpid() == process)
        begin_section();
}

void
hpm_ompwhole_end_thread(void)
{
    end_section();
}

void
hpm_ompwhole_end(void)
{
    atomic_store(&hpm_ompwhole_is_open, false);
    end_section();
}
