#!/usr/bin/env python3
"""What is still there of what was used later in digests of real conversations, beside as much of their newest messages.

  scripts/digest.py SHARED [OPTIONS-AS-JSON…]

SHARED is the folder with `probe/` and `transcripts/`; the package is the one in `js-tests/node_modules`.
"""
import collections, json, os, sys

sys.dont_write_bytecode = True
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SHARED, *GIVEN = sys.argv[1:]
os.environ['CORPUS'] = os.path.join(SHARED, 'transcripts')
sys.path[:0] = [os.path.join(SHARED, 'probe'), os.path.join(ROOT, 'scripts')]
import probe  # noqa: E402
from histories import Answers, contents, events  # noqa: E402

COLUMNS = {'identifiers': 'id', 'paths': 'path', 'error names': 'err', 'numbers': 'num', 'requests': 'user',
           'edited lines': 'editline', 'files': 'files'}


class Digests:
    """The package's digests, as events."""

    def __init__(self):
        self.package = Answers('node', 'bench/digest-lines.mjs', cwd=f'{ROOT}/js-tests')

    def make(self, history, options):
        for message in self.package.to({'history': list(contents(history)), 'options': options}):
            if 'event' in (message.get('metadata') or {}):
                yield from events(history, [message])
                continue
            # The digest, and the message that acknowledges it.
            text = '\n'.join(block.get('text', '') for block in message['blocks'])
            speaker = 'user' if message['speaker'] == 'human' else 'assistant'
            yield probe.clone(history[0], t=speaker, i=-1, id=None, name=None, args=None, text=text)


def tokens(history):
    return sum(map(probe.tok, history))


def main():
    probe.STOP = probe.stoplist()
    digests = Digests()
    rows = collections.defaultdict(list)
    for _, history in probe.sessions('open'):
        for _, _, past, future in probe.cuts(history):
            probes = probe.probes(past, future)
            for text in GIVEN or ['{}']:
                left = list(digests.make(past, json.loads(text)))
                newest = probe.drop(tokens(left) / tokens(past))(past)
                rows[f'digest {text}' if GIVEN else 'digest'].append(probe.score(probes, past, left))
                rows['  the newest messages, as many tokens' + (f' ({text})' if GIVEN else '')].append(probe.score(probes, past, newest))
        probe._c.clear()
        probe._k.clear()
    print('| | kept | ' + ' | '.join(COLUMNS) + ' |\n|---|' + '---|' * (len(COLUMNS) + 1))
    for name, scores in rows.items():
        kept = sum(row['_tok'][0] / row['_tok'][1] for row in scores) / len(scores)
        shares = [[row[column][0] / row[column][1] for row in scores if row[column][1]] for column in COLUMNS.values()]
        print(f'| {name} | {100 * kept:.1f}% | ' + ' | '.join(f'{100 * sum(values) / len(values):.1f}%' for values in shares) + ' |')


main()
