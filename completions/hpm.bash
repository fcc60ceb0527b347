# SPDX-License-Identifier: BSD-3-Clause
# bash completion for hpm(1).  What there is comes from its own help, so that a
# new subcommand or option needs nothing here.

# The names that "hpm help" lists.
_hpm_subcommands()
{
    "${COMP_WORDS[0]}" help 2>/dev/null |
        awk '/^Subcommands:/ { inside = 1; next }
             /^$/ { inside = 0 }
             inside { print $1 }'
}

# The options in the help of a subcommand.
_hpm_options()
{
    "${COMP_WORDS[0]}" help "$1" 2>/dev/null |
        grep -oE '^  +(-[a-zA-Z], )?--[a-z-]+' | grep -oE -e '-[-a-zA-Z]+'
}

# The metrics, and so the hints, that there are for this machine.
_hpm_metrics()
{
    "${COMP_WORDS[0]}" metrics --all 2>/dev/null |
        awk '/^metric \(-m\)/ { inside = 1; next }
             /^$/ { inside = 0 }
             inside { print $1 }'
}

# Words beginning with the one under the cursor.
_hpm_reply()
{
    local IFS=$'\n'
    COMPREPLY=($(compgen "$@"))
}

_hpm()
{
    local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
    local subcommand=${COMP_WORDS[1]}

    # bash takes "=" for a word of its own
    [[ $word == '=' ]] && word=
    [[ $previous == '=' ]] && previous=${COMP_WORDS[COMP_CWORD - 2]}

    if ((COMP_CWORD == 1)) || [[ $COMP_CWORD == 2 && $subcommand == help ]]; then
        _hpm_reply -W "$(_hpm_subcommands)" -- "$word"
        return
    fi
    case $subcommand$previous in
    report--by) _hpm_reply -W $'section\ntree\ntask\nthread\nmetric\nfile\nsymbol\nline\nmodule\ncall\nstack' -- "$word" ;;
    report--format) _hpm_reply -W $'text\ncsv\njson\nhtml' -- "$word" ;;
    report--sort)
        _hpm_reply -W $'excl\nincl\ncalls\nshare\nimbalance\nlost\nbad\ntasks\nthreads\nlabel\npath\nfile\nline\nid' -- "$word"
        ;;
    compare--format) _hpm_reply -W $'text\njson\nmarkdown' -- "$word" ;;
    calls--format | components--format | factors--format | functions--format | outliers--format | diff--format | probes--format) _hpm_reply -W $'text\ncsv\njson' -- "$word" ;;
    cluster--format) _hpm_reply -W $'text\ncsv\njson\nsvg\nnewick' -- "$word" ;;
    cluster--picture) _hpm_reply -W $'ratios\npoints\nweights\ntree' -- "$word" ;;
    cluster--linkage) _hpm_reply -W $'ward\naverage\ncomplete\nsingle' -- "$word" ;;
    *--scale) _hpm_reply -W $'z\nrange\nrobust\nnone' -- "$word" ;;
    points--format) _hpm_reply -W $'csv\nnpz' -- "$word" ;;
    *--precision) _hpm_reply -W $'single\ndouble' -- "$word" ;;
    probesprobes) _hpm_reply -W $'define\nlist\nremove' -- "$word" ;;
    *--filter | *--arch | *--max-memory | *--threads) ;;
    *)
        if [[ $word == -* ]]; then
            _hpm_reply -W "$(_hpm_options "$subcommand")" -- "$word"
        elif [[ $subcommand == explain ]]; then
            _hpm_reply -W "$(_hpm_metrics)" -- "$word"
        else
            _hpm_reply -f -- "$word"
        fi
        ;;
    esac
}

complete -o filenames -F _hpm hpm
