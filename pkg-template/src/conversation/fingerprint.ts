/** How much of a message is looked at: this many values, and this many characters of each string. */
const VALUES = 48;
const CHARACTERS = 24;

const PRIME = 0x01000193;

/** A 32-bit number that hardly two different messages share: of their structure, sizes and samples of their texts. */
export function fingerprint(message: unknown): number {
  const open: unknown[] = [message];
  let hash = 0x811c9dc5;
  let left = VALUES;
  try {
    while (open.length > 0 && left > 0) {
      left -= 1;
      hash = ofValue(hash, open.pop(), open);
    }
  } catch {
    hash = mix(hash, 7); // what can't be read is as it is
  }
  return hash >>> 0;
}

function mix(hash: number, value: number): number {
  return Math.imul(hash ^ value, PRIME) ^ (hash >>> 15);
}

function ofValue(hash: number, value: unknown, open: unknown[]): number {
  if (typeof value === 'string') return ofText(mix(hash, 1), value);
  if (typeof value === 'number') return ofText(mix(hash, 2), String(value));
  if (typeof value !== 'object' || value === null) return mix(hash, value === true ? 4 : value === false ? 5 : 3);
  // As JSON has it, so that a message is the same after it was stored.
  const toJson: unknown = (value as { readonly toJSON?: unknown }).toJSON;
  if (typeof toJson === 'function') return ofValue(hash, JSON.stringify(value), open);
  if (Array.isArray(value)) {
    for (let at = Math.min(value.length, VALUES) - 1; at >= 0; at -= 1) open.push(value[at]);
    return mix(mix(hash, 8), value.length);
  }
  return ofMembers(mix(hash, 9), value as Readonly<Record<string, unknown>>, open);
}

function ofMembers(hash: number, object: Readonly<Record<string, unknown>>, open: unknown[]): number {
  let result = hash;
  for (const key of Object.keys(object)) {
    const member = object[key];
    if (member === undefined || typeof member === 'function' || typeof member === 'symbol') continue;
    result = ofText(result, key);
    open.push(member);
    if (open.length > VALUES) break;
  }
  return result;
}

/** The length, and characters that lie evenly within. */
function ofText(hash: number, text: string): number {
  const { length } = text;
  let result = mix(hash, length);
  const step = length <= CHARACTERS ? 1 : length / CHARACTERS;
  for (let at = 0; at < length; at += step) result = mix(result, text.charCodeAt(Math.floor(at)));
  return length > CHARACTERS ? mix(result, text.charCodeAt(length - 1)) : result;
}
