! SPDX-License-Identifier: BSD-3-Clause
! Every procedure of the module, with and without its optional arguments.
! -DID_KIND=8 has the calls with integers of 8 bytes.
#ifndef ID_KIND
#define ID_KIND 4
#endif
program modular
  use hpm
  use, intrinsic :: iso_c_binding, only: c_long_long, c_double
  implicit none
  integer, parameter :: k = ID_KIND
  character(len=12) :: padded
  character(len=:), allocatable :: long
  character(len=8), parameter :: names(2) = ['one     ', 'other   ']
  integer(c_long_long) :: counts(2)
  real(c_double) :: time
  integer(k) :: i, line

  call hpmInit(0_k, 'modular')
  padded = 'padded'
  long = repeat('long ', 300)
  line = __LINE__
  call hpmStart(1_k, 'process', __FILE__, line)
  do i = 1_k, 2_k
     call hpmTstart(2_k, padded, __FILE__, line)
     call hpmTstart(3_k, long // '!')
     call hpmWork(3_k, 5, 'cells')
     call hpmWork(3_k, 5_8)
     call hpmTstop(3_k)
     call hpmTstop(2_k, __FILE__, line + 1_k)
     call hpmTstart(4_k)
     call hpmTstop(4_k)
     call hpmTstart(5_k, names(i))
     call hpmTstop(5_k)
     ! one address, many lengths
     call hpmTstart(6_k, names(2)(1:i))
     call hpmTstop(6_k)
     call hpmTstart(7_k, 'ends in C'//char(0))
     call hpmTstop(7_k)
     call hpmTstart(8_k, '')
     call hpmTstartx(9_k, int(HPM_NO_PARENT, k), 'top', line=line)
     call hpmTstop(9_k)
     call hpmTstop(8_k)
  end do
  call hpmStartx(10_k, 1_k, 'below')
  call hpmStop(10_k)
  call hpmStop(1_k, line=line)
  call hpmGetTimeAndCounters(time, counts)
  if (time <= 0) stop 1
  call hpmGetCounters(counts)
  if (hpmErrorCount() /= 0) stop 2
  if (hpmVersion() /= LIBHPM_VERSION) stop 3
  call hpmTerminate(0_k)
  deallocate(long)
end program modular
