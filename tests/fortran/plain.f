C     SPDX-License-Identifier: BSD-3-Clause
C     Without any header or preprocessor: external procedures.
      program plain
      external f_hpmstart, f_hpmstop
      integer ids(2), i
      double precision t
      integer*8 counts(3), cells
      integer f_hpmerrorcount
      external f_hpmerrorcount
      data ids / 7, 8 /
      call f_hpminit(0, 'plain')
      call f_hpmstart(ids(1), 'process')
      do 10 i = 1, 3
         call f_hpmtstart(ids(2), 'thread      ')
         cells = 10
         call f_hpmwork(ids(2), cells, 'cells')
         call f_hpmtstartx(9, ids(2), 'below')
         call f_hpmtstop(9)
         call f_hpmtstop(ids(2))
   10 continue
      call f_hpmstartx(11, -1, 'top')
      call f_hpmstop(11)
      call f_hpmstop(ids(1))
      call f_hpmgettimeandcounters(3, t, counts)
      if (t .le. 0.0d0) stop 1
      counts(3) = -5
      call f_hpmgettimeandcounters(2, t, counts)
      if (counts(3) .ne. -5) stop 2
      if (f_hpmerrorcount() .ne. 0) stop 3
      call f_hpmtstop(99)
      if (f_hpmerrorcount() .ne. 1) stop 4
      call f_hpmterminate(0)
      end
