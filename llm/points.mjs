// Cut points of real logs for a small model: the next call that the agent really made, and an excerpt of the history before
// it: whole, packed, and masked to the same size.

const MASK = '[an old tool result was omitted]';
/** Results shorter than this are never masked: the mask would be as long. */
const SHORTEST = 2 * MASK.length;
/** The sizes of the packed and the masked history differ at most by this share of the packed one. */
const MOST_APART = 0.01;
/** The newest messages that every excerpt has at least: a call and the result that the next call answers. */
const NEWEST = 2;
/** Longer messages are shown in pieces: their beginning, and this many characters before and behind each name. */
const [LONGEST, AROUND] = [300, 100];

/**
 * A sample of the calls of some logs, `[{ session, contents }]`, each with its history. A call counts only if it repeats a name
 * that packing or masking removed. Elsewhere a policy has nothing to lose, and hundreds of such points would hide what it loses
 * here. Calls are tried in an order of their own until there are `points` of them, at most `perSession` of a log. `measure`
 * gives the size of messages, `pack` their packed form, and `ends` the end of each token of a text; only the first `cap` tokens
 * of a call are scored. An excerpt has at most `window` characters.
 */
export function sampleOf(logs, { points, perSession, ...options }) {
  const calls = logs.flatMap((log) => callsOf(log.contents).map((at) => ({ log, at })));
  const taken = new Map();
  const found = [];
  for (const { log, at } of shuffled(calls)) {
    if (found.length === points) break;
    const own = taken.get(log) ?? 0;
    if (own === perSession) continue;
    const point = pointAt(log.contents, at, options);
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

function pointAt(contents, at, { leastSaving, measure, pack, ends, cap, window }) {
  const call = callOf(contents[at]);
  const full = contents.slice(0, at);
  // Both policies cut results only: without a name in one of them, they can take nothing.
  const results = textOf(full.filter(({ speaker }) => speaker === 'tool'));
  if (!namesIn(call).some(({ name }) => results.includes(name))) return undefined;
  const packed = pack(full);
  const target = measure(packed);
  if (target > (1 - leastSaving) * measure(full)) return undefined;
  const masked = maskedTo(full, target, measure);
  const size = measure(masked);
  // Some histories have too few results to be masked to that size.
  if (size > target || size < (1 - MOST_APART) * target) return undefined;
  const scored = scoredOf(ends(calling(call), cap), lostOf(call, full, [packed, masked]));
  if (scored === undefined) return undefined;
  const places = excerptOf(full, [packed, masked], scored.names, window);
  return places && { at, call, full, packed, masked, target, places, ...scored };
}

/**
 * The places in a history that a model reads: where each name stands last, in the whole history and in what is `left` of it,
 * calls with their results, and the newest messages, as many as fit. So small a model has no room for the whole history, on which
 * policies decide.
 */
export function excerptOf(full, left, names, window) {
  const histories = [full, ...left.map((messages) => versionsOf(full, messages))].map((messages) =>
    messages.map((message) => (message === undefined ? '' : rendered(message).text)),
  );
  const named = names.flatMap(({ name }) =>
    histories.map((texts) => texts.findLastIndex((text) => text.includes(name))),
  );
  const ids = full.map(idsOf);
  const places = new Set(named.filter((place) => place >= 0));
  for (const place of [...places])
    ids.forEach((own, other) => own.some((id) => ids[place].includes(id)) && places.add(other));
  const sizeOf = (place) => excerpted(full[place], names).text.length;
  let room = [...places].reduce((left, place) => left - sizeOf(place), window);
  let from = full.length;
  while (from > 0 && (places.has(from - 1) || sizeOf(from - 1) <= room)) {
    from -= 1;
    if (!places.has(from)) room -= sizeOf(from);
  }
  // An excerpt has no result without its call.
  while (from < full.length && full[from].speaker === 'tool') from++;
  if (room < 0 || full.length - from < NEWEST) return undefined;
  return full.map((_, place) => place).filter((place) => place >= from || places.has(place));
}

/** A message for an excerpt: a long one in pieces, each name where it occurs last among them. */
export function excerpted(message, names) {
  const { role, text } = rendered(message);
  if (text.length <= LONGEST) return { role, text };
  const spans = names
    .map(({ name }) => ({ name, at: text.lastIndexOf(name) }))
    .filter(({ at }) => at >= 0)
    .map(({ name, at }) => [Math.max(0, at - AROUND), Math.min(text.length, at + name.length + AROUND)]);
  const pieces = [[0, 2 * AROUND]];
  for (const [from, to] of spans.sort(([one], [other]) => one - other)) {
    const last = pieces.at(-1);
    if (from <= last[1]) last[1] = Math.max(last[1], to);
    else pieces.push([from, to]);
  }
  const shown = pieces.map(([from, to]) => text.slice(from, to)).join('\n…\n');
  return { role, text: pieces.at(-1)[1] < text.length ? `${shown}\n…` : shown };
}

/** The ids of the calls that a message has or answers. */
const idsOf = ({ blocks }) =>
  blocks.flatMap(({ type, id, callId }) => (type === 'tool_call' ? [id] : type === 'tool_response' ? [callId] : []));

/** What is left of each message of a history; `undefined` where a policy dropped it. */
export function versionsOf(full, left) {
  if (left.length === full.length) return left;
  const known = new Set(left);
  return full.map((message) => (known.has(message) ? message : undefined));
}

function callOf({ speaker, blocks }) {
  return speaker === 'ai' ? blocks.find(({ type }) => type === 'tool_call') : undefined;
}

/** Words of JSON text: keys and escaped characters are matched so that they can be skipped. */
const WORDS = /"[^"\\]*":|\\u[0-9a-f]{4}|\\.|([A-Za-z_][\w.-]{4,}\w)/g;
/** Signs of a name: a capital, a digit, an underscore or a dot inside. A model may write any other word by itself. */
const SIGN = /[a-z][A-Z]|\w[_.]\w|[A-Za-z]\d|\d[A-Za-z]/;

/** The names in a call's arguments, with the place in the call's text where each first occurs. */
export function namesIn(call) {
  const text = calling(call);
  const start = text.indexOf('"arguments"');
  if (start < 0) return [];
  const words = [...text.slice(start, text.lastIndexOf('<')).matchAll(WORDS)].flatMap(([, word]) => word ?? []);
  return [...new Set(words)]
    .filter((word) => SIGN.test(word))
    .map((name) => ({ name, from: text.indexOf(name, start), to: text.indexOf(name, start) + name.length }));
}

/** The names in a call that stand in the whole history, and no longer in one of those that are `left` of it. */
export function lostOf(call, full, left) {
  const [whole, ...others] = [full, ...left].map(textOf);
  return namesIn(call)
    .filter(({ name }) => whole.includes(name))
    .map((name) => ({ ...name, isLost: others.map((text) => !text.includes(name.name)) }))
    .filter(({ isLost }) => isLost.includes(true));
}

/**
 * Which tokens of a call are scored, by the ends of its first tokens and its lost names: those up to the last lost name that
 * ends among them. `tokens` are the places of a name's own, where it first stands: further on, a model can copy it from the call
 * itself.
 */
export function scoredOf(ends, lost) {
  const end = ends.at(-1) ?? 0;
  const names = lost.filter(({ to }) => to <= end);
  if (names.length === 0) return undefined;
  const last = Math.max(...names.map(({ to }) => to));
  const count = ends.findIndex((each) => each >= last) + 1;
  const tokensOf = ({ from, to }) =>
    ends.slice(0, count).flatMap((end, at) => (from < end && to > (ends[at - 1] ?? 0) ? [at] : []));
  const found = names.map((name) => ({ ...name, tokens: tokensOf(name) }));
  const isName = ends.slice(0, count).map((_, at) => found.some(({ tokens }) => tokens.includes(at)));
  return { names: found, isName };
}

/** All that a model reads of some messages. */
export const textOf = (messages) => messages.map((message) => rendered(message).text).join('\n');

/**
 * The messages with their oldest results masked until they are no larger than `target`. The last masked result keeps as much of
 * its beginning as the target has room for, so that both histories have the same size.
 */
export function maskedTo(messages, target, measure) {
  const masked = [...messages];
  let size = measure(masked);
  for (const [place, message] of messages.entries()) {
    for (const [at, block] of message.blocks.entries()) {
      const text = resultOf(block);
      if (text === undefined || text.length < SHORTEST) continue;
      if (size <= target) return masked;
      const others = size - measure([masked[place]]);
      const fits = (kept) => {
        const result = kept === 0 ? MASK : `${text.slice(0, kept)}… ${MASK}`;
        masked[place] = { ...message, blocks: masked[place].blocks.with(at, { ...block, result }) };
        size = others + measure([masked[place]]);
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

/**
 * The first message and the newest ones that fit into `target` with it, as tools do that drop the middle of a history. No
 * result is left without its call.
 */
export function droppedTo(messages, target, measure) {
  const [first, ...others] = messages;
  let room = target - measure([first]);
  let from = others.length;
  while (from > 0 && measure([others[from - 1]]) <= room) room -= measure([others[--from]]);
  while (from < others.length && others[from].speaker === 'tool') from++;
  return [first, ...others.slice(from)];
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
