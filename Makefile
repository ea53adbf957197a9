# The commands of this project; CI runs the same ones. What they do is in scripts/.

SHELL := bash
.DEFAULT_GOAL := help
.PHONY: help demo playground docs test test-agents test-llm test-runtimes test-spark load fuzz build package sizes bench bench-core bench-page frontier intake digest limits economics fmt lint advisories clean test-tasks likelihood

help: ## print these lines
	@sed -nE 's/^([a-z-]+):.*## (.*)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

demo: ## pack conversations and show what was cut; your own logs by FILES="a.jsonl b.json"
	@bash scripts/demo.sh

playground: ## see what a strategy does to a conversation: a page in your browser, PORT=4173
	@bash scripts/playground.sh

docs: ## build the documentation site, with the playground in it, and serve it, PORT=4174
	@bash scripts/docs.sh

test: ## run every check and test; with STEPS="clippy docs" only steps with these words in their names
	@bash scripts/test.sh $(STEPS)

test-agents: ## run real agents (Claude Code, Codex, …) through densify; fetches 1.6 GB, and prints the time to a first packed request; AGENTS="--long claude pi" for more of some, "--only pi" fetches just that one
	@bash scripts/test-agents.sh $(AGENTS)

test-llm: ## run conversations through a real model, at most 10 minutes; CASES="append auto" picks by name
	@bash scripts/llm-test.sh $(CASES)

test-runtimes: ## run the package in Node.js 20 to 24, Bun, Deno, workerd, browsers and bundlers
	@bash scripts/runtimes-test.sh

load: ## load-test the gateway: latency, requests a second, memory; exit code 1 if a bar is missed; ARGS=--quick
	@bash scripts/load.sh $(ARGS)

test-spark: ## run the example for Apache Spark in local mode (fetches pyspark, 300 MB)
	@bash scripts/spark-test.sh

test-tasks: ## check the SWE-bench adapter with a scripted model (fetches mini-swe-agent, 350 MB)
	@bash scripts/tasks-check.sh

fuzz: ## try new random cases, 50 times as many as `make test`; RUNS=500 for more, FILES=formats-fuzz for some
	@bash scripts/fuzz.sh $(or $(RUNS),50) $(FILES)

build: ## compile the core natively
	cargo build --release

package: ## build the npm package: target/package/densify-<version>.tgz
	@bash scripts/package.sh

sizes: ## print what pages load of the built package; exit code 1 if a figure has grown since it was noted
	@bash scripts/package.sh > /dev/null
	@bash scripts/npm-ci.sh runtimes
	@node scripts/sizes.mjs $(ARGS)

bench: ## measure the package against plain JavaScript; exit code 1 if a bar is missed
	@bash scripts/bench.sh $(ARGS)

bench-core: ## measure the core, natively
	cargo bench --bench core -- $(ARGS)

bench-page: ## measure the playground: first view, a large log, scrubbing; exit code 1 if a bar is missed
	@bash scripts/playground.sh --measure

frontier: ## measure what presets and budgets leave of real conversations, by what was used later
	@bash scripts/on-transcripts.sh frontier propose $(ARGS)

intake: ## measure what each reducer of the intake saves of real conversations, and what is still there
	@bash scripts/on-transcripts.sh intake

digest: ## measure what digests of real conversations hold of what was used later, beside their newest messages
	@bash scripts/on-transcripts.sh digest $(ARGS)

limits: ## replay real conversations in small windows: which ends in over-limit, and what each gave up
	@bash scripts/on-transcripts.sh limits

economics: ## measure what real conversations cost under policies, with a prompt cache; ARGS="--quick" for a quarter
	@bash scripts/on-transcripts.sh economics $(ARGS)

likelihood: ## measure how likely a small local model finds the next call of real conversations, packed and masked; exit code 1 if the bar is missed; 20 minutes of a core
	@bash scripts/likelihood.sh $(ARGS)

fmt: ## format Rust, TypeScript and JavaScript
	@bash scripts/lint.sh --fix

lint: ## check the formatting and run the linters of both
	@bash scripts/lint.sh

advisories: ## look for known holes in the dependencies; fetches the advisory database
	@bash scripts/setup.sh cargo-deny
	@. scripts/env.sh && cargo deny --all-features check advisories

clean: ## delete what was built; the tools in .toolchain/ stay
	rm -rf target pkg-template/dist pkg-template/src/generated {pkg-template,js-tests,demo,llm,www,runtimes,runtimes/next}/node_modules
