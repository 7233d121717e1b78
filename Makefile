# What one does with this repository. `make demo` needs Go only; `make test` says what else it wants, and installs it
# where it may.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

# Under the race detector: where goroutines meet rows, whole, and of the largest packages the tests that start and stop servers or
# have several people and writers at once, which run there alone. The rest gains nothing and costs minutes.
RACE := ./internal/platform/job/... ./internal/interaction/... ./web/api/mcp ./web/api/proxy ./internal/delivery
RACE_SOME := ./internal/app ./internal/review ./internal/platform/db
RACE_TESTS := AtOnce|BesideWriters|CloseTwice|Parallel|SameTime|Servers?(Start|Decide|Lose|Hear|Read)|Spine|Stops?(Cleanly|Ends|Lets)|OverHTTP|Writers

# The slowest first: one of them begun last would have a processor to itself at the end while the other has nothing to do.
SLOW := ./web/page ./cmd/preceptor ./internal/knowledge ./internal/learning

# What a test leaves out where testing.Short() holds takes minutes: make check runs these tests, found by that word, in full.
LONG = find . -name '*_test.go' | xargs awk '/^func /{f=$$2} /testing.Short\(\)/{sub(/\(.*/,"",f); print f, FILENAME}'

# The detector watches our code and the driver, not SQLite's own, which is C turned into Go and six times slower under it.
# Nor arithmetic that shares nothing.
RACE_FLAGS := -race $(patsubst %,-gcflags=%=-race=false,modernc.org/sqlite/lib modernc.org/libc modernc.org/memory golang.org/x/crypto/... \
	preceptor/internal/llm/... preceptor/internal/phrase)

# Alone on the machine: a browser that shares two cores with other tests is slow enough to look broken.
BROWSER := ./web/browsertest

# The C engine: the header that sqlite-vec includes is mattn/go-sqlite3's own.
CGO_TAGS := sqlite_cgo sqlite_fts5
INCLUDE := $(CURDIR)/bin/include
CGO := CGO_ENABLED=1 CGO_CFLAGS="-O2 -g -I$(INCLUDE)"

.PHONY: help
help: ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

.PHONY: demo
demo: ## a fresh desk with people, knowledge and drafts, on http://127.0.0.1:8080
	@echo "Building; the first time takes two to three minutes on two cores." >&2
	@go run ./cmd/preceptor demo

# Inlining makes pages larger and no faster, so that it's kept for what reads and compares many texts.
INLINED := llm/... search/... phrase platform/text compliance/... knowledge/...
PLAIN := preceptor google.golang.org golang.org/x/net $(addprefix github.com/,nyaruka riverqueue modelcontextprotocol \
	google/jsonschema-go jackc lib danielgtaylor pressly yuin microcosm-cc alecthomas labstack parquet-go segmentio \
	tidwall VictoriaMetrics andybalholm PuerkitoBio go-json-experiment go-playground) go.yaml.in gonum.org/v1
SMALL := -trimpath -ldflags '-s -w' $(patsubst %,-gcflags='%/...=-l',$(PLAIN)) \
	$(patsubst %,-gcflags='preceptor/internal/%=',$(INLINED))

.PHONY: build
build: ## bin/preceptor, one static binary
	CGO_ENABLED=0 go build $(SMALL) -o bin/preceptor ./cmd/preceptor
	@size=$$(wc -c < bin/preceptor); if [ $$size -gt 97000000 ]; then echo "make: bin/preceptor has $$size bytes; 97,000,000 is the limit" >&2; exit 1; fi

.PHONY: test
test: browser race plain ## the tests, without those that take minutes

# The browser's first: it waits half of its time, and is the longest.
.PHONY: check
check: export GOGC = 300
check: export GOMEMLIMIT = 2GiB
check: browser compiler cgo-test ## those that take minutes: every page under axe, the C engine, whole demos, kills at random moments
	@go test -timeout 30m -run "^($$($(LONG) | cut -d' ' -f1 | sort -u | paste -sd'|'))$$" $$($(LONG) | cut -d' ' -f2 | xargs -n1 dirname | sort -ru)

# -race needs a C compiler; without one the same tests run without it.
.PHONY: race
race: compiler
	@if command -v "$$(go env CC)" >/dev/null; then \
		CGO_ENABLED=1 go test -short -vet=off $(RACE_FLAGS) -timeout 20m $(RACE) && \
		CGO_ENABLED=1 go test -short -vet=off $(RACE_FLAGS) -timeout 20m -run '$(RACE_TESTS)' $(RACE_SOME); \
	else \
		echo "make: no C compiler, so no race detector: the same tests run without it" >&2; \
		go test -short -vet=off -timeout 20m $(RACE) && \
		go test -short -vet=off -timeout 20m -run '$(RACE_TESTS)' $(RACE_SOME); \
	fi

.PHONY: plain
plain: export GOGC = 300
plain: export GOMEMLIMIT = 2GiB
plain: # lint vets
	@go test -short -vet=off -timeout 20m -skip '$(RACE_TESTS)' $(RACE_SOME) & some=$$!; \
	go test -short -vet=off -timeout 20m $(SLOW) $$(go list ./... | grep -vxFf <(go list $(RACE) $(RACE_SOME) $(SLOW) $(BROWSER))) || \
		failed=1; wait $$some && test -z "$${failed-}"
	@go test -short -vet=off -timeout 20m $(BROWSER)

.PHONY: cgo-test
cgo-test: compiler ## the database and search tests on the C engine, on files that the default build wrote
	@if command -v "$$(go env CC)" >/dev/null; then \
		go test -short -vet=off -timeout 20m -tags sqlite_cgo ./internal/platform/db/... ./internal/search/...; \
	else \
		echo "make: no C compiler, so the sqlite_cgo build is not tested: apt-get install gcc libc6-dev" >&2; \
	fi

# What runs on a PostgreSQL server, too. A test that is about a file says so itself (dbtest.FilesOnly).
POSTGRES := ./web/api/proxy $(addprefix ./internal/,platform/job platform/table/imports search audit account policy \
	interaction comment review review/escalation review/export review/planted review/reply labelling compliance/borderline \
	compliance/checklist compliance/evaluate compliance/judging compliance/rubric dataset dataset/transfer dataset/version \
	feedback feedback/chat feedback/experiment feedback/nightly feedback/preference delivery stats stats/counter \
	knowledge/credit knowledge/conflict)
POSTGRES_DB := Schemas|PagesAreTheSame|Guards|TwoServers|HooksRun|ValuesCome|AnAddress|OnlyTheSchemas|AServerHears|WhatIsKept|AServerReads|ALostConnection|StatementsThatWait|ServersStart

.PHONY: test-postgres
test-postgres: ## those packages' tests on a throw-away PostgreSQL
	.ci/postgres go test -short -timeout 30m -run '$(POSTGRES_DB)' ./internal/platform/db ./internal/archtest ./web/page
	.ci/postgres go test -short -timeout 30m -p 2 $(POSTGRES)

.PHONY: fault-postgres
fault-postgres: ## on PostgreSQL: 50 kills of servers, 10 of the primary, 1,000 decisions by two people at once; load
	PRECEPTOR_FAULT_KILLS=50 PRECEPTOR_FAULT_FAILOVERS=10 PRECEPTOR_FAULT_PAIRS=1000 \
		.ci/postgres go test -count=1 -timeout 120m -v -run 'OnPostgres|ThePrimary|OnTwoServers' ./cmd/preceptor
	PRECEPTOR_PG_SET= .ci/postgres bash -c 'go run ./tools/bench servers --db "$$PRECEPTOR_TEST_POSTGRES"'

.PHONY: cgo
cgo: header ## bin/preceptor-cgo, on the C engine
	$(CGO) go build -tags '$(CGO_TAGS)' -o bin/preceptor-cgo ./cmd/preceptor

.PHONY: crash
crash: ## 50 cycles of kill -9 at random moments, one at each commit of the learning path and of an erasure, and 1,000 webhook events with kills between receipt and mark
	PRECEPTOR_CRASH_CYCLES=50 PRECEPTOR_CRASH_EVENTS=1000 go test -count=1 -timeout 40m -v -run 'TestKilled(AtRandomMoments|BetweenReceiptAndMark)|TestTrainingIsKilled' ./cmd/preceptor
	PRECEPTOR_CRASH_EVERY=1 go test -count=1 -timeout 40m -v -run TestKilledAtEachCommitOfThePath ./internal/learning
	PRECEPTOR_CRASH_EVERY=1 go test -count=1 -timeout 40m -v -run TestKilledAtEachCommitOfAnErasure ./internal/app

.PHONY: clients
clients: ## the official clients of OpenAI's API against the proxy; Node's where its package is installed
	cd web/api/proxy/clients && go test -count=1 -v .

.PHONY: bench
bench: ## how fast the desk, recall and the jobs are
	go run ./tools/bench
	go test -run '^$$' -bench . ./internal/audit ./internal/platform/job

.PHONY: generate
generate: ## Go code from the templates in views/
	go tool templ generate -path views

.PHONY: lint
lint: ## format, vet, staticcheck, generated files, checksums of the dependencies
	@bad=$$(gofmt -l $$(git ls-files '*.go')); if [ -n "$$bad" ]; then echo "not formatted:" $$bad >&2; exit 1; fi
	go vet ./...
	@# SA4023 crashes in staticcheck 0.8.2 on this code.
	go tool -modfile=.ci/lint.mod staticcheck -checks inherit,-SA4023 ./...
	@$(MAKE) --no-print-directory current
	go mod verify

# The generated files are what the templates give.
.PHONY: current
current:
	@before=$$(mktemp -d); trap 'rm -rf "$$before"' EXIT; \
	cp -r views "$$before/"; \
	go tool templ generate -path "$$before/views" >/dev/null 2>&1; \
	for f in $$(git ls-files 'views/**/*_templ.go'); do \
		cmp -s "$$f" "$$before/$$f" || { echo "$$f is not what its template gives: make generate" >&2; exit 1; }; \
	done

.PHONY: header
header:
	@go mod download github.com/mattn/go-sqlite3 # without a C compiler nothing above needed it
	@mkdir -p $(INCLUDE); cp "$$(go list -m -f '{{.Dir}}' github.com/mattn/go-sqlite3)/sqlite3-binding.h" $(INCLUDE)/sqlite3.h

# A C compiler and a browser are installed from the distribution where that needs no question: as root, with apt.
.PHONY: compiler
compiler:
	@command -v "$$(go env CC)" >/dev/null || $(call install,gcc libc6-dev)

.PHONY: browser
browser:
	@command -v chromium chromium-browser google-chrome >/dev/null || $(call install,chromium)

install = { if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		echo "make: installing $(1)" >&2; \
		apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $(1) >/dev/null || \
		echo "make: $(1) could not be installed; the tests that need it are skipped" >&2; \
	else \
		echo "make: the tests that need it are skipped; to run them: apt-get install $(1)" >&2; \
	fi; }

.PHONY: clean
clean: ## removes what was built, never a database
	rm -rf bin
