! SPDX-License-Identifier: BSD-3-Clause
! BLAS as Fortran calls it.
program multiplies
  implicit none
  integer, parameter :: n = 8, dp = kind(1d0)
  real(dp) :: a(n, n), b(n, n), c(n, n), x(n)
  complex(dp) :: z(n)
  real(dp), external :: ddot
  complex(dp), external :: zdotc
  integer :: i
  a = 0
  do i = 1, n
    a(i, i) = i
    x(i) = i
    z(i) = cmplx(i, -i, dp)
  end do
  b = 1
  call dgemm('N', 'T', n, n, n, 1d0, a, n, b, n, 0d0, c, n)
  if (c(3, 5) /= 3) stop 1
  if (ddot(n, x, 1, x, 1) /= 204) stop 1
  if (abs(zdotc(n, z, 1, z, 1) - 408) > 0) stop 1
  print '(a)', 'dgemm 1 1024', 'ddot 1 16', 'zdotc 1 64'
  stop 3
end program multiplies
