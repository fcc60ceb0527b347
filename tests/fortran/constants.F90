! SPDX-License-Identifier: BSD-3-Clause
! The constants of the module and of f_hpm.h, by name.
program constants
  use hpm
  implicit none

  print '(a,i0)', 'LIBHPM_VERSION=', LIBHPM_VERSION
  print '(a,i0)', 'HPM_NO_PARENT=', HPM_NO_PARENT
  print '(a,i0)', 'HPM_AUTO_PARENT=', HPM_AUTO_PARENT
  print '(a,i0)', 'HPM_ONLY_EXCLUSIVE=', HPM_ONLY_EXCLUSIVE
  call of_header()
contains
  subroutine of_header()
#include "f_hpm.h"
    print '(a,i0)', 'HPM_NO_PARENT=', HPM_NO_PARENT
    print '(a,i0)', 'HPM_AUTO_PARENT=', HPM_AUTO_PARENT
    print '(a,i0)', 'HPM_ONLY_EXCLUSIVE=', HPM_ONLY_EXCLUSIVE
  end subroutine of_header
end program constants
