/* SPDX-License-Identifier: BSD-3-Clause
 * For translators, not for a compiler: what 'hpm help NAME' says of subcommands and
 * their options, as hpm/frame/helptext.c looks it up.  tests/cli/german.py wants of
 * each that it is in a help, and of each help that all of it is here. */

N_("Read each file of definitions over the shipped ones, choose it for any "
   "machine and for each PMU it names, and print what is wrong, a line "
   "each, with file, line, column, word, and what was expected or meant.")
N_("of each PMU, too: events libpfm4 does not know or encodes wrongly, "
   "generic metrics that cannot be measured and what they lack, parts of "
   "hierarchies nobody counts, constants nobody set, sets that need more "
   "counters than there are, limits without a source")
N_("only the native events, a line \"PMU EVENT known|wrong|unknown|untold\" "
   "each")
N_("Exit status: 0 no fault, 1 faults, 2 wrong usage, 3 no file can be "
   "read, 4 the faults cannot be written.")
N_("Say what can be counted on this machine, and why not more: the cause, "
   "the remedy, and all that was looked at, a line each.")
N_("measure instead what measuring costs, in time and in every counter, and "
   "what is left of it in results")
N_("find out which events count right here, by code of which the counts are "
   "known, and keep that for this machine")
N_("measure how fast this machine can calculate and read memory, and keep "
   "that for this machine: what programs do is compared with it")
N_("with --overhead and --verify: what to count")
N_("for programs to read")
N_("Exit status: 0 hardware counters can be used (with --overhead and "
   "--roofs: it was measured; with --verify: none counts wrongly), 1 they "
   "cannot, or in part (some count wrongly), 2 wrong usage, 3 it could not "
   "be measured or kept, 4 output failed.")
N_("Print of each metric what it means, how it is computed and where that "
   "is defined, its unit and range, its limits and where they come from, "
   "what raises and lowers it, whether and by which events it can be "
   "measured here, what to do where it is bad, and what it is made of.  "
   "Names of sets, constants and events are explained, too, and those that "
   "need no counter, such as time::wall.")
N_("list the metrics that give a hint where they are bad")
N_("on another processor, as its definitions describe it")
N_("Exit status: 0 all explained, 1 some are unknown, 2 wrong usage, 3 all "
   "are unknown, 4 it cannot be written.")
N_("List the functions of a program or shared library, where they are, and "
   "whether the kernel can watch them in the program as it is: at entry and "
   "return, at the entry only, or not at all, and why. A PATTERN is a name, "
   "which may have * ? [], or file:NAME of the source; !PATTERN leaves "
   "functions out.")
N_("Exit status: 0 listed, 1 no function for some patterns, 2 wrong usage, 3 "
   "nothing to list, 4 the list cannot be written.")
N_("Only root may set probes in programs. Define them once for the functions "
   "that other users may measure by 'hpmcount --section'; list shows the "
   "probes in all programs and whose they are, and what users may do; remove "
   "takes away those of define.")
N_("for users' 'hpmcount --entry-only', which counts calls alone")
N_("those in all programs")
N_("Exit status: 0 done, 1 some probes are in use, 2 wrong usage, 3 not "
   "allowed or nothing found, 4 the list cannot be written.")
N_("Turn files of a processor's vendor into a file of definitions: events "
   "with their codes, metrics with formulas, hierarchy, limits and the "
   "event to sample.  FILEs are Intel's lists of events, metrics and "
   "latencies, Arm's lists of events and telemetry specifications, the "
   "kernel's pmu-events, tables with tabs, and the mapfile.csv that says "
   "which processor each is for; all may be packed by gzip.  What cannot be "
   "turned is named with the reason.")
N_("write OUT; - is standard output (default); no file is ever replaced")
N_("the processor's name in definitions, where no file says it")
N_("with --arch: what such processors identify themselves by, as hpm doctor "
   "prints it; * ? [] as in file names, with commas")
N_("take the vendor's descriptions, too")
N_("Exit status: 0 all turned, 1 some files, events, metrics or parts were "
   "not, 2 wrong usage, 3 nothing usable, 4 OUT cannot be written.")
N_("List the metrics that can be measured on this machine, entirely or in "
   "part, and the sets of the definitions.")
N_("those that cannot be measured here, too")
N_("as JSON")
N_("those of another processor, as its definitions describe it")
N_("Exit status: 0 listed, 2 wrong usage, 4 the list cannot be written.")
N_("Put the events of metrics into as few runs as possible.  The events of "
   "a difference are counted in one run where the counters can hold them, "
   "those of a ratio where that takes no run more; metrics whose events are "
   "in several runs are listed.  Cycles and instructions are added to every "
   "run that has room for them: they tell whether two runs did the same.")
N_("these events")
N_("metrics, sets of the definitions, or all (default without -e)")
N_("with all parts of their hierarchies, as all has them")
N_("for the processor of that name, as its definitions describe it; "
   "without: for this machine, tried out")
N_("with --on: so many general counters, whatever the definitions say")
N_("a line a run: its events, as hpmcount -e and HPM_EVENTS expect them")
N_("Exit status: 0 planned, 1 planned without events that cannot be counted "
   "here, 2 wrong usage, 3 nothing of it can be counted, 4 the plan cannot "
   "be written.")
N_("Print what the performance files of a run say: sections by time, how it "
   "is spread over threads, and metrics. Several files are merged first. A "
   "FILE may be a folder, a pattern in quotes, or - for standard input.")
N_("section (the default), tree, task, thread, metric, file; of samples: "
   "symbol, line, module; with callers: call, and stack, folded for flame "
   "graphs")
N_("excl (the default), incl, calls, share, imbalance, lost, bad, label, "
   "file ..., a counter or metric; -KEY reversed")
N_("only lines like: 'sweep* and IPC < 1', 'IPC = bad', 'file = *.f or "
   "share > 10'")
N_("text (the default), csv, json, html: a page to send")
N_("html: each FILE an experiment, beside the others")
N_("html: source lines of the sections are in it, too")
N_("write OUT, which replaces nothing, packed by gzip where it ends in .gz; "
   "- is standard output")
N_("metrics as they are defined for this processor")
N_("judge metrics for single or double (the default)")
N_("merge what does not look like one run")
N_("for each section the totals, and how the values of the tasks' threads "
   "lie; nothing of single tasks")
N_("what the files may take: 500M, 2G (half of the memory)")
N_("read by N threads (as many as there are processors)")
N_("COLUMNS sets the width of text; NO_COLOR keeps colours off.")
N_("Exit status: 0 good, 1 some files are bad, each is named, 2 wrong "
   "usage, 3 nothing usable, 4 the report cannot be written.")
N_("Put the tasks of one run (same program, same job, at the same time) "
   "into one file. What is not of the run, and what cannot be read, is "
   "named and left out. A FILE may be a folder, a pattern in quotes, or - "
   "for standard input.")
N_("write OUT; packed by gzip where it ends in .gz; - is standard output; "
   "no file is ever replaced")
N_("what a file, and the result, may take: 500M, 2G (half of the memory)")
N_("combine what does not look like going together")
N_("Exit status: 0 good, 1 some files are bad, each is named, 2 wrong "
   "usage, 3 nothing usable, 4 OUT cannot be written.")
N_("Average runs of one program: each value becomes the mean over the runs, "
   "with their number, standard deviation, smallest and largest. Each FILE "
   "is a run; one of many tasks is merged first. Metrics are computed again.")
N_("Subtract A from B: each value with what it was in A. Sections that only "
   "one side has stay and say which. A side that is a folder or a pattern "
   "is merged first.")
N_("of samples: which functions (symbol), lines or modules grew")
N_("of --by: text (default), csv or json")
/* xgettext:no-c-format */
N_("Run commands mixed in an order by chance, or take files of runs, and "
   "say for time, memory and every counter how B differs from A: the ratio "
   "of the medians with its 95 % interval, whether it differs, and the "
   "smallest difference these runs could have shown.")
N_("run each command N times (10; with --until at most 300)")
N_("stop as soon as a difference is found, or one of so much would have "
   "been, or it cannot be hoped for")
N_("first run each command N times uncounted")
N_("have the shell run LINE before each run")
N_("count these events (instructions, cycles, page-faults)")
N_("the commands measure themselves, by libhpm")
N_("compare only these metrics")
N_("compare only sections of such a path or label")
N_("of files with samples: their functions, too")
N_("files may be of programs of different names")
N_("take files of runs that failed, too")
N_("let the commands print")
N_("go on when a command fails")
N_("keep the performance files of all runs in a new folder")
N_("exit status 1 where such a limit is crossed: 'TIME > +3 %', '*@solve: "
   "INSTRUCTIONS > +1 %'")
N_("A is what FILE has of earlier runs")
N_("write the runs of the last command to FILE")
N_("run one command with {NAME}, and the variable NAME, of each value: "
   "table and plot of the speed-up")
N_("draw the plot of --sweep")
N_("text, json or markdown")
N_("of the order of the runs")
N_("Exit status: 0 no limit is crossed, 1 one is, or some files are bad, 2 "
   "wrong usage, 3 nothing could be compared, or a command failed, 4 output "
   "failed, 128 + the number of the signal that interrupted it.")
N_("Bring together runs of one program that counted different counters. "
   "What several of them counted is averaged; metrics are computed again, "
   "from all counters. A run whose cycles or instructions are far from "
   "those of the others is named.")
N_("how far that is, in per cent of the median (5)")
N_("Run a program as often as its counters are too few for the metrics "
   "wanted (see 'hpm help plan'), each time with other events, and put the "
   "runs together as 'hpm integrate' does.  What was made stays in a "
   "folder: the same command goes on where it was interrupted.  A run whose "
   "cycles or instructions are far from those of the others is named.")
N_("run the program N times for each set")
N_("all sets once, then all again; otherwise N runs of one set, then of the "
   "next")
N_("the program measures itself, by libhpm: its files are put together; "
   "otherwise hpmcount counts all of it")
N_("how far the runs may be apart, in per cent of the median (5)")
N_("write OUT (PROGRAM.hpm.xml)")
N_("what the runs write (PROGRAM.campaign)")
N_("no report at the end")
N_("Exit status: 0 good, that of the program where it is not 0 (128 + the "
   "number of the signal that ended it), and of hpm's own: 1 some files are "
   "bad, or some events cannot be counted, 2 wrong usage, 3 nothing can be "
   "counted, 4 something cannot be written.")
/* xgettext:no-c-format */
N_("Count the events twice: in as many runs as it takes to count each of "
   "them all the time ('hpm campaign'), and in one run in which they take "
   "turns (HPM_SHARE).  Print by how much the two disagree in each section, "
   "and draw it, with 95 % intervals.")
N_("the program measures itself, by libhpm; otherwise hpmcount counts all "
   "of it")
N_("what is written, a new folder (PROGRAM.audit)")
N_("Exit status: 0 good, that of the program where it is not 0, and of "
   "hpm's own: 1 some events cannot be counted, 2 wrong usage, 3 nothing "
   "can be counted, 4 something cannot be written.")
N_("Take a part of an experiment; several FILEs are merged first.")
N_("only the sections of this label, and what is inside them")
N_("all but these and what is inside them, as if they had not been marked")
N_("Print a line for each thread of each section, a column for each metric: "
   "the table that other programs for statistics take. Several files are "
   "merged first. A FILE may be a folder, a pattern in quotes, or - for "
   "standard input.")
N_("only sections with these labels or patterns: 'solve, io*'")
N_("columns: metrics, counters, IncSec, ExcSec, Count by name or pattern: "
   "'IPC, L1*' (all metrics)")
N_("counters instead of metrics")
N_("what is the section's own, without sections inside it")
N_("single calls (HPM_CALLS) instead of threads")
N_("csv (the default); npz: arrays that NumPy, pandas and R read")
N_("write OUT, which replaces nothing; - is standard output")
N_("Show how the calls of a section differ that HPM_CALLS has kept: "
   "quantiles, a histogram, how they change during the run, and phases "
   "where there are some beyond doubt. Several files are merged first. A "
   "FILE may be a folder, a pattern in quotes, or - for standard input.")
N_("the section (the one with the most time)")
N_("what to show, by name or pattern: 'IncSec, L1*' (IncSec)")
N_("all counters")
N_("csv: quantiles (the usual one), histogram")
N_("svg: histogram (the default), drift")
N_("text (the default), csv, json, svg")
N_("text (the default), csv, json")
N_("Find groups of threads that behave alike in a section, and say which "
   "metrics tell the groups apart. Several files are merged first. A FILE "
   "may be a folder, a pattern in quotes, or - for standard input.")
N_("csv: another table than the usual one")
N_("z (the default): each column less its mean, by its deviation; range: "
   "from 0 to 1; robust: by medians; none")
N_("make K groups (as many as tell most, if they are natural)")
N_("as many as the gap statistic says, which may be one: none")
N_("groups by a cut of the tree, not by k-means")
N_("of the tree: ward (the default), average, complete, single")
N_("of k-means, which starts by chance")
N_("text (the default), csv, json; the tree: svg, newick")
N_("Find the principal components of the threads of a section: few "
   "directions, made of all metrics, in which the threads differ most. "
   "Several files are merged first. A FILE may be a folder, a pattern in "
   "quotes, or - for standard input.")
N_("Find groups of metrics that rise and fall together over the threads of "
   "a section, so that one of each group is enough. Several files are "
   "merged first. A FILE may be a folder, a pattern in quotes, or - for "
   "standard input.")
N_("so many factors (as many as say more than a metric does)")
N_("a loading from T on puts a metric into a group (0.5)")
N_("of the fit, which starts by chance, too")
N_("Find threads that behave as no other does, by a distance that they "
   "themselves cannot stretch, and say what is odd in them. Several files "
   "are merged first. A FILE may be a folder, a pattern in quotes, or - for "
   "standard input.")
N_("Make performance files of the journals (HPM_CHECKPOINT), cut "
   "performance files and temporary files in a folder, the current one if "
   "none is named. Mark them incomplete, and replace no file.")
N_("move a leftover into the folder hpm-leftovers beside it, once a whole "
   "file, which a line names, has all its data, or once it is empty; "
   "anything else stays, and a line says why")
N_("with --clean: delete these files instead of moving them")
N_("only print what would happen")
N_("Exit status: 0 good, 1 something could not be recovered, a line names "
   "it, 2 wrong usage, 3 nothing could be, 4 a file cannot be written.")
