! SPDX-License-Identifier: BSD-3-Clause
! Calls of MPI from Fortran, one of each class, with what they cost counted by
! libhpm_mpi: -DWAY=1 is "use mpi_f08", 2 "use mpi", 3 "mpif.h".
program times
#if WAY == 1
  use mpi_f08
#elif WAY == 2
  use mpi
#endif
  use hpm
  implicit none
#if WAY == 3
  include 'mpif.h'
#endif
#if WAY == 1
  type(MPI_Request) :: request
  type(MPI_Status) :: status
#else
  integer :: request, status(MPI_STATUS_SIZE)
#endif
  integer :: task, n_tasks, other, error, numbers(8), sums(8)
  integer, allocatable :: whole(:)

  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, task, error)
  call MPI_Comm_size(MPI_COMM_WORLD, n_tasks, error)
  allocate(whole(8 * n_tasks))
  other = mod(task + 1, n_tasks)
  numbers = task
  whole = task
  call hpmTstart(1, 'calls')
  call MPI_Isend(numbers, 8, MPI_INTEGER, other, 1, MPI_COMM_WORLD, request, &
                 error)
  call MPI_Recv(sums, 8, MPI_INTEGER, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &
                status, error)
  call MPI_Wait(request, status, error)
  call MPI_Bcast(numbers, 8, MPI_INTEGER, 0, MPI_COMM_WORLD, error)
  call MPI_Gather(numbers, 8, MPI_INTEGER, whole, 8, MPI_INTEGER, 0, &
                  MPI_COMM_WORLD, error)
  call MPI_Allreduce(numbers, sums, 8, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, &
                     error)
  call MPI_Allgather(MPI_IN_PLACE, 0, MPI_INTEGER, whole, 8, MPI_INTEGER, &
                     MPI_COMM_WORLD, error)
  call MPI_Barrier(MPI_COMM_WORLD, error)
  call hpmTstop(1)
  call MPI_Finalize(error)
end program times
