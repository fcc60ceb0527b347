! SPDX-License-Identifier: BSD-3-Clause
! A profile module as climate models have it: the header in the specification
! part, ids that are variables, labels that are trimmed or padded.
MODULE mo_profile

  IMPLICIT NONE

  PRIVATE

#include "f_hpm.h"

  INTEGER, PARAMETER :: max_instrument = 20
  CHARACTER(len=30)  :: names(max_instrument)
  INTEGER            :: nested = 0

  PUBLIC :: init_profile, trace_start, trace_stop, finish_profile

CONTAINS

  SUBROUTINE init_profile(id)
    INTEGER, INTENT(in) :: id

    CALL f_hpminit(id, 'model')
  END SUBROUTINE init_profile

  SUBROUTINE trace_start(name, id)
    CHARACTER(len=*), INTENT(in) :: name
    INTEGER,          INTENT(in) :: id

    names(id) = name
    nested = nested + 1
    IF (id > 0) CALL f_hpmstart(id, TRIM(name))
    CALL F_HPMTSTART (id, names(id))
  END SUBROUTINE trace_start

  SUBROUTINE trace_stop(name, id)
    CHARACTER(len=*), INTENT(in) :: name
    INTEGER,          INTENT(in) :: id

    IF (names(id) /= name) STOP 'another instrument is open'
    CALL f_hpmtstop(id)
    CALL f_hpmstop(id)          ! it's f_hpmstop(id) again, in a comment
    nested = nested - 1
  END SUBROUTINE trace_stop

  SUBROUTINE finish_profile(id)
    INTEGER, INTENT(in) :: id

    IF (nested /= 0) STOP 'an instrument is open'
    CALL f_hpmterminate(id)
  END SUBROUTINE finish_profile

END MODULE mo_profile

PROGRAM model
  USE mo_profile
  IMPLICIT NONE
  INTEGER :: step

  CALL init_profile(0)
  CALL trace_start('stepon', 1)
  DO step = 1, 12
     CALL trace_start('physics', 2)
     IF (MOD(step, 4) == 0) THEN
        CALL trace_start('radiation, and "more"', 3)
        CALL trace_stop('radiation, and "more"', 3)
     END IF
     CALL trace_stop('physics', 2)
  END DO
  CALL trace_stop('stepon', 1)
  CALL finish_profile(0)
END PROGRAM model
