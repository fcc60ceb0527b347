dnl SPDX-License-Identifier: BSD-3-Clause
dnl Own checks of the HPM Toolkit.

dnl HPM_C11: the newest mode the project is written for, GNU spelling of it.
AC_DEFUN([HPM_C11], [
  AC_CACHE_CHECK([for the switch to C11], [hpm_cv_c11], [
    hpm_saved_CFLAGS=$CFLAGS
    CFLAGS="$CFLAGS -std=gnu11"
    AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[#include <stdatomic.h>]],
      [[static _Atomic int i; _Static_assert(sizeof i > 0, "C11"); i++;]])],
      [hpm_cv_c11=-std=gnu11], [hpm_cv_c11=no])
    CFLAGS=$hpm_saved_CFLAGS])
  AS_IF([test "x$hpm_cv_c11" = xno],
    [AC_MSG_ERROR([$CC cannot compile C11 with atomics])])
  AC_SUBST([C11_CFLAGS], [$hpm_cv_c11])
])

dnl HPM_ADD_FLAG(VARIABLE, FLAG): add FLAG to VARIABLE if the compiler takes it.
AC_DEFUN([HPM_ADD_FLAG], [
  AS_VAR_PUSHDEF([hpm_cache], [hpm_cv_flag_$2])
  AC_CACHE_CHECK([whether $CC takes $2], [hpm_cache], [
    hpm_saved_CFLAGS=$CFLAGS
    CFLAGS="$CFLAGS -Werror $2"
    AC_LINK_IFELSE([AC_LANG_PROGRAM([], [])],
      [AS_VAR_SET([hpm_cache], [yes])], [AS_VAR_SET([hpm_cache], [no])])
    CFLAGS=$hpm_saved_CFLAGS])
  AS_VAR_IF([hpm_cache], [yes], [$1="$$1 $2"])
  AS_VAR_POPDEF([hpm_cache])
])

dnl HPM_WARNINGS: what the code is clean of; --enable-werror makes them errors.
AC_DEFUN([HPM_WARNINGS], [
  WARNING_CFLAGS=
  m4_foreach_w([flag], [-Wall -Wextra -Wshadow -Wstrict-prototypes
    -Wmissing-prototypes -Wpointer-arith -Wwrite-strings],
    [HPM_ADD_FLAG([WARNING_CFLAGS], flag)])
  AC_ARG_ENABLE([werror],
    [AS_HELP_STRING([--enable-werror], [make compiler warnings errors])],
    [AS_IF([test "x$enableval" = xyes],
      [WARNING_CFLAGS="$WARNING_CFLAGS -Werror"])])
  HPM_YES_OR_NO([werror])
  AC_SUBST([WARNING_CFLAGS])
])

dnl HPM_HARDENING: what enters other people's programs is built with care, and
dnl brings no libm for the errno of a square root that nobody asks for.
AC_DEFUN([HPM_HARDENING], [
  HARDENING_CFLAGS=
  HPM_ADD_FLAG([HARDENING_CFLAGS], [-fstack-protector-strong])
  HPM_ADD_FLAG([HARDENING_CFLAGS], [-fstack-clash-protection])
  HPM_ADD_FLAG([HARDENING_CFLAGS], [-fno-math-errno])
  AC_SUBST([HARDENING_CFLAGS])
])

dnl HPM_NUMERICS: loops over columns of numbers by whole registers, also at -O2,
dnl which changes no result, and no product and sum in one rounding, which would,
dnl from one processor to the next.
AC_DEFUN([HPM_NUMERICS], [
  NUMERICS_CFLAGS=
  HPM_ADD_FLAG([NUMERICS_CFLAGS], [-ffp-contract=off])
  HPM_ADD_FLAG([NUMERICS_CFLAGS], [-ftree-vectorize])
  HPM_ADD_FLAG([NUMERICS_CFLAGS], [-fvect-cost-model=dynamic])
  AC_SUBST([NUMERICS_CFLAGS])
])

dnl HPM_FOLDER(NAME, FILE, PLACES): --with-NAME is yes, no, check, or the folder
dnl below which the package is, with FILE in one of PLACES: that becomes
dnl hpm_NAME_place, "" for what is found without a folder.  Any other value is
dnl refused: a wish that is passed over is found out after the installation.
AC_DEFUN([HPM_FOLDER], [
  hpm_$1_place=
  AS_CASE([$with_$1],
    [yes|no|check], [],
    [/*], [
      for hpm_place in $3; do
        AS_IF([test -z "$hpm_$1_place" && test -e "$with_$1/$hpm_place/$2"],
          [hpm_$1_place=$with_$1/$hpm_place])
      done
      AS_IF([test -z "$hpm_$1_place"],
        [AC_MSG_ERROR([--with-$1=$with_$1: no $2 in that folder's $3; expected the folder below which $1 is installed, or yes, or no])])],
    [AC_MSG_ERROR([--with-$1=$with_$1: expected yes, no, or the whole path of the folder below which $1 is installed])])
])

dnl HPM_LIBRARY_PLACES: where a prefix has libraries.
m4_define([HPM_LIBRARY_PLACES], [lib lib64 lib/$host_cpu-linux-gnu])

dnl HPM_YES_OR_NO(FEATURE): --enable-FEATURE takes no other value.
AC_DEFUN([HPM_YES_OR_NO], [
  AS_CASE([$enable_$1], [''|yes|no|check], [],
    [AC_MSG_ERROR([--enable-$1=$enable_$1: expected yes or no])])
])

dnl HPM_SONAME(LIBRARY, VARIABLE, PLACE): the name by which the library -lLIBRARY,
dnl in that folder if there is one, is loaded; "no" where it is not there.
AC_DEFUN([HPM_SONAME], [
  AC_CACHE_CHECK([for the SONAME of lib$1], [$2], [
    $2=no
    hpm_saved_LIBS=$LIBS
    LIBS="-Wl,--no-as-needed ${$3:+-L$$3} -l$1 $LIBS"
    AC_LINK_IFELSE([AC_LANG_PROGRAM([], [])],
      [$2=`readelf -d conftest$EXEEXT 2>/dev/null |
         tr -d '@<:@@:>@' | awk '/NEEDED/ && $NF ~ /^lib$1/ { print $NF }'`
       test -n "$[]$2" || $2=no])
    LIBS=$hpm_saved_LIBS])
])

dnl HPM_LIBPFM: libpfm4 names the processor's PMU and its events.  The library is
dnl not linked, but loaded by its SONAME when a name needs it: its tables are
dnl relocated for a millisecond.  Tests that look inside link it (PFM_LIBS).
AC_DEFUN([HPM_LIBPFM], [
  AC_ARG_WITH([libpfm],
    [AS_HELP_STRING([--with-libpfm=FOLDER],
      [name the PMU by the libpfm4 installed below FOLDER; no: not at all])],
    [], [with_libpfm=check])
  HPM_FOLDER([libpfm], [libpfm.so], [HPM_LIBRARY_PLACES])
  AS_IF([test -n "$hpm_libpfm_place"],
    [CPPFLAGS="-I$with_libpfm/include $CPPFLAGS"])
  hpm_have_libpfm=no
  AS_IF([test "x$with_libpfm" != xno], [
    AC_CHECK_HEADER([perfmon/pfmlib.h],
      [HPM_SONAME([pfm], [hpm_cv_pfm_soname], [hpm_libpfm_place])])
    AS_IF([test "x${hpm_cv_pfm_soname:-no}" != xno], [hpm_have_libpfm=yes])
    AS_IF([test "x$with_libpfm" != xcheck && test $hpm_have_libpfm = no],
      [AC_MSG_ERROR([libpfm4 is missing; on Debian and Ubuntu: apt-get install libpfm4-dev])])])
  AS_IF([test $hpm_have_libpfm = yes],
    [AC_DEFINE([HAVE_LIBPFM], [1], [libpfm4 is there])
     AC_DEFINE_UNQUOTED([PFM_FILE],
       ["${hpm_libpfm_place:+$hpm_libpfm_place/}$hpm_cv_pfm_soname"],
       [what to load libpfm4 by])
     PFM_LIBS="${hpm_libpfm_place:+-L$hpm_libpfm_place -Wl,-rpath,$hpm_libpfm_place }-lpfm"])
  AC_SUBST([PFM_LIBS])
])

dnl HPM_PAPI: events by PAPI's names.  The library is not linked, but loaded by
dnl its SONAME when an event needs it.
AC_DEFUN([HPM_PAPI], [
  AC_ARG_WITH([papi],
    [AS_HELP_STRING([--with-papi=FOLDER],
      [count through the PAPI installed below FOLDER; no: not at all])],
    [], [with_papi=check])
  HPM_FOLDER([papi], [libpapi.so], [HPM_LIBRARY_PLACES])
  AS_IF([test -n "$hpm_papi_place"],
    [CPPFLAGS="-I$with_papi/include $CPPFLAGS"])
  hpm_have_papi=no
  hpm_have_sde=no
  hpm_papi_flags="${hpm_papi_place:+-L$hpm_papi_place -Wl,-rpath,$hpm_papi_place }"
  AS_IF([test "x$with_papi" != xno], [
    AC_CHECK_HEADER([papi.h],
      [HPM_SONAME([papi], [hpm_cv_papi_soname], [hpm_papi_place])])
    AS_IF([test "x$with_papi" != xcheck &&
           test "x${hpm_cv_papi_soname:-no}" = xno],
      [AC_MSG_ERROR([PAPI is missing; on Debian and Ubuntu: apt-get install libpapi-dev])])])
  AS_IF([test "x${hpm_cv_papi_soname:-no}" != xno], [
    hpm_have_papi=${hpm_papi_place:+$hpm_papi_place/}$hpm_cv_papi_soname
    AC_DEFINE([HAVE_PAPI], [1], [PAPI's header is there])
    AC_DEFINE_UNQUOTED([PAPI_SONAME], ["$hpm_cv_papi_soname"],
      [what PAPI calls itself])
    AC_DEFINE_UNQUOTED([PAPI_FILE], ["$hpm_have_papi"], [what to load PAPI by])
    AC_CHECK_HEADER([sde_lib.h],
      [AC_CHECK_LIB([sde], [papi_sde_init], [hpm_have_sde=yes], [],
         [$hpm_papi_flags])])])
  AC_SUBST([PAPI_LIBS], ["$hpm_papi_flags-lpapi"])
  AC_SUBST([SDE_LIBS], ["$hpm_papi_flags-lsde"])
  AM_CONDITIONAL([HAVE_PAPI], [test "$hpm_have_papi" != no])
  AM_CONDITIONAL([HAVE_SDE], [test "$hpm_have_sde" != no])
])

dnl HPM_LIBXML: reads performance files, packed ones with zlib, which libxml2
dnl mostly needs itself; nothing that is measured links it.
AC_DEFUN([HPM_LIBXML], [
  AC_ARG_WITH([libxml2],
    [AS_HELP_STRING([--with-libxml2=FOLDER],
      [read performance files by the libxml2 installed below FOLDER; no: do not read them])],
    [], [with_libxml2=check])
  HPM_FOLDER([libxml2], [libxml-2.0.pc],
    [lib/pkgconfig lib64/pkgconfig lib/$host_cpu-linux-gnu/pkgconfig])
  AS_IF([test -n "$hpm_libxml2_place"],
    [PKG_CONFIG_PATH=$hpm_libxml2_place${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
     export PKG_CONFIG_PATH])
  hpm_have_libxml2=no
  AS_IF([test "x$with_libxml2" != xno], [
    PKG_CHECK_MODULES([XML], [libxml-2.0 >= 2.9.4 zlib],
      [hpm_have_libxml2=yes], [hpm_have_libxml2=no])
    AS_IF([test -n "$hpm_libxml2_place"],
      [XML_LIBS="$XML_LIBS -Wl,-rpath,${hpm_libxml2_place%/pkgconfig}"])
    AS_IF([test "x$with_libxml2" != xcheck && test $hpm_have_libxml2 = no],
      [AC_MSG_ERROR([libxml2 or zlib is missing; on Debian and Ubuntu: apt-get install libxml2-dev zlib1g-dev])])])
  AM_CONDITIONAL([HAVE_STUDY], [test $hpm_have_libxml2 = yes])
  AS_IF([test $hpm_have_libxml2 = yes],
    [AC_DEFINE([HAVE_STUDY], [1], [performance files can be read])])
])

dnl HPM_JSON: reads vendors' lists of events and metrics; only hpm links it.
AC_DEFUN([HPM_JSON], [
  AC_ARG_WITH([jsonc],
    [AS_HELP_STRING([--with-jsonc=FOLDER],
      [import vendors' definitions by the json-c installed below FOLDER; no: do not import them])],
    [], [with_jsonc=check])
  HPM_FOLDER([jsonc], [json-c.pc],
    [lib/pkgconfig lib64/pkgconfig lib/$host_cpu-linux-gnu/pkgconfig])
  AS_IF([test -n "$hpm_jsonc_place"],
    [PKG_CONFIG_PATH=$hpm_jsonc_place${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
     export PKG_CONFIG_PATH])
  hpm_have_json=no
  AS_IF([test "x$with_jsonc" != xno], [
    PKG_CHECK_MODULES([JSON], [json-c >= 0.15],
      [hpm_have_json=yes], [hpm_have_json=no])
    AS_IF([test -n "$hpm_jsonc_place"],
      [JSON_LIBS="$JSON_LIBS -Wl,-rpath,${hpm_jsonc_place%/pkgconfig}"])
    AS_IF([test "x$with_jsonc" != xcheck && test $hpm_have_json = no],
      [AC_MSG_ERROR([json-c is missing; on Debian and Ubuntu: apt-get install libjson-c-dev])])])
  AM_CONDITIONAL([HAVE_JSON], [test $hpm_have_json = yes])
  AS_IF([test $hpm_have_json = yes],
    [AC_DEFINE([HAVE_JSON], [1], [vendors' files in JSON can be read])])
])

dnl HPM_ELFUTILS: names functions and lines of samples; only hpm links it.
AC_DEFUN([HPM_ELFUTILS], [
  AC_ARG_WITH([elfutils],
    [AS_HELP_STRING([--with-elfutils=FOLDER],
      [name the places of samples by the elfutils installed below FOLDER; no: do not name them])],
    [], [with_elfutils=check])
  HPM_FOLDER([elfutils], [libdw.pc],
    [lib/pkgconfig lib64/pkgconfig lib/$host_cpu-linux-gnu/pkgconfig])
  AS_IF([test -n "$hpm_elfutils_place"],
    [PKG_CONFIG_PATH=$hpm_elfutils_place${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
     export PKG_CONFIG_PATH])
  hpm_have_elfutils=no
  AS_IF([test "x$with_elfutils" != xno], [
    PKG_CHECK_MODULES([ELFUTILS], [libdw >= 0.170 libelf],
      [hpm_have_elfutils=yes], [hpm_have_elfutils=no])
    AS_IF([test -n "$hpm_elfutils_place"],
      [ELFUTILS_LIBS="$ELFUTILS_LIBS -Wl,-rpath,${hpm_elfutils_place%/pkgconfig}"])
    AS_IF([test "x$with_elfutils" != xcheck && test $hpm_have_elfutils = no],
      [AC_MSG_ERROR([elfutils is missing; on Debian and Ubuntu: apt-get install libdw-dev])])])
  AM_CONDITIONAL([HAVE_ELFUTILS], [test $hpm_have_elfutils = yes])
])

dnl HPM_OPENMP: an example and its test want it; nothing else does.
AC_DEFUN([HPM_OPENMP], [
  AC_OPENMP
  hpm_have_openmp=no
  AS_IF([test -n "$OPENMP_CFLAGS"], [
    hpm_saved_CFLAGS=$CFLAGS
    CFLAGS="$CFLAGS $OPENMP_CFLAGS"
    AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <omp.h>]],
      [[return omp_get_max_threads() == 0;]])], [hpm_have_openmp=yes])
    CFLAGS=$hpm_saved_CFLAGS])
  AM_CONDITIONAL([HAVE_OPENMP], [test $hpm_have_openmp = yes])
])

dnl HPM_FORTRAN: the module and its tests want a Fortran compiler; the entries
dnl for Fortran are C and always there.  Not AC_PROG_FC: that would make libtool
dnl examine a whole second language.
AC_DEFUN([HPM_FORTRAN], [
  AC_ARG_VAR([FC], [Fortran compiler command])
  AC_ARG_VAR([FCFLAGS], [Fortran compiler flags])
  AC_ARG_ENABLE([fortran],
    [AS_HELP_STRING([--disable-fortran], [do not build the Fortran module])])
  HPM_YES_OR_NO([fortran])
  hpm_have_fortran=no hpm_fortran=no
  AS_IF([test "x$enable_fortran" != xno], [
    AC_CHECK_PROGS([FC], [gfortran], [no])
    AS_IF([test "x$FC" != xno],
      [AC_MSG_CHECKING([whether $FC compiles Fortran 2003])
       : ${FCFLAGS=-g -O2}
       mkdir conftest.fortran
       cat >conftest.fortran/conftest.f90 <<'_ACEOF'
program conftest
  use, intrinsic :: iso_c_binding
  integer(c_int) :: i
  i = command_argument_count()
end program
_ACEOF
       AS_IF([(cd conftest.fortran &&
               $FC $FCFLAGS -o conftest conftest.f90) >&AS_MESSAGE_LOG_FD 2>&1],
         [hpm_have_fortran=yes hpm_fortran="$FC $FCFLAGS"])
       rm -rf conftest.fortran
       AC_MSG_RESULT([$hpm_have_fortran])])
    AS_IF([test "x$enable_fortran$hpm_have_fortran" = xyesno],
      [AC_MSG_ERROR([a Fortran compiler is missing; on Debian and Ubuntu: apt-get install gfortran])])])
  AS_IF([test $hpm_have_fortran = yes],
    [AC_SUBST([HPM_FORTRAN_LIBS], ["-lhpm_fortran "])], [FC=])
  AM_CONDITIONAL([HAVE_FORTRAN], [test $hpm_have_fortran = yes])
])

dnl HPM_MPI: libhpm_mpi is for one MPI, that of the compiler given.  The compiler
dnl is asked for its switches: with it for all of libtool's work, that would
dnl have to learn a second compiler.
AC_DEFUN([HPM_MPI], [
  AC_ARG_WITH([mpi],
    [AS_HELP_STRING([--with-mpi=MPICC],
      [build libhpm_mpi for the MPI of that compiler, or of the folder in whose bin mpicc is (yes: mpicc; check: mpicc if it is there)])],
    [], [with_mpi=no])
  hpm_mpi=no
  AS_CASE([$with_mpi], [no], [hpm_mpicc=], [yes|check], [hpm_mpicc=mpicc],
    [hpm_mpicc=$with_mpi
     AS_IF([test -d "$with_mpi"], [hpm_mpicc=$with_mpi/bin/mpicc])])
  AS_IF([test -n "$hpm_mpicc"], [
    AC_MSG_CHECKING([for the MPI of $hpm_mpicc])
    hpm_words=`$hpm_mpicc -show 2>/dev/null` || hpm_words=
    MPI_CFLAGS= MPI_LIBS= hpm_is_first=yes
    for hpm_word in $hpm_words; do
      AS_CASE([$hpm_is_first$hpm_word],
        [yes*], [hpm_is_first=no],
        [no-@<:@ID@:>@*|no-pthread], [MPI_CFLAGS="$MPI_CFLAGS $hpm_word"],
        [no-@<:@LlW@:>@*], [MPI_LIBS="$MPI_LIBS $hpm_word"])
    done
    hpm_saved_CFLAGS=$CFLAGS hpm_saved_LIBS=$LIBS
    CFLAGS="$CFLAGS $MPI_CFLAGS" LIBS="$MPI_LIBS $LIBS"
    AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <mpi.h>]],
      [[MPI_Comm comm; MPI_Request request;
        return PMPI_Comm_idup(MPI_COMM_WORLD, &comm, &request);]])],
      [hpm_mpi=$hpm_mpicc])
    CFLAGS=$hpm_saved_CFLAGS LIBS=$hpm_saved_LIBS
    AC_MSG_RESULT([$hpm_mpi])
    AS_IF([test $hpm_mpi = no && test "x$with_mpi" != xcheck],
      [AC_MSG_ERROR([$hpm_mpicc compiles no program of MPI 3; on Debian and Ubuntu: apt-get install libmpich-dev, or libopenmpi-dev])])])
  AC_SUBST([MPI_CFLAGS])
  AC_SUBST([MPI_LIBS])
  AS_IF([test "$hpm_mpi" != no], [AC_SUBST([HPM_MPICC], [$hpm_mpi])])
  AM_CONDITIONAL([HAVE_MPI], [test "$hpm_mpi" != no])
])

dnl HPM_GTK: the viewer, where its libraries and performance files can be read.
AC_DEFUN([HPM_GTK], [
  AC_ARG_ENABLE([hpmviz],
    [AS_HELP_STRING([--disable-hpmviz], [do not build the viewer])],
    [], [enable_hpmviz=check])
  HPM_YES_OR_NO([hpmviz])
  hpm_have_gtk=no
  AS_IF([test "x$enable_hpmviz" != xno && test $hpm_have_libxml2 = yes], [
    PKG_CHECK_MODULES([GTK], [gtk+-3.0 >= 3.22 gtksourceview-4 glib-2.0 >= 2.66 gio-unix-2.0],
      [hpm_have_gtk=yes], [hpm_have_gtk=no])
    dnl to be told when the display goes away
    PKG_CHECK_MODULES([X11], [x11],
      [AC_DEFINE([HAVE_X11], [1], [Whether there is libX11])], [:])
    AC_PATH_PROG([GLIB_COMPILE_RESOURCES], [glib-compile-resources])
    AS_IF([test -z "$GLIB_COMPILE_RESOURCES"], [hpm_have_gtk=no])])
  AS_IF([test "x$enable_hpmviz$hpm_have_gtk" = xyesno],
    [AC_MSG_ERROR([GTK 3, GtkSourceView 4 or libxml2 is missing; on Debian and Ubuntu: apt-get install libgtk-3-dev libgtksourceview-4-dev libxml2-dev])])
  AM_CONDITIONAL([HAVE_GTK], [test $hpm_have_gtk = yes])
  AC_ARG_ENABLE([precompiled-headers],
    [AS_HELP_STRING([--enable-precompiled-headers],
      [compile GTK's headers once and not with each file of hpmviz, for tests])],
    [], [enable_precompiled_headers=no])
  HPM_YES_OR_NO([precompiled_headers])
  AM_CONDITIONAL([PRECOMPILED_HEADERS],
    [test "x$hpm_have_gtk$enable_precompiled_headers" = xyesyes])
  AC_PATH_PROG([MSGFMT], [msgfmt])
  AC_PATH_PROG([XGETTEXT], [xgettext], [xgettext])
  AM_CONDITIONAL([HAVE_MSGFMT],
    [test $hpm_have_gtk = yes && test -n "$MSGFMT"])
])

dnl HPM_TABLES: a compiler for programs that run while the toolkit is built, which
dnl make tables of the definitions (metrics/maketables.c).
AC_DEFUN([HPM_TABLES], [
  AC_ARG_VAR([CC_FOR_BUILD],
    [C compiler for the machine that builds, if CC is for another one; no: none])
  hpm_given_cc=$CC_FOR_BUILD
  AS_IF([test -n "$CC_FOR_BUILD"], [],
    [test "x$cross_compiling" != xyes], [CC_FOR_BUILD=$CC],
    [AC_CHECK_PROGS([CC_FOR_BUILD], [gcc clang cc], [no])])
  AC_MSG_CHECKING([whether programs of '$CC_FOR_BUILD' run here])
  hpm_have_tables=no
  cat >conftest.c <<'HPM_END'
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
int main(void) { return puts("") < 0; }
HPM_END
  AS_IF([test "x$CC_FOR_BUILD" != xno &&
         $CC_FOR_BUILD -std=gnu11 -o conftest conftest.c -lm >&AS_MESSAGE_LOG_FD 2>&1 &&
         ./conftest >&AS_MESSAGE_LOG_FD 2>&1], [hpm_have_tables=yes])
  rm -f conftest conftest.c
  AC_MSG_RESULT([$hpm_have_tables])
  AS_IF([test $hpm_have_tables = no && test -n "$hpm_given_cc" &&
         test "x$hpm_given_cc" != xno],
    [AC_MSG_ERROR([CC_FOR_BUILD=$hpm_given_cc makes no program that runs here; expected a C compiler for this machine, or 'no': then each launch reads the definitions' text])])
  AM_CONDITIONAL([HAVE_TABLES], [test $hpm_have_tables = yes])
])

dnl HPM_SUMMARY: what is on, what is off, and what changes it.
AC_DEFUN([HPM_SUMMARY], [
AS_ECHO(["
$PACKAGE_STRING

  install below        $prefix
  compiler             $CC $C11_CFLAGS $CFLAGS
  shared, static       $enable_shared, $enable_static    (--disable-shared, --disable-static)
  kernel counters      yes
  PMU named by libpfm4 $hpm_have_libpfm    (--with-libpfm=FOLDER, --without-libpfm; libpfm4-dev)
  events of PAPI       $hpm_have_papi    (--with-papi=FOLDER, --without-papi; libpapi-dev)
  files read by libxml2 $hpm_have_libxml2    (--with-libxml2=FOLDER, --without-libxml2; libxml2-dev)
  vendors' JSON by json-c $hpm_have_json    (--with-jsonc=FOLDER, --without-jsonc; libjson-c-dev)
  functions by elfutils   $hpm_have_elfutils    (--with-elfutils=FOLDER, --without-elfutils; libdw-dev)
  Fortran module       $hpm_fortran    (--disable-fortran, FC=...; gfortran)
  libhpm_mpi for       $hpm_mpi    (--with-mpi=MPICC; libmpich-dev, libopenmpi-dev)
  viewer hpmviz        $hpm_have_gtk    (--disable-hpmviz; libgtk-3-dev libgtksourceview-4-dev)
  tables of definitions $hpm_have_tables    (CC_FOR_BUILD=...; without, each launch reads their text)
  OpenMP example       $hpm_have_openmp    (--disable-openmp; clang: libomp-dev)
  sanitizers           ${hpm_sanitizers:-none}    (--enable-sanitizers=address,undefined)
  tests with xmllint   ${XMLLINT:-no}    (libxml2-utils)
  tests with python3   ${PYTHON3:-no}    (python3)

  Now type 'make', then 'make check' and 'make install'.
"])
])

dnl HPM_BENCH: what 'make bench' compares with, and nothing else wants.
AC_DEFUN([HPM_BENCH], [
  AC_CHECK_FUNCS([mallinfo2])
  hpm_bench_have_papi=no
  AC_CHECK_HEADER([papi.h],
    [AC_CHECK_HEADER([sde_lib.h],
      [AC_CHECK_LIB([papi], [PAPI_read],
        [AC_CHECK_LIB([sde], [papi_sde_init], [hpm_bench_have_papi=yes], [],
           [$hpm_papi_flags])], [], [$hpm_papi_flags])])])
  AS_IF([test $hpm_bench_have_papi = yes],
    [AC_DEFINE([BENCH_HAVE_PAPI], [1], [make bench can compare with PAPI])
     AC_SUBST([BENCH_PAPI_LIBS], [$PAPI_LIBS])
     AC_SUBST([BENCH_SDE_LIBS], [$SDE_LIBS])])
  AM_CONDITIONAL([BENCH_HAVE_PAPI], [test $hpm_bench_have_papi = yes])
])
