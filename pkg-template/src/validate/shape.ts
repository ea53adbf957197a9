import { isList, isRecord, type JsonRecord } from '../transcripts/json.js';
import type { Path } from './api.js';

/**
 * What a value must look like, as data. Keys that end in `?` may be missing, those that are `any` too; those that are
 * `present` must be there, be it with `undefined`. Keys that aren't named are no matter here, since formats grow.
 */
export type Shape =
  | 'any'
  | 'present'
  | 'string'
  | 'number'
  | 'boolean'
  | 'object'
  | 'null'
  | 'absent'
  | { readonly values: readonly unknown[] }
  | { readonly list: Shape; readonly least?: number }
  | { readonly keys: Readonly<Record<string, Shape>> }
  | { readonly entries: Shape }
  | {
      readonly tag: string;
      readonly of: Readonly<Record<string, Shape>>;
      readonly other?: (tag: string) => Shape | undefined;
    }
  | { readonly anyOf: readonly Shape[] }
  | { readonly test: (value: unknown) => boolean; readonly expected: string }
  | (() => Shape);

/** What is wrong with a value. */
export interface Problem {
  readonly path: Path;
  readonly expected: string;
  /** Whether there is nothing where something must be. */
  readonly missing: boolean;
  /** The unknown tag, if that is the fault. */
  readonly tag?: string;
}

type Report = (problem: Problem) => void;

/** Reports the first thing in each part of a value that isn't as it should be. */
export function checkShape(value: unknown, shape: Shape, path: Path, report: Report): boolean {
  if (typeof shape === 'function') return checkShape(value, shape(), path, report);
  if (typeof shape === 'string') return isPrimitive(value, shape) || fail(value, shape, path, report);
  if ('values' in shape) return shape.values.includes(value) || fail(value, shape, path, report);
  if ('test' in shape) return shape.test(value) || fail(value, shape, path, report);
  if ('anyOf' in shape) return checkAny(value, shape.anyOf, path, report);
  if ('list' in shape) {
    if (!isList(value) || value.length < (shape.least ?? 0)) return fail(value, shape, path, report);
    return all(value.map((item, at) => checkShape(item, shape.list, [...path, at], report)));
  }
  if (!isRecord(value)) return fail(value, shape, path, report);
  if ('tag' in shape) return checkTagged(value, shape, path, report);
  if ('entries' in shape) {
    return all(Object.entries(value).map(([key, item]) => checkShape(item, shape.entries, [...path, key], report)));
  }
  return all(
    Object.entries(shape.keys).map(([named, inner]) => {
      const optional = named.endsWith('?');
      const key = optional ? named.slice(0, -1) : named;
      const item = value[key];
      if (item === undefined && (optional || inner === 'any' || (inner === 'present' && key in value))) return true;
      return checkShape(item, inner, [...path, key], report);
    }),
  );
}

/** Whether a value is as it should be. */
export function fits(value: unknown, shape: Shape): boolean {
  return checkShape(value, shape, [], () => undefined);
}

/** A shape, or `null`. */
export const nullable = (shape: Shape): Shape => ({ anyOf: [shape, 'null'] });

/** One of some texts. */
export const oneOf = (...values: readonly unknown[]): Shape => ({ values });

function checkTagged(
  value: JsonRecord,
  { tag, of, other }: Extract<Shape, { tag: string }>,
  path: Path,
  report: Report,
): boolean {
  const name = value[tag];
  const shape = typeof name !== 'string' ? undefined : Object.hasOwn(of, name) ? of[name] : other?.(name);
  if (shape !== undefined) return checkShape(value, shape, path, report);
  const expected = `one of ${Object.keys(of).join(', ')}`;
  if (typeof name === 'string') report({ path, expected, missing: false, tag: name });
  else report({ path: [...path, tag], expected, missing: name === undefined });
  return false;
}

function checkAny(value: unknown, shapes: readonly Shape[], path: Path, report: Report): boolean {
  if (shapes.some((shape) => fits(value, shape))) return true;
  // If only one of them is possible, its inner fault is more helpful.
  const alike = shapes.filter((shape) => sameKind(value, shape));
  const [only] = alike;
  if (alike.length === 1 && only !== undefined) return checkShape(value, only, path, report);
  return fail(value, { anyOf: shapes }, path, report);
}

function sameKind(value: unknown, shape: Shape): boolean {
  if (typeof shape === 'function') return sameKind(value, shape());
  if (typeof shape === 'string') return shape === 'object' && isRecord(value);
  if ('list' in shape) return isList(value);
  return ('keys' in shape || 'tag' in shape || 'entries' in shape) && isRecord(value);
}

/** Checks every item, so that all faults are reported. */
function all(results: readonly boolean[]): boolean {
  return results.every((result) => result);
}

function fail(value: unknown, shape: Shape, path: Path, report: Report): false {
  report({ path, expected: expectedOf(shape), missing: value === undefined });
  return false;
}

function isPrimitive(value: unknown, shape: Extract<Shape, string>): boolean {
  switch (shape) {
    case 'any':
      return true;
    case 'present':
      return value !== undefined;
    case 'null':
      return value === null;
    case 'absent':
      return value === undefined;
    case 'object':
      return isRecord(value);
    case 'number':
      return Number.isFinite(value);
    default:
      return typeof value === shape;
  }
}

function expectedOf(shape: Shape): string {
  if (typeof shape === 'function') return expectedOf(shape());
  if (typeof shape === 'string')
    return shape === 'absent'
      ? 'nothing'
      : shape === 'any' || shape === 'present'
        ? 'a value'
        : `a ${shape}`.replace('a object', 'an object').replace('a null', 'null');
  if ('values' in shape) return shape.values.map((value) => JSON.stringify(value)).join(' or ');
  if ('test' in shape) return shape.expected;
  if ('anyOf' in shape) return shape.anyOf.map(expectedOf).join(', or ');
  if ('list' in shape) return (shape.least ?? 0) > 0 ? 'a list that is not empty' : 'a list';
  return 'an object';
}
