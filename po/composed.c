/* SPDX-License-Identifier: BSD-3-Clause
 * For translators, not for a compiler: sentences that lib/ puts together of parts,
 * each as the format that would make it (study/words/sentence.c). */

/* lib/report/sections.c */
N_("%s: shared the hardware with other counters: counted as little as %s %% of "
   "the time, and scaled up; how far that is off (+-?) nobody knows")
N_("%s: shared the hardware with other counters: counted as little as %s %% of "
   "the time, and scaled up; +- is its 95 %% interval")
N_("%s: in %s section too short to tell: an estimate needs 4 separate times with "
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
N_("needs '%s', of which some of the runs have no value")
N_("needs '%s', which belongs to the process: each thread's value has what all "
   "threads did meanwhile")
N_("needs '%s', which belongs to the node: each task's value has what all did "
   "there meanwhile")
N_("needs '%s', the sum of which may have twice what forked processes did")
N_("needs '%s' of the whole run: of a section it is only by how much the maximum "
   "grew there")

/* lib/model/experiment.h, which hpmviz includes, too: GLib has an N_ of its own */
N_("too short to tell: an estimate needs 4 separate times with the counter")
N_("only its exclusive value was measured (HPM_ONLY_EXCLUSIVE)")

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
N_("%s records of samples are lost: a ring of %s KiB was full; sample less often, "
   "or raise kernel.perf_event_mlock_kb")
N_("of %s %s samples were to be expected and %s came: each of %s threads and "
   "processes has its first one after a whole period, so short ones have none; a "
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
