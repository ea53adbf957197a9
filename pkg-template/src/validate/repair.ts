import { withChanges } from '../base/share.js';
import { isList } from '../transcripts/json.js';
import type { FindingCode, Path, Repair } from './api.js';
import type { Edit, Found } from './context.js';

/** A message that is under repair, and where it stood; a message that was put in stands before that place. */
export interface Slot {
  readonly message: unknown;
  readonly origin: number;
}

/** A step of a repair: the messages after it, and what it did. */
interface Step {
  readonly slots: readonly Slot[];
  readonly repairs: readonly Repair[];
}

interface Planned {
  readonly code: FindingCode;
  readonly edit: Edit;
}

/** Whether something can be done about a finding that makes the messages unacceptable. */
export function isMendable({ finding, remedy }: Found): boolean {
  return finding.level === 'error' && remedy.length > 0;
}

/** Makes the remedies of some findings, those that can be, in one pass; only what they touch is copied. */
export function apply(slots: readonly Slot[], found: readonly Found[]): Step {
  const planned = plan(found);
  const repairs: Repair[] = [];
  const tree = grow(planned);
  const after: Slot[] = [];
  for (let at = 0; at <= slots.length; at += 1) {
    const slot = slots[at];
    const node = tree.inner.get(at);
    const origin = slot?.origin ?? (slots.at(-1)?.origin ?? -1) + 1;
    // What was to stand behind the end stands there.
    const inserts = at < slots.length ? (node?.inserts ?? []) : endOf(tree, at);
    for (const { code, value } of inserts) {
      after.push({ message: value, origin });
      repairs.push({ code, action: 'inserted', path: [origin], after: value });
    }
    if (slot === undefined) continue;
    if (node?.drop !== undefined) {
      repairs.push({ code: node.drop, action: 'dropped', path: [origin], before: slot.message });
      continue;
    }
    const message = node === undefined ? slot.message : rebuilt(slot.message, node, [origin], repairs);
    after.push(message === slot.message ? slot : { message, origin });
  }
  return { slots: after, repairs };
}

/** A remedy is made as a whole or not at all; if two touch the same or nested places, one waits. */
function plan(found: readonly Found[]): Planned[] {
  const taken = new Set<string>();
  const around = new Set<string>();
  return found.flatMap(({ finding, remedy }) => {
    const touched = remedy.filter(({ op }) => op !== 'insert').map(({ path }) => prefixesOf(path));
    if (touched.some((prefixes) => prefixes.some((key) => taken.has(key)) || around.has(prefixes.at(-1) ?? '')))
      return [];
    for (const prefixes of touched) {
      taken.add(prefixes.at(-1) ?? '');
      for (const key of prefixes) around.add(key);
    }
    return remedy.map((edit) => ({ code: finding.code, edit }));
  });
}

/** All places around a place, and itself. */
function prefixesOf(path: Path): string[] {
  return path.map((_, at) => path.slice(0, at + 1).join('\n'));
}

interface Node {
  readonly inner: Map<string | number, Node>;
  readonly inserts: { readonly code: FindingCode; readonly value: unknown }[];
  drop?: FindingCode;
  set?: { readonly code: FindingCode; readonly value: unknown };
}

const bare = (): Node => ({ inner: new Map(), inserts: [] });

function grow(planned: readonly Planned[]): Node {
  const root = bare();
  for (const { code, edit } of planned) {
    let node = root;
    for (const key of edit.path) {
      const inner = node.inner.get(key) ?? bare();
      node.inner.set(key, inner);
      node = inner;
    }
    if (edit.op === 'insert') node.inserts.push({ code, value: edit.value });
    else if (edit.op === 'drop') node.drop = code;
    else node.set = { code, value: edit.value };
  }
  return root;
}

/** Inserts at the end of a list, and those that name a place behind it. */
function endOf(tree: Node, length: number): Node['inserts'] {
  return [...tree.inner].flatMap(([key, node]) => (typeof key === 'number' && key >= length ? node.inserts : []));
}

function rebuilt(value: unknown, node: Node, path: Path, repairs: Repair[]): unknown {
  if (node.set !== undefined) {
    repairs.push({ code: node.set.code, action: 'changed', path, before: value, after: node.set.value });
    return node.set.value;
  }
  // Something is put in before it, and it stays as it is.
  if (node.inner.size === 0) return value;
  if (isList(value)) return rebuiltList(value, node, path, repairs);
  if (typeof value !== 'object' || value === null) return value;
  const changes: Record<string, unknown> = {};
  const gone: string[] = [];
  for (const [key, inner] of node.inner) {
    const before = (value as Record<string | number, unknown>)[key];
    if (inner.drop !== undefined) {
      repairs.push({ code: inner.drop, action: 'dropped', path: [...path, key], before });
      gone.push(String(key));
    } else {
      changes[key] = rebuilt(before, inner, [...path, key], repairs);
    }
  }
  const copy = withChanges(value, changes);
  for (const key of gone) Reflect.deleteProperty(copy, key);
  return copy;
}

function rebuiltList(list: readonly unknown[], node: Node, path: Path, repairs: Repair[]): unknown[] {
  const after: unknown[] = [];
  for (let at = 0; at <= list.length; at += 1) {
    const inner = node.inner.get(at);
    for (const { code, value } of at < list.length ? (inner?.inserts ?? []) : endOf(node, at)) {
      repairs.push({ code, action: 'inserted', path: [...path, at], after: value });
      after.push(value);
    }
    if (at === list.length) break;
    if (inner?.drop === undefined)
      after.push(inner === undefined ? list[at] : rebuilt(list[at], inner, [...path, at], repairs));
    else repairs.push({ code: inner.drop, action: 'dropped', path: [...path, at], before: list[at] });
  }
  return after;
}
