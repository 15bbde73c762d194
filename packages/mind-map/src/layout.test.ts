import { describe, expect, it } from 'vitest';
import { type Drawing, layOutMindMap } from './layout.ts';
import type { MindMapBranch } from './tree.ts';
import { isRightToLeft, wrap } from './wrap.ts';

/** Measures text as if every character were half as wide as the font size. */
const measure = (text: string, font: string) =>
  [...text].length * (Number(/(\d+)px/.exec(font)?.[1]) / 2);
const faces = { text: 'sans-serif', display: 'serif' };

function branch(id: string, ...children: MindMapBranch[]): MindMapBranch {
  return { id, topic: `Topic ${id} with some words to it`, source: null, children };
}
const many = (prefix: string, count: number, ...below: MindMapBranch[]) =>
  Array.from({ length: count }, (_, index) =>
    branch(`${prefix}${index}`, ...below.map((each) => branch(`${prefix}${index}-${each.id}`))),
  );

/** Returns the pairs of nodes whose boxes overlap. */
function collisions({ nodes }: Drawing): string[] {
  return nodes.flatMap((one, index) =>
    nodes
      .slice(index + 1)
      .filter(
        (other) =>
          one.x < other.x + other.width &&
          other.x < one.x + one.width &&
          one.y < other.y + other.height &&
          other.y < one.y + one.height,
      )
      .map((other) => `${one.id} ${other.id}`),
  );
}

describe('layOutMindMap', () => {
  const smallTree = branch('root', branch('a', ...many('a', 3)), branch('b'));
  const largeTree = branch('root', ...many('x', 12, ...many('', 3)));

  it('lays out a small map on one side without overlaps', () => {
    for (const towards of ['right', 'left'] as const) {
      const drawing = layOutMindMap(smallTree, { fonts: faces, measure, preferredSide: towards });
      expect(new Set(drawing.nodes.map(({ side }) => side))).toEqual(new Set([towards]));
      expect(collisions(drawing)).toEqual([]);
      const xOf = (id: string) => drawing.nodes.find((node) => node.id === id)?.x ?? Number.NaN;
      expect(xOf('a') > xOf('root')).toBe(towards === 'right');
      expect(xOf('a0') > xOf('a')).toBe(towards === 'right');
    }
  });

  it('lays out a large map on both sides, unless the screen is narrow', () => {
    const drawing = layOutMindMap(largeTree, { fonts: faces, measure, preferredSide: 'right' });
    const sides = drawing.nodes.filter(({ level }) => level === 1).map(({ side }) => side);
    expect(sides).toEqual([...Array(6).fill('right'), ...Array(6).fill('left')]);
    expect(collisions(drawing)).toEqual([]);
    const narrow = layOutMindMap(largeTree, {
      fonts: faces,
      measure,
      preferredSide: 'right',
      isNarrow: true,
    });
    expect(narrow.nodes.every(({ side }) => side === 'right')).toBe(true);
    expect(narrow.width).toBeLessThan(drawing.width);
  });

  it('places all nodes within its bounds, in reading order', () => {
    const drawing = layOutMindMap(largeTree, { fonts: faces, measure, preferredSide: 'left' });
    for (const { x, y, width, height } of drawing.nodes) {
      expect(Math.min(x, y)).toBeGreaterThan(0);
      expect(x + width).toBeLessThan(drawing.width);
      expect(y + height).toBeLessThan(drawing.height);
    }
    expect(drawing.nodes.slice(0, 3).map(({ id }) => id)).toEqual(['root', 'x0', 'x0-0']);
    expect(drawing.links).toHaveLength(drawing.nodes.length - 1);
  });

  it('folds a subtree and counts the hidden nodes', () => {
    const drawing = layOutMindMap(smallTree, {
      fonts: faces,
      measure,
      preferredSide: 'right',
      folded: new Set(['a']),
    });
    expect(drawing.nodes.map(({ id, hidden }) => `${id} ${hidden}`)).toEqual([
      'root 0',
      'a 3',
      'b 0',
    ]);
  });

  it('lays out five hundred nodes quickly', () => {
    const vast = branch('root', ...many('v', 20, ...many('', 24)));
    const began = performance.now();
    const drawing = layOutMindMap(vast, { fonts: faces, measure, preferredSide: 'right' });
    expect(drawing.nodes).toHaveLength(501);
    // The layout takes about 20 ms on two shared cores. The limit is where users would notice the delay on every edit.
    expect(performance.now() - began).toBeLessThan(1000);
  });
});

describe('wrapping', () => {
  const font = '400 10px sans-serif';

  it('breaks between words, but not before punctuation', () => {
    expect(wrap('Who has the key, please?', font, 60, measure)).toEqual([
      'Who has the ',
      'key, please?',
    ]);
  });

  it.each([
    ['我们明天上午九点在会议室见面，请带来合同。', 'zh'],
    ['ประชุมพรุ่งนี้ตอนเช้าเวลาเก้าโมง', 'th'],
    ['يصلون يوم الخميس ويحتاجون إلى غرفتين', 'ar'],
    ['Donaudampfschifffahrtsgesellschaft', 'de'],
  ])('breaks %s without losing text', (text) => {
    const lines = wrap(text, font, 50, measure);
    expect(lines.length).toBeGreaterThan(2);
    expect(lines.join('')).toBe(text);
    for (const line of lines) {
      expect(measure(line.trimEnd(), font)).toBeLessThanOrEqual(50);
      expect(line).not.toMatch(/^[，。\u0e31-\u0e3a\u0e47-\u0e4e]/u);
    }
  });

  it('determines the direction from the first letter', () => {
    expect(isRightToLeft('12 أشجار and trees')).toBe(true);
    expect(isRightToLeft('12 trees أشجار')).toBe(false);
    expect(isRightToLeft('12')).toBe(false);
  });
});
