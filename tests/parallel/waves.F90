! SPDX-License-Identifier: BSD-3-Clause
! The same programs as waves.c in Fortran: -DWAY=1 is "use mpi_f08", 2 "use mpi", 3
! "mpif.h".
module spans
  use iso_c_binding
  use omp_lib
  implicit none
  integer, parameter :: steps = 4, work_ms = 20, extra_ms = 30, thread_ms = 10
  integer, parameter :: most = 4096

  type, bind(c) :: timespec
    integer(c_long) :: seconds, nanoseconds
  end type

  type :: span
    character(len=16) :: section, kind
    integer :: thread
    real(c_double) :: begin, end
  end type

  interface
    integer(c_int) function clock_gettime(clock, now) bind(c)
      import :: c_int, timespec
      integer(c_int), value :: clock
      type(timespec), intent(out) :: now
    end function
    integer(c_int) function nanosleep(length, left) bind(c)
      import :: c_int, c_ptr, timespec
      type(timespec), intent(in) :: length
      type(c_ptr), value :: left
    end function
  end interface

  type(span) :: all_spans(most)
  integer :: n_spans = 0, task, n_tasks

contains

  real(c_double) function seconds()
    integer(c_int), parameter :: monotonic = 1
    type(timespec) :: now

    if (clock_gettime(monotonic, now) /= 0) stop 1
    seconds = real(now%seconds, c_double) + 1e-9_c_double * now%nanoseconds
  end function

  subroutine tell(section, kind, begin)
    character(len=*), intent(in) :: section, kind
    real(c_double), intent(in) :: begin
    real(c_double) :: end
    integer :: i

    end = seconds()
    !$omp atomic capture
    n_spans = n_spans + 1
    i = n_spans
    !$omp end atomic
    if (i <= most) &
      all_spans(i) = span(section, kind, omp_get_thread_num(), begin, end)
  end subroutine

  subroutine work(section, ms)
    character(len=*), intent(in) :: section
    integer, intent(in) :: ms
    integer(c_int) :: status
    real(c_double) :: begin

    begin = seconds()
    status = nanosleep(timespec(0, ms * 1000000_c_long), c_null_ptr)
    call tell(section, 'work', begin)
  end subroutine

  subroutine write_spans()
    character(len=32) :: name
    integer :: i, file

    write (name, '(a,i0)') 'said.', task
    open (newunit=file, file=name, status='replace')
    do i = 1, min(n_spans, most)
      associate (each => all_spans(i))
        write (file, '(2(a,1x),2(i0,1x),f0.9,1x,f0.9)') trim(each%section), &
          trim(each%kind), task, each%thread, each%begin, each%end
      end associate
    end do
    close (file)
  end subroutine
end module spans

program waves
#if WAY == 1
  use mpi_f08
#elif WAY == 2
  use mpi
#endif
  use hpm
  use spans
  implicit none
#if WAY == 3
  include 'mpif.h'
#endif
  integer, parameter :: block_length = 262144
  integer :: block(block_length), level, error
  real(c_double) :: begin

  call MPI_Init_thread(MPI_THREAD_FUNNELED, level, error)
  call MPI_Comm_rank(MPI_COMM_WORLD, task, error)
  call MPI_Comm_size(MPI_COMM_WORLD, n_tasks, error)
  call hpmInit(-1, 'waves')
  block = 0
  call connect_tasks()
  call MPI_Barrier(MPI_COMM_WORLD, error)
  call hpmTstart(2, 'whole')
  begin = seconds()
  call stencil()
  call meet('between')
  call sweep_through()
  call meet('between')
  call solve_all()
  call meet('between')
  call send_blocks()
  call tell('whole', 'wall', begin)
  call hpmTstop(2)
  call write_spans()
  call MPI_Finalize(error)

contains

  function label(name, step)
    character(len=*), intent(in) :: name
    integer, intent(in) :: step
    character(len=len(name) + 1) :: label

    label = name // achar(iachar('0') + step)
  end function

  subroutine work_together(id, section)
    integer, intent(in) :: id
    character(len=*), intent(in) :: section
    real(c_double) :: begin

    !$omp parallel private(begin)
    call hpmTstart(id, section)
    call work(section, merge(work_ms, work_ms - thread_ms, &
                             omp_get_thread_num() == omp_get_num_threads() - 1))
    begin = seconds()
    !$omp barrier
    call tell(section, 'threads', begin)
    call hpmTstop(id)
    !$omp end parallel
  end subroutine

  subroutine sum_up(section)
    character(len=*), intent(in) :: section
    integer :: word(1), whole(1)
    real(c_double) :: begin

    word = task
    begin = seconds()
    call MPI_Allreduce(word, whole, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
    call tell(section, 'all_to_all', begin)
  end subroutine

  subroutine meet(section)
    character(len=*), intent(in) :: section
    real(c_double) :: begin

    begin = seconds()
    call MPI_Barrier(MPI_COMM_WORLD, error)
    call tell(section, 'barrier', begin)
  end subroutine

  subroutine exchange(step)
    integer, intent(in) :: step
#if WAY == 1
    type(MPI_Request) :: requests(4)
#else
    integer :: requests(4)
#endif
    integer, asynchronous :: got_before(1), got_after(1), to_before(1), to_after(1)
    integer :: before, after
    real(c_double) :: begin

    before = merge(task - 1, MPI_PROC_NULL, task > 0)
    after = merge(task + 1, MPI_PROC_NULL, task < n_tasks - 1)
    to_before = 0
    to_after = 0
    begin = seconds()
    call MPI_Irecv(got_before, 1, MPI_INTEGER, before, 1, MPI_COMM_WORLD, &
                   requests(1), error)
    call MPI_Irecv(got_after, 1, MPI_INTEGER, after, 2, MPI_COMM_WORLD, &
                   requests(2), error)
    call tell(label('halo', step), 'irecv', begin)
    if (task == n_tasks / 2) call work(label('halo', step), work_ms + extra_ms)
    begin = seconds()
    call MPI_Isend(to_before, 1, MPI_INTEGER, before, 2, MPI_COMM_WORLD, &
                   requests(3), error)
    call MPI_Isend(to_after, 1, MPI_INTEGER, after, 1, MPI_COMM_WORLD, &
                   requests(4), error)
    call tell(label('halo', step), 'isend', begin)
    call work_together(40 + step, label('haloloop', step))
    begin = seconds()
    call MPI_Waitall(4, requests, MPI_STATUSES_IGNORE, error)
    call tell(label('halo', step), 'wait', begin)
  end subroutine

  subroutine stencil()
    integer :: step

    do step = 0, steps - 1
      call hpmTstart(10 + step, label('halo', step))
      call exchange(step)
      call hpmTstop(10 + step)
      call hpmTstart(20 + step, label('norm', step))
      call sum_up(label('norm', step))
      call hpmTstop(20 + step)
    end do
  end subroutine

  subroutine sweep_through()
    integer :: step, word(1)
    real(c_double) :: begin

    word = 0
    do step = 0, steps - 1
      call hpmTstart(50 + step, label('sweep', step))
      begin = seconds()
      if (task > 0) call MPI_Recv(word, 1, MPI_INTEGER, task - 1, step, &
                                  MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
      call tell(label('sweep', step), 'recv', begin)
      call work_together(60 + step, label('sweeploop', step))
      begin = seconds()
      if (task < n_tasks - 1) call MPI_Send(word, 1, MPI_INTEGER, task + 1, &
                                            step, MPI_COMM_WORLD, error)
      call tell(label('sweep', step), 'send', begin)
      call hpmTstop(50 + step)
    end do
  end subroutine

  subroutine solve_all()
    integer :: step

    call hpmTstart(1, 'solver')
    do step = 0, steps - 1
      call hpmTstart(70 + step, label('solve', step))
      call work_together(80 + step, label('solveloop', step))
      if (task == n_tasks - 1) call work(label('solve', step), extra_ms)
      call sum_up(label('solve', step))
      call hpmTstop(70 + step)
    end do
    call hpmTstop(1)
    do step = 0, steps - 1
      call hpmTstart(90 + step, label('check', step))
      call work(label('check', step), merge(extra_ms, thread_ms, task == 0))
      call meet(label('check', step))
      call hpmTstop(90 + step)
    end do
  end subroutine

  subroutine send_blocks()
    integer :: step, other
    real(c_double) :: begin

    other = ieor(task, 1)
    if (other >= n_tasks) return
    do step = 0, steps - 1
      call hpmTstart(100 + step, label('send', step))
      call work(label('send', step), &
                merge(work_ms, work_ms + extra_ms, mod(task, 2) == 0))
      begin = seconds()
      if (mod(task, 2) == 0) then
        call MPI_Send(block, block_length, MPI_INTEGER, other, step, &
                      MPI_COMM_WORLD, error)
        call tell(label('send', step), 'send', begin)
      else
        call MPI_Recv(block, block_length, MPI_INTEGER, other, step, &
                      MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
        call tell(label('send', step), 'recv', begin)
      end if
      call hpmTstop(100 + step)
    end do
  end subroutine

  subroutine connect_tasks()
    integer :: distance, word(1), got(1)

    word = 0
    do distance = 1, n_tasks - 1
      call MPI_Sendrecv(word, 1, MPI_INTEGER, mod(task + distance, n_tasks), 100, &
                        got, 1, MPI_INTEGER, &
                        mod(task + n_tasks - distance, n_tasks), 100, &
                        MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
    end do
    call work_together(3, 'first loop')
    n_spans = 0
  end subroutine
end program waves
