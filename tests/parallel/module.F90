! SPDX-License-Identifier: BSD-3-Clause
! A module in Fortran that a program loads while it runs: -DWAY=1 is "use mpi_f08",
! 3 "mpif.h".
subroutine run_module() bind(C)
#if WAY == 1
  use mpi_f08
#endif
  implicit none
#if WAY == 3
  include 'mpif.h'
#endif
  integer :: error

  call MPI_Init(error)
  call MPI_Barrier(MPI_COMM_WORLD, error)
  call MPI_Finalize(error)
end subroutine run_module
