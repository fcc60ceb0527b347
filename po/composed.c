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
