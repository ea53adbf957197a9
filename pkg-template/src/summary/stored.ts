import { densifyError } from '../base/errors.js';
import { describe } from '../base/options.js';
import type { PartMessage, SummaryRequest } from './types.js';

type Bag = Readonly<Record<string, unknown>>;

/** Refuses what isn't a request of ours: a stored one may come from anywhere. The plan is checked in the core. */
export function checkRequest<M>(request: SummaryRequest<M>): void {
  const given: unknown = request;
  if (typeof given !== 'object' || given === null) throw malformed('', describe(given), 'a request of requestSummary');
  const { kind, version, messages, original, remaining, plan, reading, target } = given as Bag;
  if (kind !== 'request') throw malformed('kind', describe(kind), "'request'");
  if (version !== 1) throw malformed('version', describe(version), '1');
  if (!Array.isArray(messages)) throw malformed('messages', describe(messages), 'a list');
  if (original !== undefined && !Array.isArray(original)) throw malformed('original', describe(original), 'a list');
  if (typeof reading !== 'string') throw malformed('reading', describe(reading), 'a string');
  if (typeof plan !== 'object' || plan === null) throw malformed('plan', describe(plan), 'an object');
  if (target !== undefined && !isTarget(target)) throw malformed('target', describe(target), 'an object of strings');
  if (!Array.isArray(remaining) || !remaining.every(isPart)) throw malformed('remaining', 'another form', 'parts');
  const { part, parts } = plan as Bag;
  const left = typeof part === 'number' && typeof parts === 'number' ? parts - part : remaining.length;
  // What isn't there can't be sent, and would be missing from the summary.
  if (remaining.length !== left) throw malformed('remaining', `${remaining.length} parts`, `${left}`);
}

function malformed(key: string, found: string, right: string) {
  const where = key === '' ? 'request' : `request.${key}`;
  return densifyError('invalid-request', `${where}: found ${found}, expected ${right}`, key === '' ? {} : { key });
}

function isTarget(target: unknown): boolean {
  if (typeof target !== 'object' || target === null) return false;
  return Object.values(target).every((value) => typeof value === 'string');
}

function isPart(part: unknown): part is readonly PartMessage[] {
  return Array.isArray(part) && part.every(isPartMessage);
}

function isPartMessage(message: unknown): boolean {
  const { speaker, segments } = (message ?? {}) as Bag;
  const isText = (segment: unknown) => segment === null || typeof segment === 'string';
  return (speaker === 'human' || speaker === 'ai') && Array.isArray(segments) && segments.every(isText);
}
