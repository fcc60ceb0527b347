# SPDX-License-Identifier: BSD-3-Clause
# Makes of mpi/calls.txt a list of functions for wrap.awk.
#
#     awk -f mpilist.awk ../../mpi/calls.txt >mpi.prototypes
#
# The functions serve every MPI: all parameters are handed on in words of the size of
# an address, whatever mpi.h says they are, since int, handles and addresses are passed
# in the same registers.  Only MPI_Offset and MPI_Count may be larger than a word.

function put_c(name, is_long,    i, text, of) {
    for (i = 3; i <= n; i++) {
        of = is_long ? large[word[i]] : type[word[i]]
        text = text (i > 3 ? ", " : "") \
            (of ~ /^MPI_(Offset|Count)$/ ? "long long " : "void *") word[i]
    }
    print "int MPI_" name "(" (text == "" ? "void" : text) ")"
}

# Fortran gives addresses, the error code as the last one, and lengths of texts.
function put_fortran(name, label,    i, text) {
    for (i = 3; i <= n; i++) {
        if (word[i] == "argc" || word[i] == "arguments")
            continue
        text = text (type[word[i]] ~ /char \*/ ? "char " : "void ") word[i] ", "
    }
    print "void " name "(" text "int ierror) as MPI_" label
}

BEGIN {
    print "# Made from mpi/calls.txt by mpilist.awk."
    print "group mpi\noutermost\nlanguage c\nint MPI_Finalize(void)"
    print "language fortran\nvoid mpi_finalize(int ierror) as MPI_Finalize"
    print "void mpi_finalize_f08(int ierror) as MPI_Finalize"
}

{ line = line $0 }
line ~ /\\$/ { sub(/ *\\$/, "", line); next }
{ $0 = line; line = "" }
/^#/ || NF == 0 { next }
$1 == "type" {
    split(substr($0, length("type " $2 " ") + 1), form, "; ")
    type[$2] = form[1]
    large[$2] = form[2] != "" ? form[2] : form[1]
    next
}
$1 ~ /^(version|apart|sends|waits|graphs)$/ { next }

{
    sub(/ : .*/, "")
    n = split($0, word, " ")
    is_long = 0
    for (i = 3; i <= n; i++)
        is_long = is_long || large[word[i]] != type[word[i]]
    print "language c"
    put_c(word[2], 0)
    if (is_long)
        put_c(word[2] "_c", 1)
    print "language fortran"
    low = "mpi_" tolower(word[2])
    put_fortran(low, word[2])
    put_fortran(low "_f08", word[2])
}
