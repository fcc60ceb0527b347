! SPDX-License-Identifier: BSD-3-Clause
! sppm-like: gas dynamics in three dimensions, a sweep along each axis after the
! other, as the sPPM benchmark does it (A. A. Mirin et al., 1999), with a
! simpler scheme (pencil.c).
!
!     sppm [SIZE [AXIS]]     a shock tube of SIZE cells along AXIS (1, 2, 3)
!
! Planes of the third axis are shared out among MPI tasks (-DUSE_MPI), the
! planes of a sweep among OpenMP threads.  Neither changes a bit of the result.

module domain
  use hpm
  use, intrinsic :: iso_c_binding, only: c_double, c_int, c_long
#ifdef USE_MPI
  use mpi
#endif
  implicit none

  integer, parameter :: dp = c_double, n_state = 5, g = 2 ! g: ghost cells
  integer, parameter :: section_sweep(3) = [1, 2, 3]
  character(len=*), parameter :: sweep_name(3) = ['X sweep', 'Y sweep', 'Z sweep']
  real(dp), parameter :: gamma = 1.4_dp

  integer :: task = 0, n_tasks = 1
  integer :: n(3)       ! cells of this task
  integer :: n3_all     ! along the third axis, of all tasks
  integer :: first3     ! how many of them are below this task's
  real(dp) :: dx
  real(dp), allocatable :: q(:, :, :, :)

  interface
     subroutine advance_plane(q, n, step, n_pencils, next, variable, order, &
          dt_dx) bind(C)
       import :: c_double, c_int, c_long
       real(c_double), intent(inout) :: q
       integer(c_int), value :: n, n_pencils
       integer(c_long), value :: step, next, variable
       integer(c_int), intent(in) :: order(3)
       real(c_double), value :: dt_dx
     end subroutine advance_plane
  end interface

contains

  ! ---- tasks -----------------------------------------------------------------

  subroutine begin_tasks()
#ifdef USE_MPI
    integer :: got, ierr

    call MPI_Init_thread(MPI_THREAD_FUNNELED, got, ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, task, ierr)
    call MPI_Comm_size(MPI_COMM_WORLD, n_tasks, ierr)
#endif
  end subroutine begin_tasks

  subroutine end_tasks()
#ifdef USE_MPI
    integer :: ierr

    call MPI_Finalize(ierr)
#endif
  end subroutine end_tasks

  ! The greatest of all tasks.
  real(dp) function greatest(mine)
    real(dp), intent(in) :: mine
#ifdef USE_MPI
    integer :: ierr

    call MPI_Allreduce(mine, greatest, 1, MPI_DOUBLE_PRECISION, MPI_MAX, &
         MPI_COMM_WORLD, ierr)
#else
    greatest = mine
#endif
  end function greatest

  ! One number for each plane of this task: those of all planes.
  subroutine gather_planes(mine, all)
    real(dp), intent(in) :: mine(n(3))
    real(dp), intent(out) :: all(n3_all)
#ifdef USE_MPI
    integer :: counts(n_tasks), starts(n_tasks), ierr, i

    call MPI_Allgather(n(3), 1, MPI_INTEGER, counts, 1, MPI_INTEGER, &
         MPI_COMM_WORLD, ierr)
    starts = [(sum(counts(1:i - 1)), i = 1, n_tasks)]
    call MPI_Allgatherv(mine, n(3), MPI_DOUBLE_PRECISION, all, counts, starts, &
         MPI_DOUBLE_PRECISION, MPI_COMM_WORLD, ierr)
#else
    all = mine
#endif
  end subroutine gather_planes

  ! The ghost planes between tasks; the ends of the domain stay as they are.
  subroutine exchange_planes()
#ifdef USE_MPI
    real(dp), dimension(n(1), n(2), g, n_state) :: out, in
    integer :: below, above, ierr

    below = merge(task - 1, MPI_PROC_NULL, task > 0)
    above = merge(task + 1, MPI_PROC_NULL, task < n_tasks - 1)
    out = q(1:n(1), 1:n(2), n(3) - g + 1:n(3), :)
    call MPI_Sendrecv(out, size(out), MPI_DOUBLE_PRECISION, above, 1, in, &
         size(in), MPI_DOUBLE_PRECISION, below, 1, MPI_COMM_WORLD, &
         MPI_STATUS_IGNORE, ierr)
    if (below /= MPI_PROC_NULL) q(1:n(1), 1:n(2), 1 - g:0, :) = in
    out = q(1:n(1), 1:n(2), 1:g, :)
    call MPI_Sendrecv(out, size(out), MPI_DOUBLE_PRECISION, below, 2, in, &
         size(in), MPI_DOUBLE_PRECISION, above, 2, MPI_COMM_WORLD, &
         MPI_STATUS_IGNORE, ierr)
    if (above /= MPI_PROC_NULL) q(1:n(1), 1:n(2), n(3) + 1:n(3) + g, :) = in
#endif
  end subroutine exchange_planes

  ! ---- the gas ---------------------------------------------------------------

  ! SIZE cells along the tube, a quarter of that across.
  subroutine share_planes(size, axis)
    integer, intent(in) :: size, axis
    integer :: rest

    n = size / 4
    n(axis) = size
    n3_all = n(3)
    n(3) = n3_all / n_tasks
    rest = mod(n3_all, n_tasks)
    first3 = task * n(3) + min(task, rest)
    if (task < rest) n(3) = n(3) + 1
    dx = 1.0_dp / size
    allocate(q(1 - g:n(1) + g, 1 - g:n(2) + g, 1 - g:n(3) + g, n_state))
  end subroutine share_planes

  ! G. A. Sod's shock tube: density and pressure 1 and 1, then 0.125 and 0.1.
  subroutine set_tube(axis)
    integer, intent(in) :: axis
    integer :: at(3), i, j, k

    q = 0.0_dp
    do k = 1, n(3)
       do j = 1, n(2)
          do i = 1, n(1)
             at = [i, j, k + first3]
             if ((at(axis) - 0.5_dp) * dx < 0.5_dp) then
                q(i, j, k, 1) = 1.0_dp
                q(i, j, k, 5) = 1.0_dp / (gamma - 1.0_dp)
             else
                q(i, j, k, 1) = 0.125_dp
                q(i, j, k, 5) = 0.1_dp / (gamma - 1.0_dp)
             end if
          end do
       end do
    end do
  end subroutine set_tube

  ! The cells beyond the ends of this task along an axis: like the last one, or
  ! another task's.
  subroutine fill_ghosts(axis)
    integer, intent(in) :: axis
    integer :: i

    do i = 1, g
       select case (axis)
       case (1)
          q(1 - i, :, :, :) = q(1, :, :, :)
          q(n(1) + i, :, :, :) = q(n(1), :, :, :)
       case (2)
          q(:, 1 - i, :, :) = q(:, 1, :, :)
          q(:, n(2) + i, :, :) = q(:, n(2), :, :)
       case (3)
          q(:, :, 1 - i, :) = q(:, :, 1, :)
          q(:, :, n(3) + i, :) = q(:, :, n(3), :)
       end select
    end do
    if (axis == 3) call exchange_planes()
  end subroutine fill_ghosts

  ! The greatest speed of a wave, along any axis.
  real(dp) function fastest()
    real(dp) :: velocity(3), pressure
    integer :: i, j, k

    fastest = 0.0_dp
    do k = 1, n(3)
       do j = 1, n(2)
          do i = 1, n(1)
             velocity = q(i, j, k, 2:4) / q(i, j, k, 1)
             pressure = (gamma - 1.0_dp) * (q(i, j, k, 5) &
                  - 0.5_dp * q(i, j, k, 1) * sum(velocity**2))
             fastest = max(fastest, maxval(abs(velocity)) &
                  + sqrt(gamma * pressure / q(i, j, k, 1)))
          end do
       end do
    end do
    fastest = greatest(fastest)
  end function fastest

  ! One sweep, inside a parallel region.  A thread advances whole planes of
  ! pencils; waiting for the others is in no section.
  subroutine sweep(axis, dt_dx)
    integer, intent(in) :: axis
    real(dp), intent(in) :: dt_dx
    integer(c_int), parameter :: order(3, 3) = &
         reshape([1, 2, 3, 2, 1, 3, 3, 1, 2], [3, 3])
    integer(c_long) :: stride(3), variable
    integer :: plane

    !$omp master
    call hpmTstart(4, 'Ghosts', __FILE__, __LINE__)
    call fill_ghosts(axis)
    call hpmTstop(4, __FILE__, __LINE__)
    !$omp end master
    !$omp barrier
    stride(1) = 1
    stride(2) = size(q, 1)
    stride(3) = stride(2) * size(q, 2)
    variable = stride(3) * size(q, 3)
    call hpmTstart(section_sweep(axis), sweep_name(axis), __FILE__, __LINE__)
    !$omp do schedule(static)
    do plane = 1, n(merge(2, 3, axis == 3))
       select case (axis)
       case (1)
          call advance_plane(q(1 - g, 1, plane, 1), n(1), stride(1), n(2), &
               stride(2), variable, order(:, 1), dt_dx)
       case (2)
          call advance_plane(q(1, 1 - g, plane, 1), n(2), stride(2), n(1), &
               stride(1), variable, order(:, 2), dt_dx)
       case (3)
          call advance_plane(q(1, plane, 1 - g, 1), n(3), stride(3), n(1), &
               stride(1), variable, order(:, 3), dt_dx)
       end select
    end do
    !$omp end do nowait
    call hpmTstop(section_sweep(axis), __FILE__, __LINE__)
    !$omp barrier
  end subroutine sweep

  ! Two steps of the same length, along the axes forth and back.
  subroutine run_hydro(dt)
    real(dp), intent(in) :: dt
    integer, parameter :: axes(6) = [1, 2, 3, 3, 2, 1]
    integer :: i

    call hpmStart(10, 'Double step', __FILE__, __LINE__)
    !$omp parallel private(i)
    do i = 1, 6
       call sweep(axes(i), dt / dx)
    end do
    !$omp end parallel
    call hpmStop(10, __FILE__, __LINE__)
  end subroutine run_hydro

  ! ---- the result ------------------------------------------------------------

  ! Sum of a variable over all cells: planes first, then these in order.
  real(dp) function total(variable)
    integer, intent(in) :: variable
    real(dp) :: mine(n(3)), all(n3_all)
    integer :: i, j, k

    do k = 1, n(3)
       mine(k) = 0.0_dp
       do j = 1, n(2)
          do i = 1, n(1)
             mine(k) = mine(k) + q(i, j, k, variable)
          end do
       end do
    end do
    call gather_planes(mine, all)
    total = 0.0_dp
    do k = 1, n3_all
       total = total + all(k)
    end do
  end function total

  ! A variable at a place along the tube, in the first pencil there.
  real(dp) function value_at(x, axis, variable)
    real(dp), intent(in) :: x
    integer, intent(in) :: axis, variable
    real(dp) :: mine(n(3)), all(n3_all)
    integer :: cell

    cell = int(x / dx) + 1
    select case (axis)
    case (1)
       mine = q(cell, 1, 1:n(3), variable)
    case (2)
       mine = q(1, cell, 1:n(3), variable)
    case (3)
       mine = q(1, 1, 1:n(3), variable)
    end select
    call gather_planes(mine, all)
    value_at = all(merge(cell, 1, axis == 3))
  end function value_at

  ! Where the exact solution at time 0.2 is constant, as E. F. Toro gives it
  ! (table 4.3, test 1): density on both sides of the contact, velocity and
  ! pressure between the waves.
  real(dp) function distance_from_exact(axis)
    integer, intent(in) :: axis
    real(dp), parameter :: exact(4) = &
         [0.42632_dp, 0.26557_dp, 0.92745_dp, 0.30313_dp]
    real(dp) :: found(4), momentum

    found(1) = value_at(0.59_dp, axis, 1)
    found(2) = value_at(0.77_dp, axis, 1)
    momentum = value_at(0.59_dp, axis, axis + 1)
    found(3) = momentum / found(1)
    found(4) = (gamma - 1.0_dp) * (value_at(0.59_dp, axis, 5) &
         - 0.5_dp * momentum * found(3))
    distance_from_exact = maxval(abs(found / exact - 1.0_dp))
  end function distance_from_exact

end module domain

program sppm
  use domain
  implicit none
  real(dp), parameter :: end_time = 0.2_dp, courant = 0.4_dp
  character(len=16) :: word
  integer :: length, axis, n_steps
  real(dp) :: time, dt, mass, energy, momentum, density, distance, drift, cells
  logical :: is_good

  length = 64
  axis = 1
  call get_command_argument(1, word)
  if (word /= ' ') read (word, *) length
  call get_command_argument(2, word)
  if (word /= ' ') read (word, *) axis

  call begin_tasks()
  call hpmInit(program='sppm')
  if (length < 64 .or. length / 4 < g * n_tasks .or. axis < 1 .or. axis > 3) then
     write (0, '(a)') 'sppm: SIZE must be 64 or more, and a quarter of it two &
          &planes for each task; AXIS 1, 2 or 3'
     stop 2
  end if
  call share_planes(length, axis)
  call set_tube(axis)
  cells = real(length, dp) * (length / 4)**2
  mass = total(1)
  energy = total(5)
  time = 0.0_dp
  n_steps = 0
  do while (time < end_time)
     call hpmTstart(20, 'Time step length', __FILE__, __LINE__)
     dt = min(courant * dx / fastest(), 0.5_dp * (end_time - time))
     call hpmTstop(20, __FILE__, __LINE__)
     call run_hydro(dt)
     time = time + 2.0_dp * dt
     n_steps = n_steps + 2
     if (end_time - time < 1.0e-12_dp) exit
  end do
  drift = max(abs(total(1) / mass - 1.0_dp), abs(total(5) / energy - 1.0_dp))
  distance = distance_from_exact(axis)
  density = value_at(0.59_dp, axis, 1)
  ! the pressures at the ends push with 1 - 0.1 all the time
  momentum = total(1 + axis)
  drift = max(drift, abs(momentum / (0.9_dp * end_time * cells) - 1.0_dp))
  is_good = drift < 1.0e-12_dp .and. distance < 1.28_dp / length

  if (task == 0) then
     write (*, '(a, i0, a, i0, a)') 'sppm: ', length, ' cells along the tube, ', &
          n_steps, ' steps'
     write (*, '(a, 2es24.16)') 'momentum, density  ', momentum, density
     write (*, '(a, es9.2, a, f7.4)') 'drift of mass, energy, momentum ', drift, &
          ', distance from the exact solution ', distance
     if (.not. is_good) write (0, '(a)') 'sppm: the result is wrong'
  end if
  call end_tasks()
  if (.not. is_good) stop 1
  call hpmTerminate()
end program sppm
