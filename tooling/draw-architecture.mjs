/**
 * `node tooling/draw-architecture.mjs`: draws the workspaces and their imports, as declared in their package.json
 * files, to docs/architecture.svg. With `--check`, fails if the drawing is outdated.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './project.mjs';

const file = join(root, 'docs/architecture.svg');

/**
 * The rows from top to bottom, each with its workspaces from left to right and their descriptions. Null is an empty
 * cell.
 */
const rows = [
  [
    ['apps/virtual-recorder', 'flash, clock, microphone', 'radio, control API'],
    ['apps/app', 'pages and ui on ports', 'features, platform'],
    ['apps/server', 'API and worker on modules', 'providers, jobs, PostgreSQL'],
  ],
  [
    ['packages/pocket', 'protocol of Pocket'],
    ['packages/omi', 'protocol of Omi'],
    null,
    null,
    ['packages/local-db', 'records, search'],
  ],
  [null, null, null, ['packages/vault', 'Markdown files'], null],
  [
    ['packages/transports', 'Bluetooth, WebSocket'],
    ['packages/recorders', 'what records'],
    ['packages/audio', 'packets, Ogg, WAV'],
    ['packages/mind-map', 'tree, formats'],
    ['packages/sync', 'engines, rules'],
  ],
  [
    ['packages/device', 'protocol, sessions'],
    ['packages/contract', 'calls, codes, limits'],
  ],
  [null, ['packages/client', 'transport, types']],
];
/** Imported by every workspace, so it's drawn without arrows. */
const base = 'packages/base';

const width = 960;
const rowHeight = 124;
const margin = 40;
const size = { width: 164, lineHeight: 18, top: 26, padding: 16 };
const colors = {
  ground: '#fbf8f4',
  line: '#d8d0c6',
  text: '#1c1b1a',
  muted: '#655f5a',
  app: '#fff',
  package: '#fbe9ea',
  edge: '#b8233c',
};

const boxes = new Map(
  rows.flatMap((row, level) =>
    row.flatMap((place, index) => {
      if (place === null) return [];
      const [path, ...lines] = place;
      const isApp = path.startsWith('apps/');
      const box = {
        path,
        lines,
        isApp,
        center: ((index + 0.5) / row.length) * (width - 2 * margin) + margin,
        half: (isApp ? size.width * 1.4 : size.width) / 2,
        top: margin + level * rowHeight,
        height: size.top + lines.length * size.lineHeight + size.padding,
      };
      return [[path, box]];
    }),
  ),
);

function readImports(path) {
  const { dependencies = {} } = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'));
  return Object.keys(dependencies)
    .filter((name) => name.startsWith('@linnet/'))
    .map((name) => `packages/${name.slice('@linnet/'.length)}`)
    .filter((name) => name !== base);
}

/** Returns whether a workspace imports another workspace indirectly, through a third. */
function importsIndirectly(path, target) {
  return readImports(path).some(
    (each) =>
      each !== target && (readImports(each).includes(target) || importsIndirectly(each, target)),
  );
}

function drawBox({ path, lines, isApp, center, half, top, height }) {
  const texts = lines.map(
    (line, index) =>
      `<text x="${center}" y="${top + size.top + (index + 1) * size.lineHeight}" font-size="13" fill="${colors.muted}">${line}</text>`,
  );
  return [
    `<rect x="${center - half}" y="${top}" width="${2 * half}" height="${height}" rx="14" fill="${isApp ? colors.app : colors.package}" stroke="${isApp ? colors.line : colors.edge}"/>`,
    `<text x="${center}" y="${top + size.top}" font-weight="700">${path.split('/')[1]}</text>`,
    ...texts,
  ].join('\n');
}

function drawArrow(from, to) {
  const start = from.top + from.height;
  const toward = (a, b) =>
    a.center + Math.max(-0.7, Math.min(0.7, (b.center - a.center) / 400)) * a.half;
  const [x1, x2] = [toward(from, to), toward(to, from)];
  const bend = (to.top - start) / 2;
  return `<path d="M${round(x1)} ${start}C${round(x1)} ${start + bend} ${round(x2)} ${to.top - bend} ${round(x2)} ${to.top - 3}"/>`;
}

const round = (value) => Math.round(value * 10) / 10;

function draw() {
  const arrows = [...boxes.values()].flatMap((from) =>
    readImports(from.path)
      .filter((path) => !importsIndirectly(from.path, path))
      .map((path) => {
        const to = boxes.get(path);
        if (to === undefined || to.top <= from.top)
          throw new Error(`${from.path} → ${path}: place it in a lower row`);
        return drawArrow(from, to);
      }),
  );
  const height = margin * 2 + rows.length * rowHeight - 68;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="16" role="img" aria-labelledby="t d">
<title id="t">Architecture of Linnet</title>
<desc id="d">The workspaces of Linnet, each above those that it imports. All import base. Imports through another package are left out.</desc>
<defs><marker id="a" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L10 5L0 10z" fill="${colors.muted}"/></marker></defs>
<rect width="${width}" height="${height}" fill="${colors.ground}"/>
<g stroke="${colors.muted}" stroke-width="1.6" fill="none" marker-end="url(#a)">
${arrows.join('\n')}
</g>
<g fill="${colors.text}" text-anchor="middle">
${[...boxes.values()].map(drawBox).join('\n')}
</g>
</svg>
`;
}

const drawing = draw();
if (!process.argv.includes('--check')) writeFileSync(file, drawing);
else if (readFileSync(file, 'utf8') !== drawing) {
  console.error('docs/architecture.svg is outdated. Run node tooling/draw-architecture.mjs.');
  process.exitCode = 1;
}
