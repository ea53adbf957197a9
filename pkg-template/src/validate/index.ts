/**
 * Finds and repairs faults that a provider would reject, offline, for eleven message formats. Texts are the provider's own
 * if they are known. Independent of everything else in the package.
 *
 * @packageDocumentation
 */
import type { MessageFormat, Repair, RepairResult, ValidateOptions, Validation } from './api.js';
import { check } from './check.js';
import type { Found } from './context.js';
import { detectFormat } from './detect.js';
import { ambiguous, checkOptions } from './options.js';
import { apply, isMendable, type Slot } from './repair.js';

export type {
  Finding,
  FindingCode,
  MessageFormat,
  ProviderName,
  ProviderRules,
  Repair,
  RepairResult,
  ValidateOptions,
  Validation,
} from './api.js';
export { formatRules, providerRules } from './rules.js';
export { detectFormat };

/** How often a repair is looked at again; what isn't good by then needs a decision. */
const ROUNDS = 12;

/**
 * Reports the faults that the receiver of the messages would reject. Invalid content is a finding and never an error.
 * With `repair: true` the answer also holds repaired messages.
 *
 * @example
 * const { ok, findings } = validate(messages, { format: 'anthropic', model: 'claude-sonnet-4-5' });
 * for (const { path, message, hint } of findings) console.warn(path.join('.'), message, hint);
 */
export function validate<M>(
  messages: readonly M[],
  options: ValidateOptions & { readonly repair: true },
): Validation & RepairResult<M>;
export function validate(
  messages: readonly unknown[],
  options?: ValidateOptions & { readonly repair?: boolean | undefined },
): Validation;
export function validate(
  messages: readonly unknown[],
  options: ValidateOptions & { readonly repair?: boolean | undefined } = {},
): Validation | (Validation & RepairResult<unknown>) {
  checkOptions(options, ['repair']);
  const { repair: mend, ...rest } = options;
  return mend === true ? repair(messages, rest) : answer(check(messages, formatOf(messages, rest), rest));
}

/**
 * Makes messages acceptable with the fewest changes that lose the least: results without calls are dropped, calls
 * without results are answered with an error, empty blocks and duplicates are dropped, misplaced results move. Your
 * messages are never changed: correct ones are the same objects, and `repairs` lists everything that was removed.
 * Reasoning that a model refuses after a change is removed, too. Warnings are not repaired: name the model, so that its
 * faults are errors. Faults that need a decision stay in `findings`.
 *
 * @example
 * const { messages, repairs } = repair(history, { format: 'openai-chat' });
 */
export function repair<M>(messages: readonly M[], options: ValidateOptions = {}): RepairResult<M> {
  checkOptions(options);
  const format = formatOf(messages, options);
  const found = check(messages, format, options);
  if (!found.some(isMendable)) {
    return { ...answer(found), messages, changed: false, repairs: [] };
  }
  let slots: readonly Slot[] = Array.from(messages, (message, origin) => ({ message, origin }));
  let left = found;
  const repairs: Repair[] = [];
  // Reasoning that is bound to what stood before it was made with the messages as they were given.
  const mended: ValidateOptions = { ...options, original: options.original ?? messages };
  for (let round = 0; round < ROUNDS; round += 1) {
    const mend = left.filter((item) => isMendable(item) || isEmptied(item, slots, messages));
    if (mend.length === 0) break;
    const step = apply(slots, mend);
    slots = step.slots;
    // One by one: there may be more than a call takes arguments.
    for (const each of step.repairs) repairs.push(each);
    const now = slots.map(({ message }) => message);
    left = check(now, format, mended);
  }
  const after = slots.map(({ message }) => message as M);
  return { ...answer(left), messages: after, changed: true, repairs };
}

/** A message that lost its last block here says nothing any more, even where that is only a warning. */
function isEmptied({ finding }: Found, slots: readonly Slot[], given: readonly unknown[]): boolean {
  const slot = slots[Number(finding.path[0])];
  return finding.code === 'empty-message' && slot !== undefined && slot.message !== given[slot.origin];
}

function answer(found: readonly Found[]): Validation {
  const findings = found.map(({ finding }) => finding);
  return { ok: findings.every(({ level }) => level !== 'error'), findings };
}

function formatOf(messages: readonly unknown[], { format }: ValidateOptions): MessageFormat {
  if (format !== undefined) return format === 'openai' ? 'openai-chat' : format;
  const detected = detectFormat(messages);
  if (detected.kind !== 'known') throw ambiguous(detected.candidates);
  return detected.format;
}
