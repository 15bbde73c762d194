import type { SummaryDocument, SummaryItem } from '@linnet/contract';
import { limits } from '@linnet/contract/limits';
import { structureIds } from '@linnet/contract/structures';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptyDocument } from '../../test/transcripts.ts';
import { toMindMap } from './mind-map.ts';

const item = (id: string, text: string, start_time: number): SummaryItem => ({
  ...{ id, text, start_time },
  paragraph_id: `p${start_time}`,
});
const topic = (id: string, text: string, start_time: number, end_time: number) => ({
  ...item(id, text, start_time),
  end_time,
});
const document = (part: Partial<SummaryDocument>): SummaryDocument => ({
  ...emptyDocument,
  ...part,
});
/** Renders the tree as indented text. */
function render(nodes: ReturnType<typeof toMindMap>, parent = '', depth = 0): string[] {
  return nodes
    .filter(({ parentid }) => parentid === parent)
    .flatMap((node) => ['  '.repeat(depth) + node.topic, ...render(nodes, node.id, depth + 1)]);
}

describe('mind map', () => {
  const points = [item('general-1', 'We need soil', 5), item('general-2', 'Pay in May', 70)];

  it('has topics as branches, with the points that fall within them', () => {
    const nodes = toMindMap(
      'Garden',
      document({
        topics: [topic('topics-2', 'Money', 60, 90), topic('topics-1', 'Beds', 10, 60)],
        structures: { general: { sections: [{ heading: 'overview', items: points }] } },
      }),
    );
    expect(render(nodes)).toEqual([
      'Garden',
      '  Beds',
      '    We need soil',
      '  Money',
      '    Pay in May',
    ]);
    expect(nodes.find(({ topic: text }) => text === 'Pay in May')).toEqual({
      id: 'item-general-2',
      parentid: 'item-topics-2',
      topic: 'Pay in May',
      paragraph_id: 'p70',
      start_time: 70,
    });
  });

  it('has the sections of the requested structure when there are no topics', () => {
    const nodes = toMindMap(
      'Garden',
      document({
        structure: 'meeting',
        structures: {
          general: { sections: [{ heading: 'overview', items: [] }] },
          meeting: {
            sections: [
              { heading: 'decisions', items: [points[1] as SummaryItem] },
              { heading: 'todos', items: [points[0] as SummaryItem] },
            ],
          },
        },
      }),
    );
    expect(render(nodes)).toEqual([
      'Garden',
      '  Decisions',
      '    Pay in May',
      '  To-dos',
      '    We need soil',
    ]);
  });

  it('translates section names and keeps custom headings', () => {
    const [one, other] = points as [SummaryItem, SummaryItem];
    const sections = [
      { heading: 'decisions', items: [one] },
      { heading: 'Le jardin', items: [other] },
    ];
    const branches = (structure: 'meeting' | 'custom') =>
      toMindMap(
        'Jardin',
        document({ language: 'fr', structure, structures: { [structure]: { sections } } }),
      )
        .filter(({ parentid }) => parentid === 'root')
        .map(({ topic }) => topic);
    expect(branches('meeting')).toEqual(['Décisions', 'Le jardin']);
    expect(branches('custom')).toEqual(['decisions', 'Le jardin']);
  });

  it('has the points of a single section as branches', () => {
    const sections = [{ heading: 'overview', items: points }];
    const nodes = toMindMap('Garden', document({ structures: { general: { sections } } }));
    expect(render(nodes)).toEqual(['Garden', '  We need soil', '  Pay in May']);
  });

  it('consists of only the root for an empty summary', () => {
    expect(toMindMap('Garden', emptyDocument)).toEqual([
      { id: 'root', parentid: '', topic: 'Garden' },
    ]);
  });

  it('keeps all branches when it exceeds its maximum size', () => {
    const many = Array.from({ length: 3000 }, (_, n) => item(`general-${n}`, `Point ${n}`, n));
    const nodes = toMindMap(
      'Garden',
      document({
        topics: [topic('topics-1', 'Beds', 0, 10), topic('topics-2', 'Money', 2900, 3000)],
        structures: { general: { sections: [{ heading: 'overview', items: many }] } },
      }),
    );
    expect(nodes).toHaveLength(limits.recording.mindNodes);
    expect(nodes.slice(1, 3).map(({ topic: text }) => text)).toEqual(['Beds', 'Money']);
  });

  const anyItem = fc.record({
    id: fc.stringMatching(/^[a-z]{1,3}-\d{1,2}$/),
    text: fc.string(),
    paragraph_id: fc.string(),
    start_time: fc.double({ min: 0, max: 1000, noNaN: true }),
  });
  const anySections = fc.array(
    fc.record({ heading: fc.string(), items: fc.array(anyItem, { maxLength: 8 }) }),
    { maxLength: 5 },
  );
  const anyDocument = fc
    .record({
      structure: fc.constantFrom(...structureIds),
      generated: fc.dictionary(fc.constantFrom(...structureIds), anySections),
      topics: fc.array(
        anyItem.map((one) => ({ ...one, end_time: one.start_time + 1 })),
        { maxLength: 5 },
      ),
    })
    .map(({ structure, generated, topics }) =>
      document({
        structure,
        topics,
        structures: Object.fromEntries(
          Object.entries(generated).map(([id, sections]) => [id, { sections }]),
        ),
      }),
    );

  it('is a tree for any summary: one root, no cycles, existing parents, unique IDs', () => {
    fc.assert(
      fc.property(fc.string(), anyDocument, (title, summary) => {
        const nodes = toMindMap(title, summary);
        const parents = new Map(nodes.map(({ id, parentid }) => [id, parentid]));
        expect(parents.size).toBe(nodes.length);
        expect(nodes.filter(({ parentid }) => parentid === '')).toEqual([nodes[0]]);
        for (const { id } of nodes) {
          let ancestor: string | undefined = id;
          for (let steps = 0; ancestor !== 'root'; steps += 1) {
            expect(steps).toBeLessThan(3);
            ancestor = parents.get(ancestor ?? '');
          }
        }
        expect(toMindMap(title, summary)).toEqual(nodes);
      }),
    );
  });
});
