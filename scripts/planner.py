"""What a planner keeps that knows what is used later: the bound for rules that can't know it.

It picks from results, whole or by lines, and leaves all else as it is. It is greedy, by use for size: the
smallest history that it finds, not the smallest there is.
"""
import collections, heapq

import probe

USED = ('id', 'editline', 'file')


class Planner:
    def __init__(self, history, probes):
        self.history = history
        self.files = {p: v for p, v in probes['_files3'].items() if v and p in probes['_used']}
        self.probes = probes
        self.weights = {}
        self.results = [e for e in history if e['t'] == 'result']
        self.free = {item for e in history if e['t'] != 'result' for triple in probe.ctx(probe.full(e)) for item in self.items(triple)}
        self.found = {}

    def items(self, triple):
        """What a line holds in context that is used later."""
        stripped, found = triple[1].strip(), probe.feats(triple[1])
        for kind in ('id', 'path'):
            for x in found[kind] & set(self.probes[kind]):
                yield self.weighed((kind, x), len(self.probes[kind]))
        if stripped in self.probes['editline']:
            yield self.weighed(('editline', stripped), len(self.probes['editline']))
        for path, lines in self.files.items():
            if triple in lines:
                yield self.weighed(('file', path, triple), len(lines) * len(self.files))

    def weighed(self, item, size):
        self.weights[item] = 1 / max(1, size)
        return item

    def whole(self):
        """Results to choose from: (result, its rows or None for all, what they hold)."""
        if 'whole' not in self.found:
            self.found['whole'] = [
                (e, None, {item for triple in probe.ctx(e['text']) for item in self.items(triple)}) for e in self.results
            ]
        return self.found['whole']

    def lines(self):
        """Lines to choose from, each with its neighbours, without which it isn't in context."""
        if 'lines' not in self.found:
            self.found['lines'] = list(self.each_line())
        return self.found['lines']

    def each_line(self):
        for e in self.results:
            rows = ['', *probe.rows(e['text']), '']
            for at in range(1, len(rows) - 1):
                held = set(self.items(tuple(rows[at - 1:at + 2])))
                if held - self.free:
                    yield e, range(max(1, at - 1), min(len(rows) - 2, at + 1) + 1), held

    def of_size(self, target):
        """Whole results by use later for their size until the target is full."""
        kept = Kept(self)
        room = target * sum(map(probe.tok, self.history)) - sum(map(probe.tok, kept.history()))
        for unit, cost in kept.best_first(self.whole(), lambda item: self.weights[item]):
            if cost <= room:
                room -= cost
                kept.take(unit)
        return kept.history()

    def of_recall(self, left, units):
        """The least that holds as much of identifiers, edited lines and files as a history does."""
        standing = {triple for e in left for triple in probe.ctx(probe.full(e))}
        share = collections.Counter()
        for item in {item for triple in standing for item in self.items(triple)} - self.free:
            share[item[0]] += self.weights[item]
        kept = Kept(self)

        def worth(item):
            return self.weights[item] if share[item[0]] > 1e-9 and item[0] in USED else 0

        for unit, _ in kept.best_first(units, worth):
            for item in kept.take(unit):
                share[item[0]] -= self.weights[item]
        return kept.history()


class Kept:
    """What was taken so far."""

    def __init__(self, planner):
        self.planner = planner
        self.held = set(planner.free)
        self.whole = set()
        self.rows = collections.defaultdict(set)

    def cost(self, unit):
        e, rows, _ = unit
        if rows is None:
            return probe.tok(e)
        of = ['', *probe.rows(e['text'])]
        return sum(len(of[at]) + 1 for at in rows if at not in self.rows[e['i']]) / 4

    def best_first(self, units, worth):
        """Units by what they are worth for their cost, while there is one that is worth anything."""
        def rank(unit):
            return sum(worth(item) for item in unit[2] - self.held) / (self.cost(unit) + 1)

        heap = [(-rank(unit), at) for at, unit in enumerate(units)]
        heapq.heapify(heap)
        while heap:
            known, at = heapq.heappop(heap)
            now = -rank(units[at])
            # Worth goes down as others are taken: what is still the best is the best of all.
            if now < 0 and (now <= known or not heap or now <= heap[0][0]):
                yield units[at], self.cost(units[at])
            elif now < 0:
                heapq.heappush(heap, (now, at))

    def take(self, unit):
        """Takes a unit; says what it adds."""
        e, rows, held = unit
        added = held - self.held
        self.held |= held
        if rows is None:
            self.whole.add(e['i'])
        else:
            self.rows[e['i']].update(rows)
        return added

    def history(self):
        return [self.left(e) if e['t'] == 'result' and e['i'] not in self.whole else e for e in self.planner.history]

    def left(self, e):
        rows = sorted(self.rows[e['i']])
        if not rows:
            return probe.clone(e, text='[result cut]')
        of = ['', *probe.rows(e['text'])]
        lines = []
        for before, at in zip([rows[0] - 1, *rows], rows):
            lines += ['…'] * (at != before + 1) + [of[at]]
        return probe.clone(e, text='\n'.join(lines))
