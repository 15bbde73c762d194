import { describe, expect, it } from 'vitest';
import { layOutMindMap } from './layout.ts';
import { renderMindMapMarkdown } from './markdown.ts';
import { renderMindMapSvg } from './svg.ts';
import type { MindMapBranch } from './tree.ts';
import { xmindContent } from './xmind.ts';

const branch = (id: string, topic: string, ...children: MindMapBranch[]): MindMapBranch => ({
  id,
  topic,
  children,
  source: null,
});
const tree = branch(
  'root',
  'Garden & <plans>',
  branch('a', '1. olive_trees', branch('a1', 'نزرع أربعين شجرة')),
  branch('b', '我们明天见面', branch('b1', 'ประชุมพรุ่งนี้')),
);

describe('an exported mind map', () => {
  it('is rendered as a Markdown outline with escaped text', () => {
    expect(renderMindMapMarkdown(tree)).toBe(
      [
        '# Garden & \\<plans\\>',
        '',
        '- 1\\. olive\\_trees',
        '  - نزرع أربعين شجرة',
        '- 我们明天见面',
        '  - ประชุมพรุ่งนี้',
        '',
      ].join('\n'),
    );
  });

  it('is converted to an XMind sheet', () => {
    expect(xmindContent(tree)).toEqual([
      {
        id: 'sheet-root',
        class: 'sheet',
        title: 'Garden & <plans>',
        topicPositioning: 'fixed',
        rootTopic: {
          id: 'root',
          class: 'topic',
          title: 'Garden & <plans>',
          titleUnedited: false,
          structureClass: 'org.xmind.ui.map.unbalanced',
          children: {
            attached: [
              {
                id: 'a',
                class: 'topic',
                title: '1. olive_trees',
                titleUnedited: false,
                children: {
                  attached: [
                    { id: 'a1', class: 'topic', title: 'نزرع أربعين شجرة', titleUnedited: false },
                  ],
                },
              },
              {
                id: 'b',
                class: 'topic',
                title: '我们明天见面',
                titleUnedited: false,
                children: {
                  attached: [
                    { id: 'b1', class: 'topic', title: 'ประชุมพรุ่งนี้', titleUnedited: false },
                  ],
                },
              },
            ],
          },
        },
      },
    ]);
  });

  it('is rendered as SVG with escaped text', () => {
    const faces = { text: 'system-ui, "Noto Sans"', display: 'serif' };
    const measure = (text: string) => text.length * 7;
    const drawing = layOutMindMap(tree, { fonts: faces, measure, preferredSide: 'right' });
    const branches = Array.from({ length: 6 }, (_, index) => `#00000${index}`);
    const colors = {
      paper: '#fff',
      ink: '#111',
      root: '#111',
      onRoot: '#fff',
      branches,
      washes: branches,
    };
    const svg = renderMindMapSvg(tree.topic, drawing, colors, faces);
    expect(svg).toContain('Garden &amp; &lt;plans&gt;');
    expect(svg).toContain('direction="rtl"');
    expect(svg).toContain('font-family="system-ui, &quot;Noto Sans&quot;"');
    for (const text of ['我们明天见面', 'ประชุมพรุ่งนี้']) expect(svg).toContain(text);
    expect(svg.match(/<path /g)).toHaveLength(4);
  });
});
