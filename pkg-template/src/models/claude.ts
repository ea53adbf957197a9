/** The generation of a Claude model, by its name at the API, at a cloud or at a gateway, or by an alias. */

/** The first version that has a property: for some families one of their own, for all others `others`. */
type Since = Readonly<Record<string, number>> & { readonly others: number };

/** The generations, newest first, with the first version of each family that belongs to it. */
const SINCE = [
  // Thinking is bound to what precedes it.
  ['preserved-thinking', { fable: 5.01, mythos: 5.01, others: 5.05 }],
  ['adaptive-thinking', { fable: 0, mythos: 0, others: 4.06 }],
  ['manual-thinking', { fable: 0, mythos: 0, others: 3.07 }],
  ['no-thinking', { fable: 0, mythos: 0, others: 0 }],
] as const satisfies readonly (readonly [string, Since])[];

/**
 * The first versions with the newer tokenizer: "Claude Opus 4.7 and later Opus models, Claude Fable 5, Mythos 5, Mythos Preview
 * and Sonnet 5" (Anthropic, "Token counting"). Other families are assumed to have it from version 5 on.
 */
const NEWER_TOKENIZER: Since = { opus: 4.07, fable: 0, mythos: 0, others: 5 };

/** A generation of Claude. */
type ClaudeGeneration = (typeof SINCE)[number][0];

/** `claude-opus-4-5-20251101`, `anthropic.claude-opus-4-5-v1:0`, `claude-opus-4@20250514`, `opus4.5`: a family, then a version. */
const BY_FAMILY =
  /(?:^|[^a-z])(?:claude[-_. ])?(opus|sonnet|haiku|fable|mythos)[-_. ]?(\d{1,2})(?!\d)(?:[-_.](\d{1,2})(?!\d))?/;
/** The same for a family that is not known yet. */
const BY_UNKNOWN_FAMILY = /claude[-_. ]([a-z]+)[-_. ](\d{1,2})(?!\d)(?:[-_.](\d{1,2})(?!\d))?/;
/** `claude-3-7-sonnet-latest`, `claude-2.1`, `claude-v2`: a version alone, or before the family. */
const BY_VERSION = /claude[-_. ]?v?()(\d{1,2})(?!\d)(?:[-_.](\d{1,2})(?!\d))?/;
/** Any name of a Claude, also without a version: `sonnet`, `gateway/opus`, `claude-haiku-latest`. */
const CLAUDE = /claude|(?:^|[^a-z])(?:opus|sonnet|haiku|fable|mythos)(?![a-z])/;
/** The family in a name that has its version first. */
const FAMILY = /opus|sonnet|haiku|fable|mythos/;

/** A Claude model by its name. Without a version in the name, `version` is infinite: the newest model. */
interface Claude {
  /** Empty if the name has none: `claude-2.1`. */
  readonly family: string;
  readonly version: number;
}

/** The model that a name stands for, if it is a Claude. */
export function claudeOf(model: string): Claude | undefined {
  const name = model.toLowerCase();
  if (/claude[-_. ]instant/.test(name)) return { family: 'instant', version: 1 };
  const [, named, major, minor = '0'] =
    BY_FAMILY.exec(name) ?? BY_VERSION.exec(name) ?? BY_UNKNOWN_FAMILY.exec(name) ?? [];
  const family = named || (FAMILY.exec(name)?.[0] ?? '');
  if (major !== undefined) return { family, version: Number(major) + Number(minor) / 100 };
  return isClaude(name) ? { family, version: Infinity } : undefined;
}

/** Whether a name is that of a Claude model, with or without a version. */
export function isClaude(name: string): boolean {
  return CLAUDE.test(name.toLowerCase());
}

const isSince = ({ family, version }: Claude, since: Since): boolean =>
  version >= ((Object.hasOwn(since, family) ? since[family] : undefined) ?? since.others);

/**
 * The generation of a model, if it is a Claude, by family and version. Versions newer than all known ones, and names without a
 * version, belong to the newest generation.
 */
function claudeGeneration(model: string): ClaudeGeneration | undefined {
  const claude = claudeOf(model);
  return claude && SINCE.find(([, since]) => isSince(claude, since))?.[0];
}

/** Whether a Claude has the older tokenizer. A name without a version, and without a generation, means the newest model. */
export function hasOlderTokenizer(model = '', generation?: string): boolean {
  const claude = claudeOf(model);
  if (claude?.version !== undefined && claude.version < Infinity) return !isSince(claude, NEWER_TOKENIZER);
  return generation === 'manual-thinking' || generation === 'no-thinking';
}

/** Tells whether a name is that of a model of this generation. */
export function claudesOf(generation: ClaudeGeneration): { readonly test: (model: string) => boolean } {
  return { test: (model) => claudeGeneration(model) === generation };
}
