! SPDX-License-Identifier: BSD-3-Clause
! The calls of libhpm for Fortran sources, with the file and line of each:
!
!     #include "f_hpm.h"
!           call f_hpminit(-1, 'solver')
!           call f_hpmstart(1, 'assemble')
!           ...
!           call f_hpmstop(1)
!           call f_hpmterminate(-1)
!
! Preprocessor lines and comments only, so that it may stand anywhere: before
! the program unit, or in its specification part.  See f_hpm(3).
!
! The lines get longer by the name of the file; $(pkg-config --variable=fflags
! libhpm) has gfortran's switches for that.  With -DHPM_SHORT no line gets
! longer (up to line 99999), and records have the line without the file.
!
! The plain calls (f_hpminit and f_hpmterminate among them) need no header.
! For default integers of 8 bytes (-fdefault-integer-8) take f_hpm_i8.h.
#ifndef F_HPM_H
#define F_HPM_H

#if defined(HPM_SHORT) && defined(F_HPM_I8)
#define f_hpmstart(id,label) q9s(id,label,__LINE__)
#define f_hpmstop(id) q9p(id,__LINE__)
#define f_hpmtstart(id,label) q9ts(id,label,__LINE__)
#define f_hpmtstop(id) q9tp(id,__LINE__)
#define f_hpmstartx(id,par,label) q9sx(id,par,label,__LINE__)
#define f_hpmtstartx(id,par,label) q9tsx(id,par,label,__LINE__)
#define f_hpmwork(id,amount,unit) q9work(id,amount,unit)
#elif defined(HPM_SHORT)
#define f_hpmstart(id,label) h9s(id,label,__LINE__)
#define f_hpmstop(id) h9p(id,__LINE__)
#define f_hpmtstart(id,label) h9ts(id,label,__LINE__)
#define f_hpmtstop(id) h9tp(id,__LINE__)
#define f_hpmstartx(id,par,label) h9sx(id,par,label,__LINE__)
#define f_hpmtstartx(id,par,label) h9tsx(id,par,label,__LINE__)
#define f_hpmwork(id,amount,unit) h9(id,int(amount,8),unit)
#elif defined(F_HPM_I8)
#define f_hpmstart(id,label) f_hpmstartat(int(id,4),label,__FILE__,int(__LINE__,4))
#define f_hpmstop(id) f_hpmstopat(int(id,4),__FILE__,int(__LINE__,4))
#define f_hpmtstart(id,label) f_hpmtstartat(int(id,4),label,__FILE__,int(__LINE__,4))
#define f_hpmtstop(id) f_hpmtstopat(int(id,4),__FILE__,int(__LINE__,4))
#define f_hpmstartx(id,par,label) f_hpmstartxat(int(id,4),int(par,4),label,__FILE__,int(__LINE__,4))
#define f_hpmtstartx(id,par,label) f_hpmtstartxat(int(id,4),int(par,4),label,__FILE__,int(__LINE__,4))
#define f_hpmwork(id,amount,unit) F_HPMwork(int(id,4),int(amount,8),unit)
#else
#define f_hpmstart(id,label) f_hpmstartat(id,label,__FILE__,__LINE__)
#define f_hpmstop(id) f_hpmstopat(id,__FILE__,__LINE__)
#define f_hpmtstart(id,label) f_hpmtstartat(id,label,__FILE__,__LINE__)
#define f_hpmtstop(id) f_hpmtstopat(id,__FILE__,__LINE__)
#define f_hpmstartx(id,par,label) f_hpmstartxat(id,par,label,__FILE__,__LINE__)
#define f_hpmtstartx(id,par,label) f_hpmtstartxat(id,par,label,__FILE__,__LINE__)
#define f_hpmwork(id,amount,unit) F_HPMwork(id,int(amount,8),unit)
#endif

! Other spellings: Fortran does not tell them apart, the preprocessor does.
! What is not here still works, without file and line.
#define F_HPMSTART(id,label) f_hpmstart(id,label)
#define F_HPMSTOP(id) f_hpmstop(id)
#define F_HPMTSTART(id,label) f_hpmtstart(id,label)
#define F_HPMTSTOP(id) f_hpmtstop(id)
#define F_HPMSTARTX(id,par,label) f_hpmstartx(id,par,label)
#define F_HPMTSTARTX(id,par,label) f_hpmtstartx(id,par,label)
#define F_HPMWORK(id,amount,unit) f_hpmwork(id,amount,unit)

#define F_hpmstart(id,label) f_hpmstart(id,label)
#define F_hpmstop(id) f_hpmstop(id)
#define F_hpmtstart(id,label) f_hpmtstart(id,label)
#define F_hpmtstop(id) f_hpmtstop(id)
#define F_hpmstartx(id,par,label) f_hpmstartx(id,par,label)
#define F_hpmtstartx(id,par,label) f_hpmtstartx(id,par,label)
#define F_hpmwork(id,amount,unit) f_hpmwork(id,amount,unit)

#define f_hpmStart(id,label) f_hpmstart(id,label)
#define f_hpmStop(id) f_hpmstop(id)
#define f_hpmTstart(id,label) f_hpmtstart(id,label)
#define f_hpmTstop(id) f_hpmtstop(id)
#define f_hpmStartx(id,par,label) f_hpmstartx(id,par,label)
#define f_hpmTstartx(id,par,label) f_hpmtstartx(id,par,label)
#define f_hpmWork(id,amount,unit) f_hpmwork(id,amount,unit)

#define F_hpmStart(id,label) f_hpmstart(id,label)
#define F_hpmStop(id) f_hpmstop(id)
#define F_hpmTstart(id,label) f_hpmtstart(id,label)
#define F_hpmTstop(id) f_hpmtstop(id)
#define F_hpmStartx(id,par,label) f_hpmstartx(id,par,label)
#define F_hpmTstartx(id,par,label) f_hpmtstartx(id,par,label)
#define F_hpmWork(id,amount,unit) f_hpmwork(id,amount,unit)

#define F_HpmStart(id,label) f_hpmstart(id,label)
#define F_HpmStop(id) f_hpmstop(id)
#define F_HpmTstart(id,label) f_hpmtstart(id,label)
#define F_HpmTstop(id) f_hpmtstop(id)
#define F_HpmStartx(id,par,label) f_hpmstartx(id,par,label)
#define F_HpmTstartx(id,par,label) f_hpmtstartx(id,par,label)
#define F_HpmWork(id,amount,unit) f_hpmwork(id,amount,unit)

! Parents that are no ids, for f_hpmstartx and f_hpmtstartx.
#define HPM_NO_PARENT (-1)
#define HPM_AUTO_PARENT (-2)
#define HPM_ONLY_EXCLUSIVE (-3)

#endif
