! SPDX-License-Identifier: BSD-3-Clause
! Procedures of a module and outside.
module grid
    implicit none
    integer, volatile :: n_smooth = 0, n_solve = 0
contains
    subroutine smooth()
        n_smooth = n_smooth + 1
    end subroutine
end module

subroutine solve()
    use grid
    implicit none
    integer :: i
    n_solve = n_solve + 1
    do i = 1, 3
        call smooth()
    end do
end subroutine

program procedures
    use grid
    implicit none
    integer :: i
    do i = 1, 4
        call solve()
    end do
    print '(a,i0)', 'grid::smooth ', n_smooth
    print '(a,i0)', 'solve_ ', n_solve
end program
