!mod$ v1 sum:3f5fb98bd28bdb1e
module mo_profile
integer(4),parameter,private::max_instrument=20_4
character(30_4,1),private::names(1_8:20_8)
integer(4),private::nested
contains
subroutine init_profile(id)
integer(4),intent(in)::id
end
subroutine trace_start(name,id)
character(*,1),intent(in)::name
integer(4),intent(in)::id
end
subroutine trace_stop(name,id)
character(*,1),intent(in)::name
integer(4),intent(in)::id
end
subroutine finish_profile(id)
integer(4),intent(in)::id
end
end
