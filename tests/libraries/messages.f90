! SPDX-License-Identifier: BSD-3-Clause
! Calls of MPI from Fortran in one task.
program messages
  use mpi
  implicit none
  integer :: error, one, got, i
  call MPI_Init(error)
  one = 1
  do i = 1, 4
    call MPI_Allreduce(one, got, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
  end do
  call MPI_Sendrecv(one, 1, MPI_INTEGER, 0, 7, got, 1, MPI_INTEGER, 0, 7, &
                    MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
  call MPI_Finalize(error)
  if (got /= 1) stop 1
  print '(a)', 'MPI_Init 1', 'MPI_Allreduce 4', 'MPI_Sendrecv 1', 'MPI_Finalize 1'
  stop 3
end program messages
