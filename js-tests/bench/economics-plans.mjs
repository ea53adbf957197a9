// The cheapest plan of flushes for a planner who knows all edits and calls of a session: dynamic programs.

/**
 * @typedef {{ readonly tokens: number, readonly text: string }} Sent a message as it is sent
 * @typedef {{ readonly isCold: boolean, readonly added: number, readonly sizes: ReadonlyMap<number, Sent> }} Call
 *   a call of the model: the messages that were added, and those of them that were left, each with all edits
 * @typedef {Sent & { readonly since: number }} Version a message from a call on
 * @typedef {{ readonly cached: number, readonly uncached: number }} Prices
 * @typedef {ReturnType<typeof periodOf>} Period
 */

/**
 * The versions of each message: from which call on it has how many tokens.
 *
 * @param {readonly Call[]} calls
 */
function versionsOf(calls) {
  /** @type {Version[][]} */
  const messages = Array.from({ length: calls.at(-1)?.added ?? 0 }, () => []);
  calls.forEach(({ added, sizes }, call) => {
    for (let at = 0; at < added; at += 1) {
      const { tokens, text } = sizes.get(at) ?? { tokens: 0, text: '' };
      const versions = /** @type {Version[]} */ (messages[at]);
      if (versions.at(-1)?.text !== text) versions.push({ since: call, tokens, text });
    }
  });
  return messages;
}

/**
 * The version that a message had at a call; a message that came later has its first one.
 *
 * @param {readonly Version[]} versions
 * @param {number} call
 */
function versionAt(versions, call) {
  let found = /** @type {Version} */ (versions[0]);
  for (const version of versions) if (version.since <= call) found = version;
  return found;
}

/**
 * The costs of a session in dollars times a million: if each flush makes all that waits, and if flushes begin anywhere.
 *
 * @param {readonly Call[]} calls
 * @param {Prices} prices
 */
export function plans(calls, { cached, uncached }) {
  if (calls.length === 0) return { whole: 0, partial: 0 };
  const messages = versionsOf(calls);
  // A call with a cold cache sends all of it at the full price: what waits is made there, and the plan begins again.
  const starts = [0, ...calls.flatMap(({ isCold }, at) => (isCold && at > 0 ? [at] : []))];
  let [whole, partial] = [0, 0];
  starts.forEach((start, nth) => {
    const end = starts[nth + 1] ?? calls.length;
    const fixed = fixedCost(messages, start, end, { cached, uncached });
    const period = periodOf(messages, start, end, { cached, uncached });
    whole += fixed + bestWhole(period);
    partial += fixed + bestPartial(period);
  });
  return { whole, partial };
}

/**
 * What no plan changes: the first sending of each message, and all sendings of those that no edit changes.
 *
 * @param {readonly Version[][]} messages
 * @param {number} start
 * @param {number} end
 * @param {Prices} prices
 */
function fixedCost(messages, start, end, { cached, uncached }) {
  const isCold = start > 0;
  return messages.reduce((sum, versions) => {
    const first = versions[0]?.since ?? Infinity;
    if (first >= end) return sum;
    const from = Math.max(start, first);
    const { tokens } = versionAt(versions, from);
    const isSentAnew = first >= start || isCold;
    const resent = changesIn(versions, start, end) ? 0 : (end - from) * tokens * cached;
    return sum + resent + (isSentAnew ? tokens * (uncached - cached) : 0);
  }, 0);
}

/**
 * @param {readonly Version[]} versions
 * @param {number} start
 * @param {number} end
 */
const changesIn = (versions, start, end) => versions.some(({ since }, at) => at > 0 && since > start && since < end);

/**
 * What a plan decides about in one period: messages that change, and calls at which one does.
 *
 * @param {readonly Version[][]} messages
 * @param {number} start
 * @param {number} end
 * @param {Prices} prices
 */
function periodOf(messages, start, end, { cached, uncached }) {
  const places = messages.flatMap((versions, at) => (changesIn(versions, start, end) ? [at] : []));
  const times = new Set([start, end]);
  for (const at of places)
    for (const { since } of messages[at] ?? []) if (since > start && since < end) times.add(since);
  const changing = places.map((at) => messages[at] ?? []);
  const moments = [...times].sort((one, other) => one - other);
  // What a flush sends again: of each moment the tokens from each place on that were sent before.
  const resent = moments.map((moment) => {
    const behind = new Float64Array(places.length);
    if (moment === end) return behind;
    let [sum, place] = [0, places.length - 1];
    for (let at = messages.length - 1; at >= 0 && place >= 0; at -= 1) {
      const versions = messages[at] ?? [];
      if ((versions[0]?.since ?? Infinity) < moment) sum += versionAt(versions, moment).tokens;
      if (places[place] === at) behind[place--] = sum * (uncached - cached);
    }
    return behind;
  });
  // Of each place, what it costs from the first to the second moment as it was at the first.
  /** @type {(place: number, from: number, to: number) => number} */
  const running = (place, from, to) => {
    const versions = changing[place] ?? [];
    const since = Math.max(moments[from] ?? 0, versions[0]?.since ?? 0);
    return Math.max(0, (moments[to] ?? 0) - since) * versionAt(versions, since).tokens * cached;
  };
  /** @type {(place: number, from: number, to: number) => boolean} */
  const isChanged = (place, from, to) => {
    const versions = changing[place] ?? [];
    return versionAt(versions, moments[from] ?? 0) !== versionAt(versions, moments[to] ?? 0);
  };
  return { places: places.length, moments: moments.length, resent, running, isChanged };
}

/**
 * The least cost if a flush makes all that waits: over (moment, flush before it).
 *
 * @param {Period} period
 */
function bestWhole({ places, moments, resent, running, isChanged }) {
  const best = new Float64Array(moments).fill(Infinity);
  best[0] = 0;
  for (let to = 1; to < moments; to += 1) {
    for (let from = 0; from < to; from += 1) {
      let cost = best[from] ?? 0;
      for (let place = 0; place < places; place += 1) cost += running(place, from, to);
      if (to < moments - 1) {
        let first = 0;
        while (first < places && !isChanged(first, from, to)) first += 1;
        if (first < places) cost += resent[to]?.[first] ?? 0;
      }
      best[to] = Math.min(best[to] ?? Infinity, cost);
    }
  }
  return best[moments - 1] ?? 0;
}

/**
 * The least cost if a flush may begin at any message: what stands behind it is sent again and so is the newest. From the
 * last place to the first, `best[from][to]` is that of all places from here on, which were the newest at `from`.
 *
 * @param {Period} period
 */
function bestPartial({ places, moments, resent, running, isChanged }) {
  /** @type {(from: number, to: number) => number} */
  const at = (from, to) => from * moments + to;
  let behind = new Float64Array(moments * moments);
  for (let place = places - 1; place >= 0; place -= 1) {
    const best = new Float64Array(moments * moments);
    for (let from = moments - 2; from >= 0; from -= 1) {
      // What it costs until a moment at which the next flush from this very place is made.
      const until = Float64Array.from({ length: moments }, (_, to) =>
        to <= from ? Infinity : running(place, from, to) + (behind[at(from, to)] ?? 0),
      );
      /** @type {number[]} */
      const useful = [];
      for (let to = from + 1; to < moments - 1; to += 1) if (isChanged(place, from, to)) useful.push(to);
      for (let to = from + 1; to < moments; to += 1) {
        let least = until[to] ?? Infinity;
        for (const flush of useful) {
          if (flush >= to) break;
          const cost = (until[flush] ?? 0) + (resent[flush]?.[place] ?? 0) + (best[at(flush, to)] ?? 0);
          if (cost < least) least = cost;
        }
        best[at(from, to)] = least;
      }
    }
    behind = best;
  }
  return behind[at(0, moments - 1)] ?? 0;
}
