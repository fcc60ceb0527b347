# SPDX-License-Identifier: BSD-3-Clause
# bash completion for hpmcount(1)

# The first column of `hpmcount -l`: of the table of events, sets or
# metrics.
_hpmcount_names()
{
    "${COMP_WORDS[0]}" -l 2>/dev/null |
        awk -v table="$1" '
            /^(event \(-e\)|set \(-s\)|metric \(-m\))/ { inside = $1 == table; next }
            /^$/ { inside = 0 }
            inside && $1 !~ /^-+$/ { print $1 }'
}

# Words beginning with the one under the cursor.
_hpmcount_reply()
{
    local IFS=$'\n'
    COMPREPLY=($(compgen "$@"))
}

_hpmcount()
{
    local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
    local options='-e --events -s --set -m --metrics --sample --chains --delay --share --audit --mpi --openmp --functions --library --section --entry-only -l --list
        -p --pid -t --tid -A --all-cpus -C --cpu --cgroup --per-thread --per-core --timeout
        -I --interval
        -r --repeat --warmup -a --aggregate -o --output --html --log --log-fd
        --append -u --unique --format -v --verbose -x --formulas
        --precision -n --no-report
        --yes-launcher -h --help -V --version'
    local takes_value=' -e --events -s --set -m --metrics --sample --chains --delay --functions --library --section -p --pid -t --tid -C --cpu --cgroup --timeout
        -I --interval -r --repeat --warmup -o
        --output --html --log --log-fd --format --precision '
    local i

    # bash takes "=" for a word of its own
    [[ $word == '=' ]] && word=
    [[ $previous == '=' ]] && previous=${COMP_WORDS[COMP_CWORD - 2]}

    # what follows the program's name is the program's affair
    for ((i = 1; i < COMP_CWORD; i++)); do
        if [[ ${COMP_WORDS[i]} == -- ]]; then
            ((i++))
            break
        elif [[ ${COMP_WORDS[i]} == '=' ]]; then
            ((i++))
        elif [[ ${COMP_WORDS[i]} != -* ]]; then
            break
        elif [[ ${takes_value//$'\n'/ } == *" ${COMP_WORDS[i]} "* &&
                ${COMP_WORDS[i + 1]} != '=' ]]; then
            ((i++))
        fi
    done
    if ((i < COMP_CWORD)); then
        if declare -F _command_offset >/dev/null; then
            _command_offset "$i"
        else
            _hpmcount_reply -f -- "$word"
        fi
        return
    fi

    case $previous in
    -e | --events)
        local before=
        [[ $word == *,* ]] && before=${word%,*},
        _hpmcount_reply -P "$before" -W "$(_hpmcount_names event)" \
            -- "${word##*,}"
        ;;
    -m | --metrics)
        local before=
        [[ $word == *,* ]] && before=${word%,*},
        _hpmcount_reply -P "$before" -W "$(_hpmcount_names metric)" \
            -- "${word##*,}"
        ;;
    -s | --set) _hpmcount_reply -W "$(_hpmcount_names set)" -- "$word" ;;
    --format) _hpmcount_reply -W $'text\ncsv\njson' -- "$word" ;;
    --precision) _hpmcount_reply -W $'single\ndouble' -- "$word" ;;
    --openmp)
        [[ ${COMP_WORDS[COMP_CWORD]} == '=' ||
            ${COMP_WORDS[COMP_CWORD - 1]} == '=' ]] &&
            _hpmcount_reply -W $'regions\nlibomp' -- "$word"
        ;;
    -o | --output | --log) _hpmcount_reply -f -- "$word" ;;
    -p | --pid)
        local before=
        [[ $word == *,* ]] && before=${word%,*},
        _hpmcount_reply -P "$before" -W "$(cd /proc && printf '%s\n' [0-9]*)" \
            -- "${word##*,}"
        ;;
    --chains) COMPREPLY=($(compgen -W "fp no" -- "$word")) ;;
    --library)
        local before=
        [[ $word == *,* ]] && before=${word%,*},
        _hpmcount_reply -P "$before" -W $'blas\nfftw\nlapack\nlibm\nmpi' \
            -- "${word##*,}"
        ;;
    --sample | --functions | --section | --delay | -t | --tid | -C | --cpu | --cgroup | --timeout) ;;
    -I | --interval | -r | --repeat | --warmup) ;;
    *)
        if [[ $word == -* ]]; then
            _hpmcount_reply -W "$(printf '%s\n' $options)" -- "$word"
        else
            _hpmcount_reply -c -- "$word"
        fi
        ;;
    esac
}

complete -o filenames -F _hpmcount hpmcount
