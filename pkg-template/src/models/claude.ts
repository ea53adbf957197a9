/** The generation of a Claude model, by its name at the API, at a cloud or at a gateway, or by an alias. */

/** The version from which on a model has something; by family, where that had it earlier or later than `others`. */
type Since = Readonly<Record<string, number>> & { readonly others: number };

/** The generations, newest first, and the version from which on a model is of one; `later` where a family began later. */
const SINCE = [
  // Thinking is bound to what precedes it.
  ['preserved-thinking', { fable: 5.01, mythos: 5.01, others: 5.05 }],
  ['adaptive-thinking', { fable: 0, mythos: 0, others: 4.06 }],
  ['manual-thinking', { fable: 0, mythos: 0, others: 3.07 }],
  ['no-thinking', { fable: 0, mythos: 0, others: 0 }],
] as const satisfies readonly (readonly [string, Since])[];

/**
 * Which have the newer tokenizer: "Claude Opus 4.7 and later Opus models, Claude Fable 5, Mythos 5, Mythos Preview and Sonnet 5"
 * (Anthropic, "Token counting"); of other families whichever come with them.
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
/** `sonnet`, `gateway/opus`, `claude-haiku-latest`: whichever is the newest. */
const UNVERSIONED = /claude|(?:^|[^a-z])(?:opus|sonnet|haiku|fable|mythos)(?![a-z])/;

/** A Claude, as its name has it; one without a version is the newest. */
interface Claude {
  readonly family: string;
  readonly version: number;
}

export function claudeOf(model: string): Claude | undefined {
  const name = model.toLowerCase();
  if (/claude[-_. ]instant/.test(name)) return { family: 'instant', version: 1 };
  const [, family = '', major, minor = '0'] =
    BY_FAMILY.exec(name) ?? BY_VERSION.exec(name) ?? BY_UNKNOWN_FAMILY.exec(name) ?? [];
  if (major !== undefined) return { family, version: Number(major) + Number(minor) / 100 };
  return UNVERSIONED.test(name) ? { family, version: Infinity } : undefined;
}

const isSince = ({ family, version }: Claude, since: Since): boolean =>
  version >= ((Object.hasOwn(since, family) ? since[family] : undefined) ?? since.others);

/**
 * The generation of a model, if it is a Claude: by family and version, as all names have them, so that newer ones are of
 * the newest generation that is known; and so are names without a version.
 */
function claudeGeneration(model: string): ClaudeGeneration | undefined {
  const claude = claudeOf(model);
  return claude && SINCE.find(([, since]) => isSince(claude, since))?.[0];
}

/** Whether a Claude counts by the tokenizer before the newer one; a name without version and generation means the newest. */
export function hasOlderTokenizer(model = '', generation?: string): boolean {
  const claude = claudeOf(model);
  if (claude?.version !== undefined && claude.version < Infinity) return !isSince(claude, NEWER_TOKENIZER);
  return generation === 'manual-thinking' || generation === 'no-thinking';
}

/** What says of a name whether it is a model's of a generation. */
export function claudesOf(generation: ClaudeGeneration): { readonly test: (model: string) => boolean } {
  return { test: (model) => claudeGeneration(model) === generation };
}
