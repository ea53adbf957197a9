// Draws small screenshots as PNG files. The image data is stored, not deflated, so that the
// bytes don't depend on the version of a compression library.

const WIDTH = 180;
const HEIGHT = 120;
const PALETTE = [0xffffff, 0xf4f1ec, 0x2f5d50, 0xd9534f, 0x333333, 0xbfc9c5, 0xf2b8c6, 0xffe9a8];
const [WHITE, PAPER, GREEN, RED, INK, LINE, PINK, YELLOW] = PALETTE.keys();

/** The screens that scripts can attach: a list of rectangles x, y, width, height, colour. */
const SCREENS = {
  'order-list-overflow': [...frame(), ...cards(3), [96, 34, 78, 5, INK], [96, 62, 82, 5, INK], [160, 90, 20, 14, RED]],
  'order-list-fixed': [...frame(), ...cards(3), [96, 34, 60, 5, INK], [96, 62, 58, 5, INK], [130, 98, 40, 12, GREEN]],
  'mail-preview': [
    ...frame(),
    [20, 24, 140, 88, WHITE],
    [30, 32, 70, 6, INK],
    ...textLines(30, 46, 110, 7),
    [30, 98, 60, 8, GREEN],
  ],
};

function frame() {
  return [
    [0, 0, WIDTH, HEIGHT, PAPER],
    [0, 0, WIDTH, 14, GREEN],
    [6, 5, 40, 4, WHITE],
    [150, 4, 24, 6, YELLOW],
  ];
}

function cards(count) {
  return Array.from({ length: count }, (_, i) => i * 30 + 20).flatMap((y) => [
    [8, y, 164, 26, WHITE],
    [12, y + 4, 20, 18, PINK],
    [40, y + 5, 44, 5, INK],
    [40, y + 15, 30, 3, LINE],
    [8, y + 26, 164, 1, LINE],
  ]);
}

function textLines(x, y, width, count) {
  return Array.from({ length: count }, (_, i) => [x, y + i * 7, width - ((i * 37) % 40), 3, LINE]);
}

export function drawScreen(name) {
  const rectangles = SCREENS[name];
  if (!rectangles) throw new Error(`no screen is called ${name}`);
  const rows = Buffer.alloc((WIDTH + 1) * HEIGHT);
  for (const [x, y, width, height, colour] of rectangles) {
    for (let row = y; row < Math.min(HEIGHT, y + height); row++) {
      rows.fill(colour, row * (WIDTH + 1) + 1 + x, row * (WIDTH + 1) + 1 + Math.min(WIDTH, x + width));
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(WIDTH, 0);
  header.writeUInt32BE(HEIGHT, 4);
  header.set([8, 3, 0, 0, 0], 8);
  const palette = Buffer.from(PALETTE.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('PLTE', palette),
    chunk('IDAT', stored(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A zlib stream of one stored block. */
function stored(data) {
  const head = Buffer.from([0x78, 0x01, 0x01, 0, 0, 0, 0]);
  head.writeUInt16LE(data.length, 3);
  head.writeUInt16LE(~data.length & 0xffff, 5);
  const tail = Buffer.alloc(4);
  tail.writeUInt32BE(adler32(data));
  return Buffer.concat([head, data, tail]);
}

function adler32(data) {
  let a = 1;
  let b = 0;
  for (const byte of data) {
    a = (a + byte) % 65521;
    b = (b + a) % 65521;
  }
  return ((b << 16) | a) >>> 0;
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(data.length, 0);
  body.copy(out, 4);
  out.writeUInt32BE(crc32(body), body.length + 4);
  return out;
}

function crc32(data) {
  let crc = 0xffffffff;
  for (const byte of data) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}
