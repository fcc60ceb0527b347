! SPDX-License-Identifier: BSD-3-Clause
! f_hpm.h for sources whose default integers have 8 bytes (gfortran's
! -fdefault-integer-8, other compilers' -i8).
#ifndef F_HPM_I8
#define F_HPM_I8
#include "f_hpm.h"

#define f_hpminit(task,name) F_HPMinit(int(task,4),name)
#define f_hpmterminate(task) F_HPMterminate(int(task,4))
#define f_hpmgettimeandcounters(n,time,values) F_HPMgettimeandcounters(int(n,4),time,values)
#define F_HPMINIT(task,name) f_hpminit(task,name)
#define F_HPMTERMINATE(task) f_hpmterminate(task)
#define F_hpminit(task,name) f_hpminit(task,name)
#define F_hpmterminate(task) f_hpmterminate(task)
#define f_hpmInit(task,name) f_hpminit(task,name)
#define f_hpmTerminate(task) f_hpmterminate(task)
#define f_hpmGetTimeAndCounters(n,time,values) f_hpmgettimeandcounters(n,time,values)
#define F_hpmInit(task,name) f_hpminit(task,name)
#define F_hpmTerminate(task) f_hpmterminate(task)
#define F_HpmInit(task,name) f_hpminit(task,name)
#define F_HpmTerminate(task) f_hpmterminate(task)
#endif
