#!/usr/bin/env python3
"""What each reducer of the intake saves of real conversations, and what is still there of what was used later.

  scripts/intake.py SHARED

SHARED is the folder with `probe/` and `transcripts/`; the package is the one in `js-tests/node_modules`.
"""
import collections, json, os, sys

sys.dont_write_bytecode = True
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SHARED = sys.argv[1]
os.environ['CORPUS'] = os.path.join(SHARED, 'transcripts')
sys.path[:0] = [os.path.join(SHARED, 'probe'), os.path.join(ROOT, 'scripts')]
import probe  # noqa: E402
from histories import Answers, contents, events  # noqa: E402

REDUCERS = ['ends', 'search', 'escapes', 'passingTests', 'listings', 'filledFolders', 'libraryFrames', 'json', 'repeats',
            'buildSteps', 'progress', 'similarLines', 'tables', 'generatedDiffs', 'logs']
ROWS = {f'`{name}`': {'reducers': {other: other == name for other in REDUCERS}} for name in REDUCERS}
ROWS |= {'all': {}} | {f'all, `maxResultTokens: {most}`': {'maxResultTokens': most} for most in (4000, 2000)}
COLUMNS = ['id_ctx', 'editline_ctx', 'path_ctx']


class Intake:
    """The package's intake, as events."""

    def __init__(self):
        self.package = Answers('node', 'bench/shrink-lines.mjs', cwd=f'{ROOT}/js-tests')

    def shrink(self, history, options):
        return list(events(history, self.package.to({'history': list(contents(history)), 'options': options})))


def main():
    probe.STOP = probe.stoplist()
    intake = Intake()
    results = tokens = 0
    changed, saved, scores = collections.Counter(), collections.Counter(), collections.defaultdict(list)
    for _, history in probe.sessions('open'):
        all_results = [e for e in history if e['t'] == 'result']
        results += len(all_results)
        tokens += sum(map(probe.tok, history))
        cuts = [(past, probe.probes(past, future)) for _, _, past, future in probe.cuts(history)]
        for name, options in ROWS.items():
            left = intake.shrink(history, options)
            texts = {e['i']: e['text'] for e in left}
            changed[name] += sum(texts[e['i']] != e['text'] for e in all_results)
            saved[name] += sum(map(probe.tok, history)) - sum(map(probe.tok, left))
            # A result is shortened when it arrives, before later messages are known.
            for past, probes in cuts:
                numbers = {e['i'] for e in past}
                scores[name].append(probe.score(probes, past, [e for e in left if e['i'] in numbers]))
        probe._c.clear()
        probe._k.clear()
    print(f'{results} results, {tokens} tokens\n')
    print('| | results | tokens saved | identifiers | edited lines | paths |\n|---|---|---|---|---|---|')
    for name in sorted(ROWS, key=lambda name: (name.startswith('all'), saved[name] if name.startswith('all') else -saved[name])):
        shares = [[row[column][0] / row[column][1] for row in scores[name] if row[column][1]] for column in COLUMNS]
        kept = ' | '.join(f'{100 * sum(values) / len(values):.1f}%' for values in shares)
        print(f'| {name} | {changed[name]} | {100 * saved[name] / tokens:.2f}% | {kept} |')


main()
