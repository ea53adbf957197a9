/** Markup that was made here, as opposed to text. */
export class Markup {
  constructor(readonly text: string) {}
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');

type Part = Markup | string | number | undefined | readonly Part[];

function render(part: Part): string {
  if (part instanceof Markup) return part.text;
  if (Array.isArray(part)) return part.map(render).join('');
  return part === undefined ? '' : escaped(String(part));
}

/** HTML in which everything that is put in is text, unless it is markup that was made in the same way. */
export function html(pieces: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return new Markup(pieces.reduce((text, piece, index) => text + render(parts[index - 1]) + piece));
}
