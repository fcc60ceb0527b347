# SPDX-License-Identifier: BSD-3-Clause
# fish completion for hpmcount(1)

# The first column of `hpmcount -l`: of the table of events, sets or metrics.
function __hpmcount_names -a table
    set -l command (commandline -opc)[1]
    $command -l 2>/dev/null | awk -v table=$table '
        /^(event \(-e\)|set \(-s\)|metric \(-m\))/ { inside = $1 == table; next }
        /^$/ { inside = 0 }
        inside && $1 !~ /^-+$/ { print $1 }'
end

# The same behind what stands before the last comma.
function __hpmcount_list -a table
    set -l word (commandline -ct | string replace -r '^--[a-z-]+=' '')
    set -l before (string match -r '.*,' -- $word)
    printf "$before%s\n" (__hpmcount_names $table)
end

set -g __hpmcount_valued -e --events -s --set -m --metrics --sample --chains --functions --library --section --delay -p --pid -t \
    --tid -C --cpu --cgroup --timeout -I --interval -r --repeat --warmup \
    -o --output --html --log --log-fd --format --precision

# What follows the program's name is the program's affair.
function __hpmcount_is_own
    set -l words (commandline -opc)
    set -e words[1]
    while set -q words[1]
        switch $words[1]
            case --
                return 1
            case '-*'
                contains -- $words[1] $__hpmcount_valued; and set -e words[1]
            case '*'
                return 1
        end
        set -e words[1]
    end
end

complete -c hpmcount -x -n 'not __hpmcount_is_own' \
    -a '(__fish_complete_subcommand -- $__hpmcount_valued)'
complete -c hpmcount -f -n __hpmcount_is_own -a '(__fish_complete_command)'

function __hpmcount_option
    complete -c hpmcount -n __hpmcount_is_own $argv
end

__hpmcount_option -s e -l events -x -a '(__hpmcount_list event)' -d 'what to count'
__hpmcount_option -s s -l set -x -a '(__hpmcount_names set)' -d 'a set of events'
__hpmcount_option -s m -l metrics -x -a '(__hpmcount_list metric)' -d 'metrics to measure'
__hpmcount_option -l sample -x -d 'note where the program is (event@period)'
__hpmcount_option -l chains -x -a 'fp no' -d 'with --sample, find callers'
__hpmcount_option -l delay -x -d 'count from then on (ms)'
__hpmcount_option -l share -d 'let more events than counters take turns'
__hpmcount_option -l audit -d 'count alone and shared, and compare'
__hpmcount_option -s l -l list -d 'list what can be counted here'
__hpmcount_option -s p -l pid -x -a '(__fish_complete_pids)' -d 'count running processes'
__hpmcount_option -s t -l tid -x -d 'count running threads'
__hpmcount_option -s A -l all-cpus -d 'count the whole machine'
__hpmcount_option -s C -l cpu -x -d 'count these processors'
__hpmcount_option -l cgroup -x -d 'count a control group'
__hpmcount_option -l per-thread -d 'values of each thread'
__hpmcount_option -l per-core -d 'values of each core'
__hpmcount_option -l timeout -x -d 'end after that time (ms)'
__hpmcount_option -s I -l interval -x -d 'tell counts of each interval (ms)'
__hpmcount_option -s r -l repeat -x -d 'run it so often'
__hpmcount_option -l warmup -x -d 'uncounted runs before'
__hpmcount_option -s a -l aggregate -d 'one report of all tasks of a job'
__hpmcount_option -s o -l output -r -F -d 'write a performance file'
__hpmcount_option -l html -r -F -d 'write a page for a browser'
__hpmcount_option -l log -r -F -d 'write the report to a file'
__hpmcount_option -l log-fd -x -d 'write the report to an open file descriptor'
__hpmcount_option -l append -d 'add the report to that file'
__hpmcount_option -s u -l unique -d 'task and process id in the names'
__hpmcount_option -l format -x -a 'text csv json' -d 'how the report looks'
__hpmcount_option -s v -l verbose -d 'report all there is'
__hpmcount_option -s x -l formulas -d 'show formulas of metrics'
__hpmcount_option -l precision -x -a 'single double' -d 'judge metrics for it'
__hpmcount_option -s n -l no-report -d 'no report on standard error'
__hpmcount_option -l library -x -a 'blas fftw lapack libm mpi' -d 'measure calls of shared libraries'
__hpmcount_option -l section -x -d 'measure functions of a program as it is'
__hpmcount_option -l entry-only -d 'with --section, count calls only'
__hpmcount_option -l functions -x -d 'measure functions compiled with -finstrument-functions'
__hpmcount_option -l mpi -d 'take the time of calls of MPI'
__hpmcount_option -l openmp -a 'regions libomp' -d 'take the time that threads of OpenMP wait'
__hpmcount_option -l yes-launcher -d 'count a launcher itself'
__hpmcount_option -s h -l help -d 'a short help'
__hpmcount_option -s V -l version -d 'the version'
functions -e __hpmcount_option
