// Cut points of real logs for a small model: a slice of a log that fits its window, the next call that the agent really made,
// and the same slice packed and masked to the same size.

const MASK = '[an old tool result was omitted]';
/** Results shorter than this are never masked: the mask would be as long. */
const SHORTEST = 2 * MASK.length;

/**
 * A sample of the calls of some logs, `[{ session, contents }]`, each with the slice of its log before it. Only calls count that
 * name something which packing or masking removed: elsewhere a policy has nothing to lose, and hundreds of such points would
 * hide what it loses here. Calls are tried in an order of their own until there are `points` of them, at most `perSession` of
 * a log. Each call counts in the smallest of the windows that shows it so. `measure` gives the size of messages and `pack`
 * their packed form.
 */
export function sampleOf(logs, { points, perSession, ...options }) {
  const calls = logs.flatMap((log) => callsOf(log.contents).map((at) => ({ log, at })));
  const sizes = new Map(logs.map((log) => [log, log.contents.map((content) => options.measure([content]))]));
  const taken = new Map();
  const found = [];
  for (const { log, at } of shuffled(calls)) {
    if (found.length === points) break;
    const own = taken.get(log) ?? 0;
    if (own === perSession) continue;
    const point = pointAt(log.contents, sizes.get(log), at, options);
    if (point === undefined) continue;
    taken.set(log, own + 1);
    found.push({ session: log.session, ...point });
  }
  return found;
}

/** The places of calls that answer something. */
const callsOf = (contents) =>
  contents.flatMap((content, at) => {
    return at > 0 && callOf(content) !== undefined && contents[at - 1].speaker !== 'ai' ? [at] : [];
  });

function pointAt(contents, sizes, at, { windows, leastSaving, measure, pack }) {
  const call = callOf(contents[at]);
  for (const window of windows) {
    const from = startOf(contents, sizes, at, window);
    if (at - from < 4) continue;
    const full = contents.slice(from, at);
    // Only results are cut: without a name in one of them, packing can take nothing.
    if (
      namesOf(
        call,
        full.filter(({ speaker }) => speaker === 'tool'),
      ).length === 0
    )
      continue;
    const packed = pack(full);
    const target = measure(packed);
    if (target > (1 - leastSaving) * measure(full)) continue;
    const masked = maskedTo(full, target, measure);
    if (isTouched(call, full, [packed, masked])) return { from, at, call, full, packed, masked };
  }
  return undefined;
}

function callOf({ speaker, blocks }) {
  return speaker === 'ai' ? blocks.find(({ type }) => type === 'tool_call') : undefined;
}

/** Names: words that a call has by chance less often than prose has words. */
const NAME = /[A-Za-z_][\w.-]{5,}/g;

/** Whether a call has a name that stands in the whole history and no longer in one of those that are left of it. */
export function isTouched(call, full, left) {
  const others = left.map((messages) => JSON.stringify(messages));
  return namesOf(call, full).some((name) => others.some((text) => !text.includes(name)));
}

/** The names in a call that stand in some messages. */
function namesOf({ parameters }, messages) {
  const text = JSON.stringify(messages);
  return [...new Set(JSON.stringify(parameters ?? '').match(NAME) ?? [])].filter((name) => text.includes(name));
}

/** The first entry of the longest slice before `at` that fits; a slice begins with no result whose call is outside. */
function startOf(contents, sizes, at, window) {
  let [from, sum] = [at, 0];
  while (from > 0 && sum + sizes[from - 1] <= window) sum += sizes[--from];
  while (from < at && contents[from].speaker === 'tool') from++;
  return from;
}

/**
 * The messages with their oldest results masked until they are no larger than `target`. The last masked result keeps as much of
 * its beginning as the target has room for, so that both histories have the same size.
 */
export function maskedTo(messages, target, measure) {
  const masked = messages.map((message) => ({ ...message, blocks: [...message.blocks] }));
  let size = measure(masked);
  for (const message of masked) {
    for (const [at, block] of message.blocks.entries()) {
      const text = resultOf(block);
      if (text === undefined || text.length < SHORTEST) continue;
      if (size <= target) return masked;
      const others = size - measure([message]);
      const fits = (kept) => {
        message.blocks[at] = { ...block, result: kept === 0 ? MASK : `${text.slice(0, kept)}… ${MASK}` };
        size = others + measure([message]);
        return size <= target;
      };
      if (fits(0)) {
        // The longest beginning that fits.
        let [low, high] = [0, text.length];
        while (high - low > 1) {
          const middle = (low + high) >> 1;
          if (fits(middle)) low = middle;
          else high = middle;
        }
        fits(low);
      }
    }
  }
  return masked;
}

function resultOf({ type, result }) {
  if (type !== 'tool_response') return undefined;
  return typeof result === 'string' ? result : JSON.stringify(result);
}

/** A message as the small model reads it: pairs of its role and its text. */
export function rendered({ speaker, blocks }) {
  const role = { human: 'user', ai: 'assistant', tool: 'tool' }[speaker];
  const texts = blocks.map((block) => {
    if (block.type === 'tool_call') return calling(block);
    if (block.type === 'tool_response') return resultOf(block);
    return block.text ?? block.thought ?? block.code ?? '[media]';
  });
  return { role, text: texts.join('\n') };
}

/** A call as text. */
export function calling({ name, parameters }) {
  return `<tool_call>${JSON.stringify({ name, arguments: parameters })}</tool_call>`;
}

/** A seeded generator of numbers from 0 up to 1. */
export function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The same things in an order of their own, always the same: a run that is cut short has some of every session. */
export function shuffled(all, random = seeded(7)) {
  const mixed = [...all];
  for (let at = mixed.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [mixed[at], mixed[other]] = [mixed[other], mixed[at]];
  }
  return mixed;
}

/**
 * A statistic of groups with its 95% interval: groups are drawn again, with repeats, since points of one session are alike.
 */
export function withInterval(groups, statistic, { rounds = 2_000, seed = 1 } = {}) {
  const random = seeded(seed);
  const values = Array.from({ length: rounds }, () =>
    statistic(groups.flatMap(() => groups[Math.floor(random() * groups.length)])),
  ).sort((a, b) => a - b);
  const at = (share) => values[Math.min(rounds - 1, Math.floor(share * rounds))];
  return { value: statistic(groups.flat()), low: at(0.025), high: at(0.975) };
}
