# SPDX-License-Identifier: BSD-3-Clause
# The texts of definitions of metrics that reports and hpm explain show, as xgettext
# reads texts in C; none of them is a format:
#     awk -f po/definitions.awk metrics/*.hpm metrics/models/*.hpm

!/^[ \t]*#/ { text = text $0 "\n" }

END {
    while (match(text, /[ \t\n](label|why|says|try|info|rises|falls|source)[ \t\n]+"/)) {
        text = substr(text, RSTART + RLENGTH - 1)
        match(text, /^("([^"\\]|\\.)*"[ \t\n]*)+/)
        print "/* xgettext:no-c-format */ N_(" substr(text, 1, RLENGTH) ")"
        text = substr(text, RLENGTH) # the blank before the next word stays
    }
}
