/** Lines of what arrives in pieces; one longer than `most` characters is `undefined`, and takes no memory. */
export async function* linesOf(source: AsyncIterable<Uint8Array>, most: number): AsyncGenerator<string | undefined> {
  const decoder = new TextDecoder();
  let rest = '';
  let isTooLong = false;
  for await (const chunk of source) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = parts.pop()!;
    for (const part of parts) {
      yield isTooLong || part.length > most ? undefined : part;
      isTooLong = false;
    }
    if (rest.length > most) [rest, isTooLong] = ['', true];
  }
  rest += decoder.decode();
  if (rest !== '' || isTooLong) yield isTooLong || rest.length > most ? undefined : rest;
}
