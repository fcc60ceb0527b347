# SPDX-License-Identifier: BSD-3-Clause
# bash completion for hpmviz(1)

_hpmviz()
{
    local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
    local options='-p --print --export-csv --screenshot --dark --compare
        --view --section --metric --topology --source-path --search --version
        -h --help'
    local IFS=$'\n'

    # bash takes "=" for a word of its own
    [[ $word == '=' ]] && word=
    [[ $previous == '=' ]] && previous=${COMP_WORDS[COMP_CWORD - 2]}
    if [[ $previous == --export-csv || $previous == --screenshot ]]; then
        COMPREPLY=($(compgen -f -- "$word"))
    elif [[ $previous == --view ]]; then
        COMPREPLY=($(compgen -W $'sections\ntrees\ndistribution\nscatter' \
            -- "$word"))
    elif [[ $previous == --search ]]; then
        COMPREPLY=($(compgen -d -- "$word"))
    elif [[ $previous == --source-path ]]; then
        COMPREPLY=($(compgen -d -- "${word##*=}"))
    elif [[ $word == -* ]]; then
        COMPREPLY=($(compgen -W "${options// /$'\n'}" -- "$word"))
    else
        COMPREPLY=($(compgen -d -- "$word")
            $(compgen -f -X '!*.hpm.xml*' -- "$word"))
    fi
}

complete -o filenames -F _hpmviz hpmviz
