# SPDX-License-Identifier: BSD-3-Clause
# fish completion for hpmviz(1)

complete -c hpmviz -s p -l print -d 'print the report'
complete -c hpmviz -l export-csv -r -F -d 'write a table'
complete -c hpmviz -l screenshot -r -F -d 'draw the window into a file'
complete -c hpmviz -l dark -d 'light text on dark'
complete -c hpmviz -l compare -d 'what changed between runs'
complete -c hpmviz -l view -x -a 'sections trees distribution scatter' \
    -d 'what is drawn'
complete -c hpmviz -l section -x -d 'section of the distribution'
complete -c hpmviz -l metric -x -d 'metric of trees or distribution'
complete -c hpmviz -l topology -x -d 'grid of the tasks'
complete -c hpmviz -l source-path -x -a '(__fish_complete_directories)' \
    -d 'where sources are now'
complete -c hpmviz -l search -x -a '(__fish_complete_directories)' \
    -d 'look for sources below'
complete -c hpmviz -l version -d 'the version'
complete -c hpmviz -s h -l help -d 'a short help'
