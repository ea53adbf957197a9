/** A short text that hardly two different texts share: 64 bits and the length. */
export function hashOf(text: string): string {
  let one = 0xdeadbeef;
  let other = 0x41c6ce57;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    one = Math.imul(one ^ code, 2654435761);
    other = Math.imul(other ^ code, 1597334677);
  }
  return `${text.length}.${one >>> 0}.${other >>> 0}`;
}
