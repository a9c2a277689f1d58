# ptk — `make help` says what there is to make
PREFIX     ?= /usr/local
CFLAGS     ?= $(if $(SAN),-O2,-O3) -g
PKG_CONFIG ?= pkg-config
SAN        ?=
BUILD      := build$(if $(SAN),/san)
VERSION    := $(shell sed -n 's/.*PTK_VERSION "\(.*\)".*/\1/p' cmd/help/command.h)
export CC PKG_CONFIG

# All processors, where no -j says otherwise.
ifeq ($(filter -j% --jobserver%,$(MAKEFLAGS)),)
MAKEFLAGS += -j$(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
endif
MAKEFLAGS += --no-print-directory

# Packages decide what is built, and clean takes it away: beside other goals these two come first, and
# a make of their own, which looks at the system anew, makes the others.
.DEFAULT_GOAL := all
GOALS := $(or $(MAKECMDGOALS),all)
FIRST := $(filter deps clean,$(GOALS))
REST  := $(filter-out deps clean,$(GOALS))

.PHONY: deps clean $(and $(FIRST),$(REST) rest)

# Each goal asks for no more than it needs.
deps:
	@tools/deps install build option $(if $(filter demo gallery test test-rest test-all,$(REST)),demo) \
		$(if $(filter-out all demo gallery install dist help test-fresh test-qemu static deb wheel npm test-packages,$(REST)),test) $(if $(filter test-fresh test-qemu static deb wheel npm test-packages,$(REST)),fresh)

clean:
	@rm -rf build

ifneq ($(and $(FIRST),$(REST)),)
$(REST): rest
	@:
rest: $(FIRST)
	@$(MAKE) $(REST)
else

# ---- what the system has ----

# Five libraries can be missing, or be left out: make LIBDW=no SQLITE=no ISAL=no CURSES=no CAPSTONE=no. CXX is C++'s
# runtime, which has the demangler.
has      = $(filter-out no,$(or $($1),$(shell $(PKG_CONFIG) --exists $2 && echo yes)))
quoted   = '$(subst ','\'',$1)'

ifneq ($(filter-out deps clean help dist format uninstall static deb wheel npm test-packages,$(GOALS)),)
ifneq ($(shell CC='$(CC)' PKG_CONFIG='$(PKG_CONFIG)' tools/deps check build 2>&1),)
$(error $(shell CC='$(CC)' PKG_CONFIG='$(PKG_CONFIG)' tools/deps check build 2>&1))
endif
HAS_LIBDW  := $(call has,LIBDW,libdw)
HAS_SQLITE := $(call has,SQLITE,sqlite3)
HAS_ISAL   := $(call has,ISAL,libisal)
HAS_CURSES := $(call has,CURSES,ncursesw)
HAS_CAPSTONE := $(call has,CAPSTONE,capstone)
IS_STATIC  := $(filter -static,$(LDFLAGS))
CXX_LIB    := $(filter /%,$(shell $(CC) -print-file-name=libstdc++.$(if $(IS_STATIC),a,so.6)))
TARGET     := $(shell $(CC) -dumpmachine)
MODULES    := zlib libzstd libxxhash libxml-2.0 libprotobuf-c tre \
              $(if $(HAS_LIBDW),libdw) $(if $(HAS_SQLITE),sqlite3) $(if $(HAS_ISAL),libisal) $(if $(HAS_CURSES),ncursesw) \
              $(if $(HAS_CAPSTONE),capstone)

# Six libraries are loaded when a command first needs them; LOAD=no links them as usual, as a static
# build must. What the linker finds tells the names by which they are loaded: of ncurses that is a
# script, which names the library.
soname  = $(shell readelf -d "$$($(CC) -print-file-name=lib$1.so)" 2>/dev/null | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p')
scripted = $(shell sed -n 's/.*INPUT(\(lib$1.so[^ )]*\).*/\1/p' "$$($(CC) -print-file-name=lib$1.so)" 2>/dev/null)
LOADED := $(if $(filter no,$(LOAD))$(IS_STATIC),,$(strip \
          $(addprefix LIBXML=,$(call soname,xml2)) $(addprefix LIBSTDCXX=,$(notdir $(CXX_LIB))) \
          $(if $(HAS_LIBDW),$(addprefix LIBDW=,$(call soname,dw))) \
          $(if $(HAS_SQLITE),$(addprefix LIBSQLITE=,$(call soname,sqlite3))) \
          $(if $(HAS_CAPSTONE),$(addprefix LIBCAPSTONE=,$(call soname,capstone))) \
          $(if $(HAS_CURSES),$(addprefix LIBCURSES=,$(or $(call soname,ncursesw),$(call scripted,ncursesw))))))
loads    = $(filter $1=%,$(LOADED))
LIBRARIES := LIBXML LIBSTDCXX LIBDW LIBSQLITE LIBCAPSTONE LIBCURSES
from     = -DPTK_$1=$(or $(patsubst $1=%,'"%"',$(call loads,$1)),NULL) -DPTK_$1_SYMBOL=LIBRARY_$(if $(call loads,$1),LOADED,LINKED)

# The warnings are the house style's; clang from 19 would warn where an enum names a number that is
# reckoned with. No prefix and no fused multiply-add: any folder and any machine
# makes the same program, and it the same figures.
CLANGS := $(if $(findstring clang,$(shell $(CC) --version)),-Wno-enum-enum-conversion -Wno-enum-float-conversion)
# Each check of the sanitizers is a table of addresses, which a program without a fixed place fills in at its start.
SAN_ON := -fsanitize=address,undefined,float-cast-overflow -fno-pie -fno-sanitize-recover=all -fno-omit-frame-pointer
OWN    := -std=c17 -D_POSIX_C_SOURCE=200809L -iquote . -iquote $(BUILD) -ffile-prefix-map=$(call quoted,$(CURDIR))=. \
          -fno-common -fno-math-errno -ffp-contract=off \
          -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
          -Wconversion -Wno-sign-conversion -Werror=incompatible-pointer-types -Wvla -Wwrite-strings -Wundef $(if $(SAN),$(SAN_ON)) $(CLANGS) \
          $(if $(HAS_ISAL),-DPTK_ISAL) $(if $(IS_STATIC),-DPTK_STATIC) $(foreach l,$(LIBRARIES),$(call from,$l)) \
          $(shell $(PKG_CONFIG) --cflags $(filter-out ncursesw,$(MODULES))) # its own define other standards
LIBS   := $(filter-out $(if $(call loads,LIBXML),-lxml2) $(if $(call loads,LIBDW),-ldw -lelf) $(if $(call loads,LIBSQLITE),-lsqlite3) $(if $(call loads,LIBCURSES),-lncursesw -ltinfo) $(if $(call loads,LIBCAPSTONE),-lcapstone),\
          $(shell $(PKG_CONFIG) --libs $(if $(IS_STATIC),--static) $(MODULES))) $(if $(call loads,LIBSTDCXX),,$(CXX_LIB)) -lm -lpthread -ldl $(if $(SAN),-no-pie)
endif

# ---- what there is to build ----

LAYERS  := base graph parsers analysis render
ABSENT  := $(if $(HAS_LIBDW),base/symbols/symbols_none.c,base/symbols/dwarf.c base/symbols/symbol_table.c base/symbols/symbols_libdw.c base/symbols/unwind_libdw.c) \
           $(if $(CXX_LIB),base/symbols/demangle_none.c) \
           $(if $(HAS_CAPSTONE),base/symbols/disassemble_none.c,base/symbols/disassemble.c) \
           $(if $(HAS_SQLITE),parsers/sqlite/sqlite_absent.c,\
               $(filter-out %/sqlite_absent.c %/sqlite.c,$(wildcard parsers/sqlite/*.c))) \
           $(if $(HAS_CURSES),render/browser/browser_screen_absent.c,render/browser/browser_screen.c)

LIB_SRC := $(filter-out $(ABSENT),$(sort $(foreach l,$(LAYERS),$(wildcard $l/*.c $l/*/*.c $l/*/*/*.c))))
CMD_SRC := $(sort $(wildcard cmd/*.c cmd/*/*.c))
HEADERS := $(sort $(foreach l,$(LAYERS) cmd,$(wildcard $l/*.h $l/*/*.h $l/*/*/*.h)))
PROSE   := $(sort $(wildcard man/*.txt))
ASSETS  := $(sort $(foreach e,css js,$(wildcard render/*.$e render/*/*.$e)))
PROTO   := $(basename $(wildcard proto/*.proto))
LIB_OBJ := $(LIB_SRC:%.c=$(BUILD)/%.o) $(BUILD)/gpus.o $(BUILD)/assets.o $(PROTO:%=$(BUILD)/%.pb-c.o)
CMD_OBJ := $(CMD_SRC:%.c=$(BUILD)/%.o) $(BUILD)/manuals.o $(BUILD)/libraries.o
PTK     := $(BUILD)/ptk
UNITS   := $(patsubst tests/unit/%.c,$(BUILD)/unit/%,$(sort $(wildcard tests/unit/*.c)))

.DELETE_ON_ERROR:
.PHONY: all help demo gallery install uninstall dist static deb wheel npm test-packages test test-rest test-all test-fresh test-qemu test-slurm binaries units goldens faults memory \
        corpus browser converters fuzz fuzz-short mutate mutate-short fuzz-harness bench bless bless-docs release-check format \
        check-deps check-layers check-headers check-docs check-gallery check-install

all: $(PTK)
	@tools/deps without $(MODULES) | while IFS='	' read -r module package what; do \
		echo "built without $$module: no $$what ($$package has it)"; done

help:
	@echo "make              build/ptk; V=1 shows the commands, LIBDW=no SQLITE=no ISAL=no CURSES=no CAPSTONE=no leave libraries out, LOAD=no links all"
	@echo "make deps GOAL    install what a goal needs from the system's packages, then make it"
	@echo "make demo         hotspots and a call graph (build/demo.png) of a bundled profile"
	@echo "make test         layers, headers, units, goldens, the corpus, faults, damaged files: 8 minutes"
	@echo "make test-all     ... and the rest: sanitizers, fuzzing, hostile files, memory, a browser, converters"
	@echo "make test-fresh   the README's first command in bare Debians: FRESH='bookworm trixie'"
	@echo "make test-qemu    the goldens on other processors, emulated: QEMU='s390x aarch64'"
	@echo "make fuzz         libFuzzer: FUZZ=pstats (default: all in turn), TIME=60 seconds each; then commands"
	@echo "                  on damaged files: MUTATE=600 seconds, and on inflated ones: INFLATE=600 SEED=1"
	@echo "make test-slurm   a job of 64 ranks under a Slurm on loopback, mpirun and GNU parallel"
	@echo "make sizes        every format at 300 kB and 3 MB, plain, packed and piped; SIZES=100000000: at 100 MB"
	@echo "make bench        ptk beside plain C that only decodes, and its rivals, on generated input"
	@echo "make bench-rivals  ptk beside perf, pprof, pstats, jfr, pandas, DuckDB, jq and sqlite3: docs/benchmarks.md"
	@echo "make gallery      docs/gallery.md: every kind of picture, from bundled profiles"
	@echo "make bless        rewrite the golden outputs, or some: ONLY='advise/*'; read the diff before you commit it"
	@echo "make static       one file without shared libraries, build/static/ptk-linux-x86_64 and -aarch64: MACHINES=x86_64"
	@echo "make deb wheel npm  packages, in build/static; make test-packages installs and runs each where nothing else is"
	@echo "make install      to PREFIX=/usr/local, DESTDIR=: program, manuals, examples, completions"
	@echo "make uninstall    takes them away"
	@echo "make dist         build/ptk-$(VERSION).tar.gz, of what is committed"
	@echo "make clean        remove build/"

# Three stamps, written anew when their text changes: what decides how a file is compiled, on which all
# objects hang, the commit, and which objects there are. Who only installs takes what was built.
define FLAGS
$(shell $(CC) --version | head -n 1)
$(CC) $(CPPFLAGS) $(CFLAGS) $(OWN)
$(LDFLAGS) $(LIBS)
$(MODULES) $(shell $(PKG_CONFIG) --modversion $(MODULES))
endef
stamp = $(if $(subst x$2,,x$(file <$1)),$(shell mkdir -p $(BUILD))$(file >$1,$2))
ifneq ($(and $(TARGET),$(filter-out install,$(GOALS))$(if $(wildcard $(PTK)),,new)),)
ifeq ($(shell echo | $(CC) $(CFLAGS) -dM -E - | grep -w __SIZEOF_INT128__),)
$(error ptk needs 128-bit integers, which $(CC) does not have for $(TARGET): build for a 64-bit system)
endif
$(call stamp,$(BUILD)/flags,$(FLAGS))
$(call stamp,$(BUILD)/commit,$(shell tools/commit))
$(call stamp,$(BUILD)/objects,$(LIB_OBJ) $(CMD_OBJ))
endif

# say NAME: the short form of the command that follows
say = $(if $(V),,@printf '%-4s %s\n' $1 $(@:build/%=%);)

$(PTK): $(CMD_OBJ) $(BUILD)/libptk.a
	$(call say,LINK) $(CC) $(CFLAGS) $(OWN) $(LDFLAGS) -o $@ $^ $(LIBS)

$(BUILD)/libptk.a: $(LIB_OBJ) $(BUILD)/objects
	@rm -f $@
	$(call say,AR) $(AR) qcsD $@ $(LIB_OBJ)

$(BUILD)/%.o: %.c $(BUILD)/flags | $(PROTO:%=$(BUILD)/%.pb-c.h)
	@mkdir -p $(@D)
	$(call say,CC) $(CC) $(CPPFLAGS) $(CFLAGS) $(OWN) -MMD -MP -c -o $@ $<

$(BUILD)/%.o: $(BUILD)/%.c $(BUILD)/flags
	$(call say,CC) $(CC) $(CPPFLAGS) $(CFLAGS) $(OWN) -MMD -MP -c -o $@ $<

# The scanner's inner loops for machines with AVX2; which are used is decided at run time. A CFLAGS
# of the caller's must not take them away.
ifneq ($(filter x86_64-% amd64-%,$(TARGET)),)
$(BUILD)/parsers/chrome/scan/scan_avx2.o: override CFLAGS += -mavx2 -mbmi2 -mpclmul
endif

# A manual is one string, longer than the 4095 bytes that ISO C asks of every compiler.
$(BUILD)/manuals.o: OWN += -Wno-overlength-strings

# Protocol buffers: build/proto/NAME.pb-c.[ch], which files include as "proto/NAME.pb-c.h".
# protoc-c is deprecated where protoc finds protobuf-c's plugin.
PROTOC = $(if $(shell command -v protoc && command -v protoc-gen-c),protoc,protoc-c)

$(BUILD)/proto/%.pb-c.c $(BUILD)/proto/%.pb-c.h: proto/%.proto
	@mkdir -p $(@D)
	$(call say,PB) $(PROTOC) --c_out=$(@D) --proto_path=proto $<

.SECONDARY: $(PROTO:%=$(BUILD)/%.pb-c.c) $(PROTO:%=$(BUILD)/%.pb-c.h)

$(BUILD)/manuals.c: tools/embed-manual.awk $(PROSE)
	@mkdir -p $(@D)
	@LC_ALL=C awk -f $^ > $@

$(BUILD)/gpus.c: tools/embed-gpus.awk analysis/kernels/gpus.txt
	@mkdir -p $(@D)
	@LC_ALL=C awk -f $^ > $@

$(BUILD)/assets.c: tools/embed-lines.awk tools/hash-assets $(ASSETS)
	@mkdir -p $(@D)
	@{ LC_ALL=C awk -f tools/embed-lines.awk $(ASSETS) && tools/hash-assets $(ASSETS); } > $@

$(BUILD)/libraries.c: tools/embed-libraries tools/deps $(BUILD)/flags $(BUILD)/commit
	@tools/embed-libraries "$$(cat $(BUILD)/commit)" $(MODULES) > $@

demo: $(PTK)
	$(PTK) hotspots -n 10 testdata/pstats/fractal.pstats
	$(PTK) dot testdata/pstats/fractal.pstats | dot -Tpng -Gdpi=120 -o $(BUILD)/demo.png
	@echo "the call graph is in $(BUILD)/demo.png"

gallery: $(PTK)
	@tools/gallery $(PTK) docs
	@echo "docs/gallery.md and docs/gallery/ are drawn"

# ---- tests ----

# One line a suite, then how many passed and were skipped; one that fails keeps no other from running.
# FRESH='bookworm trixie' has test-fresh among them, QEMU=s390x test-qemu.
# Of each line those before -- use one processor, and stand in the order of their length.
SUITES := sizes faults check-docs units evals budgets thresholds check-gallery browse skill notebook check-install check-layers \
          -- check-headers goldens laws briefs schema cuts corpus mutate-short
MORE   := $(if $(QEMU),test-qemu) $(if $(FRESH),test-fresh) hostile san/units converters san/faults memory -- inflate fuzz-short browser san/goldens san/corpus-once

test: check-deps
	@$(MAKE) binaries
	+@tests/run-suites $(SUITES)

test-rest: check-deps
	@$(MAKE) binaries
	@$(MAKE) SAN=1 binaries
	@$(MAKE) fuzz-harness
	+@tests/run-suites $(MORE)

test-all: test
	@$(MAKE) test-rest

check-deps:
	@tools/deps check build option demo test

binaries: $(PTK) $(UNITS)

check-layers:
	@tests/check-layers
	@tests/check-lines
	@awk -f tools/check-layers.awk $(wildcard tests/unit/*.[ch] parsers/*/*/*.inc) $(LIB_SRC) $(CMD_SRC) $(HEADERS)
	@echo "layers: 1 passed, of $(words $(LIB_SRC) $(CMD_SRC) $(HEADERS)) files"

check-headers: $(HEADERS:%.h=$(BUILD)/%.hdr)
	@echo "headers: 1 passed, of $(words $(HEADERS)) files"

$(BUILD)/%.hdr: %.h $(BUILD)/flags | $(PROTO:%=$(BUILD)/%.pb-c.h)
	@mkdir -p $(@D)
	@echo 'typedef int not_empty;' | $(CC) $(OWN) -fsyntax-only -x c -include $< - && touch $@

check-docs: $(PTK)
	@tests/check-docs $(PTK)
	@tests/check-completions $(PTK)
	@tests/check_language.py $$(git ls-files man '*.md' '*.c' | grep -Ev '^(tests|testdata|bench|skills)/|CHANGELOG')

check-install: $(PTK)
	+@tests/check-install

# The call graphs are left out: each version of Graphviz draws its own.
check-gallery: $(PTK)
	@mkdir -p $(BUILD)/gallery && tools/gallery $(PTK) $(BUILD)/gallery
	@diff -qr --exclude='graph*.svg' docs/gallery $(BUILD)/gallery/gallery && \
		diff -q docs/gallery.md $(BUILD)/gallery/gallery.md || { echo "draw it anew: make gallery"; exit 1; }
	@echo "gallery: 1 passed, of $(words $(wildcard docs/gallery/*)) pictures"

# The tests' own code runs once: making it fast takes longer.
$(BUILD)/unit/%: tests/unit/%.c $(BUILD)/libptk.a
	@mkdir -p $(@D)
	$(call say,TEST) $(CC) $(CPPFLAGS) $(CFLAGS) -O0 $(OWN) -MMD -MP -o $@ $< $(BUILD)/libptk.a $(LIBS) -lcriterion

units: $(UNITS)
	@tests/run-units $(UNITS)

goldens: $(PTK)
	@$(if $(SAN),SMALL=yes) tests/run-goldens $(PTK)

# Keys typed into ptk browse, on a terminal that tmux plays; skipped with a word where there is none.
.PHONY: browse
browse: $(PTK)
	@tests/check-browse $(PTK)

# What happens when the world fails: full disks, closed pipes, cut files.
faults: $(PTK)
	@tests/run-faults $(PTK)

# What a script that reads `ptk brief` alone finds out of runs whose truth is known.
.PHONY: evals
evals: $(PTK)
	@tests/evals/run $(PTK)

# Each limit of a verdict moves it.
.PHONY: thresholds
thresholds: $(PTK)
	@tests/check_thresholds.py $(PTK)

# What must hold of every profile, whatever its program did.
.PHONY: laws
laws: $(PTK)
	@tests/check_laws.py $(PTK)

# The commands of skills/ptk/SKILL.md.
.PHONY: skill
skill: $(PTK)
	@tests/check-skill $(PTK)

# The wheel's Python module, and the example notebook.
.PHONY: notebook
notebook: $(PTK)
	@tests/check_notebook.py $(PTK)

# What -f json writes follows docs/schema, which is made of the commands' tables.
.PHONY: schema
schema: $(PTK)
	@tests/check_schema.py $(PTK)

# What `ptk brief` keeps of every profile: its budget, and that the commands that it names work.
.PHONY: briefs
briefs: $(PTK)
	@tests/check_brief.py $(PTK)

# That no command prints more than its --budget.
.PHONY: budgets
budgets: $(PTK)
	@tests/check_budget.py $(PTK)
	@tests/check_width.py $(PTK)

# Texts that end too soon are never shown as whole.
.PHONY: cuts
cuts: $(PTK)
	@tests/check_cuts.py $(PTK)

# Small files that cost much where they are believed, with every command.
.PHONY: hostile
hostile: $(PTK)
	@tests/run-hostile $(PTK)

# Small samples made large, with every command, for a minute: INFLATE=SECONDS.
.PHONY: inflate
inflate: $(PTK)
	@tests/hostile/inflate $(PTK) --seconds $(or $(INFLATE),60) --seed $(or $(SEED),1)

# Every format at several sizes, plain, packed and through a pipe: the same rows, and bounded memory.
.PHONY: sizes
sizes: $(PTK)
	@tests/sizes/run $(PTK) $(SIZES)

# Some allocations of every command fail, each in a run of its own; make memory ALL=--all: each does.
memory: $(PTK) $(BUILD)/hostile/failing_malloc.so
	@tests/hostile/run_failing $(ALL) $^

$(BUILD)/hostile/failing_malloc.so: tests/hostile/failing_malloc.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,LINK) $(CC) -O2 -std=gnu17 -Wall -Wextra -fPIC -shared -o $@ $<

# The files of ../shared, where they are, beside what independent readers say of them.
corpus: $(PTK)
	@tests/run-corpus $(PTK)

# Each of these files with one command, for the sanitized program.
.PHONY: corpus-once
corpus-once: $(PTK)
	@tests/run-corpus-once $(PTK)

bless: $(PTK)
	@BLESS=1 tests/run-goldens $(PTK)

release-check: $(PTK)
	@PTK=$(PTK) tools/release-check

bless-docs: $(PTK)
	@tools/make-skill man/guide.txt > skills/ptk/SKILL.md
	@tests/check_examples.py $(PTK) --bless README.md docs/*.md docs/for/*.md
	@tests/check_notebook.py $(PTK) --bless

# What the tools that ptk converts to say of its files; those that are not installed are skipped.
converters: $(PTK)
	@tests/check_converters.py $(PTK)

# Skips with a word where there is no Chromium; SCREENSHOTS=FOLDER keeps what it looked like.
browser: $(PTK)
	@PTK_SCREENSHOTS=$(SCREENSHOTS) tests/browser/run $(PTK)

# The README's first command, as the first thing typed on a bare Debian.
test-fresh:
	@tests/run-fresh $(or $(FRESH),bookworm trixie)

test-qemu:
	@tests/run-qemu $(or $(QEMU),s390x aarch64)

# ---- fuzzing ----

FORMATS  = $(basename $(notdir $(wildcard tests/fuzz/seeds/*)))
TARGETS  = $(or $(FUZZ),$(FORMATS))
FUZZER  := build/fuzz/harness

# The library once more, as clang's fuzzer wants it.
fuzz-harness:
	@$(MAKE) SAN=1 BUILD=build/fuzz/made CC=clang IS_FUZZED=1 \
		CFLAGS='-gline-tables-only -O1 -fsanitize=fuzzer-no-link -DFUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION' $(FUZZER)

# What the fuzzer learns from comparisons of a report's figures would be no part of any input.
ifdef IS_FUZZED
$(BUILD)/analysis/%.o $(BUILD)/render/%.o: OWN += -fno-sanitize-coverage=trace-cmp
endif

$(FUZZER): $(wildcard tests/fuzz/*.[ch]) $(HEADERS) $(BUILD)/libptk.a
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) $(OWN) -fsanitize=fuzzer -o $@ $(filter %.c %.a,$^) $(LIBS)

fuzz: fuzz-harness
	@for f in $(TARGETS); do mkdir -p build/fuzz/$$f; echo "fuzzing $$f"; \
		PTK_FUZZ=$$f $(FUZZER) -max_total_time=$(or $(TIME),60) -rss_limit_mb=1024 -timeout=10 \
			-print_final_stats=1 build/fuzz/$$f tests/fuzz/seeds/$$f || exit 1; done
	@$(MAKE) mutate
	@$(MAKE) inflate INFLATE=$(or $(INFLATE),600)

# Commands on damaged files, several at once, with options that nobody would write: MUTATE=SECONDS.
mutate:
	@$(MAKE) SAN=1 build/san/ptk
	@tests/fuzz/mutate build/san/ptk --cpu 40 --seconds $(or $(MUTATE),600)

# Without sanitizers and without a second build: what crashes, hangs or fails without a word in some seconds.
mutate-short: $(PTK)
	@tests/fuzz/mutate $(PTK) --cpu 10 --seconds 20 --seed 1

fuzz-short: $(TARGETS:%=fuzz-short-%)
	@echo "fuzz: $(words $(TARGETS)) passed"

# libFuzzer's log is long and says little where nothing was found. How rare each feature is guides hours of
# fuzzing; in so few runs counting that is a fifth of the time.
fuzz-short-%: fuzz-harness
	@mkdir -p build/fuzz/$*
	@PTK_FUZZ=$* $(FUZZER) -runs=1500 -seed=1 -entropic=0 -rss_limit_mb=1024 -timeout=10 -verbosity=0 \
		build/fuzz/$* tests/fuzz/seeds/$* >build/fuzz/$*.log 2>&1 || \
		{ echo "FAIL $*"; tail -40 build/fuzz/$*.log; exit 1; }

# ---- the rest ----

# Skips engines that are not installed; tools/deps install engines has them all.
test-slurm: $(PTK)
	@tests/test-engines $(PTK)

bench: $(PTK)
	@bench/run $(PTK)

# Beside the tools that people know; makes the table of docs/benchmarks.md.
.PHONY: bench-rivals
bench-rivals: $(PTK)
	@bench/beside.py $(PTK) --write docs

format:
	git ls-files -z '*.[ch]' | xargs -0 clang-format -i

# One file without shared libraries: build/static/ptk-linux-MACHINE
static:
	@packaging/static build/static $(or $(MACHINES),x86_64 aarch64)

# What people install, each tried where nothing else is.
deb:
	@packaging/deb build/static

wheel npm: static
	@version=$(VERSION); case $@ in \
		npm) packaging/npm-packages build/static $$version $(or $(MACHINES),x86_64 aarch64);; \
		wheel) for machine in $(or $(MACHINES),x86_64 aarch64); do \
			packaging/wheel build/static $$version $$machine build/static/ptk-linux-$$machine || exit 1; done;; esac

test-packages:
	@tests/run-packages $(or $(MACHINES),x86_64 aarch64)

install: $(PTK)
	@tools/install $(PTK) $(call quoted,$(DESTDIR)$(PREFIX))

uninstall:
	@tools/install --remove $(call quoted,$(DESTDIR)$(PREFIX))

dist:
	@git rev-parse --git-dir >/dev/null 2>&1 || \
		{ echo "make dist packs what is committed: it needs git, and a clone of the repository"; exit 1; }
	@mkdir -p build
	@git archive --prefix=ptk-$(VERSION)/ -o build/ptk-$(VERSION).tar.gz HEAD
	@echo "build/ptk-$(VERSION).tar.gz"

-include $(LIB_OBJ:.o=.d) $(CMD_OBJ:.o=.d) $(UNITS:=.d)
endif
