import type { MindMapBranch } from '../../mind-map/tree.ts';

/** Characters that Markdown would interpret. */
const escaped = /[\\`*_[\]<>#|~]/g;
/** Text that would start a list or a heading. */
const beginning = /^(\d+)([.)])(?=\s)|^([-+])(?=\s)/;

function plain(topic: string): string {
  return topic
    .replace(/\s+/g, ' ')
    .trim()
    .replace(escaped, '\\$&')
    .replace(beginning, (_, number, mark, dash) => (dash ? `\\${dash}` : `${number}\\${mark}`));
}

/** A mind map as a Markdown outline: the root as heading, the rest as nested lists. */
export function mindMapMarkdown(tree: MindMapBranch): string {
  const lines = [`# ${plain(tree.topic)}`, ''];
  const list = (children: readonly MindMapBranch[], depth: number) => {
    for (const branch of children) {
      lines.push(`${'  '.repeat(depth)}- ${plain(branch.topic)}`);
      list(branch.children, depth + 1);
    }
  };
  list(tree.children, 0);
  return `${lines.join('\n').trimEnd()}\n`;
}
