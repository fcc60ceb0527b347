! SPDX-License-Identifier: BSD-3-Clause
! Default integers of 8 bytes: every call of f_hpm_i8.h.
#include "f_hpm_i8.h"
program wide
  implicit none
  integer :: id, cells, n
  integer(8) :: counts(2)
  double precision :: time

  if (kind(id) /= 8) stop 1
  call f_hpminit(-1, 'wide')
  id = 41
  cells = 3000000000_8
  n = 2
  call f_hpmstart(id, 'process')
  call f_hpmtstart(id + 1, 'thread')
  call f_hpmwork(id + 1, cells, 'cells')
  call f_hpmtstartx(43, id + 1, 'below')
  call f_hpmtstop(43)
  call f_hpmtstop(id + 1)
  call f_hpmstartx(44, HPM_NO_PARENT, 'top')
  call f_hpmstop(44)
  call f_hpmstop(id)
  call f_hpmGetTimeAndCounters(n, time, counts)
  if (time <= 0) stop 2
  call f_hpmterminate(-1)
end program wide
