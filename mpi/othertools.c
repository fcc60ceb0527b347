/* SPDX-License-Identifier: BSD-3-Clause
 * Other tools that take calls of MPI, as this library does. */
#include "mpi/othertools.h"

#include <dlfcn.h>
#include <link.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/launcher.h"
#include "base/message.h"
#include "host/path.h"
#include "mpi/callclass.h"
#include "mpi/wholerun.h"

/* ---- before this library ------------------------------------------------- */

/* Is the address in this library? */
static bool
is_own(const Dl_info *info)
{
    Dl_info own;

    return dladdr(__start_hpm_callnames, &own) == 0 ||
           info->dli_fbase == own.dli_fbase;
}

/* The file of another library that takes this call before this one; NULL: none does.  A
 * program that is not position-independent and takes the function's address has a jump
 * to the function under that name, and the name undefined: it takes nothing. */
static const char *
find_taker(const char *name)
{
    void *taker = dlsym(RTLD_DEFAULT, name);
    const ElfW(Sym) *symbol = NULL;
    Dl_info info;

    if (taker == NULL ||
        dladdr1(taker, &info, (void **)&symbol, RTLD_DL_SYMENT) == 0 ||
        (symbol != NULL && symbol->st_shndx == SHN_UNDEF) || is_own(&info))
        return NULL;
    return info.dli_fname;
}

/* How the names of the MPI's Fortran entries begin and end that do not call the C
 * function: those of a tool would hide the call. */
#ifdef OPEN_MPI
static const char *const fortran_endings[] = {"_", "_f08_"};
static const char fortran_real[] = "pmpi_";
#else
static const char *const fortran_endings[] = {"_f08_"};
static const char fortran_real[] = "pmpir_";
#endif

/* The same of a Fortran entry of the call "MPI_Send"; the MPI's own library, which has
 * the real one, too, is no taker. */
static const char *
find_fortran_taker(const char *call, const char *ending)
{
    char low[48], name[64];
    const char *taker;
    Dl_info info;
    void *real;
    size_t i = 0;

    for (; call[4 + i] != '\0' && i < sizeof low - 1; i++)
        low[i] = (char)(call[4 + i] == '_' ? '_' : call[4 + i] | ' ');
    low[i] = '\0';
    snprintf(name, sizeof name, "mpi_%s%s", low, ending);
    taker = find_taker(name);
    snprintf(name, sizeof name, "%s%s%s", fortran_real, low, ending);
    real = taker != NULL ? dlsym(RTLD_DEFAULT, name) : NULL;
    return real != NULL && dladdr(real, &info) != 0 &&
                   strcmp(info.dli_fname, taker) != 0
               ? taker
               : NULL;
}

const char *
hpm_othertools_before(const char *call)
{
    const char *taker = find_taker(call);

    for (size_t i = 0; i < sizeof fortran_endings / sizeof fortran_endings[0] &&
                       taker == NULL;
         i++)
        taker = find_fortran_taker(call, fortran_endings[i]);
    return taker;
}

/* ---- behind it ----------------------------------------------------------- */

/* Is the address in the MPI's own library?  That has the call under both names, or,
 * where the other names are in a library of their own, calls that no tool takes. */
static bool
is_mpi(const Dl_info *info, const char *call)
{
    void *plain = dlsym(RTLD_NEXT, "MPI_Get_version"), *other;
    Dl_info of_plain, of_other;
    char name[64];

    snprintf(name, sizeof name, "P%s", call);
    other = dlsym(RTLD_DEFAULT, name);
    return (plain != NULL && dladdr(plain, &of_plain) != 0 &&
            info->dli_fbase == of_plain.dli_fbase) ||
           (other != NULL && dladdr(other, &of_other) != 0 &&
            info->dli_fbase == of_other.dli_fbase);
}

/* The file of the library that has the next definition of the call, if that is neither
 * the MPI nor this library once more. */
static const char *
find_behind(const char *call)
{
    void *next = dlsym(RTLD_NEXT, call);
    Dl_info info;

    if (next == NULL || dladdr(next, &info) == 0 || is_own(&info) ||
        is_mpi(&info, call) ||
        strncmp(hpm_path_base_name(info.dli_fname), "libhpm_", 7) == 0)
        return NULL;
    return info.dli_fname;
}

void
hpm_othertools_say_behind(void)
{
    int rank = 0;

    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (const struct hpm_callname *call = __start_hpm_callnames;
         rank == 0 && call < __stop_hpm_callnames; call++) {
        const char *behind = find_behind(call->name);

        if (behind == NULL)
            continue;
        hpm_message_say_format(
            "%.100s, which stands behind libhpm_mpi, does not see the calls of "
            "MPI that libhpm_mpi takes, as %s; measure with one of the two at "
            "a time",
            hpm_path_base_name(behind), call->name);
        return;
    }
}

/* ---- a run that was not seen ---------------------------------------------- */

void
hpm_othertools_say_unseen(void)
{
    const char *taker = NULL;
    int is_initialized = 0;

    PMPI_Initialized(&is_initialized);
    if (is_initialized && hpm_launcher_rank() <= 0 && hpm_wholerun_is_wanted())
        taker = hpm_othertools_before("MPI_Init");
    if (taker != NULL)
        hpm_message_say_format(
            "%.100s takes MPI_Init before libhpm_mpi, which has measured "
            "nothing; put libhpm_mpi first into LD_PRELOAD",
            hpm_path_base_name(taker));
}
