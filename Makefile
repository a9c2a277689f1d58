# ptk — `make help` says what there is to make
PREFIX  ?= /usr/local
CFLAGS  ?= -O3 -g
SAN     ?=
BUILD   := build$(if $(SAN),/san)

# The warnings are the house style's; the rest makes builds repeatable.
SAN_ON  := -fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=all -fno-omit-frame-pointer
OWN     := -std=c17 -D_POSIX_C_SOURCE=200809L -iquote . -iquote $(BUILD) -ffile-prefix-map=$(CURDIR)=. -fno-common -fno-math-errno \
           -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
           -Wconversion -Wno-sign-conversion -Wvla -Wwrite-strings -Wundef $(if $(SAN),$(SAN_ON))

# SQLITE=no builds without a library that only one family of formats needs.
SQLITE  ?= $(shell pkg-config --exists sqlite3 2>/dev/null && echo yes)

# ISAL=no unpacks gzip with zlib alone, which is slower.
ISAL    ?= $(shell pkg-config --exists libisal 2>/dev/null && echo yes)

MODULES := zlib libzstd libxxhash libxml-2.0 libprotobuf-c $(if $(filter yes,$(SQLITE)),sqlite3) \
           $(if $(filter yes,$(ISAL)),libisal)
ifneq ($(filter-out deps clean help dist format,$(or $(MAKECMDGOALS),all)),)
ifeq ($(shell tools/deps check build >/dev/null 2>&1 && echo yes)$(filter deps,$(MAKECMDGOALS)),)
$(error $(shell tools/deps check build 2>&1))
endif
endif
OWN     += $(if $(filter yes,$(ISAL)),-DPTK_ISAL) $(shell pkg-config --cflags $(MODULES) 2>/dev/null)
LIBS     = $(shell pkg-config --libs $(MODULES)) -lm -lpthread

# LIBDW=no finds no names for addresses; C++ ones also need the C++ runtime.
LIBDW   ?= $(shell pkg-config --exists libdw 2>/dev/null && echo yes)
CXX_LIB := $(filter /%,$(shell $(CC) -print-file-name=libstdc++.so.6))
OWN     += $(if $(filter yes,$(LIBDW)),$(shell pkg-config --cflags libdw))
LIBS    += $(if $(filter yes,$(LIBDW)),$(shell pkg-config --libs libdw)) $(CXX_LIB)
LEFT    := $(if $(filter yes,$(LIBDW)),base/symbols/symbols_none.c,base/symbols/symbols_libdw.c $(wildcard base/symbols/dwarf_*.c)) \
           $(if $(CXX_LIB),base/symbols/demangle_none.c)

LAYERS  := base graph parsers analysis render
ABSENT  := $(if $(filter yes,$(SQLITE)),parsers/sqlite/sqlite_absent.c,\
           $(filter-out parsers/sqlite/sqlite_absent.c parsers/sqlite/sqlite.c,$(wildcard parsers/sqlite/*.c)))
LIB_SRC := $(filter-out $(ABSENT) $(LEFT),$(sort $(foreach l,$(LAYERS),$(wildcard $l/*.c $l/*/*.c $l/*/*/*.c))))
CMD_SRC := $(sort $(wildcard cmd/*.c cmd/*/*.c))
HEADERS := $(sort $(foreach l,$(LAYERS) cmd,$(wildcard $l/*.h $l/*/*.h $l/*/*/*.h)))
PROSE   := $(sort $(wildcard man/*.txt))
ASSETS  := $(sort $(foreach e,css js,$(wildcard render/*.$e render/*/*.$e)))
PROTO   := $(basename $(wildcard proto/*.proto))
LIB_OBJ := $(LIB_SRC:%.c=$(BUILD)/%.o) $(BUILD)/gpus.o $(BUILD)/assets.o $(PROTO:%=$(BUILD)/%.pb-c.o)
CMD_OBJ := $(CMD_SRC:%.c=$(BUILD)/%.o) $(BUILD)/manuals.o
PTK     := $(BUILD)/ptk
UNITS   := $(patsubst tests/unit/%.c,$(BUILD)/unit/%,$(sort $(wildcard tests/unit/*.c)))

.DELETE_ON_ERROR:
.PHONY: all help deps demo gallery test units goldens browser converters \
        fuzz fuzz-short bench install clean bless format check-layers check-headers check-docs check-gallery

all: $(PTK)

help:
	@echo "make              build/ptk"
	@echo "make deps         install what is missing from the system's packages"
	@echo "make demo         hotspots and a call graph (build/demo.png) of a bundled profile"
	@echo "make test         everything: layers, headers, units, goldens, sanitizers, a short fuzz"
	@echo "make fuzz         libFuzzer: FUZZ=pstats (default: all in turn), TIME=60 seconds each"
	@echo "make bench        ptk beside Python's pstats and gprof2dot on generated input"
	@echo "make gallery      docs/gallery.md: every kind of picture, from bundled profiles"
	@echo "make bless        rewrite the golden outputs; read the diff before you commit it"
	@echo "make install      to PREFIX=/usr/local, DESTDIR=: program, manual pages, completions"
	@echo "make clean        remove build/"

deps:
	@tools/deps

$(PTK): $(CMD_OBJ) $(BUILD)/libptk.a
	$(CC) $(CFLAGS) $(OWN) $(LDFLAGS) -o $@ $^ $(LIBS)

$(BUILD)/libptk.a: $(LIB_OBJ)
	@rm -f $@
	$(AR) qcsD $@ $^

$(BUILD)/%.o: %.c Makefile | $(PROTO:%=$(BUILD)/%.pb-c.h)
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) $(OWN) -MMD -MP -c -o $@ $<

# The scanner's inner loops for machines with AVX2; which are used is decided at run time. A CFLAGS
# of the caller's must not take them away.
ifneq ($(filter x86_64 amd64,$(shell uname -m)),)
$(BUILD)/parsers/chrome/scan/scan_avx2.o: override CFLAGS += -mavx2 -mbmi2 -mpclmul
endif

# Protocol buffers: build/proto/NAME.pb-c.[ch], which files include as "proto/NAME.pb-c.h".
$(BUILD)/proto/%.pb-c.c $(BUILD)/proto/%.pb-c.h: proto/%.proto
	@mkdir -p $(@D)
	protoc-c --c_out=$(@D) --proto_path=proto $<

.SECONDARY: $(PROTO:%=$(BUILD)/%.pb-c.c) $(PROTO:%=$(BUILD)/%.pb-c.h)

$(BUILD)/proto/%.pb-c.o: $(BUILD)/proto/%.pb-c.c
	$(CC) $(CPPFLAGS) $(CFLAGS) $(OWN) -c -o $@ $<

$(BUILD)/manuals.c: tools/embed-manual.awk $(PROSE)
	@mkdir -p $(@D)
	LC_ALL=C awk -f $^ > $@

# A manual is one string, longer than the 4095 bytes that ISO C asks of every compiler.
$(BUILD)/gpus.c: tools/embed-gpus.awk analysis/roofline/gpus.txt
	@mkdir -p $(@D)
	LC_ALL=C awk -f $^ > $@

$(BUILD)/gpus.o: $(BUILD)/gpus.c analysis/roofline/gpus.h
	$(CC) $(CPPFLAGS) $(CFLAGS) $(OWN) -c -o $@ $<

$(BUILD)/assets.c: tools/embed-lines.awk tools/hash-assets $(ASSETS)
	@mkdir -p $(@D)
	{ LC_ALL=C awk -f tools/embed-lines.awk $(ASSETS) && tools/hash-assets $(ASSETS); } > $@

$(BUILD)/assets.o: $(BUILD)/assets.c render/pictures/embedded_assets.h
	$(CC) $(CPPFLAGS) $(CFLAGS) $(OWN) -c -o $@ $<

$(BUILD)/manuals.o: $(BUILD)/manuals.c
	$(CC) $(CPPFLAGS) $(CFLAGS) $(OWN) -Wno-overlength-strings -c -o $@ $<

demo: $(PTK)
	$(PTK) hotspots -n 10 testdata/pstats/fractal.pstats
	$(PTK) dot testdata/pstats/fractal.pstats | dot -Tpng -Gdpi=120 -o $(BUILD)/demo.png
	@echo "the call graph is in $(BUILD)/demo.png"

gallery: $(PTK)
	@tools/gallery $(PTK) docs
	@echo "docs/gallery.md and docs/gallery/ are drawn"

# ---- tests ----

# Built in parallel whether or not -j was given; what prints runs one after the other.
JOBS = $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell nproc))

test: check-deps
	@$(MAKE) --no-print-directory $(JOBS) binaries
	@$(MAKE) --no-print-directory SAN=1 $(JOBS) binaries
	@$(MAKE) --no-print-directory $(JOBS) fuzz-harness
	@$(MAKE) --no-print-directory check-layers check-headers check-docs check-gallery
	@$(MAKE) --no-print-directory units goldens browser converters
	@$(MAKE) --no-print-directory SAN=1 units goldens
	@$(MAKE) --no-print-directory --output-sync $(JOBS) fuzz-short
	@echo "all tests passed"

.PHONY: check-deps binaries
check-deps:
	@tools/deps check test

binaries: $(PTK) $(UNITS)

check-layers:
	@awk -f tools/check-layers.awk $(LIB_SRC) $(CMD_SRC) $(HEADERS)

check-headers: $(HEADERS:%.h=$(BUILD)/%.hdr)
$(BUILD)/%.hdr: %.h | $(PROTO:%=$(BUILD)/%.pb-c.h)
	@mkdir -p $(@D)
	@echo 'typedef int not_empty;' | $(CC) $(OWN) -fsyntax-only -x c -include $< - && touch $@

check-docs: $(PTK)
	@tests/check-docs $(PTK)
	@tests/check-completions $(PTK)

# The call graphs are left out: each version of Graphviz draws its own.
check-gallery: $(PTK)
	@mkdir -p $(BUILD)/gallery && tools/gallery $(PTK) $(BUILD)/gallery
	@diff -qr --exclude='graph*.svg' docs $(BUILD)/gallery || { echo "draw it anew: make gallery"; exit 1; }

$(BUILD)/unit/%: tests/unit/%.c $(BUILD)/libptk.a
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) $(OWN) -MMD -MP -o $@ $< $(BUILD)/libptk.a $(LIBS) -lcriterion

# A leak is printed but does not fail a Criterion test, so the sanitizers log to files, and any
# file is a failure.
units: $(UNITS)
	@rm -f $(BUILD)/log.*
	@for unit in $(UNITS); do \
		ASAN_OPTIONS=log_path=$(BUILD)/log UBSAN_OPTIONS=log_path=$(BUILD)/log \
			$$unit --color=never --quiet || exit 1; done
	@for log in $(BUILD)/log.*; do if [ -e "$$log" ]; then cat "$$log"; exit 1; fi; done
	@echo "units passed ($(BUILD))"

goldens: $(PTK)
	@tests/run-goldens $(PTK)
	@tests/run-faults $(PTK)
	@tests/run-corpus $(PTK)

bless: $(PTK)
	@BLESS=1 tests/run-goldens $(PTK)

# What the tools that ptk converts to say of its files; those that are not installed are skipped.
converters: $(PTK)
	@tests/check_converters.py $(PTK)

# Skips with a word where there is no Chromium; SCREENSHOTS=FOLDER keeps what it looked like.
browser: $(PTK)
	@PTK_SCREENSHOTS=$(SCREENSHOTS) tests/browser/run $(PTK)

# ---- fuzzing ----

FORMATS  = $(basename $(notdir $(wildcard tests/fuzz/seeds/*)))
TARGETS  = $(or $(FUZZ),$(FORMATS))
FUZZER  := build/fuzz/harness

# The library once more, as clang's fuzzer wants it.
.PHONY: fuzz-harness
fuzz-harness:
	@$(MAKE) --no-print-directory SAN=1 BUILD=build/fuzz/made CC=clang \
		CFLAGS='-g -O1 -fsanitize=fuzzer-no-link' $(FUZZER)

$(FUZZER): $(wildcard tests/fuzz/*.[ch]) $(HEADERS) $(BUILD)/libptk.a
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) $(OWN) -fsanitize=fuzzer -o $@ $(filter %.c %.a,$^) $(LIBS)

fuzz: fuzz-harness
	@for f in $(TARGETS); do mkdir -p build/fuzz/$$f; echo "fuzzing $$f"; \
		PTK_FUZZ=$$f $(FUZZER) -max_total_time=$(or $(TIME),60) -rss_limit_mb=1024 -timeout=10 \
			-print_final_stats=1 build/fuzz/$$f tests/fuzz/seeds/$$f || exit 1; done

fuzz-short: $(TARGETS:%=fuzz-short-%)
	@echo "fuzzed $(TARGETS)"

fuzz-short-%: fuzz-harness
	@mkdir -p build/fuzz/$*
	@PTK_FUZZ=$* $(FUZZER) -runs=3000 -seed=1 -rss_limit_mb=1024 -timeout=10 -verbosity=0 \
		build/fuzz/$* tests/fuzz/seeds/$*

# ---- the rest ----

bench: $(PTK)
	@bench/run $(PTK)

format:
	clang-format -i $(LIB_SRC) $(CMD_SRC) $(HEADERS) $(wildcard tests/*/*.c)

COMMANDS = $(shell $(PTK) --generate commands)

install: $(PTK)
	install -Dm755 $(PTK) $(DESTDIR)$(PREFIX)/bin/ptk
	@mkdir -p $(DESTDIR)$(PREFIX)/share/man/man1
	$(PTK) --generate man > $(DESTDIR)$(PREFIX)/share/man/man1/ptk.1
	for c in $(COMMANDS); do \
		$(PTK) --generate man $$c > $(DESTDIR)$(PREFIX)/share/man/man1/ptk-$$c.1 || exit 1; done
	@mkdir -p $(DESTDIR)$(PREFIX)/share/bash-completion/completions \
		$(DESTDIR)$(PREFIX)/share/zsh/site-functions $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
	$(PTK) --generate bash > $(DESTDIR)$(PREFIX)/share/bash-completion/completions/ptk
	$(PTK) --generate zsh > $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_ptk
	$(PTK) --generate fish > $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/ptk.fish

clean:
	rm -rf build

-include $(LIB_OBJ:.o=.d) $(CMD_OBJ:.o=.d) $(UNITS:=.d)
