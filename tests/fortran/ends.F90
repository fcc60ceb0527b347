! SPDX-License-Identifier: BSD-3-Clause
! The program ends in the way its argument says, inside an open section.
#include "f_hpm.h"
program ends
  implicit none
  character(len=16) :: way

  call get_command_argument(1, way)
  call f_hpmtstart(1, 'outer')
  call deeper()
contains
  subroutine deeper()
    integer :: i

    call f_hpmtstart(2, 'inner')
    do i = 1, 2
       if (i == 1) cycle
       select case (way)
       case ('stop')
          stop 3
       case ('error')
          error stop 4
       case ('end')
          return
       end select
    end do
  end subroutine deeper
end program ends
