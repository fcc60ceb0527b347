/* SPDX-License-Identifier: BSD-3-Clause
 * MPI_Cart_create, in C and Fortran: where this task stands in a grid of tasks
 * goes into its performance file.
 *
 * Of several grids the largest is taken, of equally large ones that of the most
 * dimensions, else the first.  MPI_Cart_sub makes parts of what has come by here,
 * and needs no look. */
#include <mpi.h>
#include <stdbool.h>

#include "host/memory.h"
#include "mpi/calltime.h"
#include "mpi/taskplace.h"

/* ---- what is remembered ------------------------------------------------ */

static struct hpm_taskplace_size largest;

static void
offer(int n_tasks, const int *numbers, int n)
{
    char *texts[] = {hpm_taskplace_text(numbers, n),
                     hpm_taskplace_text(numbers + n, n),
                     hpm_taskplace_text(numbers + 2 * n, n)};

    hpm_taskplace_offer(&largest, n_tasks, n, HPM_PLACE_DIMS, texts, 3);
}

/* A task that is not in the grid has no communicator. */
static void
look_at(MPI_Comm grid, int n)
{
    int n_tasks, *numbers;

    if (grid == MPI_COMM_NULL || n < 1 ||
        PMPI_Comm_size(grid, &n_tasks) != MPI_SUCCESS)
        return;
    numbers = hpm_memory_new(3 * (size_t)n, sizeof *numbers);
    if (numbers != NULL && PMPI_Cart_get(grid, n, numbers, numbers + n,
                                         numbers + 2 * n) == MPI_SUCCESS) {
        for (int i = n; i < 2 * n; i++)
            numbers[i] = numbers[i] != 0;
        offer(n_tasks, numbers, n);
    }
    hpm_memory_free(numbers);
}

/* ---- C ---------------------------------------------------------------- */

int
MPI_Cart_create(MPI_Comm comm, int n, const int dims[], const int periods[],
                int is_reordered, MPI_Comm *ret_grid)
{
    struct hpm_calltime *own = hpm_calltime_begin(HPM_CALLCLASS_INIT);
    int error =
        PMPI_Cart_create(comm, n, dims, periods, is_reordered, ret_grid);

    hpm_calltime_end(own);
    if (error == MPI_SUCCESS)
        look_at(*ret_grid, n);
    return error;
}

/* ---- Fortran ---------------------------------------------------------- */

void mpi_cart_create_(const MPI_Fint *comm, const MPI_Fint *n,
                      const MPI_Fint *dims, const MPI_Fint *periods,
                      const MPI_Fint *is_reordered, MPI_Fint *ret_grid,
                      MPI_Fint *ret_error);

/* A grid has rarely more dimensions. */
enum { FEW = 16 };

/* The number for true differs between compilers; false is 0.  Without memory the
 * communicator's error handler decides, as for errors of the MPI. */
void
mpi_cart_create_(const MPI_Fint *comm, const MPI_Fint *n, const MPI_Fint *dims,
                 const MPI_Fint *periods, const MPI_Fint *is_reordered,
                 MPI_Fint *ret_grid, MPI_Fint *ret_error)
{
    MPI_Comm whole = PMPI_Comm_f2c(*comm), grid = MPI_COMM_NULL;
    size_t n_dims = *n > 0 ? (size_t)*n : 0;
    int few[2 * FEW], error;
    int *numbers =
        n_dims <= FEW ? few : hpm_memory_new(2 * n_dims, sizeof *numbers);

    for (size_t i = 0; i < n_dims && numbers != NULL; i++) {
        numbers[i] = (int)dims[i];
        numbers[n_dims + i] = periods[i] != 0;
    }
    error = numbers != NULL
                ? MPI_Cart_create(whole, (int)*n, numbers, numbers + n_dims,
                                  *is_reordered != 0, &grid)
                : PMPI_Comm_call_errhandler(whole, MPI_ERR_NO_MEM);
    if (numbers == NULL)
        error = MPI_ERR_NO_MEM;
    if (error == MPI_SUCCESS)
        *ret_grid = PMPI_Comm_c2f(grid);
    if (ret_error != NULL)
        *ret_error = error;
    if (numbers != few)
        hpm_memory_free(numbers);
}

#define CART_CREATE_ALSO_AS(name)                                              \
    void name(const MPI_Fint *comm, const MPI_Fint *n, const MPI_Fint *dims,   \
              const MPI_Fint *periods, const MPI_Fint *is_reordered,           \
              MPI_Fint *ret_grid, MPI_Fint *ret_error)                         \
        __attribute__((alias("mpi_cart_create_")));

CART_CREATE_ALSO_AS(mpi_cart_create)
CART_CREATE_ALSO_AS(mpi_cart_create__)
CART_CREATE_ALSO_AS(MPI_CART_CREATE)
CART_CREATE_ALSO_AS(mpi_cart_create_f08_)
