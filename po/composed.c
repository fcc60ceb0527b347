/* SPDX-License-Identifier: BSD-3-Clause
 * For translators, not for a compiler: sentences that lib/ puts together of parts,
 * each as the format that would make it (study/words/sentence.c). */

/* lib/report/sections.c */
N_("%s: shared the hardware with other counters: counted as little as %s %% of "
   "the time, and scaled up; how far that is off (+-?) nobody knows")
N_("%s: shared the hardware with other counters: counted as little as %s %% of "
   "the time, and scaled up; +- is its 95 %% interval")
N_("%s: in %s section too short to tell: an estimate needs 4 separate times "
   "with "
   "the counter")
N_("%s: in %s sections too short to tell: an estimate needs 4 separate times "
   "with the counter")
N_("%s: in part not counted: %s")
N_("%s: not counted: %s")
N_("no hardware counters: %s")
N_("sections left open were measured until the library closed them")
N_("measuring took %s s in thread sections, which is subtracted: %s us for a "
   "start and stop")
N_("%s (%s times)")

/* lib/source/eventset.c */
N_("not counted: %s: %s")

/* lib/source/obstacle.c */
N_("%s; %s")

/* lib/metric/metricvalue.c */
N_("needs 'if %s' to hold")
N_("needs '%s', of which some of the runs have no value")
N_("needs '%s', which belongs to the process: each thread's value has what all "
   "threads did meanwhile")
N_("needs '%s', which belongs to the node: each task's value has what all did "
   "there meanwhile")
N_("needs '%s', the sum of which may have twice what forked processes did")
N_("needs '%s' of the whole run: of a section it is only by how much the "
   "maximum "
   "grew there")

/* lib/model/experiment.h, which hpmviz includes, too: GLib has an N_ of its own */
N_("too short to tell: an estimate needs 4 separate times with the counter")
N_("only its exclusive value was measured (HPM_ONLY_EXCLUSIVE)")
N_("only the calls are counted (--entry-only)")

/* lib/source/generic.c */
N_("loads that miss %s")
N_("loads that ask %s")
N_("stores that miss %s")
N_("stores that ask %s")
N_("prefetches that miss %s")
N_("prefetches that ask %s")

/* lib/inquiry/inquiry.c, lib/metric/request.c, lib/metric/roof.c */
N_("not measured: %s")
N_("measured in part: %s")
N_("'%s' needs 'if %s' to hold, the guard of '%s'")
N_("'%s' needs '%s', which cannot be counted here")
N_("'%s' needs '%s', which cannot be counted here: %s")
N_("it was not measured on this machine; run 'hpm doctor --roofs' once")

/* lib/base/env.c */
N_("%s is unknown; did you mean %s?")
N_("%s is unknown; see hpm-environment(7)")
N_("%s has no effect: %s")
N_("%s='%s' is neither yes nor no; ignored")
N_("%s='%s' is not a whole number; ignored")
N_("HPM_REPLAY has no effect without HPM_SOURCE=replay")

/* hpmcount/refusal.c */
N_("run hpmcount as root, or give it CAP_PERFMON (in a container: --cap-add "
   "PERFMON)")

/* hpmcount/profiler.c */
N_("%s records of samples are lost: a ring of %s KiB was full; sample less "
   "often, "
   "or raise kernel.perf_event_mlock_kb")
N_("of %s %s samples were to be expected and %s came: each of %s threads and "
   "processes has its first one after a whole period, so short ones have none; "
   "a "
   "shorter period shows them")

/* hpmcount/job.c */
N_("hpm is not found")
N_("hpm merge failed")
N_("hpm report failed")
N_("the report was made without this task, which ended too late")
N_("--html: there is no page")

/* hpmcount/webpage.c */
N_("it was ended by a signal")
N_("--html: there is no page, for no run ended well")
N_("--html: there is no page, for no run was kept")
N_("--html: %s failed run is not in the page")
N_("--html: %s failed runs are not in the page")

/* hpm/diagnosis */
N_("kernel")
N_("hardware")
N_("wrong codes")
N_("locked memory")
N_("descriptors")
N_("cores")
N_("capability")
N_("note")
N_("fault")
N_("none")
N_("no filter of system calls")
N_("a filter decides on system calls")
N_("unknown")
N_("reads 0")
N_("is refused")
N_("counts")
N_("%s shared a counter with other events, so single calls are not known; "
   "name fewer events with -e")
N_("in the section")
N_("around it")
N_("around an empty one")
N_("the clock read twice")
N_("empty")
N_("empty, first call")
N_("around a first call")
N_("scope")
N_("where")
N_("when")
N_("what")
N_("start")
N_("end")

/* hpm/roofs */
N_("double precision, the fastest")
N_("single precision, the fastest")
N_("reading from level 1")
N_("reading from level 2")
N_("reading from level 3")
N_("reading from memory")
N_("double precision, one number")
N_("double precision, one number, without multiply-add")
N_("double precision, vectors of %s bits")
N_("double precision, vectors of %s bits, without multiply-add")
N_("double precision, SVE vectors of %s bits")
N_("double precision, compiled C")
N_("single precision, one number")
N_("single precision, one number, without multiply-add")
N_("single precision, vectors of %s bits")
N_("single precision, vectors of %s bits, without multiply-add")
N_("single precision, SVE vectors of %s bits")
N_("single precision, compiled C")
N_("this machine does not tell of such a cache")
N_("what it has for each processor is less than four times what the level "
   "before it has")
N_("too little memory is free for four times the last cache")
N_("roof")
N_("1 processor")
N_("spread %")

/* hpm/verify */
N_("should count")
N_("found")
N_("right")
N_("moves")
N_("still")
N_("not tried")
N_("dead")
N_("stuck")
N_("stops")
N_("unsteady")
N_("offset")
N_("kernel too")
N_("factor")
N_("another")
N_("off")
N_("%s: needs %s")
N_("at a second attempt; at first %s: %s")
N_("others had its counter part of the time")

/* hpm/frame/inputs.c, study/file */
N_("%s: and %s more of this kind")
N_("a folder")
N_("a pipe, a socket or a device")
N_("the file is cut or damaged from line %s on")
N_("%s: the file is cut or damaged from line %s on")
N_("data without a name")
N_("the same data a second time in one record")
N_("the file has no number here")
N_("the file has no value")
N_("the file does not say why")
N_("not a whole number in the range from 0 up")
N_("not a whole number in the range")
N_("none of the words known here")
N_("counted behind a call; left out")
N_("calls without 'of', or more of them than it says; left out")

/* what stands beside results and reports */
N_("task %s is missing: %s of %s")
N_("tasks %s are missing: %s of %s")
N_("%s file was left out: %s")
N_("%s files were left out: %s")
N_("%s is a process that task %s forked (process %s)")
N_("%s are processes that task %s forked (process %s)")
N_("%s is a process that process %s forked, of which there is no file")
N_("%s are processes that process %s forked, of which there is no file")
N_("process sections count what forked processes did meanwhile, too: a sum "
   "over such a process and the one that forked it counts that twice")

/* study/report */
N_("incomplete: %s")
N_("the file says so")
N_("the program was ended by signal %s")
N_("the program ended with exit status %s")
N_("its process was still there; recovered from the latest checkpoint in "
   "its journal")
N_("the processor's definitions were not known")
N_("no value in %s of %s records")
N_("partial: process sections count what forked processes did, too, so it "
   "may have that twice")
N_("partial: of %s threads only the mean is known, not the longest (they are "
   "beyond HPM_MAX_THREADS, or the file is a summary and the section on several "
   "call paths)")
N_("partial: a mean that lacks runs of which the value is not known, or a "
   "sum of means of different numbers of runs")
N_("partial: %s %% of the exclusive value is of calls whose inclusive value "
   "was not measured (HPM_ONLY_EXCLUSIVE)")
N_("shared %s %%")
N_("shared %s %% in %s")
N_("brief %s %%")
N_("%s ! %s of %s")
N_("%s ?! %s of %s")
N_("! %s of %s")
N_("?! %s of %s")
N_("too short")
N_("sum of %s")
N_("excl s")
N_("incl s")
N_("share %")
N_("sect %")
N_("imbal %")
N_("lost s")
N_("min s")
N_("mean s")
N_("dev s")
N_("dev")
N_("mean")
N_("change")
N_("change %")
N_("change s")
N_("excl a s")
N_("excl b s")
N_("only in")
N_("together")
/* xgettext:no-c-format */
N_("% of root")
N_("run dev")
N_("run min")
N_("run max")
N_("run dev s")
N_("run min s")
N_("run max s")
N_("thread section")
N_("process section")
N_("  thread section")
N_("  process section")
N_("file (processes)")
N_("file (threads)")
N_("  metric")
N_("  task")
N_("(outside sections)")

/* hpm/recover, as whole lines */
N_("nothing to recover")
N_("to undo a move, move the file back; what is in 'hpm-leftovers' is "
   "needed for nothing else")
N_("%s: deleted; all of it is in %s")
N_("%s: deleted; nothing is in it")
N_("%s: moved to %s; all of it is in %s")
N_("%s: moved to %s; nothing is in it")
N_("%s: would be deleted; all of it is in %s")
N_("%s: would be deleted; nothing is in it")
N_("%s: would be moved to %s; all of it is in %s")
N_("%s: would be moved to %s; nothing is in it")
N_("%s: the journal of its run gave %s")
N_("%s: would be made: %s")
N_("%s: was recovered before: %s")
N_("%s record of %s, up to %s s of the run, from %s")
N_("%s records of %s, up to %s s of the run, from %s")
N_("%s: %s record of %s, up to %s s of the run, from %s")
N_("%s: %s records of %s, up to %s s of the run, from %s")
N_("%s, parts of which are damaged, or were being written: what is in them "
   "is from an earlier checkpoint, or missing")
N_("%s: %s whole record, from %s")
N_("%s: %s whole records, from %s")
N_("%s whole record, from %s")
N_("%s whole records, from %s")

/* hpm campaign */
N_("%s of %s runs are made; about %s s are left")
N_("; the run is made once more")
N_(", the second time, too: what the others would have counted is missing "
   "in the result")
N_("give that command again as it was, or name another folder with --folder")

/* hpm/campaign/auditing.c */
N_("alone")
N_("shared")
N_("windows")
N_("truth in interval")
N_("only in the shared run")
N_("not in the shared run")
N_("not counted alone")
N_("too short to tell")
N_("never on the hardware")
N_("counted all the time")
N_("error not known")
N_("inside")
N_("outside")

/* hpm check */
N_("%s: %s statement, no fault")
N_("%s: %s statements, no fault")
N_("%s: note: '%s' (line %s) is taken for an event of another machine, not "
   "for '%s'")
N_("%s: note: '%s' (line %s) is no PMU of libpfm4 or of other definitions")
N_("%s: note: '%s' (line %s) is no PMU of other definitions; libpfm4, which "
   "may know it, is missing here")
N_("%s: leaves %s fault in other files; the first: %s")
N_("%s: leaves %s faults in other files; the first: %s")
N_("%s: and %s more")
N_("did you mean '%s'?")
N_("  events     %s, not checked: libpfm4 is missing here")
N_("  events     %s, not checked: libpfm4 of this machine lacks the PMU")
N_("  events     %s, libpfm4 knows %s and encodes %s of them wrongly")
N_("  events     %s, libpfm4 knows %s")
N_("  fault      there is no event '%s'")
N_("  refused    %s")
N_("  missing    %s needs %s")
N_("  metrics    %s of the %s generic ones")
N_("  missing    '%s' of '%s'")
N_("  missing    the constant '%s'")
N_("  fault      the limits of '%s' have no source")
N_("  fault      the set '%s' takes %s counters of %s")
N_("  fault      the set '%s' wants one counter for several events (see the "
   "sets COUNTER_1 to COUNTER_%s)")
N_("  sets       %s, for %s counters")

/* hpm explain */
N_("there is no metric '%s'; did you mean '%s'?")
N_("there is no metric '%s'; these are about it: %s")
N_("there is no metric '%s'; 'hpm metrics --all' lists them")
N_("hint")
N_("bad")
N_("here")

/* study/compare, as whole lines */
N_("%s takes %s times as long as A (%s to %s, 95 %%).")
N_("%s takes %s more time than A (%s to %s, 95 %%).")
N_("%s takes %s less time than A (%s to %s, 95 %%).")
N_("%s takes %s less time than A, 1/%s of it (%s to %s, 95 %%).")
N_("%s and A: no difference in time was found; one of %s would have been.")
N_("%s and A: %s run of each cannot show a difference in time; %s of each "
   "can.")
N_("%s and A: %s runs of each cannot show a difference in time; %s of each "
   "can.")
N_("%s and A: %s run beside %s of A cannot show a difference in time; %s of "
   "each can.")
N_("%s and A: %s runs beside %s of A cannot show a difference in time; %s "
   "of each can.")
N_("%s and A: %s run of each cannot show a difference in time among so many "
   "tests; %s of each can, or fewer tests (hpm compare --only, --section).")
N_("%s and A: %s runs of each cannot show a difference in time among so "
   "many tests; %s of each can, or fewer tests (hpm compare --only, "
   "--section).")
N_("%s and A: %s runs beside %s of A cannot show a difference in time among "
   "so many tests; %s of each can, or fewer tests (hpm compare --only, "
   "--section).")
N_("%s has %s more %s than A (%s), the same in every run.")
N_("%s has %s fewer %s than A (%s), the same in every run.")
N_("%s has %s times the %s of A (%s to %s, 95 %%).")
N_("%s has %s more %s than A (%s to %s, 95 %%).")
N_("%s has %s fewer %s than A (%s to %s, 95 %%).")
N_("%s has %s less %s than A (%s to %s, 95 %%).")
N_("%s: most of the difference is in %s.")
N_("Noise: the time of one command is %s off its median, in the middle.")
N_("\"differs\" is wrong in at most 5 of 100 comparisons of equals, over %s "
   "test.")
N_("\"differs\" is wrong in at most 5 of 100 comparisons of equals, over "
   "all %s tests.")
N_("\"differs\" is wrong in at most 5 of 100 comparisons of equals, over %s "
   "test and all looks.")
N_("\"differs\" is wrong in at most 5 of 100 comparisons of equals, over "
   "all %s tests and all looks.")
N_("Runs took turns in an order by chance (--seed %s).")
N_("To see %s of %s differ by %s would take about %s runs of")
N_("each on this machine as it is now; a count that repeats says it sooner.")
N_("Not counted: %s; hpm doctor says why.")
N_("%s ended with another status than 0 in %s of %s runs, last with %s.")
N_("A was measured at another time: times and memory may differ by what "
   "else the")
N_("machine did then; counts that repeat do not.")
N_("limit '%s': CROSSED by %s (%s)")
N_("limit '%s': CROSSED by %s in %s (%s)")
N_("limit '%s': held by %s")
N_("limit '%s': held by %s in %s")
N_("limit '%s': not known of %s: these runs are too few")
N_("limit '%s': not known of %s in %s: these runs are too few")
N_("limit '%s': not known of %s: these runs see no less than %s")
N_("limit '%s': not known of %s in %s: these runs see no less than %s")
N_("(run)")
/* xgettext:no-c-format */
N_("95 % interval")
N_("differs")
N_("would see")
N_("exact")
N_("any")
N_("exactly")
N_("too few runs")
N_("same")
N_("speed-up")
N_("efficiency")
N_("ratio")

/* headings of tables */
N_("calls")
N_("metric")
N_("'if %s' to hold, the guard of '%s'")
N_("'%s', which cannot be counted here")
N_("'%s', which cannot be counted here: %s")
N_("'%s', which cannot be counted on %s")
N_("'%s', which cannot be counted on %s: %s")

/* study/compare */
N_("there is no '>' or '<'")
N_("what follows the sign is no number of per cent")
/* xgettext:no-c-format */
N_("nothing can fall by 100 % or more")
N_("there is no metric")
N_("a number, or '-'")
N_("the heading 'hpm-baseline 1'; hpm compare --renew writes such a file")
N_("command, host, date, or time, size or count with a metric, a section "
   "and values")
N_("nothing behind the line 'end'")
N_("run has")
N_("runs have")

/* study/columns */
N_("a and b are summaries: all values, times too, are the sums over all "
   "threads, and how they lie is left out")
N_("a summary has the values of a metric in its spread only; they have no sum")
N_("samples and single calls of the task are left out: a summary has none")
N_("counts of process sections may have what a forked process did twice: the "
   "process that forked it has process sections, too, which count that")
N_("further problems: a summary names the first 100 only")
N_("left out, for the counts here do not give these metrics of the files "
   "again: %s")
N_("the runs left out different sections (HPM_ONLY, HPM_EXCEPT, HPM_SKIP): "
   "exclusive values of what is around these sections have them in some "
   "runs only")
N_("single calls (HPM_CALLS) are in %s of %s results; runs have no calls in "
   "common, so none is in this one: look at the files of single runs")
N_("samples are of %s of %s results; the others were not sampled")
N_("%s: its %s are %s %% below the median of the runs; was it another "
   "input, or a busy machine?")
N_("%s: its %s are %s %% above the median of the runs; was it another "
   "input, or a busy machine?")
N_("nothing shows whether %s of the %s runs did the same as the others, for "
   "they counted no cycles or instructions that another run counted as "
   "well; the first is %s")
N_("no run counted all that these metrics need, so their values combine "
   "runs: %s")
N_("the counter had no turn in this call")
N_("counted in b only")
N_("counted in a only")
N_("a is not complete: it is not known whether it entered the section")
N_("b is not complete: it is not known whether it entered the section")
N_("a left the section out (HPM_ONLY, HPM_EXCEPT or HPM_SKIP)")
N_("b left the section out (HPM_ONLY, HPM_EXCEPT or HPM_SKIP)")
N_(", of the same process; was it given twice?")
N_("; is it of another run (hpm mean)? hpm merge --force takes it as one "
   "more task")
N_("what was merged")
N_("an experiment")
N_("what it is made of has no value")
N_("a section cut out of it has no exclusive value")
N_("a section cut out overlapped those around it")

/* study/report/filter.c */
N_("the filter ends too early; expected %s")
N_("a quote at its end")
N_("a pattern such as sweep* or 'x y'")
N_("a number, or bad, neutral, good after =")
N_("a number")
N_("a label's pattern or a comparison")
N_("and, or, or the end")

/* study/points */
N_("no metric can be computed of what was counted: the columns are counters")
N_("%s records of threads beyond HPM_MAX_THREADS are no points: only their "
   "sums are known")
N_("%s is missing in %s of %s points: %s")
N_("%s is an estimate in %s of %s calls: its counters were on for a part of "
   "the call")
N_("partial")
N_("of a section too short to be measured")

/* study/analysis */
N_("How many groups? The pooled F is what differs between groups by what "
   "differs within them: the most tells most, unless it is still growing at "
   "the end. The silhouette says how much nearer points are to their own "
   "group than to the next: 1 is far apart, below 0.25 there are no natural "
   "groups.")
N_("What tells the groups apart? B/W is the spread between the groups by "
   "that within them: what differs most comes first. F is the same by their "
   "degrees of freedom, R2 the part of the spread that the groups explain. "
   "p only describes: the groups were made of these numbers.")
N_("How many components matter? Each is a direction in which the points are "
   "spread; its eigenvalue is how much, its proportion which part of all. "
   "Where the bars bend, the rest is chance.")
N_("What are they made of? A weight far from 0 says that the metric is a "
   "large part of the component; two metrics of one sign rise together "
   "along it, of different signs one falls as the other rises.")
N_("What goes with which factor? A loading is the correlation of a metric "
   "with a factor: 1 the same, 0 nothing, -1 the opposite. The uniqueness "
   "is the part of a metric that no factor explains, the communality all "
   "the rest.")
N_("How much does each factor explain? The sum of its squared loadings, and "
   "that as a part of all metrics.")
N_("Which metrics say the same? Those that load on the same factors: one of "
   "each group, the one with the largest loading, can stand for the others. "
   "Those on no factor go with nothing else.")
N_("What is odd in them? How far a metric is above or below its median, in "
   "1.4826 times the median distance from it (a deviation, of normal "
   "values).")
N_("There are too few points for groups; hpm cluster --groups takes any "
   "number of them.")
N_("The tree is of %s linkage")
N_("The tree is of %s linkage; cophenetic correlation %s (1: its heights "
   "are the distances of the points)")
N_("The tree is of %s linkage; cophenetic correlation %s (1: its heights "
   "are the distances of the points).")
N_("%s group by %s")
N_("%s groups by %s")
N_("%s groups by %s (%s starts, seed %s)")
N_("%s; mean silhouette %s")
N_("%s; mean silhouette %s, by the distances from the groups' means")
N_("a cut of the tree")
N_("%s of %s components say more than a single column does (an eigenvalue "
   "above %s); together they have %s %% of the spread.")
N_("the mean")
N_("No point lies apart: none is farther than %s from the middle, where "
   "chance would put one of all points in 1 of 40 such runs.")
N_("One point lies apart: it is farther than %s from the middle, where "
   "chance would put one of all points in 1 of 40 such runs.")
N_("%s points lie apart: they are farther than %s from the middle, where "
   "chance would put one of all points in 1 of 40 such runs.")
N_("%s column is left out, missing in more than half of the points: %s")
N_("%s columns are left out, missing in more than half of the points: %s")
N_("%s column is left out, the same in all points: %s")
N_("%s columns are left out, the same in all points: %s")
N_("%s column is left out, too large without scaling: %s")
N_("%s columns are left out, too large without scaling: %s")
N_("each column less its mean, divided by its deviation")
N_("each column from 0 (its least) to 1 (its most)")
N_("each column by medians in place of means")
N_("not scaled: large columns outweigh small ones")
N_("Maximum likelihood, objective %s (%s of %s starts led to it, seed %s); "
   "chi square %s on %s degrees of freedom, p %s: so many factors do not "
   "explain all that goes together")
N_("Maximum likelihood, objective %s (%s of %s starts led to it, seed %s); "
   "chi square %s on %s degrees of freedom, p %s: so many factors are enough")
N_("Two kinds of threads in %s: %s; they differ most in %s. %s says more.")
N_("Two kinds of tasks in %s: %s; they differ most in %s. %s says more.")
N_("Two kinds of calls in %s: %s; they differ most in %s. %s says more.")
N_("Three kinds of threads in %s: %s; they differ most in %s. %s says more.")
N_("Three kinds of tasks in %s: %s; they differ most in %s. %s says more.")
N_("Three kinds of calls in %s: %s; they differ most in %s. %s says more.")
N_("Four kinds of threads in %s: %s; they differ most in %s. %s says more.")
N_("Four kinds of tasks in %s: %s; they differ most in %s. %s says more.")
N_("Four kinds of calls in %s: %s; they differ most in %s. %s says more.")
N_("%zu (%s) and %zu (%s)")
N_("%zu others and %zu (%s)")
N_("%zu (%s) and %zu others")
N_("%zu (%s), %zu (%s) and %zu (%s)")
N_("%zu others, %zu (%s) and %zu (%s)")
N_("%zu (%s), %zu others and %zu (%s)")
N_("%zu (%s), %zu (%s) and %zu others")
N_("%zu (%s), %zu (%s), %zu (%s) and %zu (%s)")
N_("%zu others, %zu (%s), %zu (%s) and %zu (%s)")
N_("%zu (%s), %zu others, %zu (%s) and %zu (%s)")
N_("%zu (%s), %zu (%s), %zu others and %zu (%s)")
N_("%zu (%s), %zu (%s), %zu (%s) and %zu others")
N_("%s (F %s) and %s (F %s)")
N_("%s (F infinite) and %s (F %s)")
N_("%s (F infinite) and %s (F infinite)")
N_("thread %d")
N_("threads %d to %d")
N_("every %d%s thread from %d to %d")
N_("thread %d of each task")
N_("threads %d to %d of each task")
N_("every %d%s thread from %d to %d of each task")
N_("thread %d of %zu of %zu tasks")
N_("threads %d to %d of %zu of %zu tasks")
N_("every %d%s thread from %d to %d of %zu of %zu tasks")
N_("threads %s of each task")
N_("threads %s of %zu of %zu tasks")
N_("%s, %zu of them missing")
N_("host %s, %zu of its threads missing")
N_("host %s")
N_("tasks %d to %d")
N_("every %d%s task from %d to %d")
N_("call %d")
N_("calls %d to %d")
N_("every %d%s call from %d to %d")
N_("call %d of each thread")
N_("calls %d to %d of each thread")
N_("every %d%s call from %d to %d of each thread")
N_("call %d of %zu of %zu threads")
N_("calls %d to %d of %zu of %zu threads")
N_("every %d%s call from %d to %d of %zu of %zu threads")
N_("Kinds of threads were not looked for in %s: %zu threads are more than "
   "%d; hpm cluster makes groups of threads.")
N_("Kinds of threads were not looked for in %s: %zu metrics and counters are "
   "more than %d; hpm cluster makes groups of threads.")
N_("Kinds of threads were not looked for in %s: %zu values of their metrics "
   "are more than %d; hpm cluster makes groups of threads.")
N_("No phases were looked for: %zu calls are more than %d; hpm cluster "
   "--calls makes groups of them.")
N_("How many, by the gap statistic? The gap is by how much groups are tighter "
   "than those of points spread evenly in the same box, as a logarithm. There "
   "is one where its gap is not below the largest less the error of that; else "
   "the first number is taken whose gap is not below the next one less its "
   "error.")
N_("component %zu (%s %% of the spread)")
N_("%s, group %zu")
N_("task %d thread %d")
N_("task %d thread %d call %d")
N_("%s: %zu points, %s linkage")
N_("groups")
N_("group")
N_("points")
N_("silhouette")
N_("pooled F")
N_("squares within")
N_("members")
N_("what they are")
N_("height")
N_("component")
N_("eigenvalue")
N_("proportion")
N_("cumulative")
N_("uniqueness")
N_("communality")
N_("squared loadings")
N_("take")
N_("on factors")
N_("distance")
N_("farthest from the median")
N_("median")
N_("%s calls: %s of %s were kept")

/* study/survey/survey.c */
N_("section '%s'")
N_("section '%s' (%s:%s)")
N_("%s without the sections inside it")
N_("all %s processes of %s")
N_("all %s threads of %s")
N_("the gravest of %s processes of %s")
N_("the gravest of %s threads of %s")
N_("the gravest of %s processes (%s bad) of %s")
N_("the gravest of %s threads (%s bad) of %s")

/* study/xml/xmlguard.c */
N_("the file ends here, in the middle of an element; was it cut off?")

/* study/compare, where a difference has no interval */
N_("%s takes %s times as long as A.")
N_("%s takes %s more time than A.")
N_("%s takes %s less time than A.")
N_("%s takes %s less time than A, 1/%s of it.")
N_("%s has %s times the %s of A.")
N_("%s has %s more %s than A.")
N_("%s has %s fewer %s than A.")
N_("%s has %s less %s than A.")

/* hpm/frame/machine.c */
N_("on %s")
