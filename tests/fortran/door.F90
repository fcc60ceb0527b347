! SPDX-License-Identifier: BSD-3-Clause
!> The door of Fortran's module for tests/record/programs.
module door
  use, intrinsic :: iso_c_binding
  use hpm
  implicit none

  !> As in tests/record/perform.h.
  type, bind(C) :: perform_call
     integer(c_int) :: id, parent, line
     logical(c_bool) :: is_process
     type(c_ptr) :: label, file
  end type perform_call

  interface
     function c_strlen(text) bind(C, name="strlen")
       import :: c_ptr, c_size_t
       type(c_ptr), value :: text
       integer(c_size_t) :: c_strlen
     end function c_strlen
  end interface

contains

  subroutine door_start(this) bind(C, name="door_start")
    type(perform_call), intent(in) :: this
    character(kind=c_char), pointer :: label(:)
    integer :: length

    length = int(c_strlen(this%label))
    call c_f_pointer(this%label, label, [length])
    call start_text(this, label, length)
  end subroutine door_start

  !> The bytes stay where they are.
  subroutine start_text(this, label, length)
    type(perform_call), intent(in) :: this
    integer, intent(in) :: length
    character(kind=c_char, len=length), intent(in) :: label(1)

    if (this%is_process .and. this%parent == HPM_AUTO_PARENT) then
       call hpmStart(this%id, label(1), 'a.c', this%line)
    else if (this%is_process) then
       call hpmStartx(this%id, this%parent, label(1), 'a.c', this%line)
    else if (this%parent == HPM_AUTO_PARENT) then
       call hpmTstart(this%id, label(1), 'a.c', this%line)
    else
       call hpmTstartx(this%id, this%parent, label(1), 'a.c', this%line)
    end if
  end subroutine start_text

  subroutine door_stop(this) bind(C, name="door_stop")
    type(perform_call), intent(in) :: this

    if (this%is_process) then
       call hpmStop(this%id, 'a.c', this%line)
    else
       call hpmTstop(this%id, 'a.c', this%line)
    end if
  end subroutine door_stop

end module door
