import type { IContent } from '../base/content.js';
import { densifyError } from '../base/errors.js';
import { describe, isObject, onlyKnown } from '../base/options.js';
import type { ProviderName } from '../validate/api.js';
import { providerRules } from '../validate/index.js';
import { type Make, NAMES, POLICY_NAMES, policyOf } from './policies.js';
import type { OwnPolicy, ReplayHistory, ReplayOptions, ReplayPrices } from './types.js';

const LIMIT = 200_000;
const PRICES: ReplayPrices = { cached: 0.3, uncached: 3.75 };
const KEYS = ['policies', 'contextLimit', 'prices', 'cacheTtl', 'lookback', 'provider', 'workspaceRoot'];

/** What a replay is to do. */
export interface Settings {
  readonly policies: readonly { readonly name: string; readonly make: Make }[];
  readonly contextLimit: number;
  readonly prices: ReplayPrices;
  /** Seconds; nothing if logs and their models say it. */
  readonly cacheTtl: number | undefined;
  readonly lookback: number;
  readonly provider: ProviderName | undefined;
  readonly workspaceRoot: string | undefined;
}

/** Reads a replay's options; a wrong one is an error that names it. */
export function readOptions(options: ReplayOptions | undefined): Settings {
  const given: unknown = options ?? {};
  if (!isObject(given)) throw wrong('options', given, 'an object');
  onlyKnown(given, KEYS);
  const { policies = POLICY_NAMES, contextLimit = LIMIT, prices = PRICES, cacheTtl, provider } = given as ReplayOptions;
  const { lookback = Infinity, workspaceRoot } = given as ReplayOptions;
  if (!Array.isArray(policies)) throw wrong('policies', policies, 'a list of names');
  if (!(Number.isInteger(contextLimit) && contextLimit > 0)) {
    throw wrong('contextLimit', contextLimit, 'a whole number above 0');
  }
  for (const key of ['cached', 'uncached'] as const) {
    const price: unknown = (prices as Partial<ReplayPrices> | null)?.[key];
    if (!(typeof price === 'number' && price >= 0 && price < Infinity)) {
      throw wrong(`prices.${key}`, price, 'a number of at least 0');
    }
  }
  if (cacheTtl !== undefined && !(typeof cacheTtl === 'number' && cacheTtl > 0)) {
    throw wrong('cacheTtl', cacheTtl, 'a number of seconds above 0, or Infinity');
  }
  if (!(typeof lookback === 'number' && lookback >= 0)) {
    throw wrong('lookback', lookback, 'a number of blocks, or Infinity');
  }
  if (provider !== undefined && !Object.hasOwn(providerRules, provider)) {
    throw wrong('provider', provider, `one of ${Object.keys(providerRules).join(', ')}`);
  }
  if (workspaceRoot !== undefined && typeof workspaceRoot !== 'string') {
    throw wrong('workspaceRoot', workspaceRoot, 'a string');
  }
  const named = policiesOf(policies as readonly unknown[]);
  return { policies: named, contextLimit, prices, cacheTtl, lookback, provider, workspaceRoot };
}

/** The policies once each: the log as it was sent, the well-known ones in the order of reports, then the others. */
function policiesOf(wanted: readonly unknown[]): Settings['policies'] {
  const found = new Map<string, Make>();
  for (const each of ['none', ...wanted]) {
    const own = isOwn(each) ? each : undefined;
    const make: Make | undefined =
      own === undefined ? policyOf(each) : ({ contextLimit }) => ownHistory(own, contextLimit);
    if (make === undefined) {
      const found = isNameLike(each) ? `'${each}'` : describe(each);
      throw densifyError('invalid-options', `option policies: found ${found}, expected one of ${NAMES}`, {
        key: 'policies',
      });
    }
    const name = own?.name ?? String(each);
    if (own !== undefined && (name === '' || policyOf(name) !== undefined || found.has(name))) {
      throw wrong('policies', name, 'a name that no other policy uses: choose another');
    }
    found.set(name, make);
  }
  const known = POLICY_NAMES.filter((name) => found.has(name));
  const others = [...found.keys()].filter((name) => !(known as readonly string[]).includes(name));
  return [...known, ...others].map((name) => ({ name, make: found.get(name)! }));
}

/** The history of a caller's own policy; what it lacks is told by name. */
function ownHistory(policy: OwnPolicy, contextLimit: number): ReplayHistory {
  const { name } = policy;
  const history: unknown = policy.create(contextLimit);
  const lacks = (['add', 'messages', 'dispose'] as const).find(
    (key) => typeof (history as Partial<ReplayHistory> | null | undefined)?.[key] !== 'function',
  );
  const own = history as ReplayHistory;
  if (lacks !== undefined)
    throw broken(name, `create() returned ${describe(history)}, expected an object with the function ${lacks}`);
  return {
    add: (contents) => own.add(contents),
    messages: (moment) => {
      const messages: unknown = own.messages(moment);
      const isList = Array.isArray(messages) && messages.every((each) => typeof each === 'object' && each !== null);
      if (!isList) throw broken(name, `messages() returned ${describe(messages)}, expected a list of contents`);
      return messages as IContent[];
    },
    dispose: () => own.dispose(),
    ...(typeof own.anchor === 'function' && { anchor: () => own.anchor?.() }),
  };
}

function broken(name: string, problem: string): Error {
  return densifyError('callback-failed', `the policy ${describe(name)}: ${problem}`, { key: 'policies' });
}

/** Whether a name is one that somebody misspelt: an error may show it. */
function isNameLike(each: unknown): each is string {
  if (typeof each !== 'string' || each.length > 40) return false;
  // A name this short cannot be a credential.
  return /^[a-z-]+(?::[a-z-]+|:\d{1,9}%?)*$/.test(each) || /^[\w\-.:%]{1,15}$/.test(each);
}

function isOwn(each: unknown): each is OwnPolicy {
  const { name, create } = (each ?? {}) as Partial<OwnPolicy>;
  return typeof each === 'object' && typeof name === 'string' && typeof create === 'function';
}

function wrong(key: string, found: unknown, expected: string): Error {
  return densifyError('invalid-options', `option ${key}: found ${describe(found)}, expected ${expected}`, { key });
}
