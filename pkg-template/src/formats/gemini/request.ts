/** What goes with the contents of a request to Gemini: in `config`, as the SDK has it, or beside them, as the API has it. */
import type { Bag } from '../../messages/facts.js';

/** Where a request has its settings. */
export function settingsOf(request: Bag): Bag {
  return { ...request, ...(request.config as Bag | null | undefined) };
}

/** Parts and texts without an entry around them are what the user says, all in one entry: as the SDK sends them. */
export function contentsOf(found: unknown): readonly object[] | undefined {
  const list: readonly unknown[] = Array.isArray(found) ? found : [found];
  if (list.length === 0 || !list.every(isPart)) return undefined;
  return [{ role: 'user', parts: list.map((part) => (typeof part === 'string' ? { text: part } : part)) }];
}

function isPart(value: unknown): boolean {
  return typeof value === 'string' || (isRecord(value) && !('parts' in value) && !('role' in value));
}

function isRecord(value: unknown): value is Bag {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The system prompt: a text, a content with parts, or a list of parts. */
export function systemOf({ systemInstruction: system }: Bag): unknown {
  const { parts } = (system ?? {}) as Bag;
  return Array.isArray(parts) ? parts : system;
}

/** The schema of the answer, in either of the forms that the API takes. */
export function schemaOf(request: Bag): unknown {
  const { responseSchema, responseJsonSchema, generationConfig } = settingsOf(request);
  const further = (generationConfig ?? {}) as Bag;
  return [responseSchema, responseJsonSchema, further.responseSchema, further.responseJsonSchema].find(
    (found) => found !== undefined && found !== null,
  );
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
