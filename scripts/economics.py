#!/usr/bin/env python3
"""What real conversations cost under flush policies, with a prompt cache.

  scripts/economics.py ECONOMICS SHARED [OPTIONS-AS-JSON…]

ECONOMICS is the built example `economics`, SHARED the folder with `probe/` and `transcripts/`. Prices are typical
ones, in dollars a million tokens: input read from the cache 0.30, written to it 3.75, output 15. Means are those of
conversations: each counts alike. The bars come last, met or missed; one that is missed is an error (exit code 1).
"""
import json, os, sys

sys.dont_write_bytecode = True
ECONOMICS, SHARED, *GIVEN = sys.argv[1:]
os.environ['CORPUS'] = os.path.join(SHARED, 'transcripts')
sys.path.insert(0, os.path.join(SHARED, 'probe'))
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import probe  # noqa: E402
from histories import Answers, contents  # noqa: E402

PRICES = {'read': 0.3, 'write': 3.75, 'output': 15}


def policies():
    """Options of `optimize` by what they are called; the first is that nothing is edited."""
    yield 'nothing is edited', None
    if GIVEN:
        yield from ((text, json.loads(text)) for text in GIVEN)
        return
    for preset in ('lossless', 'balanced', 'aggressive'):
        for flush in ('always', 'when-it-pays', 'when-cold', 'never'):
            yield f'{preset}, {flush}', {'preset': preset, 'flush': flush}


def main():
    named = list(policies())
    figures = {}
    example = Answers(ECONOMICS)
    for cold in ((False,) if GIVEN else (False, True)):
        rows = []
        for _, events in probe.sessions('open'):
            for segment in {e['seg'] for e in events}:
                history = list(contents([e for e in events if e['seg'] == segment]))
                options = [o and {'workspaceRoot': '/', **o} for _, o in named]
                task = {'history': history, 'policies': options, 'prices': PRICES, 'cold': cold}
                bills = example.to(task)
                if bills[0]['turns'] >= 5:
                    rows.append(bills)
        print(f"\n{'cold whenever the user speaks' if cold else 'warm throughout'}: {len(rows)} conversations\n")
        print('| | dollars % | input dollars % | dollars in all | cache hits % | breaks in 100 turns | last request % | worst % |')
        print('|---|---|---|---|---|---|---|---|')
        for at, (name, _) in enumerate(named):
            share = lambda key: 100 * sum(row[at][key] / row[0][key] for row in rows) / len(rows)
            total = sum(row[at]['dollars'] for row in rows)
            hits = 100 * sum(row[at]['hits'] for row in rows) / len(rows)
            breaks = 100 * sum(row[at]['breaks'] for row in rows) / sum(row[at]['turns'] for row in rows)
            values = f"{share('dollars'):.1f} | {share('inputDollars'):.1f} | {total:.2f} | {hits:.1f} | {breaks:.1f} | {share('tokens'):.1f}"
            worst = 100 * max(row[at]['inputDollars'] / row[0]['inputDollars'] for row in rows)
            print(f'| {name} | {values} | {worst:.1f} |')
            if not cold and not GIVEN:
                figures[name] = (share('dollars'), worst)
    if figures:
        judge(figures)


def judge(figures):
    """Says of each bar whether it is met: dollars in per cent of what nothing edited costs, with `balanced`, the default."""
    (pays, worst), (always, _) = figures['balanced, when-it-pays'], figures['balanced, always']
    bars = {
        'when-it-pays: dollars <= 90 % of nothing edited': (pays, pays <= 90),
        'when-it-pays: dollars below always': (pays - always, pays < always),
        'when-it-pays: input dollars of the worst conversation <= 102 %': (worst, worst <= 102),
    }
    print('\nbars, warm throughout\n\n| | figure | |\n|---|---|---|')
    for name, (figure, is_met) in bars.items():
        print(f"| {name} | {figure:.1f} | {'met' if is_met else '**missed**'} |")
    lost = [name for name, (_, is_met) in bars.items() if not is_met]
    if lost:
        sys.exit('missed, and was met: ' + '; '.join(lost))


main()
