#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Does every include of lib/, fortran/ and the programs go to a room that lib/LAYERS
# allows?  Once more over a copy with a forbidden include, so that the check is
# known to see one.

# Print each include that LAYERS does not allow; ROOT has these folders.
find_forbidden() {
    (cd "$1" && awk '
        # LAYERS comes first: what each room may include directly
        FILENAME == "lib/LAYERS" {
            if ($0 !~ /^#/ && NF > 0) {
                room = $1; sub(":", "", room); known[room] = 1
                for (i = 2; i <= NF; i++) allowed[room, $i] = 1
            }
            next
        }
        FNR == 1 {
            n = split(FILENAME, part, "/")
            here = part[1] != "lib" ? part[1] : n == 3 ? part[2] : "libhpm"
            if (!(here in known)) print FILENAME ": room " here " not in LAYERS"
        }
        /^#include "/ {
            split($2, quoted, "\""); target = quoted[2]
            if (target == "config.h" || target == "libhpm.h") next
            if (split(target, part, "/") != 2) part[1] = "libhpm"
            if (part[1] != here && !((here, part[1]) in allowed))
                print FILENAME ": " here " may not include " target
        }' lib/LAYERS lib/*/*.[ch] lib/*.[ch] fortran/*.c \
            hpmcount/*.[ch] hpm/*.[ch] hpmviz/*.[ch] mpi/*.[ch])
}

forbidden=$(find_forbidden "$top_srcdir")
if [ -z "$forbidden" ]; then
    echo "ok 1 - every include is allowed by lib/LAYERS"
else
    echo "not ok 1 - every include is allowed by lib/LAYERS"
    echo "$forbidden" | sed 's/^/# /'
fi

copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
mkdir "$copy/lib" "$copy/fortran" "$copy/hpmcount" "$copy/hpm" \
    "$copy/hpmviz" "$copy/mpi"
cp -R "$top_srcdir"/lib/* "$copy/lib"
cp "$top_srcdir"/hpmcount/*.[ch] "$copy/hpmcount"
cp "$top_srcdir"/hpm/*.[ch] "$copy/hpm"
cp "$top_srcdir"/hpmviz/*.[ch] "$copy/hpmviz"
cp "$top_srcdir"/mpi/*.[ch] "$copy/mpi"
cp "$top_srcdir"/fortran/*.c "$copy/fortran"
chmod -R u+w "$copy"
echo '#include "record/recorder.h"' >> "$copy/lib/model/experiment.c"
if find_forbidden "$copy" | grep -q 'model may not include record'; then
    echo "ok 2 - an include against the layers is found"
else
    echo "not ok 2 - an include against the layers is found"
fi
echo "1..2"
