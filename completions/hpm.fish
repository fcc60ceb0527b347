# SPDX-License-Identifier: BSD-3-Clause
# fish completion for hpm(1).  What there is comes from its own help, so that a
# new subcommand or option needs nothing here.

function __hpm_subcommands
    set -l command (commandline -opc)[1]
    $command help 2>/dev/null | awk '
        /^Subcommands:/ { inside = 1; next }
        /^$/ { inside = 0 }
        inside { name = $1; $1 = ""; sub(/^ /, ""); print name "\t" $0 }'
end

function __hpm_options
    set -l words (commandline -opc)
    $words[1] help $words[2] 2>/dev/null |
        string match -rg '^  +((?:-[a-zA-Z], )?--[a-z-]+)' |
        string split ', '
end

# The metrics, and so the hints, that there are for this machine.
function __hpm_metrics
    set -l command (commandline -opc)[1]
    $command metrics --all 2>/dev/null | awk '
        /^metric \(-m\)/ { inside = 1; next }
        /^$/ { inside = 0 }
        inside { print $1 }'
end

# Which word is to be completed: 1 is the subcommand.
function __hpm_is_word -a number
    test (count (commandline -opc)) -eq $number
end

# Of the words before: is this the subcommand, and that the last?
function __hpm_is_behind -a subcommand last
    set -l words (commandline -opc)
    test "$words[2]" = "$subcommand" -a "$words[-1]" = "$last"
end

complete -c hpm -f -n '__hpm_is_word 1' -a '(__hpm_subcommands)'
complete -c hpm -f -n '__hpm_is_word 2; and __hpm_is_behind help help' \
    -a '(__hpm_subcommands)'
complete -c hpm -n 'not __hpm_is_word 1; and string match -q -- "-*" (commandline -ct)' \
    -f -a '(__hpm_options)'
complete -c hpm -f -n 'contains -- explain (commandline -opc)[2]' \
    -a '(__hpm_metrics)'
complete -c hpm -f -n '__hpm_is_behind report --by' \
    -a 'section tree task thread metric file symbol line module call stack'
complete -c hpm -f -n '__hpm_is_behind report --format' -a 'text csv json html'
complete -c hpm -f -n '__hpm_is_behind report --sort' \
    -a 'excl incl calls share imbalance lost bad tasks threads label path file line id'
complete -c hpm -f -n '__hpm_is_behind functions --format' -a 'text csv json'
complete -c hpm -f -n '__hpm_is_behind probes --format' -a 'text csv json'
complete -c hpm -f -n '__hpm_is_behind probes probes' -a 'define list remove'
complete -c hpm -f -n '__hpm_is_behind compare --format' -a 'text json markdown'
complete -c hpm -f -n 'contains -- (commandline -opc)[-1] --precision' \
    -a 'single double'
