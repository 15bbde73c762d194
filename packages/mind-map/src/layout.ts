import { branchColors } from './colors.ts';
import type { MindMapBranch } from './tree.ts';
import { isRightToLeft, type Measure, wrap } from './wrap.ts';

/** A node with its position in pixels. `x` and `y` are its top-left corner. */
export type PlacedNode = {
  readonly id: string;
  readonly parent: string | null;
  /** Depth in the tree, 0 for the root. */
  readonly level: number;
  /** Index of its branch's color, or null for the root. */
  readonly color: number | null;
  /** The side of the root on which the node is placed. */
  readonly side: Side;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly lines: readonly string[];
  /** True if its text runs from right to left. */
  readonly isRightToLeft: boolean;
  /** Number of nodes hidden in its folded subtree. */
  readonly hidden: number;
  /** Number of children, including folded ones. */
  readonly childCount: number;
};
export type Side = 'left' | 'right';

/** A line from a node to one of its children, as an SVG path. */
export type PlacedLink = {
  readonly id: string;
  readonly color: number;
  readonly level: number;
  readonly d: string;
};

/** A laid-out mind map, with coordinates from 0 to `width` and `height`. */
export type Drawing = {
  readonly width: number;
  readonly height: number;
  /** Nodes in reading order, parents before children. */
  readonly nodes: readonly PlacedNode[];
  readonly links: readonly PlacedLink[];
};

/** A level's typography, in pixels. */
export type LevelTypography = {
  readonly size: number;
  readonly weight: number;
  readonly leading: number;
  readonly width: number;
  readonly padX: number;
  readonly padY: number;
};

const settings: readonly [LevelTypography, LevelTypography, LevelTypography] = [
  { size: 20, weight: 600, leading: 27, width: 230, padX: 22, padY: 14 },
  { size: 15, weight: 600, leading: 21, width: 210, padX: 14, padY: 8 },
  { size: 14, weight: 400, leading: 20, width: 250, padX: 6, padY: 5 },
];
/** Returns the typography of a level, where 0 is the root. */
export function getTypography(level: number): LevelTypography {
  return settings[Math.min(level, 2)] ?? settings[2];
}

/** Distance from a node to its children, and distances between neighbors by level, in pixels. */
const levelGap = 52;
const siblingGaps = [26, 26, 12] as const;
/** Outer margin in pixels, so that lines and shadows aren't clipped. */
const margin = 28;
/** Maps with more leaves than this use both sides. */
const maxLeavesOnOneSide = 14;

export type LayoutOptions = {
  /** CSS font families for body and display text. */
  readonly fonts: { readonly text: string; readonly display: string };
  readonly measure: Measure;
  /** The preferred side: the one on which lines end in the page's language. */
  readonly preferredSide: Side;
  readonly folded?: ReadonlySet<string>;
  /** True to use only one side, for portrait screens. */
  readonly isNarrow?: boolean;
};

/** A node that has been measured but not yet positioned. */
type SizedNode = {
  readonly branch: MindMapBranch;
  readonly level: number;
  readonly lines: readonly string[];
  readonly width: number;
  readonly height: number;
  readonly hidden: number;
  readonly children: readonly SizedNode[];
  /** Height of the node, including its subtree. */
  readonly span: number;
};

/** Lays out a tree without overlaps. Branches are placed on one side or, if there are many, on both. */
export function layOutMindMap(tree: MindMapBranch, options: LayoutOptions): Drawing {
  const root = measureBranch(tree, 0, options);
  const [nearChildren, farChildren] = options.isNarrow
    ? [root.children, []]
    : splitSides(root.children);
  const other: Side = options.preferredSide === 'right' ? 'left' : 'right';
  const placed: PlacedNode[] = [];

  function place(
    node: SizedNode,
    at: { x: number; y: number; side: Side; parent: string | null; color: number | null },
  ): PlacedNode {
    const { branch, level, lines, width, height, hidden } = node;
    const positioned: PlacedNode = {
      ...at,
      id: branch.id,
      level,
      lines,
      width,
      height,
      hidden,
      isRightToLeft: isRightToLeft(branch.topic),
      childCount: branch.children.length,
    };
    placed.push(positioned);
    return positioned;
  }
  function placeBelow(
    nodes: readonly SizedNode[],
    parent: PlacedNode,
    side: Side,
    getColor: (index: number) => number,
  ): void {
    const gap = gapAt(parent.level + 1);
    const total = nodes.reduce((sum, { span }) => sum + span, gap * (nodes.length - 1));
    let top = parent.y + parent.height / 2 - total / 2;
    for (const [index, node] of nodes.entries()) {
      const x =
        side === 'right' ? parent.x + parent.width + levelGap : parent.x - levelGap - node.width;
      const y = top + (node.span - node.height) / 2;
      const color = getColor(index);
      const positioned = place(node, { x, y, side, parent: parent.id, color });
      placeBelow(node.children, positioned, side, () => color);
      top += node.span + gap;
    }
  }

  const middle = place(root, {
    x: 0,
    y: 0,
    side: options.preferredSide,
    parent: null,
    color: null,
  });
  placeBelow(nearChildren, middle, options.preferredSide, (index) => index % branchColors);
  placeBelow(farChildren, middle, other, (index) => (nearChildren.length + index) % branchColors);
  return toDrawing(placed);
}

function gapAt(level: number): number {
  return siblingGaps[Math.min(level, 2)] ?? siblingGaps[2];
}

function measureBranch(branch: MindMapBranch, level: number, options: LayoutOptions): SizedNode {
  const { size, weight, leading, width: maxWidth, padX, padY } = getTypography(level);
  const face = level === 0 ? options.fonts.display : options.fonts.text;
  const font = `${weight} ${size}px ${face}`;
  const lines = wrap(branch.topic, font, maxWidth, options.measure);
  const widest = Math.max(...lines.map((line) => options.measure(line.trimEnd(), font)));
  const folded = options.folded?.has(branch.id) ?? false;
  const children = folded
    ? []
    : branch.children.map((each) => measureBranch(each, level + 1, options));
  const height = lines.length * leading + 2 * padY;
  const gaps = gapAt(level + 1) * Math.max(0, children.length - 1);
  return {
    branch,
    level,
    lines,
    height,
    children,
    width: Math.ceil(Math.max(widest, 24)) + 2 * padX,
    hidden: folded ? count(branch) : 0,
    span: Math.max(
      height,
      children.reduce((sum, { span }) => sum + span, gaps),
    ),
  };
}

function count(branch: MindMapBranch): number {
  return branch.children.reduce((sum, each) => sum + 1 + count(each), 0);
}

function countLeaves(node: SizedNode): number {
  return node.children.length === 0
    ? 1
    : node.children.reduce((sum, each) => sum + countLeaves(each), 0);
}

/** Splits the branches between the two sides, in reading order and with roughly equal heights. */
function splitSides(branches: readonly SizedNode[]): [readonly SizedNode[], readonly SizedNode[]] {
  const total = branches.reduce((sum, branch) => sum + countLeaves(branch), 0);
  if (branches.length < 3 || total <= maxLeavesOnOneSide) return [branches, []];
  const spans = branches.map(({ span }) => span + gapAt(1));
  const all = spans.reduce((sum, span) => sum + span, 0);
  let firstSpan = 0;
  let bestSplit = 1;
  let smallest = Number.POSITIVE_INFINITY;
  for (let index = 0; index < branches.length - 1; index += 1) {
    firstSpan += spans[index] ?? 0;
    const difference = Math.abs(all - 2 * firstSpan);
    if (difference < smallest) [smallest, bestSplit] = [difference, index + 1];
  }
  return [branches.slice(0, bestSplit), branches.slice(bestSplit)];
}

/**
 * Returns the y coordinate at which lines meet a node: the vertical center for the boxes of the first levels, the
 * underline for the others.
 */
export function anchor(node: PlacedNode): number {
  return node.level < 2 ? node.y + node.height / 2 : node.y + node.height;
}

function linkPath(from: PlacedNode, to: PlacedNode): string {
  const isRight = to.side === 'right';
  const startX =
    from.level === 0 ? from.x + from.width / 2 : isRight ? from.x + from.width : from.x;
  const startY = anchor(from);
  const endY = anchor(to);
  const [nearEdge, farEdge] = isRight ? [to.x, to.x + to.width] : [to.x + to.width, to.x];
  const bend = isRight ? levelGap * 0.6 : -levelGap * 0.6;
  // Lines from the root start behind its box and diverge outside it.
  const edge = isRight ? from.x + from.width : from.x;
  const out = from.level === 0 ? edge - startX + bend * 0.4 : bend;
  const curve = `M${n(startX)} ${n(startY)}C${n(startX + out)} ${n(startY)} ${n(nearEdge - bend)} ${n(endY)} ${n(nearEdge)} ${n(endY)}`;
  return to.level < 2 ? curve : `${curve}H${n(farEdge)}`;
}

/** Shifts all nodes into view and draws the lines between them. */
function toDrawing(placed: readonly PlacedNode[]): Drawing {
  const leftEdge = Math.min(...placed.map(({ x }) => x)) - margin;
  const top = Math.min(...placed.map(({ y }) => y)) - margin;
  const rightEdge = Math.max(...placed.map(({ x, width }) => x + width)) + margin;
  const bottom = Math.max(...placed.map(({ y, height }) => y + height)) + margin;
  const nodes = placed.map((node) => ({ ...node, x: node.x - leftEdge, y: node.y - top }));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const links = nodes.flatMap((to): PlacedLink[] => {
    const from = to.parent === null ? undefined : byId.get(to.parent);
    if (!from || to.color === null) return [];
    return [{ id: to.id, color: to.color, level: to.level, d: linkPath(from, to) }];
  });
  return { width: Math.ceil(rightEdge - leftEdge), height: Math.ceil(bottom - top), nodes, links };
}

function n(value: number): number {
  return Math.round(value * 10) / 10;
}
