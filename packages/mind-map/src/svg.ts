import { type Drawing, getTypography, type PlacedNode } from './layout.ts';

/** A picture's colors, as CSS values. `washes` contains the background color for each branch color. */
export type PictureColors = {
  readonly paper: string;
  readonly ink: string;
  readonly root: string;
  readonly onRoot: string;
  readonly branches: readonly string[];
  readonly washes: readonly string[];
};

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** Escapes a string for XML, and replaces control characters, which XML forbids, with spaces. */
function escapeXml(text: string): string {
  return text
    .replace(/\p{Cc}/gu, ' ')
    .replace(/[&<>"]/g, (character) => escapes[character] ?? character);
}

function renderBox(node: PlacedNode, colors: PictureColors): string {
  if (node.level > 1) return '';
  const { x, y, width, height } = node;
  const isRoot = node.color === null;
  const fill = isRoot ? colors.root : colors.washes[node.color ?? 0];
  const radius = isRoot ? Math.min(height / 2, 27) : 11;
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}" fill="${fill}"/>`;
}

function renderText(node: PlacedNode, colors: PictureColors, displayFont: string): string {
  const { size, weight, leading, padX, padY } = getTypography(node.level);
  const isRoot = node.color === null;
  const x = node.isRightToLeft ? node.x + node.width - padX : node.x + padX;
  const direction = node.isRightToLeft ? ' direction="rtl"' : '';
  const fontFamily = isRoot ? ` font-family="${escapeXml(displayFont)}"` : '';
  const lines = node.lines.map((line, index) => {
    const y = node.y + padY + leading * (index + 0.5) + size * 0.35;
    return `<tspan x="${x}" y="${Math.round(y * 10) / 10}">${escapeXml(line)}</tspan>`;
  });
  const fill = isRoot ? colors.onRoot : colors.ink;
  return `<text${direction}${fontFamily} font-size="${size}" font-weight="${weight}" fill="${fill}">${lines.join('')}</text>`;
}

/** Renders a mind map as a standalone SVG picture that uses system fonts and needs no style sheet. */
export function renderMindMapSvg(
  title: string,
  drawing: Drawing,
  colors: PictureColors,
  faces: { readonly text: string; readonly display: string },
): string {
  const { width, height, nodes, links } = drawing;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${escapeXml(faces.text)}">`,
    `<title>${escapeXml(title)}</title>`,
    `<rect width="${width}" height="${height}" fill="${colors.paper}"/>`,
    '<g fill="none" stroke-linecap="round">',
    ...links.map(({ d, color, level }) => {
      const stroke = colors.branches[color];
      return `<path d="${d}" stroke="${stroke}" stroke-width="${level === 1 ? 3.5 : 1.75}"/>`;
    }),
    '</g>',
    ...nodes.map((node) => renderBox(node, colors) + renderText(node, colors, faces.display)),
    '</svg>',
    '',
  ].join('\n');
}
