# SPDX-License-Identifier: BSD-3-Clause
# For a shell to read ('. tests/environment.sh'): takes out of the environment
# what a user's shell or a batch system has put there for other programs, so that
# quickstart, runtests and each test find the same on every machine.
#
# What stays is how to find programs and libraries (PATH, HOME, ...), where
# temporary files go (TMPDIR), and HPM_TEST_*, which are for the tests.

# No name here has a special character; a line of a value that looks like a
# variable is one that is not set, and stays so.
for name in $(env | sed -n 's/^\([A-Za-z_][A-Za-z0-9_]*\)=.*/\1/p'); do
    case $name in
    HPM_TEST_*) ;;
    # settings of ours, and of the libraries that count and run threads
    HPM_* | FAKE_PMU* | PAPI_* | LIBPFM_* | OMP_* | GOMP_* | KMP_*) unset "$name" ;;
    # a job of a batch system or an MPI: the tests are no task of it
    SLURM_* | PBS_* | LSB_* | PMI_* | PMIX_* | MPI_LOCAL* | OMPI_COMM_WORLD_*)
        unset "$name" ;;
    # messages, numbers and order of another language
    LANG | LANGUAGE | LC_*) unset "$name" ;;
    # options of programs that tests run
    MAKEFLAGS | MFLAGS | MAKELEVEL | MAKEOVERRIDES | GREP_* | POSIXLY_CORRECT | \
        CDPATH | ENV | BASH_ENV | COLUMNS | LINES | NO_COLOR | CLICOLOR* | \
        LD_PRELOAD | LD_DEBUG | LD_BIND_NOW | DEBUGINFOD_URLS | G_DEBUG | \
        G_MESSAGES_DEBUG | GTK_* | GDK_* | VALGRIND_OPTS | EDITOR | VISUAL | TZ | \
        DESTDIR) unset "$name" ;;
    esac
done
unset name

# A metric that the user has defined is not one of ours; the folder need not be.
XDG_CONFIG_HOME=/nonexistent
export XDG_CONFIG_HOME

# Nor is what hpm doctor has found on the user's machine.
HPM_MACHINE=/nonexistent
export HPM_MACHINE

# Python and mktemp differ in what they make of a folder that is not there.
# libtool installs nothing below a path with a space, and flags of pkg-config
# and LD_PRELOAD would be two.
case ${TMPDIR-} in
*[[:space:]]*) unset TMPDIR ;;
/*) [ -d "$TMPDIR" ] && [ -w "$TMPDIR" ] && [ -x "$TMPDIR" ] || unset TMPDIR ;;
*) unset TMPDIR ;;
esac

umask 022
