# SPDX-License-Identifier: BSD-3-Clause
# Makes a list of functions into C: for each a function of the same name, which calls
# the library's own between the start and the stop of a section.
#
#     awk -f wrap.awk blas.prototypes >blas.c
#     awk -v names=1 -f wrap.awk blas.prototypes >names
#     awk -v lines=1 ...    the compiler's messages name lines of the list
#
# hpmwrap(1) describes lists.

function fail(what) {
    print FILENAME ":" FNR ": " what >"/dev/stderr"
    is_bad = 1
    exit 1
}

function trimmed(text) {
    gsub(/^[ \t]+|[ \t]+$/, "", text)
    return text
}

# The name of a parameter: "x" of "const double x[]", "f" of "int (*f)(int)".
function name_of(text) {
    if (match(text, /\(\*[ \t]*[A-Za-z_][A-Za-z_0-9]*\)/)) {
        text = substr(text, RSTART, RLENGTH)
        gsub(/[^A-Za-z_0-9]/, "", text)
        return text
    }
    sub(/[ \t]*(\[[^]]*\])+$/, "", text)
    if (text !~ /[ \t*][A-Za-z_][A-Za-z_0-9]*$/)
        fail("a parameter needs a type and a name, here is '" text "'")
    match(text, /[A-Za-z_][A-Za-z_0-9]*$/)
    return substr(text, RSTART)
}

# Parameters are divided by commas that are in no brackets.
function split_parameters(text,    i, c, depth, from) {
    n = 0
    text = trimmed(text)
    if (text == "" || text == "void")
        return
    from = 1
    for (i = 1; i <= length(text) + 1; i++) {
        c = substr(text, i, 1)
        if (c == "(" || c == "[")
            depth++
        else if (c == ")" || c == "]")
            depth--
        else if (i > length(text) || (c == "," && depth == 0)) {
            declared[++n] = trimmed(substr(text, from, i - from))
            if (declared[n] == "...")
                fail("a function with '...' cannot be called by another one")
            parameter[n] = name_of(declared[n])
            from = i + 1
        }
    }
}

# Fortran gives all parameters as addresses, and after them the length of each
# text.  A caller in C that leaves the lengths out is called as it is: what is
# handed on is then whatever was there.
function as_fortran(    i, n_texts) {
    n_given = n
    for (i = 1; i <= n_given; i++) {
        is_whole[i] = declared[i] ~ /^(int|char)[ \t]/
        if (declared[i] ~ /^char[ \t]/)
            n_texts++
        declared[i] = substr(declared[i], 1,
            length(declared[i]) - length(parameter[i])) "*" parameter[i]
    }
    for (i = 1; i <= n_texts; i++) {
        parameter[++n] = "length_" i
        declared[n] = "size_t length_" i
    }
}

function as_c(    i) {
    n_given = n
    for (i = 1; i <= n; i++) {
        is_whole[i] = declared[i] !~ /[*\[(]|float|double|struct|union/
        if (has_any_integers && declared[i] ~ /^int[ \t]/)
            sub(/^int/, "long", declared[i])
    }
}

# Libraries with one name have integers of 32 bits or of 64.  As a long an integer is
# handed on whole, whatever it is; how much of it counts is asked when the library is
# known.
function integer_of(i) {
    if (!has_any_integers || !is_whole[i] || declared[i] ~ /^(const +)?char/)
        return (is_fortran ? "*" : "") parameter[i]
    return "hpm_wrapped_integer" (is_fortran ? "_at" : "") "(" parameter[i] \
        ", has_long)"
}

function joined(list, first, last,    i, text) {
    for (i = first; i <= last; i++)
        text = text (i > first ? ", " : "") list[i]
    return text
}

function has_word(text, word) {
    return (" " text " ") ~ ("[^A-Za-z_0-9]" word "[^A-Za-z_0-9]")
}

# Work is calculated in long long, in a function whose parameters are values: integers
# of the call, and in C its pointers and others as they are.
function put_work(    i, k, text, values) {
    for (k = 1; k <= n_works; k++) {
        text = values = ""
        for (i = 1; i <= n_given; i++) {
            if (!has_word(amount[k], parameter[i]))
                continue
            if (is_fortran && !is_whole[i])
                fail("'" parameter[i] "' is no integer, so work cannot be told by it")
            text = text (text == "" ? "" : ", ") \
                (is_whole[i] ? "long long " parameter[i] : declared[i])
            values = values (values == "" ? "" : ", ") integer_of(i)
        }
        printf "static inline long long\nwork_%d_of_%s(%s)\n{\n    return %s;\n}\n\n",
            k, name, text == "" ? "void" : text, amount[k]
        work_values[k] = values
    }
}

# Messages of the compiler name the line of the list.
function put_line() {
    if (lines)
        printf "#line %d \"%s\"\n", first_line, FILENAME
}

function put_function(    k, parameters, plain) {
    parameters = n > 0 ? joined(declared, 1, n) : "void"
    plain = "real(" joined(parameter, 1, n) ")"
    put_line()
    put_work()
    printf "typedef %s type_of_%s(%s);\n", result, name, parameters
    printf "static struct hpm_wrapped of_%s = {\n", name
    printf "    .name = \"%s\", .label = \"%s\", .list = &list};\n", name, label
    printf "%s %s(%s);\n\n%s\n%s(%s)\n{\n", result, name, parameters, result, name,
        parameters
    printf "    struct hpm_wrapped_call call ENDS_WITH_ITS_FUNCTION;\n"
    printf "    type_of_%s *real = (type_of_%s *)%s_begin(\n", name,
        name, door
    printf "        &of_%s, &call, __builtin_return_address(0));\n", name
    if (result == "void")
        printf "\n    %s;\n", plain
    else
        printf "    %s result = %s;\n\n", result, plain
    if (n_works > 0)
        printf "    if (call.is_open) {\n"
    if (n_works > 0 && has_any_integers)
        printf "        bool has_long = hpm_private_wrapped_has_long(&call);\n\n"
    for (k = 1; k <= n_works; k++)
        printf "        hpm_private_wrapped_work(&call, work_%d_of_%s(%s), \"%s\");\n",
            k, name, work_values[k], unit[k]
    if (n_works > 0)
        printf "    }\n"
    if (result != "void")
        printf "    return result;\n"
    printf "}\n\n"
    all[++n_all] = name
}

# "flop 2*m*n; byte 8*n"
function split_work(text,    i, each) {
    n_works = split(text, each, /;/)
    for (i = 1; i <= n_works; i++) {
        each[i] = trimmed(each[i])
        if (each[i] !~ /^[A-Za-z_]+[ \t]+[^ \t]/)
            fail("work is a unit and how much, here is '" each[i] "'")
        match(each[i], /^[A-Za-z_]+/)
        unit[i] = substr(each[i], 1, RLENGTH)
        amount[i] = trimmed(substr(each[i], RLENGTH + 1))
    }
}

# Where the bracket that opens at `from` closes.
function closing(text, from,    i, c, depth) {
    for (i = from; i <= length(text); i++) {
        c = substr(text, i, 1)
        depth += (c == "(") - (c == ")")
        if (depth == 0)
            return i
    }
    fail("a bracket does not close")
}

# One function, all letters put in.
function take_prototype(text,    open, close_at, head, rest) {
    open = index(text, "(")
    close_at = closing(text, open)
    head = trimmed(substr(text, 1, open - 1))
    rest = trimmed(substr(text, close_at + 1))
    if (!match(head, /[A-Za-z_][A-Za-z_0-9]*$/) || RSTART == 1)
        fail("expected 'RESULT NAME(PARAMETERS)', here is '" text "'")
    name = substr(head, RSTART)
    result = trimmed(substr(head, 1, RSTART - 1))
    label = name
    split_parameters(substr(text, open + 1, close_at - open - 1))
    if (has_any_integers && result == "int")
        result = "long"
    if (is_fortran) {
        name = name "_"
        as_fortran()
    } else {
        as_c()
    }
    if (rest ~ /^as[ \t]/) {
        label = rest
        sub(/^as[ \t]+/, "", label)
        sub(/[ \t].*/, "", label)
        sub(/^as[ \t]+[^ \t]+[ \t]*/, "", rest)
    }
    if (rest != "" && rest !~ /^:/)
        fail("expected ':' and work, here is '" rest "'")
    n_works = 0
    if (rest != "")
        split_work(substr(rest, 2))
    if (name in is_known)
        fail("'" name "' is there twice")
    is_known[name] = 1
    if (names)
        print name
    else
        put_function()
}

# "?" within a name stands for each letter, T for its type; ADD and MUL for the real operations of
# an addition and of a multiplication of that type.
function take_letters(text,    i, each, is_complex) {
    if (lettered(text, "") == text) {
        take_prototype(text)
        return
    }
    for (i = 1; i <= n_letters; i++) {
        each = text
        is_complex = types[i] ~ /_Complex/
        each = lettered(each, letters[i])
        each = substr(with_words(" " each " ", "T", types[i]), 2)
        each = with_words(each, "ADD", is_complex ? 2 : 1)
        each = with_words(each, "MUL", is_complex ? 6 : 1)
        take_prototype(trimmed(each))
    }
}

function lettered(text, letter,    from, around, done) {
    while ((from = index(text, "?")) > 0) {
        around = from > 1 ? substr(text, from - 1, 1) : " "
        around = around substr(text, from + 1, 1)
        done = done substr(text, 1, from - 1) \
            (around ~ /^[^A-Za-z_0-9][ \t]/ || around == "  " ? "?" : letter)
        text = substr(text, from + 1)
    }
    return done text
}

function with_words(text, word, by,    from, before, after, done) {
    while ((from = index(text, word)) > 0) {
        before = substr(text, from - 1, 1)
        after = substr(text, from + length(word), 1)
        done = done substr(text, 1, from - 1) \
            (before after ~ /[A-Za-z_0-9]/ ? word : by)
        text = substr(text, from + length(word))
    }
    return done text
}

function put_head() {
    if (names || is_begun++)
        return
    door = is_outermost ? "hpm_private_wrapped" : "hpm_wrapped"
    print "/* Made from " FILENAME_BASE " by wrap.awk. */"
    print "#include <dlfcn.h>\n#include <stdint.h>\n\n#include \"wrapped.h\"\n"
    print "static void\nend_call(struct hpm_wrapped_call *call)\n{"
    print "    " door "_end(call);\n}\n"
    print "static const struct hpm_wrapped_list list;"
    print "static void *find_next(const char *name);\n"
    print "#define ENDS_WITH_ITS_FUNCTION __attribute__((cleanup(end_call)))\n"
    print "#pragma GCC visibility push(default)\n"
}

# What dlclose unloads may have been a caller; this library comes before the C library,
# which libhpm_libraries may not.
function put_dlclose() {
    print "typedef int type_of_dlclose(void *handle);"
    print "int dlclose(void *handle);\n"
    print "int\ndlclose(void *handle)\n{"
    print "    static void *_Atomic known;"
    print "    void *real = atomic_load(&known);"
    print "    int result;\n"
    print "    if (real == NULL) {"
    print "        real = find_next(\"dlclose\");"
    print "        atomic_store(&known, real);\n    }"
    print "    result = real == NULL ? -1 : ((type_of_dlclose *)real)(handle);"
    print "    hpm_private_wrapped_forget_callers();"
    print "    return result;\n}\n"
}

# dlsym looks at the address to which it returns: it must be one of this library.
function put_end(    i) {
    put_dlclose()
    print "#pragma GCC visibility pop\n"
    print "static void *\nfind_next(const char *name)\n{"
    print "    void *volatile found = dlsym(RTLD_NEXT, name);\n"
    print "    return found;\n}\n"
    print "static struct hpm_wrapped *const functions[] = {"
    for (i = 1; i <= n_all; i++)
        print "    &of_" all[i] ","
    print "    NULL};\n"
    print "static const struct hpm_wrapped_list list = {"
    print "    HPM_WRAPPED_VERSION, \"" group "\", " \
        (is_outermost ? "true" : "false") ", functions, find_next};\n"
    print "static void begin(void) __attribute__((constructor));\n"
    print "static void\nbegin(void)\n{\n    hpm_private_wrapped_add(&list);\n}"
}

FNR == 1 {
    FILENAME_BASE = FILENAME
    sub(/.*\//, "", FILENAME_BASE)
}

# A line that ends with a backslash goes on in the next one.
line == "" { first_line = FNR }
{ line = line $0 }
line ~ /\\$/ { sub(/[ \t]*\\$/, " ", line); next }
{ $0 = line; line = "" }
/^[ \t]*#/ || NF == 0 { next }

$1 == "group" {
    if (NF != 2 || group != "" || $2 !~ /^[A-Za-z_0-9.+-]+$/)
        fail("expected one line 'group NAME'")
    group = $2
    next
}
group == "" { fail("expected 'group NAME' first") }
$1 == "integers" && $2 == "any" && NF == 2 { has_any_integers = 1; next }
$1 == "outermost" && NF == 1 { is_outermost = 1; next }
$1 == "language" {
    if ($2 != "c" && $2 != "fortran")
        fail("expected 'language c' or 'language fortran'")
    is_fortran = $2 == "fortran"
    next
}
$1 == "letters" {
    n_letters = NF - 1
    for (i = 2; i <= NF; i++) {
        if (split($i, pair, "=") != 2)
            fail("expected LETTER=TYPE, here is '" $i "'")
        letters[i - 1] = pair[1] == "-" ? "" : pair[1]
        types[i - 1] = pair[2]
        gsub(/\+/, " ", types[i - 1])
    }
    next
}
{ put_head() }
$1 == "code" {
    if (names)
        next
    put_line()
    print substr($0, index($0, "code") + 5)
    next
}
!/\(/ { fail("expected a prototype, here is '" $0 "'") }
{ take_letters($0) }

END {
    if (is_bad)
        exit 1
    if (n_all == 0 && !names)
        fail("there is no function in the list")
    if (!names)
        put_end()
}
