// Texts of what tokenizers stumble over: every class of characters that patterns tell apart, mixed.
const POOLS = [
  'abcXYZ ',
  '  \t\n\r\u00a0\u2028\u3000',
  " 's 'll 'RE 'ſ ’s",
  '0123456789٣½Ⅷ',
  '()[]{}<>=+-/*\\|_~`!@#$%^&',
  '中文字かなカナ한국어',
  'éÉßǅʰªºﬀ',
  '\u0301\u0308\u200d\ufe0f',
  '😀👩‍💻🇩🇪',
  'Ωжщ אב ابت हिन्दी',
  '𝒜𝓑𐐀𐐨𑄃𒀀',
  ' \n\n/\r\n//',
].map((pool) => [...pool]);

/** Numbers from a seed. */
export function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
}

/** So many texts; each begins from its own seed. */
export function hostileTexts(count: number, seed: number): string[] {
  const next = random(seed);
  return Array.from({ length: count }, () => {
    let text = '';
    for (let runs = 1 + next(24); runs > 0; runs -= 1) {
      if (next(12) === 0) text += anyCharacter(next);
      else
        for (let pool = POOLS[next(POOLS.length)]!, left = 1 + next(3); left > 0; left -= 1)
          text += pool[next(pool.length)]!;
    }
    return text;
  });
}

/** Any character, and at times half of one. */
function anyCharacter(next: (below: number) => number): string {
  const [from, count] = [
    [0, 0xd800],
    [0xd800, 0x800],
    [0xe000, 0x2000],
    [0x10000, 0x20000],
    [0x20000, 0xf0000],
  ][next(5)]!;
  return String.fromCodePoint(from! + next(count!));
}
