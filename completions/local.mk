# SPDX-License-Identifier: BSD-3-Clause

bashcompletiondir = $(datadir)/bash-completion/completions
dist_bashcompletion_DATA = completions/hpm.bash completions/hpmcount.bash \
	completions/hpmviz.bash
zshcompletiondir = $(datadir)/zsh/site-functions
dist_zshcompletion_DATA = completions/_hpm completions/_hpmcount \
	completions/_hpmviz
fishcompletiondir = $(datadir)/fish/vendor_completions.d
dist_fishcompletion_DATA = completions/hpm.fish completions/hpmcount.fish \
	completions/hpmviz.fish
