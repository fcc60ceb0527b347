/* SPDX-License-Identifier: BSD-3-Clause
 * Which task comes last to a collective, and how long the others wait for it.
 *
 * The task that comes last waits least.  So the tasks need not compare their clocks,
 * but how long each has waited, each by its own clock; all leave the barrier at the
 * same time, but for the time of its last messages. */
#include "mpi/lastcomer.h"

#include <stdatomic.h>

#include "brought/tickscale.h"

/* What a task knows of itself, and all of them together. */
struct waiting {
    uint64_t least_ns;
    uint64_t rank; /* of the task with the least; of several the first */
    uint64_t sum_ns;
    uint64_t n_unknown; /* tasks that take no time of the call */
};

enum { N_WORDS = sizeof(struct waiting) / sizeof(uint64_t) };

static MPI_Datatype waiting_type = MPI_DATATYPE_NULL;
static MPI_Op join = MPI_OP_NULL;
static atomic_bool is_lost[HPM_N_CALLCLASSES];

static void
join_waitings(void *from, void *into, int *n, MPI_Datatype *type)
{
    const struct waiting *one = from;
    struct waiting *other = into;

    (void)type;
    for (int i = 0; i < *n; i++) {
        if (one[i].least_ns < other[i].least_ns ||
            (one[i].least_ns == other[i].least_ns &&
             one[i].rank < other[i].rank)) {
            other[i].least_ns = one[i].least_ns;
            other[i].rank = one[i].rank;
        }
        other[i].sum_ns += one[i].sum_ns;
        other[i].n_unknown += one[i].n_unknown;
    }
}

bool
hpm_lastcomer_begin(void)
{
    return PMPI_Type_contiguous(N_WORDS, MPI_UINT64_T, &waiting_type) ==
               MPI_SUCCESS &&
           PMPI_Type_commit(&waiting_type) == MPI_SUCCESS &&
           PMPI_Op_create(join_waitings, 1, &join) == MPI_SUCCESS;
}

void
hpm_lastcomer_end(void)
{
    PMPI_Op_free(&join);
    PMPI_Type_free(&waiting_type);
}

static void lose(enum hpm_callclass class)
{
    atomic_store_explicit(&is_lost[class], true, memory_order_relaxed);
}

bool hpm_lastcomer_is_lost(enum hpm_callclass class)
{
    return atomic_load_explicit(&is_lost[class], memory_order_relaxed);
}

static void
add_last(struct hpm_calltime *own, enum hpm_callclass class, uint64_t delay_ns)
{
    hpm_turn_open(&own->turn);
    hpm_turn_raise(&own->sums[class].last, 1);
    hpm_turn_raise(&own->sums[class].delay_ns, delay_ns);
    hpm_turn_close(&own->turn);
}

/* Between two groups of tasks each would hear of the other one's waiting alone. */
void
hpm_lastcomer_find(struct hpm_calltime *own, enum hpm_callclass class,
                   MPI_Comm comm, uint64_t waited)
{
    struct waiting mine = {0}, all;
    int rank = 0, n = 0, is_inter = 0;

    PMPI_Comm_test_inter(comm, &is_inter);
    PMPI_Comm_size(comm, &n);
    if (is_inter)
        lose(class);
    if (is_inter || n < 2)
        return;
    PMPI_Comm_rank(comm, &rank);
    mine.rank = (uint64_t)rank;
    mine.least_ns = own != NULL ? hpm_tickscale_ns(waited) : UINT64_MAX;
    mine.sum_ns = own != NULL ? mine.least_ns : 0;
    mine.n_unknown = own == NULL;
    if (PMPI_Allreduce(&mine, &all, 1, waiting_type, join, comm) !=
            MPI_SUCCESS ||
        all.n_unknown > 0)
        lose(class);
    else if (all.rank == mine.rank)
        add_last(own, class, all.sum_ns - (uint64_t)n * all.least_ns);
}
