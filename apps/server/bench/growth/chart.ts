/** Draws line charts as SVG, for docs. */

/** A line of a chart. */
interface Line {
  readonly name: string;
  /** Points in ascending order of x. Both coordinates are above 0. */
  readonly points: readonly { readonly x: number; readonly y: number }[];
}

export interface Chart {
  readonly title: string;
  /** Describes the chart to people who can't see it. */
  readonly description: string;
  readonly xLabel: string;
  readonly yLabel: string;
  readonly lines: readonly Line[];
  formatX(value: number): string;
  formatY(value: number): string;
}

const width = 960;
const height = 520;
const area = { left: 84, right: 640, top: 64, bottom: 452 };
/** Space between line names. */
const lineHeight = 20;
/** Colors with a contrast of at least 3:1 on both backgrounds (WCAG 2.2, 1.4.11). */
const colors = [
  '#b8233c',
  '#2f6fb0',
  '#2e8049',
  '#8a63c9',
  '#a8690f',
  '#0f7f86',
  '#8c6d62',
  '#c14a8b',
];
const dashes = ['', '7 4'];
const css = `
.ground{fill:#fbf8f4}.text{fill:#1c1b1a}.muted{fill:#655f5a}.grid{stroke:#d8d0c6}
@media (prefers-color-scheme:dark){.ground{fill:#1a1918}.text{fill:#f2eee9}.muted{fill:#b0a9a2}.grid{stroke:#45413d}}`;

/** Returns a chart with logarithmic axes, readable on light and dark pages, as a complete SVG file. */
export function drawChart({ title, description, xLabel, yLabel, lines, ...format }: Chart): string {
  const points = lines.flatMap((line) => line.points);
  const x = createScale(
    points.map((point) => point.x),
    [area.left, area.right],
  );
  const y = createScale(
    points.map((point) => point.y),
    [area.bottom, area.top],
  );
  const columns = x.powers.map((power) => {
    const gridX = round(x.place(power));
    return [
      `<path class="grid" d="M${gridX} ${area.top}V${area.bottom}"/>`,
      text(gridX, area.bottom + 22, format.formatX(power), 'muted', 'middle'),
    ].join('\n');
  });
  const rows = y.powers.map((power) => {
    const gridY = round(y.place(power));
    return [
      `<path class="grid" d="M${area.left} ${gridY}H${area.right}"/>`,
      text(area.left - 10, gridY + 5, format.formatY(power), 'muted', 'end'),
    ].join('\n');
  });
  const places = spread(lines.map((line) => y.place(line.points.at(-1)?.y ?? 1)));
  const drawn = lines.map((line, index) => {
    const color = colors[index % colors.length] ?? '';
    const dash = dashes[Math.floor(index / colors.length) % dashes.length] ?? '';
    const path = line.points
      .map((point) => `${round(x.place(point.x))} ${round(y.place(point.y))}`)
      .join('L');
    const last = line.points.at(-1);
    const labelY = places[index] ?? 0;
    const start = last ? `${round(x.place(last.x))} ${round(y.place(last.y))}` : '';
    return [
      `<path d="M${path}" fill="none" stroke="${color}" stroke-width="2.4" stroke-dasharray="${dash}"/>`,
      `<path d="M${start}L${area.right + 14} ${round(labelY)}" stroke="${color}" stroke-width="1"/>`,
      text(area.right + 20, round(labelY) + 5, line.name, 'text', 'start'),
    ].join('\n');
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="14" role="img" aria-labelledby="t d">
<title id="t">${escapeXml(title)}</title>
<desc id="d">${escapeXml(description)}</desc>
<style>${css}
</style>
<rect class="ground" width="${width}" height="${height}"/>
${text(area.left, 30, title, 'text', 'start', ' font-size="18" font-weight="700"')}
${text(area.left, area.top - 14, yLabel, 'muted', 'start')}
${text(area.right, area.bottom + 46, xLabel, 'muted', 'end')}
${[...columns, ...rows, ...drawn].join('\n')}
</svg>
`;
}

/** A logarithmic scale from values to coordinates, with the powers of ten on it. */
function createScale(values: readonly number[], [from, to]: readonly [number, number]) {
  const lowestPower = Math.floor(Math.log10(Math.min(...values)));
  const highestPower = Math.max(lowestPower + 1, Math.ceil(Math.log10(Math.max(...values))));
  return {
    place: (value: number) =>
      from + ((Math.log10(value) - lowestPower) / (highestPower - lowestPower)) * (to - from),
    powers: Array.from(
      { length: highestPower - lowestPower + 1 },
      (_, index) => 10 ** (lowestPower + index),
    ),
  };
}

/** Moves coordinates apart, so that the names next to them don't overlap. */
function spread(places: readonly number[]): number[] {
  const movedPlaces = [...places];
  const order = places.map((_, index) => index).sort((a, b) => (places[a] ?? 0) - (places[b] ?? 0));
  let previous = Number.NEGATIVE_INFINITY;
  for (const index of order) {
    previous = Math.max(places[index] ?? 0, previous + lineHeight);
    movedPlaces[index] = previous;
  }
  // Names that no longer fit move up.
  let next = area.bottom + lineHeight;
  for (const index of order.toReversed()) {
    next = Math.min(movedPlaces[index] ?? 0, next - lineHeight);
    movedPlaces[index] = next;
  }
  return movedPlaces;
}

const text = (x: number, y: number, content: string, style: string, anchor: string, more = '') =>
  `<text class="${style}" x="${x}" y="${y}" text-anchor="${anchor}"${more}>${escapeXml(content)}</text>`;

const round = (value: number) => Math.round(value * 10) / 10;

const escapeXml = (value: string) =>
  value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
