/**
 * Text coders. Hermes and the plug-ins of some agents lack one or both: there the package has its own, for UTF-8.
 */
export interface Coders {
  readonly TextEncoder: new () => Pick<TextEncoder, 'encode' | 'encodeInto'>;
  readonly TextDecoder: new (label?: string, options?: TextDecoderOptions) => Pick<TextDecoder, 'decode'>;
}

/** Replaces half a surrogate pair. */
const REPLACEMENT = 0xfffd;
/** Arguments that every engine takes in one call. */
const MOST = 8192;

class Encoder {
  encode(text = ''): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(text.length * 3);
    return bytes.slice(0, this.encodeInto(text, bytes).written);
  }

  encodeInto(text: string, bytes: Uint8Array): { read: number; written: number } {
    let [read, written] = [0, 0];
    while (read < text.length) {
      let code = text.codePointAt(read)!;
      const units = code > 0xffff ? 2 : 1;
      if (code >= 0xd800 && code < 0xe000) code = REPLACEMENT;
      const size = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
      if (written + size > bytes.length) break;
      if (size === 1) bytes[written] = code;
      else {
        for (let i = size - 1; i > 0; i--, code >>= 6) bytes[written + i] = 0x80 | (code & 0x3f);
        bytes[written] = ((0xf00 >> size) & 0xff) | code;
      }
      read += units;
      written += size;
    }
    return { read, written };
  }
}

/** Decodes the text that the core writes. It is always well-formed. */
class Decoder {
  decode(bytes: Uint8Array = new Uint8Array(0)): string {
    let text = '';
    let units: number[] = [];
    for (let at = 0; at < bytes.length; ) {
      const lead = bytes[at++]!;
      const more = lead < 0x80 ? 0 : lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3;
      let code = more === 0 ? lead : lead & (0x3f >> more);
      for (let i = 0; i < more; i++) code = (code << 6) | (bytes[at++]! & 0x3f);
      if (code > 0xffff) units.push(0xd7c0 + (code >> 10), 0xdc00 | (code & 0x3ff));
      else units.push(code);
      if (units.length < MOST) continue;
      text += String.fromCharCode(...units);
      units = [];
    }
    return text + String.fromCharCode(...units);
  }
}

const host = globalThis as unknown as Partial<Coders>;

/** The host's coders, or our own. */
export const coders: Coders = {
  TextEncoder: typeof host.TextEncoder?.prototype.encodeInto === 'function' ? host.TextEncoder : Encoder,
  TextDecoder: host.TextDecoder ?? (Decoder as unknown as Coders['TextDecoder']),
};
