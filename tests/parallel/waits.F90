! SPDX-License-Identifier: BSD-3-Clause
! What waits.c does, in Fortran: threads of OpenMP wait for one another, a twentieth of
! a second each time, and the program prints lines "THREAD STATE SECONDS" with what its
! own clock said.
module clocks
  use omp_lib
  use, intrinsic :: iso_c_binding
  implicit none

  integer, parameter :: most = 64
  integer, parameter :: in_task = 1, region_barrier = 2, loop_barrier = 3, &
                        single_barrier = 4, explicit_barrier = 5, taskwait = 6, &
                        in_critical = 7, in_lock = 8, in_ordered = 9, &
                        serial_idle = 10, n_states = 10
  character(16), parameter :: words(n_states) = &
    [character(16) :: 'task', 'region_barrier', 'loop_barrier', 'single_barrier', &
     'explicit_barrier', 'taskwait', 'critical', 'lock', 'ordered', 'serial_idle']
  double precision :: spent(n_states, 0:most - 1) = 0
  double precision :: left(0:most - 1) = 0 ! when each was through its work
  double precision :: last_end = 0         ! of a region; 0: there was none
  integer :: n_threads = 1

  interface
    integer(c_int) function usleep(microseconds) bind(C)
      import
      integer(c_int), value :: microseconds
    end function
  end interface

contains

  double precision function seconds()
    integer(8) :: ticks, rate

    call system_clock(ticks, rate)
    seconds = dble(ticks) / dble(rate)
  end function

  subroutine nap()
    integer(c_int) :: ignored

    ignored = usleep(50000)
  end subroutine

  subroutine add(state, since)
    integer, intent(in) :: state
    double precision, intent(in) :: since
    integer :: me

    me = omp_get_thread_num()
    spent(state, me) = spent(state, me) + seconds() - since
  end subroutine

  ! The first and the last thing that each thread does in a region.
  subroutine enter()
    if (omp_get_thread_num() > 0 .and. last_end > 0) &
      call add(serial_idle, last_end)
  end subroutine

  subroutine leave()
    left(omp_get_thread_num()) = seconds()
  end subroutine

  ! After each region, by the thread that began it.
  subroutine end_region()
    last_end = seconds()
    spent(region_barrier, :n_threads - 1) = &
      spent(region_barrier, :n_threads - 1) + last_end - left(:n_threads - 1)
  end subroutine
end module

module waits
  use clocks
  implicit none

contains

  subroutine end_with(late)
    integer, intent(in) :: late

    !$omp parallel
    call enter()
    if (omp_get_thread_num() == late) call nap()
    call leave()
    !$omp end parallel
    call end_region()
  end subroutine

  subroutine wait_explicitly(late)
    integer, intent(in) :: late
    double precision :: since

    !$omp parallel private(since)
    call enter()
    if (omp_get_thread_num() == late) call nap()
    since = seconds()
    !$omp barrier
    call add(explicit_barrier, since)
    call leave()
    !$omp end parallel
    call end_region()
  end subroutine

  ! One iteration is longer than the others, whoever gets it.
  subroutine loop()
    double precision :: since
    integer :: i

    !$omp parallel private(since)
    call enter()
    since = seconds()
    !$omp do schedule(dynamic)
    do i = 1, n_threads
      if (i == 1) call nap()
      since = seconds()
    end do
    !$omp end do
    call add(loop_barrier, since)
    call leave()
    !$omp end parallel
    call end_region()
  end subroutine

  subroutine single()
    double precision :: since

    !$omp parallel private(since)
    call enter()
    since = seconds()
    !$omp single
    call nap()
    since = seconds()
    !$omp end single
    call add(single_barrier, since)
    call leave()
    !$omp end parallel
    call end_region()
  end subroutine

  subroutine critical()
    double precision :: since

    !$omp parallel private(since)
    call enter()
    since = seconds()
    !$omp critical
    call add(in_critical, since)
    call nap()
    !$omp end critical
    call leave()
    !$omp end parallel
    call end_region()
  end subroutine

  subroutine lock()
    integer(omp_lock_kind) :: one
    integer(omp_nest_lock_kind) :: other
    double precision :: since

    call omp_init_lock(one)
    call omp_init_nest_lock(other)
    !$omp parallel private(since)
    call enter()
    since = seconds()
    call omp_set_lock(one)
    call add(in_lock, since)
    call nap()
    call omp_unset_lock(one)
    since = seconds()
    call omp_set_nest_lock(other)
    call omp_set_nest_lock(other)
    call add(in_lock, since)
    call omp_unset_nest_lock(other)
    call omp_unset_nest_lock(other)
    call leave()
    !$omp end parallel
    call end_region()
    call omp_destroy_lock(one)
    call omp_destroy_nest_lock(other)
  end subroutine

  subroutine ordered()
    double precision :: since
    integer :: i

    !$omp parallel private(since)
    call enter()
    !$omp do ordered schedule(static, 1)
    do i = 1, n_threads
      since = seconds()
      !$omp ordered
      call add(in_ordered, since)
      call nap()
      !$omp end ordered
    end do
    !$omp end do nowait
    call leave()
    !$omp end parallel
    call end_region()
  end subroutine

  ! Another thread, which waits in the barrier, gets the task.
  subroutine task()
    integer, volatile :: executor
    double precision :: since

    executor = -1
    !$omp parallel private(since)
    call enter()
    if (omp_get_thread_num() == 0) then
      !$omp task private(since) shared(executor)
      since = seconds()
      executor = omp_get_thread_num()
      call nap()
      call add(in_task, since)
      !$omp end task
      do while (executor < 0)
        call relax()
      end do
      since = seconds()
      !$omp taskwait
      call add(taskwait, since)
    end if
    since = seconds()
    !$omp barrier
    call add(explicit_barrier, since)
    call leave()
    !$omp end parallel
    call end_region()
    spent(explicit_barrier, executor) = &
      spent(explicit_barrier, executor) - spent(in_task, executor)
  end subroutine

  ! Another thread may need this one's processor.
  subroutine relax()
    interface
      integer(c_int) function sched_yield() bind(C)
        import
      end function
    end interface
    integer(c_int) :: ignored

    ignored = sched_yield()
  end subroutine
end module

program main
  use waits
  implicit none
  integer :: i, state

  !$omp parallel
  if (omp_get_thread_num() == 0) n_threads = omp_get_num_threads()
  call leave()
  !$omp end parallel
  call end_region()
  call end_with(0)
  call end_with(n_threads - 1)
  call nap() ! the serial part
  call wait_explicitly(0)
  call wait_explicitly(n_threads - 1)
  call loop()
  call single()
  call critical()
  call lock()
  call ordered()
  if (n_threads > 1) call task()
  do i = 0, n_threads - 1
    do state = 1, n_states
      print '(i0, 1x, a, 1x, f0.9)', i, trim(words(state)), spent(state, i)
    end do
  end do
  print '(a, i0)', 'threads ', n_threads
end program main
