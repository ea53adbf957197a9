// Logs are untrusted: no text can turn the writing direction, hide characters or look like a terminal's control codes. (That nothing of it becomes markup is Preact's: texts are text nodes.)

const CONTROL_PICTURES = 0x2400;
/** Control characters, invisible and direction marks, line separators, lone surrogates. */
const UNSAFE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\p{Cs}|[\u{e0000}-\u{e007f}]/gu;

function picture(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(CONTROL_PICTURES + code);
  if (code === 0x7f) return '\u2421';
  return `\\u{${code.toString(16)}}`;
}

/** A text of several lines in which everything is visible. */
export function visible(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(UNSAFE, picture);
}

/** A text as a literal of JavaScript in which nothing is invisible: copied code reads as it looks. */
export function codeLiteral(text: string): string {
  return JSON.stringify(text).replace(UNSAFE, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/** One line of at most `width` characters in which everything is visible. */
export function oneLine(text: string, width = 160): string {
  const start = text.slice(0, width * 4).trimStart();
  const line = visible(start).replace(/\s+/gu, ' ');
  if (line.length <= width) return line;
  const characters = [...line];
  return characters.length > width ? `${characters.slice(0, width - 1).join('')}…` : line;
}

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

export const thousands = (value: number): string => whole.format(value);

/** A short number for axes: 950, 12.5k, 1.2M. */
export function short(value: number): string {
  if (value < 1000) return String(Math.round(value));
  const [scaled, unit] = value < 1e6 ? [value / 1000, 'k'] : [value / 1e6, 'M'];
  return `${scaled < 10 && scaled % 1 >= 0.05 ? scaled.toFixed(1) : Math.round(scaled)}${unit}`;
}

/** A change as a percentage: −27.8%. */
export function change(before: number, after: number): string {
  if (before === 0 || before === after) return '±0%';
  const percent = ((after - before) / before) * 100;
  return `${percent < 0 ? '−' : '+'}${Math.abs(percent).toFixed(1)}%`;
}

/** A place in a session of `sent` requests: a call of the model, or the state that followed its last answer. */
export function placeOf(call: number, sent: number): string {
  return call < sent ? `call ${thousands(call + 1)} of ${thousands(sent)}` : 'after the last call';
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${thousands(count)} ${count === 1 ? one : many}`;
}
