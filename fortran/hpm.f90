! SPDX-License-Identifier: BSD-3-Clause
!> The calls of libhpm as a Fortran module.
!!
!!     use hpm
!!     call hpmInit(-1, 'solver')                           ! optional
!!     call hpmTstart(1, 'assemble', __FILE__, __LINE__)    ! file, line: optional
!!     call assemble()
!!     call hpmTstop(1)
!!     call hpmTerminate(-1)                                ! optional
!!
!! Each call does the same as in C: see hpmInit(3), hpmTstart(3) and so on;
!! f_hpm(3) tells what is different in Fortran.  Ids, parents, tasks and
!! lines are integers of 4 or 8 bytes, all of one call alike; labels may have
!! any length, blanks at their end do not count.
!!
!! Another compiler than the one the library was built with needs a .mod file
!! of its own: compile this source along with the program.
module hpm
  use, intrinsic :: iso_c_binding, only: c_char, c_double, c_int, c_int64_t, &
       c_long_long, c_size_t
  implicit none
  private

  public :: hpmInit, hpmTerminate, hpmStart, hpmStop, hpmStartx
  public :: hpmTstart, hpmTstop, hpmTstartx
  public :: hpmWork, hpmGetTimeAndCounters, hpmGetCounters
  public :: hpmVersion, hpmErrorCount

  !> The version of this module: major * 10000 + minor * 100 + patch.
  integer(c_int), parameter, public :: LIBHPM_VERSION = 100

  !> Parents that are no ids.
  integer(c_int), parameter, public :: HPM_NO_PARENT = -1
  integer(c_int), parameter, public :: HPM_AUTO_PARENT = -2
  integer(c_int), parameter, public :: HPM_ONLY_EXCLUSIVE = -3

  !> hpmInit([task], [program]): begin; without task the launcher's rank.
  interface hpmInit
     module procedure init, init_i8
  end interface

  !> hpmTerminate([task]): end, and write the performance file.
  interface hpmTerminate
     module procedure terminate, terminate_i8
  end interface

  !> hpmTstart(id, [label], [file], [line]): a section of the calling thread.
  interface hpmTstart
     module procedure tstart, tstart_i8
  end interface

  !> hpmTstop(id, [file], [line])
  interface hpmTstop
     module procedure tstop, tstop_i8
  end interface

  !> hpmTstartx(id, parent, [label], [file], [line])
  interface hpmTstartx
     module procedure tstartx, tstartx_i8
  end interface

  !> hpmStart(id, [label], [file], [line]): a section of the whole process.
  interface hpmStart
     module procedure start, start_i8
  end interface

  !> hpmStop(id, [file], [line])
  interface hpmStop
     module procedure stop, stop_i8
  end interface

  !> hpmStartx(id, parent, [label], [file], [line])
  interface hpmStartx
     module procedure startx, startx_i8
  end interface

  !> hpmWork(id, amount, [unit]): work of an open section.
  interface hpmWork
     module procedure work_44, work_48, work_84, work_88
  end interface

  ! The C entries (f_hpm.c): arguments by address, lengths by value and last.
  ! An absent argument is a null pointer.
  interface
     subroutine c_init(task, program, length) bind(C, name="f_hpminit_")
       import :: c_char, c_int, c_size_t
       integer(c_int), intent(in) :: task
       character(kind=c_char), intent(in), optional :: program(*)
       integer(c_size_t), value :: length
     end subroutine c_init

     subroutine c_terminate(task) bind(C, name="f_hpmterminate_")
       import :: c_int
       integer(c_int), intent(in) :: task
     end subroutine c_terminate

     subroutine c_tstart(id, label, file, line, label_length, file_length) &
          bind(C, name="f_hpmtstartat_")
       import :: c_char, c_int, c_size_t
       integer(c_int), intent(in) :: id
       character(kind=c_char), intent(in), optional :: label(*), file(*)
       integer(c_int), intent(in), optional :: line
       integer(c_size_t), value :: label_length, file_length
     end subroutine c_tstart

     subroutine c_tstop(id, file, line, file_length) &
          bind(C, name="f_hpmtstopat_")
       import :: c_char, c_int, c_size_t
       integer(c_int), intent(in) :: id
       character(kind=c_char), intent(in), optional :: file(*)
       integer(c_int), intent(in), optional :: line
       integer(c_size_t), value :: file_length
     end subroutine c_tstop

     subroutine c_tstartx(id, parent, label, file, line, label_length, &
          file_length) bind(C, name="f_hpmtstartxat_")
       import :: c_char, c_int, c_size_t
       integer(c_int), intent(in) :: id, parent
       character(kind=c_char), intent(in), optional :: label(*), file(*)
       integer(c_int), intent(in), optional :: line
       integer(c_size_t), value :: label_length, file_length
     end subroutine c_tstartx

     subroutine c_start(id, label, file, line, label_length, file_length) &
          bind(C, name="f_hpmstartat_")
       import :: c_char, c_int, c_size_t
       integer(c_int), intent(in) :: id
       character(kind=c_char), intent(in), optional :: label(*), file(*)
       integer(c_int), intent(in), optional :: line
       integer(c_size_t), value :: label_length, file_length
     end subroutine c_start

     subroutine c_stop(id, file, line, file_length) &
          bind(C, name="f_hpmstopat_")
       import :: c_char, c_int, c_size_t
       integer(c_int), intent(in) :: id
       character(kind=c_char), intent(in), optional :: file(*)
       integer(c_int), intent(in), optional :: line
       integer(c_size_t), value :: file_length
     end subroutine c_stop

     subroutine c_startx(id, parent, label, file, line, label_length, &
          file_length) bind(C, name="f_hpmstartxat_")
       import :: c_char, c_int, c_size_t
       integer(c_int), intent(in) :: id, parent
       character(kind=c_char), intent(in), optional :: label(*), file(*)
       integer(c_int), intent(in), optional :: line
       integer(c_size_t), value :: label_length, file_length
     end subroutine c_startx

     subroutine c_work(id, amount, unit, length) bind(C, name="f_hpmwork_")
       import :: c_char, c_int, c_int64_t, c_size_t
       integer(c_int), intent(in) :: id
       integer(c_int64_t), intent(in) :: amount
       character(kind=c_char), intent(in), optional :: unit(*)
       integer(c_size_t), value :: length
     end subroutine c_work

     subroutine c_get(n, time, values) bind(C, name="hpmGetTimeAndCounters")
       import :: c_double, c_int, c_long_long
       integer(c_int), value :: n
       real(c_double), intent(out) :: time
       integer(c_long_long), intent(out) :: values(*)
     end subroutine c_get

     !> The version of the library in use, as LIBHPM_VERSION.
     function hpmVersion() bind(C, name="hpmVersion") result(version)
       import :: c_int
       integer(c_int) :: version
     end function hpmVersion

     !> How many calls could not be measured correctly so far, in all threads.
     function hpmErrorCount() bind(C, name="f_hpmerrorcount_") result(count)
       import :: c_int
       integer(c_int) :: count
     end function hpmErrorCount
  end interface

contains

  ! The length of a string that may be absent.
  pure function length_of(text) result(length)
    character(kind=c_char, len=*), intent(in), optional :: text
    integer(c_size_t) :: length

    length = 0
    if (present(text)) length = len(text, c_size_t)
  end function length_of

  ! ---- integers of the usual 4 bytes ---------------------------------------

  subroutine init(task, program)
    integer(c_int), intent(in), optional :: task
    character(kind=c_char, len=*), intent(in), optional :: program
    integer(c_int) :: number

    number = -1
    if (present(task)) number = task
    call c_init(number, program, length_of(program))
  end subroutine init

  subroutine terminate(task)
    integer(c_int), intent(in), optional :: task
    integer(c_int) :: number

    number = -1
    if (present(task)) number = task
    call c_terminate(number)
  end subroutine terminate

  subroutine tstart(id, label, file, line)
    integer(c_int), intent(in) :: id
    character(kind=c_char, len=*), intent(in), optional :: label, file
    integer(c_int), intent(in), optional :: line

    call c_tstart(id, label, file, line, length_of(label), length_of(file))
  end subroutine tstart

  subroutine tstop(id, file, line)
    integer(c_int), intent(in) :: id
    character(kind=c_char, len=*), intent(in), optional :: file
    integer(c_int), intent(in), optional :: line

    call c_tstop(id, file, line, length_of(file))
  end subroutine tstop

  subroutine tstartx(id, parent, label, file, line)
    integer(c_int), intent(in) :: id, parent
    character(kind=c_char, len=*), intent(in), optional :: label, file
    integer(c_int), intent(in), optional :: line

    call c_tstartx(id, parent, label, file, line, length_of(label), &
         length_of(file))
  end subroutine tstartx

  subroutine start(id, label, file, line)
    integer(c_int), intent(in) :: id
    character(kind=c_char, len=*), intent(in), optional :: label, file
    integer(c_int), intent(in), optional :: line

    call c_start(id, label, file, line, length_of(label), length_of(file))
  end subroutine start

  subroutine stop(id, file, line)
    integer(c_int), intent(in) :: id
    character(kind=c_char, len=*), intent(in), optional :: file
    integer(c_int), intent(in), optional :: line

    call c_stop(id, file, line, length_of(file))
  end subroutine stop

  subroutine startx(id, parent, label, file, line)
    integer(c_int), intent(in) :: id, parent
    character(kind=c_char, len=*), intent(in), optional :: label, file
    integer(c_int), intent(in), optional :: line

    call c_startx(id, parent, label, file, line, length_of(label), &
         length_of(file))
  end subroutine startx

  ! ---- integers of 8 bytes ---------------------------------------------------

  subroutine init_i8(task, program)
    integer(c_int64_t), intent(in) :: task
    character(kind=c_char, len=*), intent(in), optional :: program

    call init(int(task, c_int), program)
  end subroutine init_i8

  subroutine terminate_i8(task)
    integer(c_int64_t), intent(in) :: task

    call terminate(int(task, c_int))
  end subroutine terminate_i8

  ! A line that may be absent; 0 means none.
  pure function line_of(line) result(number)
    integer(c_int64_t), intent(in), optional :: line
    integer(c_int) :: number

    number = 0
    if (present(line)) number = int(line, c_int)
  end function line_of

  subroutine tstart_i8(id, label, file, line)
    integer(c_int64_t), intent(in) :: id
    character(kind=c_char, len=*), intent(in), optional :: label, file
    integer(c_int64_t), intent(in), optional :: line

    call tstart(int(id, c_int), label, file, line_of(line))
  end subroutine tstart_i8

  subroutine tstop_i8(id, file, line)
    integer(c_int64_t), intent(in) :: id
    character(kind=c_char, len=*), intent(in), optional :: file
    integer(c_int64_t), intent(in), optional :: line

    call tstop(int(id, c_int), file, line_of(line))
  end subroutine tstop_i8

  subroutine tstartx_i8(id, parent, label, file, line)
    integer(c_int64_t), intent(in) :: id, parent
    character(kind=c_char, len=*), intent(in), optional :: label, file
    integer(c_int64_t), intent(in), optional :: line

    call tstartx(int(id, c_int), int(parent, c_int), label, file, &
         line_of(line))
  end subroutine tstartx_i8

  subroutine start_i8(id, label, file, line)
    integer(c_int64_t), intent(in) :: id
    character(kind=c_char, len=*), intent(in), optional :: label, file
    integer(c_int64_t), intent(in), optional :: line

    call start(int(id, c_int), label, file, line_of(line))
  end subroutine start_i8

  subroutine stop_i8(id, file, line)
    integer(c_int64_t), intent(in) :: id
    character(kind=c_char, len=*), intent(in), optional :: file
    integer(c_int64_t), intent(in), optional :: line

    call stop(int(id, c_int), file, line_of(line))
  end subroutine stop_i8

  subroutine startx_i8(id, parent, label, file, line)
    integer(c_int64_t), intent(in) :: id, parent
    character(kind=c_char, len=*), intent(in), optional :: label, file
    integer(c_int64_t), intent(in), optional :: line

    call startx(int(id, c_int), int(parent, c_int), label, file, &
         line_of(line))
  end subroutine startx_i8

  ! ---- work and readings -----------------------------------------------------

  subroutine work_44(id, amount, unit)
    integer(c_int), intent(in) :: id, amount
    character(kind=c_char, len=*), intent(in), optional :: unit

    call c_work(id, int(amount, c_int64_t), unit, length_of(unit))
  end subroutine work_44

  subroutine work_48(id, amount, unit)
    integer(c_int), intent(in) :: id
    integer(c_int64_t), intent(in) :: amount
    character(kind=c_char, len=*), intent(in), optional :: unit

    call c_work(id, amount, unit, length_of(unit))
  end subroutine work_48

  subroutine work_84(id, amount, unit)
    integer(c_int64_t), intent(in) :: id
    integer(c_int), intent(in) :: amount
    character(kind=c_char, len=*), intent(in), optional :: unit

    call work_48(int(id, c_int), int(amount, c_int64_t), unit)
  end subroutine work_84

  subroutine work_88(id, amount, unit)
    integer(c_int64_t), intent(in) :: id, amount
    character(kind=c_char, len=*), intent(in), optional :: unit

    call work_48(int(id, c_int), amount, unit)
  end subroutine work_88

  !> The calling thread's time in seconds and counters since its first call,
  !! in the order of HPM_EVENTS; -1 where there is no value.
  subroutine hpmGetTimeAndCounters(time, values)
    real(c_double), intent(out) :: time
    integer(c_long_long), intent(out), contiguous :: values(:)

    call c_get(size(values, kind=c_int), time, values)
  end subroutine hpmGetTimeAndCounters

  !> The same without the time.
  subroutine hpmGetCounters(values)
    integer(c_long_long), intent(out), contiguous :: values(:)
    real(c_double) :: time

    call c_get(size(values, kind=c_int), time, values)
  end subroutine hpmGetCounters

end module hpm
