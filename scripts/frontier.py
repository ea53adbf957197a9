#!/usr/bin/env python3
"""What presets and budgets leave of real conversations, by what the model used later.

  scripts/frontier.py PROPOSE SHARED [OPTIONS-AS-JSON…]

PROPOSE is the built example `propose`, SHARED the folder with `probe/` and `transcripts/`. Without
options: the table of presets, budgets, the classical rules as controls, and beside each point the bounds:
what a planner that knows the future holds with as many tokens, and the tokens it needs to hold as much, by whole
results and by lines; then the presets on the Claude Code logs of `transcripts-new`; then the bars, met or missed: it is an
error (exit code 1) if one is missed that is in `MET`. The column `quotes` is the share of the next edits whose old text is still
there verbatim. Conversations are halved by a hash of their names: numbers of the ladder may be
chosen by the first half only.
"""
import collections, hashlib, itertools, json, os, sys

sys.dont_write_bytecode = True
PROPOSE, SHARED, *GIVEN = sys.argv[1:]
os.environ['CORPUS'] = os.path.join(SHARED, 'transcripts')
sys.path.insert(0, os.path.join(SHARED, 'probe'))
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import probe  # noqa: E402
from histories import Answers, contents, events  # noqa: E402
from planner import Planner  # noqa: E402

USED = ['id_ctx', 'editline_ctx', 'files_used_ctx']
SHARES = (0.8, 0.65, 0.5, 0.35)
GAP = 'gap from the best classical rule to the bound closed >= 50'
# The bars that are met: what is here may not be lost.
MET = {
    'lossless: id_ctx >= 99', 'lossless: editline_ctx >= 99', 'lossless: files_used_ctx >= 99',
    'lossless: user >= 100', *(f'{preset}: pair errors <= 0' for preset in ('lossless', 'balanced', 'aggressive')),
    'lossless: quotes >= 99', 'balanced: quotes >= 99', 'balanced: editline_ctx >= 99', 'balanced: files_used_ctx >= 96',
    'new Claude Code logs, balanced: kept <= 74', 'new Claude Code logs, balanced: id_ctx >= 95',
    'new Claude Code logs, balanced: editline_ctx >= 93', 'new Claude Code logs, balanced: files_used_ctx >= 94',
    'aggressive: id_ctx >= 92', 'aggressive: editline_ctx >= 80',
    *(f'balanced: {column}, {GAP}' for column in USED), *(f'aggressive: {column}, {GAP}' for column in USED if column != 'id_ctx'),
    *(f'budget {share:.0%}: {column} above every control of the same size' for share in SHARES for column in USED),
    'budget 80%: kept <= 80%', 'budget 65%: kept <= 65%',
}
COLUMNS = ['id_ctx', 'editline_ctx', 'files_used_ctx', 'quotes', 'path_ctx', 'user']
PRESETS = ('seed', 'lossless', 'balanced', 'aggressive')
# The bars are of the rules: which of their edits wait for a flush depends on prices. One row shows what waits by default.
AT_ONCE = {'flush': 'always'}
# The set of current Claude Code logs, and its bars.
NEW = os.path.join(SHARED, 'transcripts-new')
NEW_BARS = {'kept': 74, 'id_ctx': 95, 'editline_ctx': 93, 'files_used_ctx': 94}


class Core:
    """The example's edits, as events."""

    def __init__(self):
        self.example = Answers(PROPOSE)

    def optimize(self, history, options):
        task = {'history': list(contents(history)), 'optimize': {'workspaceRoot': '/', **options}}
        return list(events(history, self.example.to(task)['messages']))


def tokens(history):
    return sum(map(probe.tok, history))


def mask_to(target):
    """The newest results that fit stay."""
    return lambda history: nearest(history, target, lambda n: probe.mask(n), 200)


def cut_to(target):
    """Head and tail of old results."""
    return lambda history: nearest(history, target, lambda n: probe.trunc(max(1, n), 40 * (n + 1)), 60)


def random_to(target):
    """As many results as fit stay, whichever."""
    return lambda history: nearest(history, target, lambda n: probe.randmask(1 - n / 50), 50)


def nearest(history, target, policy, most):
    """What a policy leaves by the number for which that is nearest to a share of the tokens."""
    low, high = 0, most
    wanted = target * tokens(history)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if tokens(policy(middle)(history)) <= wanted else (low, middle - 1)
    made = [policy(number)(history) for number in {low, min(low + 1, most)}]
    return min(made, key=lambda left: abs(tokens(left) - wanted))


OLD_TEXTS = ('old_string', 'oldString', 'old_str', 'oldText', 'old_text')


def unnumbered(text):
    """A text without the line numbers that tools put before lines."""
    return '\n'.join(probe.LNO.sub('', line).rstrip() for line in text.split('\n'))


def old_texts(call):
    """The texts that must stand in a file for an edit to apply."""
    arguments = call['args'] if isinstance(call.get('args'), dict) else {}
    edits = arguments.get('edits')
    parts = [part for part in [arguments, *(edits if isinstance(edits, list) else [])] if isinstance(part, dict)]
    found = [part[key] for part in parts for key in OLD_TEXTS if isinstance(part.get(key), str)]
    for patch in (text for text in probe.strs(arguments) if '*** Begin Patch' in text):
        lines = patch.split('\n')
        for is_hunk, hunk in itertools.groupby(lines, lambda line: line[:1] in (' ', '-', '+') and line[:3] not in ('---', '+++')):
            if is_hunk:
                found.append('\n'.join(line[1:] for line in hunk if line[:1] != '+'))
    return [unnumbered(text) for text in found if len(text.strip()) >= 12]


def quotes(past, future):
    """The old texts of each of the next edits, if the past holds all of them and nothing showed them again before the edit."""
    texts = [unnumbered(probe.full(event)) for event in past]
    shown, edits = [], []
    for event in future[:probe.HORIZON]:
        if event['t'] == 'call' and event['op'] == 'edit' and event.get('res') is not None and not event['res']['err']:
            old = old_texts(event)
            is_held = all(any(part in text for text in texts) and not any(part in text for text in shown) for part in old)
            if old and is_held:
                edits.append(old)
        shown.append(unnumbered(probe.full(event)))
    return edits


def score(probes, edits, past, left):
    """The scores of the probe, and the edits whose old texts are still there."""
    row = probe.score(probes, past, left)
    texts = [unnumbered(probe.full(event)) for event in left] if edits else []
    held = sum(all(any(part in text for text in texts) for part in old) for old in edits)
    row['quotes'] = (held, len(edits))
    return row


CLASSICAL = {'masking by age': mask_to, 'head and tail': cut_to}
CONTROLS = {**CLASSICAL, 'random': random_to}
WHOLE = 'nothing cut'
HALFWAY = ('preset balanced', 'preset aggressive')


def half_of(name):
    return int(hashlib.md5(name.encode()).hexdigest(), 16) % 2


def is_ours(name):
    return name.startswith(('preset', 'budget', '{'))


def bound_of(name):
    return f'  bound of the same size ({name})'


def least_whole(name):
    return f'  bound of the same recall, whole results ({name})'


def least_lines(name):
    return f'  bound of the same recall, by lines ({name})'


def same_size(name, rule):
    return f'  {rule} of the same size ({name})'


def bars(value):
    """Each bar with what it is measured by: its name, the figure, whether it is met."""
    limits = {
        'lossless': (90, 99, 99, 99, 99, 100),
        'balanced': (71, 97, 99, 96, 99, None),
        'aggressive': (50, 92, 80, None, None, None),
    }
    for preset, (kept, *least) in limits.items():
        name = f'preset {preset}'
        yield f'{preset}: kept <= {kept}', value(name, 'kept'), value(name, 'kept') <= kept
        for column, limit in zip([*USED, 'quotes', 'user'], least):
            if limit is not None:
                yield f'{preset}: {column} >= {limit}', value(name, column), value(name, column) >= limit
        yield f'{preset}: pair errors <= 0', value(name, 'pairs'), value(name, 'pairs') == 0
    for preset in ('balanced', 'aggressive'):
        name = f'preset {preset}'
        for column in USED:
            ours, bound = value(name, column), value(bound_of(name), column)
            best = max(value(same_size(name, rule), column) for rule in CLASSICAL)
            closed = 100 * (ours - best) / (bound - best) if bound > best else 100
            yield f'{preset}: {column}, {GAP}', closed, closed >= 50
    for share in SHARES:
        name = f'budget {share:.0%}'
        yield f'{name}: kept <= {share:.0%}', value(name, 'kept'), value(name, 'kept') <= 100 * share
        for column in USED:
            # A control that can't be made as small isn't one of the same size.
            alike = [same_size(name, rule) for rule in CONTROLS if value(same_size(name, rule), 'kept') <= value(name, 'kept') + 1]
            ours, best = value(name, column), max(value(control, column) for control in alike)
            yield f'{name}: {column} above every control of the same size', ours - best, ours > best


def new_bars(rows):
    """The bars of the current Claude Code logs, like those of `bars`."""
    of = rows.get('preset balanced')
    for column, limit in NEW_BARS.items() if of else ():
        figure = kept(of) if column == 'kept' else mean(of, column)
        sign = '<=' if column == 'kept' else '>='
        yield f'new Claude Code logs, balanced: {column} {sign} {limit}', figure, figure <= limit if sign == '<=' else figure >= limit


def judge(rows, new):
    """Says of each bar whether it is met; those that were met and aren't any more."""
    def value(name, column):
        of = rows[name][0] + rows[name][1]
        if column == 'kept':
            return kept(of)
        return sum(row['_pair_bad'] for row in of) if column == 'pairs' else mean(of, column)
    lost = []
    print('\nbars, on all\n\n| | figure | |\n|---|---|---|')
    for name, figure, is_met in [*bars(value), *new_bars(new)]:
        print(f"| {name} | {figure:.1f} | {'met' if is_met else '**missed**'} |")
        if not is_met and name in MET:
            lost.append(name)
    return lost


def kept(rows):
    return 100 * sum(row['_tok'][0] / row['_tok'][1] for row in rows) / len(rows)


def table(title, rows):
    """Prints the means of some rows by name."""
    print(f'\n{title}: tokens kept %, then what is still there in context, %\n')
    print('| | kept | ' + ' | '.join(COLUMNS) + ' | pair errors |\n|---|' + '---|' * (len(COLUMNS) + 2))
    for name, of in rows.items():
        values = ' | '.join(f'{mean(of, column):.1f}' for column in COLUMNS)
        print(f"| {name} | {kept(of):.1f} | {values} | {sum(row['_pair_bad'] for row in of)} |")


def new_set(policies):
    """What policies leave of the current Claude Code logs; nothing if they are not there."""
    rows = collections.defaultdict(list)
    if os.path.exists(os.path.join(NEW, 'manifest.json')):
        probe.CORPUS = NEW
        for _, history in probe.sessions('open', 'claude-code'):
            for _, _, past, future in probe.cuts(history):
                probes, edits = probe.probes(past, future), quotes(past, future)
                for name, policy in policies.items():
                    rows[name].append(score(probes, edits, past, policy(past, probes)))
            probe._c.clear()
            probe._k.clear()
        table('Claude Code logs of transcripts-new', rows)
    return rows


def mean(rows, column):
    values = [row[column][0] / row[column][1] for row in rows if row[column][1]]
    return 100 * sum(values) / len(values) if values else float('nan')


def main():
    probe.STOP = probe.stoplist()
    core = Core()
    ours = lambda options: lambda history, _: core.optimize(history, options)
    plain = lambda policy: lambda history, _: policy(history)
    if GIVEN:
        policies = {text: ours(json.loads(text)) for text in GIVEN}
    else:
        policies = {WHOLE: plain(probe.none)}
        policies |= {f'preset {name}': ours({'preset': name, **AT_ONCE}) for name in PRESETS}
        policies['balanced, edits wait'] = ours({'preset': 'balanced'})
        policies['rules: safe (classical)'] = plain(probe.POL['rules: safe'])
        policies['mask, keep last 10 (classical)'] = plain(probe.POL['mask, keep last 10'])
        policies['safe + head/tail 400, keep 10 (classical)'] = plain(probe.POL['rules safe + head/tail 400, keep 10'])
        for share in SHARES:
            budget = lambda history, _, share=share: core.optimize(history, {'preset': 'lossless', 'budget': int(share * tokens(history)), **AT_ONCE})
            policies[f'budget {share:.0%}'] = budget
    rows = collections.defaultdict(lambda: ([], []))
    only = os.environ.get('HALF')
    for manifest, history in probe.sessions('open'):
        half = half_of(manifest['file'])
        if only is not None and int(only) != half:
            continue
        for _, _, past, future in probe.cuts(history):
            probes, edits = probe.probes(past, future), quotes(past, future)
            planner = Planner(past, probes)
            for name, policy in policies.items():
                left = policy(past, probes)
                rows[name][half].append(score(probes, edits, past, left))
                if is_ours(name):
                    known = planner.of_size(tokens(left) / tokens(past))
                    rows[bound_of(name)][half].append(score(probes, edits, past, known))
                if is_ours(name) or name == WHOLE:
                    for units, least in ((planner.whole(), least_whole(name)), (planner.lines(), least_lines(name))):
                        rows[least][half].append(score(probes, edits, past, planner.of_recall(left, units)))
                rules = CLASSICAL if name in HALFWAY else CONTROLS if name.startswith('budget') else {}
                if rules:
                    share = tokens(left) / tokens(past)
                    for rule, made in rules.items():
                        rows[same_size(name, rule)][half].append(score(probes, edits, past, made(share)(past)))
        probe._c.clear()
        probe._k.clear()
    for title, halves in (('first half', [0]), ('held out', [1]), ('all', [0, 1])):
        beside = lambda name: [bound_of(name), least_whole(name), least_lines(name)] + [same_size(name, rule) for rule in CONTROLS]
        named = [row for name in policies for row in (name, *beside(name)) if row in rows]
        if not all(rows[name][half] for name in named for half in halves):
            continue
        table(title, {name: [row for half in halves for row in rows[name][half]] for name in named})
    new = new_set(policies if GIVEN else {name: policies[name] for name in policies if name.startswith('preset')})
    # A half of the conversations, or other options, aren't what the bars are about.
    lost = judge(rows, new) if not GIVEN and only is None else []
    if lost:
        sys.exit('missed, and was met: ' + '; '.join(lost))


main()
