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

# Some mpi.h have no "const" in the calls apart.
function cast(name) {
    return call in apart && type[name] ~ /^const/ ? \
        "(" substr(type[name], length("const ") + 1) ")" : ""
}

function named(    i, text) {
    for (i = 1; i <= n; i++)
        text = text (i > 1 ? ", " : "") cast(parameter[i]) parameter[i]
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

# How many tasks the counts of a call are of: its communicator's; a task reduces for
# all tasks of its own group.
function tasks(is_fortran) {
    return "hpm_callbytes_" (call ~ /[Rr]educe_scatter/ ? "own_" : "") "tasks(" \
        value("comm", is_fortran) ")"
}

# The number of elements that the count, or the array of counts, says.
function elements(count, is_fortran, is_large,    form) {
    if (word[1] == "each")
        return tasks(is_fortran) " * " value(count, is_fortran)
    if (type[count] !~ /\*/)
        return value(count, is_fortran)
    form = is_fortran ? "_fortran" : is_large ? "_large" : ""
    return "hpm_callbytes_sum" form "(" count ", " tasks(is_fortran) ")"
}

# Where the call moves something: not into its own buffer, nor in a task that has no
# part in it, nor to nobody.
function moves(is_fortran,    i, text, condition) {
    if (word[1] ~ /buf$/)
        text = "!hpm_callbytes_is_in_place(" word[1] ")"
    for (i = 1; i <= n; i++) {
        condition = ""
        if (parameter[i] == "root")
            condition = value("root", is_fortran) " >= 0"
        if (parameter[i] == "dest" || parameter[i] == "target_rank")
            condition = value(parameter[i], is_fortran) " != MPI_PROC_NULL"
        if (condition != "")
            text = text (text != "" ? " && " : "") condition
    }
    return text == "" ? "" : "        if (" text ")\n    "
}

# The statements that add what the call moves.
function added(is_fortran, is_large,    first) {
    if (bytes == "" || bytes == "later")
        return ""
    if (bytes == "?")
        return "        hpm_callbytes_lose(" class ");\n"
    first = split(bytes, word, " ") > 2 ? 2 : 1
    return moves(is_fortran) "        hpm_callbytes_add(own, " class ", " \
        elements(word[first], is_fortran, is_large) ", " \
        value(word[first + 1], is_fortran) ");\n"
}

# What a call does before its time begins.
function before() {
    return call ~ /^Init(_thread)?$/ ? "    hpm_wholerun_begin();\n" : ""
}

# A call that sends has other names for what it receives.
function received(name) {
    return name == "tag" && has_parameter("recvtag") ? "recvtag" : name
}

function has_parameter(name,    i) {
    for (i = 1; i <= n; i++)
        if (parameter[i] == name)
            return 1
    return 0
}

# What a call does first, when its time has begun: it waits.
function waited(is_fortran,    message) {
    message = value("source", is_fortran) ", " \
        value(received("tag"), is_fortran) ", " value("comm", is_fortran)
    if (waits[call] == "all")
        return "    hpm_waiting_for_all(own, " class ", " \
            value("comm", is_fortran) ");\n"
    if (waits[call] == "message")
        return "    hpm_waiting_for_message(own, " class ", " message ");\n"
    if (waits[call] == "sender")
        return "    hpm_waiting_for_sender(own, " message ");\n"
    return ""
}

# A call that sends may come late.
function come(is_fortran,    tag) {
    if (!(call in sends))
        return ""
    tag = has_parameter("sendtag") ? "sendtag" : "tag"
    return "    hpm_waiting_of_receiver(own, " value("dest", is_fortran) ", " \
        value(tag, is_fortran) ", " value("comm", is_fortran) ");\n"
}

# The call is made; one that waits for its receiver begins to send, and waits then.
function made(is_fortran, name, plain,    begins, sent, error) {
    if (waits[call] != "receiver")
        return "    " plain ";\n"
    begins = name
    if (!sub(/^Ssend/, "Issend", begins))
        sub(/^Send/, "Isend", begins)
    sent = value("count", is_fortran) ", " value("type", is_fortran) ", " \
        value("dest", is_fortran) ", " value("tag", is_fortran) ", " \
        value("comm", is_fortran)
    error = is_fortran ? "status" : "error"
    return "    if (hpm_waiting_is_told(own)) {\n" \
        "        MPI_Request begun = MPI_REQUEST_NULL;\n" \
        (is_fortran ? "        int status;\n" : "") \
        "\n        " error " = PMPI_" begins "(" \
        (is_fortran ? "hpm_waiting_address(from)" : "from") ", " sent \
        ", &begun);\n" \
        "        if (" error " == MPI_SUCCESS)\n" \
        "            " error " = hpm_waiting_wait_for_receiver(own, " class \
        ", &begun,\n                &(struct hpm_sending){" sent "});\n" \
        (is_fortran ? "        if (ret_error != NULL)\n" \
        "            *ret_error = status;\n" : "") \
        "    } else {\n        " plain ";\n    }\n"
}

# And last, when its time has ended.  A request may be made before anything is
# measured, and started later.
function after(is_good, is_fortran) {
    if (call in graphs)
        return "    if (" is_good ")\n        hpm_graph_look_at(" \
            (is_fortran ? "PMPI_Comm_f2c(*(MPI_Fint *)newcomm)" : "*newcomm") \
            ");\n"
    if (bytes == "later")
        return "    if (" is_good ")\n        hpm_callbytes_lose(" class ");\n"
    return call ~ /^Init(_thread)?$/ ? \
        "    if (" is_good ") {\n        hpm_waiting_agree();\n" \
        "        hpm_finalize_watch();\n    }\n" : ""
}

function put_c(name, is_large,    text, function_name) {
    text = added(0, is_large)
    function_name = "MPI_" name
    if (call in apart) {
        function_name = "apart_" name
        printf "int %s(%s) __asm__(\"MPI_%s\");\n\n", function_name,
            declared(is_large), name
    }
    printf "int\n%s(%s)\n{\n%s", function_name, declared(is_large), before()
    printf "    struct hpm_calltime *own = hpm_calltime_begin(%s);\n", class
    printf "    int error;\n\n%s%s%s", come(0), waited(0),
        made(0, name, "error = PMPI_" name "(" named() ")")
    if (text != "")
        printf "    if (hpm_calltime_end(own) && error == MPI_SUCCESS) {\n%s    }\n",
            text
    else
        printf "    hpm_calltime_end(own);\n"
    printf "%s    return error;\n}\nHPM_CALLNAME(%s, %s)\n\n",
        after("error == MPI_SUCCESS", 0), name, class
}

# The entry `name` calls `real`, the MPI's own.
function put_fortran(name, real,    text, is_good) {
    text = added(1, 0)
    is_good = "(ret_error == NULL || *ret_error == MPI_SUCCESS)"
    printf "void %s(%s);\nvoid %s(%s) __attribute__((weak));\n\n",
        name, of_fortran(1), real, of_fortran(1)
    printf "void\n%s(%s)\n{\n%s", name, of_fortran(1), before()
    printf "    static hpm_fortranentry *_Atomic found;\n"
    printf "    __typeof__(&%s) entry = (__typeof__(&%s))hpm_fortranentry_find(\n",
        real, real
    printf "        (hpm_fortranentry *)%s, &found, TEXT(%s),\n", real, real
    printf "        __builtin_return_address(0));\n"
    printf "    struct hpm_calltime *own = hpm_calltime_begin(%s);\n\n", class
    printf "%s%s%s", come(1), waited(1), made(1, call, "entry(" of_fortran(0) ")")
    if (text != "")
        printf "    if (hpm_calltime_end(own) && %s) {\n%s    }\n", is_good, text
    else
        printf "    hpm_calltime_end(own);\n"
    printf "%s}\n\n", after(is_good, 1)
}

function put_alias(name, of) {
    printf "void %s(%s) __attribute__((alias(\"%s\")));\n", name, of_fortran(1),
        of
}

function put_call(    low) {
    low = "mpi_" tolower(call)
    printf "#if 10 * MPI_VERSION + MPI_SUBVERSION >= %d\n", 10 * version
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
            "#include \"mpi/calltime.h\"\n#include \"mpi/finalize.h\"\n#include \"mpi/fortranentry.h\"\n#include \"mpi/graph.h\"\n#include \"mpi/waiting.h\"\n" \
            "#include \"mpi/wholerun.h\"\n\n#ifdef OPEN_MPI\n" \
            "#define REAL_F08(call) pmpi_##call##_f08_\n#else\n" \
            "#define REAL_F08(call) pmpir_##call##_f08_\n#endif\n" \
            "#define TEXT_OF(name) #name\n#define TEXT(name) TEXT_OF(name)\n"
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
$1 == "apart" {
    for (i = 2; i <= NF; i++)
        apart[$i] = 1
    next
}
$1 == "sends" {
    for (i = 2; i <= NF; i++)
        sends[$i] = 1
    next
}
$1 == "graphs" {
    for (i = 2; i <= NF; i++)
        graphs[$i] = 1
    next
}
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
        sub(/^ */, "", bytes)
        $0 = substr($0, 1, index($0, " : ") - 1)
    }
    n = 0
    is_long = 0
    for (i = 3; i <= NF; i++) {
        if (!($i in type))
            fail("'" $i "' has no type; a line 'type " $i " TYPE' above is missing")
        parameter[++n] = $i
        is_long = is_long || large[$i] != type[$i]
    }
    if (names)
        put_names()
    else
        put_call()
}

END { if (is_bad) exit 1 }
