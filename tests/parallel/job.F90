! SPDX-License-Identifier: BSD-3-Clause
! An MPI job in Fortran, with each of the ways to its calls.  With the argument
! "abort" task 1 calls MPI_Abort.  The tasks make a grid, too.
program job
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
  integer :: task, error, n_tasks
#if WAY == 1
  type(MPI_Comm) :: grid, graph
#else
  integer :: grid, graph
#endif
  character(5) :: way

  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, task, error)
  call MPI_Comm_size(MPI_COMM_WORLD, n_tasks, error)
#if WAY == 1
  call MPI_Cart_create(MPI_COMM_WORLD, 2, [n_tasks, 1], [.true., .false.], &
                       .false., grid)
#else
  call MPI_Cart_create(MPI_COMM_WORLD, 2, [n_tasks, 1], [.true., .false.], &
                       .false., grid, error)
#endif
  call make_ring
  call MPI_Comm_rank(grid, task, error)
  call hpmTstart(1, 'before')
  call hpmTstop(1)
  call get_command_argument(1, way)
  if (way == 'abort' .and. task == 1) then
#if WAY == 1
    call MPI_Abort(MPI_COMM_WORLD, 7)
#else
    call MPI_Abort(MPI_COMM_WORLD, 7, error)
#endif
  end if
#if WAY == 1
  call MPI_Finalize()
  error = 0
#else
  call MPI_Finalize(error)
#endif
  if (error /= 0) stop 8

contains

  ! Each task sends to the next one.
  subroutine make_ring
    integer :: sources(1), destinations(1)

    sources = modulo(task - 1, n_tasks)
    destinations = modulo(task + 1, n_tasks)
    call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, sources, &
      MPI_UNWEIGHTED, 1, destinations, MPI_UNWEIGHTED, MPI_INFO_NULL, .false., &
      graph, error)
  end subroutine
end program
