import { isList, isRecord, type JsonRecord } from '../../transcripts/json.js';
import type { Path } from '../api.js';
import type { Context } from '../context.js';

interface Breakpoint {
  readonly path: Path;
  readonly holder: JsonRecord;
  readonly control: JsonRecord;
  /** Whether it lies in the messages, where it can be dropped. */
  readonly own: boolean;
}

/** Cache breakpoints: how many, on what, and in which order. */
export function checkBreakpoints(context: Context): void {
  const { options, rules, messages } = context;
  const all = [
    ...collect(options.tools, ['tools'], false),
    ...collect(options.system, ['system'], false),
    ...messages.flatMap((message, at) => (isRecord(message) ? collect(message['content'], [at, 'content'], true) : [])),
  ];
  const most = rules.breakpoints ?? Number.POSITIVE_INFINITY;
  const own = all.filter((point) => point.own);
  const excess = own.slice(0, Math.max(0, all.length - most));
  for (const { path } of excess.slice(0, 1)) {
    // The newest breakpoints are those that the next request hits.
    const remedy = excess.map((point) => ({ op: 'drop' as const, path: point.path }));
    context.report('too-many-breakpoints', path, { found: all.length, most }, remedy);
  }
  let short = false;
  for (const { path, holder, control, own: mine } of all) {
    const { type, text } = holder;
    const bad = type === 'thinking' || type === 'redacted_thinking' || (type === 'text' && text === '');
    if (bad) context.report('breakpoint-position', path, { type: String(type) }, [{ op: 'drop', path }]);
    if (control['ttl'] !== '1h') short = true;
    else if (short && mine) context.report('breakpoint-order', path, {}, [{ op: 'drop', path: [...path, 'ttl'] }]);
  }
}

function collect(value: unknown, path: Path, own: boolean): Breakpoint[] {
  if (!isList(value)) return [];
  return value.flatMap((holder, at) => {
    if (!isRecord(holder)) return [];
    const control = holder['cache_control'];
    const here = [...path, at, 'cache_control'];
    const inner = own ? collect(holder['content'], [...path, at, 'content'], own) : [];
    return isRecord(control) ? [...inner, { path: here, holder, control, own }] : inner;
  });
}
