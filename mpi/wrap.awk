# SPDX-License-Identifier: BSD-3-Clause
# Makes mpi/calls.txt into C: a function for each call of MPI, which takes the time
# of the MPI's own (PMPI_), and one for Fortran.
#
#     awk -f wrap.awk calls.txt >calls.c
#     awk -v names=1 -f wrap.awk calls.txt >>exported names

function fail(what) {
    print FILENAME ":" FNR ": " what >"/dev/stderr"
    is_bad = 1
    exit 1
}

# "int count, MPI_Datatype type"
function declared(is_large,    i, text) {
    for (i = 1; i <= n; i++)
        text = text (i > 1 ? ", " : "") \
            (is_large ? large[parameter[i]] : type[parameter[i]]) " " parameter[i]
    return text
}

function named(    i, text) {
    for (i = 1; i <= n; i++)
        text = text (i > 1 ? ", " : "") parameter[i]
    return text
}

# Fortran gives all parameters as pointers, the error code as the last one, and
# after that the lengths of texts; MPI_Init has no argc and argv there.
function of_fortran(has_types,    i, text, lengths, address, number) {
    address = has_types ? "void *" : ""
    number = has_types ? "size_t " : ""
    for (i = 1; i <= n; i++) {
        if (parameter[i] == "argc" || parameter[i] == "arguments")
            continue
        text = text address parameter[i] ", "
        if (type[parameter[i]] ~ /char \*/)
            lengths = lengths ", " number parameter[i] "_length"
    }
    return text (has_types ? "MPI_Fint *" : "") "ret_error" lengths
}

# A parameter's value, of C or of Fortran's address.
function value(name, is_fortran) {
    if (name == "1" || type[name] ~ /\*/ || !is_fortran)
        return name
    if (type[name] == "MPI_Datatype")
        return "PMPI_Type_f2c(*(MPI_Fint *)" name ")"
    if (type[name] == "MPI_Comm")
        return "PMPI_Comm_f2c(*(MPI_Fint *)" name ")"
    return "*(MPI_Fint *)" name
}

# The statements that add what the call moves.
function added(is_fortran, is_large,    first, suffix, comm, guard) {
    if (bytes == "")
        return ""
    if (bytes == "?")
        return "        hpm_callbytes_lose(own, " class ");\n"
    first = split(bytes, word, " ") > 2 ? 2 : 1
    if (word[1] == "each")
        suffix = "_of_each"
    else if (type[word[first]] ~ /\*/)
        suffix = is_large ? "_of_large" : "_of_all"
    if (suffix != "")
        comm = ", " value("comm", is_fortran)
    if (word[1] ~ /buf$/)
        guard = "        if (!hpm_callbytes_is_in_place(" word[1] "))\n    "
    return guard "        hpm_callbytes_add" suffix "(own, " class ", " \
        value(word[first], is_fortran) ", " value(word[first + 1], is_fortran) \
        comm ");\n"
}

# What a call does before its time begins.
function before() {
    return call ~ /^Init(_thread)?$/ ? "    hpm_wholerun_begin();\n" : ""
}

# What a call does first, when its time has begun: it waits.
function waited(is_fortran) {
    if (waits[call] == "all")
        return "    hpm_waiting_for_all(own, " class ", " \
            value("comm", is_fortran) ");\n"
    if (waits[call] == "message")
        return "    hpm_waiting_for_message(own, " class ", " \
            value("source", is_fortran) ", " value("tag", is_fortran) ", " \
            value("comm", is_fortran) ");\n"
    return ""
}

# And last, when its time has ended.
function after(is_good) {
    return call ~ /^Init(_thread)?$/ ? \
        "    if (" is_good ")\n        hpm_waiting_agree();\n" : ""
}

function put_c(name, is_large,    text) {
    text = added(0, is_large)
    printf "int\nMPI_%s(%s)\n{\n%s", name, declared(is_large), before()
    printf "    struct hpm_calltime *own = hpm_calltime_begin(%s);\n", class
    printf "    int error;\n\n%s    error = PMPI_%s(%s);\n", waited(0), name,
        named()
    if (text != "")
        printf "    if (hpm_calltime_end(own) && error == MPI_SUCCESS) {\n%s    }\n",
            text
    else
        printf "    hpm_calltime_end(own);\n"
    printf "%s    return error;\n}\n\n", after("error == MPI_SUCCESS")
}

# The entry `name` calls `real`, the MPI's own.
function put_fortran(name, real,    text, is_good) {
    text = added(1, 0)
    is_good = "(ret_error == NULL || *ret_error == MPI_SUCCESS)"
    printf "void %s(%s);\nvoid %s(%s) __attribute__((weak));\n\n",
        name, of_fortran(1), real, of_fortran(1)
    printf "void\n%s(%s)\n{\n%s", name, of_fortran(1), before()
    printf "    struct hpm_calltime *own = hpm_calltime_begin(%s);\n\n", class
    printf "%s    %s(%s);\n", waited(1), real, of_fortran(0)
    if (text != "")
        printf "    if (hpm_calltime_end(own) && %s) {\n%s    }\n", is_good, text
    else
        printf "    hpm_calltime_end(own);\n"
    printf "%s}\n\n", after(is_good)
}

function put_alias(name, of) {
    printf "void %s(%s) __attribute__((alias(\"%s\")));\n", name, of_fortran(1),
        of
}

function put_call(    low) {
    low = "mpi_" tolower(call)
    printf "#if MPI_VERSION >= %d\n", version
    put_c(call, 0)
    if (is_long)
        printf "#if MPI_VERSION >= 4\n"
    if (is_long)
        put_c(call "_c", 1)
    if (is_long)
        printf "#endif\n"
    printf "#ifdef OPEN_MPI\n"
    put_fortran(low "_", "p" low "_")
    put_alias(low, low "_")
    put_alias(low "__", low "_")
    put_alias("MPI_" toupper(call), low "_")
    printf "#endif\n\n"
    put_fortran(low "_f08_", "REAL_F08(" tolower(call) ")")
    printf "#endif\n\n"
}

function put_names(    low) {
    low = "mpi_" tolower(call)
    printf "MPI_%s\n%s_\n%s\n%s__\nMPI_%s\n%s_f08_\n", call, low, low, low,
        toupper(call), low
    if (is_long)
        printf "MPI_%s_c\n", call
}

BEGIN {
    if (!names)
        print "/* Made from mpi/calls.txt. */\n#include <mpi.h>\n" \
            "#include <stddef.h>\n\n#include \"mpi/callbytes.h\"\n" \
            "#include \"mpi/calltime.h\"\n#include \"mpi/waiting.h\"\n" \
            "#include \"mpi/wholerun.h\"\n\n#ifdef OPEN_MPI\n" \
            "#define REAL_F08(call) pmpi_##call##_f08_\n#else\n" \
            "#define REAL_F08(call) pmpir_##call##_f08_\n#endif\n"
    type["1"] = "int"
}

# A line that ends with a backslash goes on in the next one.
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
$1 == "version" { version = $2; next }
$1 == "waits" {
    for (i = 4; i <= NF; i++)
        waits[$i] = $3
    next
}

{
    class = "HPM_CALLCLASS_" toupper($1)
    call = $2
    bytes = ""
    if (index($0, " : ")) {
        bytes = substr($0, index($0, " : ") + 3)
        $0 = substr($0, 1, index($0, " : ") - 1)
    }
    n = 0
    is_long = 0
    for (i = 3; i <= NF; i++) {
        if (!($i in type))
            fail("'" $i "' has no type; a line 'type " $i " TYPE' above is missing")
        parameter[++n] = $i
        is_long = is_long || $i ~ /count$/ && large[$i] != type[$i]
    }
    if (names)
        put_names()
    else
        put_call()
}

END { if (is_bad) exit 1 }
