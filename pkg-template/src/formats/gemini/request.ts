/** What goes with the contents of a request to Gemini: in `config`, as the SDK has it, or beside them, as the API has it. */
import type { Bag } from '../../facts.js';

/** Where a request has its settings. */
export function settingsOf(request: Bag): Bag {
  return { ...request, ...(request.config as Bag | null | undefined) };
}

/** The system prompt: a text, a content with parts, or a list of parts. */
export function systemOf({ systemInstruction: system }: Bag): unknown {
  const { parts } = (system ?? {}) as Bag;
  return Array.isArray(parts) ? parts : system;
}

/** The functions that are declared, one by one, and the provider's own tools. */
export function toolsOf(request: Bag): (readonly [string, unknown])[] {
  const { tools } = settingsOf(request);
  return (Array.isArray(tools) ? (tools as readonly (Bag | null | undefined)[]) : []).flatMap((tool) => {
    const { functionDeclarations: declared, ...others } = tool ?? {};
    const functions = (Array.isArray(declared) ? declared : []) as readonly (Bag | null | undefined)[];
    return [
      ...functions.map((made): readonly [string, unknown] => [String(made?.name ?? ''), made]),
      ...Object.entries(others).map(([name, settings]): readonly [string, unknown] => [name, { [name]: settings }]),
    ];
  });
}
