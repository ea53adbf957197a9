// Replies of the right form. What a small model writes by itself rarely has it.

/** The parts of a summary, in order, as the prompt names them: tags of a snapshot, or headings. */
export function partsOf(prompt) {
  const [, snapshot] = prompt.match(/^<state_snapshot>\n([\s\S]*?)^<\/state_snapshot>/m) ?? [];
  if (snapshot !== undefined) return [...snapshot.matchAll(/^\s*<([a-z_]+)>/gm)].map(([, tag]) => tag);
  return [...prompt.matchAll(/^#{2,3} .+$/gm)].map(([heading]) => heading.trimEnd());
}

/** A grammar (GBNF) in which the model only has to fill in a line for each part. */
export function grammarOf(parts) {
  const quote = (text) => JSON.stringify(text);
  const line = 'line ::= [A-Za-z0-9] [^<>#\\n]{8,40} "\\n"';
  if (parts[0]?.startsWith('#'))
    return `root ::= ${parts.map((part) => `${quote(`${part}\n- `)} line`).join(' ')}\n${line}`;
  const sections = parts.map((tag) => `${quote(`<${tag}>\n`)} line ${quote(`</${tag}>\n`)}`);
  const [open, close] = ['<scratchpad>\n', '</scratchpad>\n<state_snapshot>\n'].map(quote);
  return `root ::= ${open} line ${close} ${sections.join(' ')} "</state_snapshot>"\n${line}`;
}

/** A complete reply that no model wrote: `say(part)` gives each part's text. */
export function madeReply(parts, say) {
  if (parts[0]?.startsWith('#')) return parts.map((part) => `${part}\n${say(part)}\n`).join('\n');
  const sections = parts.map((tag) => `<${tag}>\n${say(tag)}\n</${tag}>`);
  return `<scratchpad>\nprivate thoughts\n</scratchpad>\n<state_snapshot>\n${sections.join('\n')}\n</state_snapshot>`;
}
