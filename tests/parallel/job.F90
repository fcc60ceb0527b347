! SPDX-License-Identifier: BSD-3-Clause
! An MPI job in Fortran, with each of the ways to its calls.
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
  integer :: task, error

  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, task, error)
  call hpmTstart(1, 'before')
  call hpmTstop(1)
#if WAY == 1
  call MPI_Finalize()
  error = 0
#else
  call MPI_Finalize(error)
#endif
  if (error /= 0) stop 8
end program
