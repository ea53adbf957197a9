/**
 * The report's charts as SVG that fits light and dark pages.
 *
 * @typedef {{name: string, points: readonly {x: number, y: number}[]}} Line
 * @typedef {{label: string, value: number}} Bar
 */

const WIDTH = 720;
const STYLE = `
    svg { font: 13px system-ui, sans-serif; fill: #24292f; }
    .grid { stroke: #d0d7de; } .axis { fill: #57606a; }
    .s0 { stroke: #cf222e; fill: #cf222e; } .s1 { stroke: #9a6700; fill: #9a6700; } .s2 { stroke: #0969da; fill: #0969da; }
    polyline { fill: none !important; stroke-width: 2.5; } text { stroke: none !important; }
    @media (prefers-color-scheme: dark) {
      svg { fill: #e6edf3; } .grid { stroke: #30363d; } .axis { fill: #8d96a0; }
      .s0 { stroke: #ff7b72; fill: #ff7b72; } .s1 { stroke: #d29922; fill: #d29922; } .s2 { stroke: #58a6ff; fill: #58a6ff; }
    }
  `;

/** @param {string} text */
const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/**
 * @param {number} height
 * @param {string} title
 * @param {readonly string[]} body
 */
const svg = (height, title, body) =>
  [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img">`,
    `  <title>${escaped(title)}</title>`,
    `  <style>${STYLE}</style>`,
    `  <text x="16" y="26" font-weight="600">${escaped(title)}</text>`,
    ...body.map((line) => `  ${line}`),
    '</svg>',
    '',
  ].join('\n');

/** @param {number} value */
const short = (value) => (value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2));

/** Microseconds, as people say them. @param {number} value */
const duration = (value) => (value >= 1000 ? `${Number(short(value / 1000))} ms` : `${Number(short(value))} µs`);

/** The powers of ten from the one at or below the least value to the one at or above the greatest. @param {readonly number[]} values */
function decades(values) {
  const from = Math.floor(Math.log10(Math.min(...values)));
  const to = Math.ceil(Math.log10(Math.max(...values)));
  return Array.from({ length: to - from + 1 }, (_, at) => from + at);
}

/**
 * Lines on two logarithmic axes.
 * @param {string} title
 * @param {readonly Line[]} lines microseconds over entries
 */
export function lineChart(title, lines) {
  const [left, right, top, bottom, height] = [84, 150, 46, 44, 360];
  const points = lines.flatMap((line) => line.points);
  const [columns, rows] = [decades(points.map(({ x }) => x)), decades(points.map(({ y }) => y))];
  const between = (/** @type {number} */ value, /** @type {number[]} */ ticks) =>
    (Math.log10(value) - ticks[0]) / Math.max(1, ticks.length - 1);
  const atX = (/** @type {number} */ x) => left + between(x, columns) * (WIDTH - left - right);
  const atY = (/** @type {number} */ y) => height - bottom - between(y, rows) * (height - top - bottom);
  const grid = rows.map((power) => {
    const y = atY(10 ** power).toFixed(1);
    return (
      `<line class="grid" x1="${left}" x2="${WIDTH - right}" y1="${y}" y2="${y}"/>` +
      `<text class="axis" x="${left - 8}" y="${y}" dy="4" text-anchor="end">${duration(10 ** power)}</text>`
    );
  });
  const axis = columns.map(
    (power) =>
      `<text class="axis" x="${atX(10 ** power).toFixed(1)}" y="${height - bottom + 20}" text-anchor="middle">${(10 ** power).toLocaleString('en')}</text>`,
  );
  const curves = lines.map(({ name, points: own }, at) => {
    const path = own.map(({ x, y }) => `${atX(x).toFixed(1)},${atY(y).toFixed(1)}`).join(' ');
    const last = own[own.length - 1];
    const label = `<text x="${(atX(last.x) + 10).toFixed(1)}" y="${atY(last.y).toFixed(1)}" dy="4">${escaped(name)}: ${duration(last.y)}</text>`;
    return `<g class="s${at}"><polyline points="${path}"/>${label}</g>`;
  });
  const unit = `<text class="axis" x="${(left + WIDTH - right) / 2}" y="${height - 6}" text-anchor="middle">entries in the history</text>`;
  return svg(height, title, [...grid, ...axis, unit, ...curves]);
}

/**
 * Ratios as bars on a logarithmic axis from 1 on; a ratio below 1 has none.
 * @param {string} title
 * @param {readonly Bar[]} bars
 */
export function barChart(title, bars) {
  const [left, right, top, step] = [330, 70, 44, 28];
  const most = Math.log10(Math.max(10, ...bars.map(({ value }) => value)));
  const rows = bars.map(({ label, value }, at) => {
    const y = top + at * step;
    const width = Math.max(2, (Math.log10(Math.max(1, value)) / most) * (WIDTH - left - right));
    return (
      `<text x="${left - 10}" y="${y + 14}" text-anchor="end">${escaped(label)}</text>` +
      `<rect class="s2" x="${left}" y="${y + 2}" width="${width.toFixed(1)}" height="16" rx="3"/>` +
      `<text x="${(left + width + 8).toFixed(1)}" y="${y + 14}">${short(value)}x</text>`
    );
  });
  return svg(top + bars.length * step + 14, title, rows);
}
