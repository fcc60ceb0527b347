# SPDX-License-Identifier: BSD-3-Clause
# The texts of definitions of metrics that reports show, as xgettext reads texts
# in C: awk -f po/definitions.awk metrics/*.hpm metrics/models/*.hpm

!/^[ \t]*#/ { text = text $0 "\n" }

END {
    while (match(text, /[ \t\n](label|why|try)[ \t\n]+"/)) {
        text = substr(text, RSTART + RLENGTH - 1)
        match(text, /^("([^"\\]|\\.)*"[ \t\n]*)+/)
        print "N_(" substr(text, 1, RLENGTH) ")"
        text = substr(text, RLENGTH) # the blank before the next word stays
    }
}
