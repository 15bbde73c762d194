import type { MindMapBranch } from './tree.ts';

/** Matches characters that Markdown would interpret. */
const SPECIAL_CHARACTERS = /[\\`*_[\]<>#|~]/g;
/** Matches a leading marker that Markdown would interpret as a list item. */
const LIST_MARKER = /^(\d+)([.)])(?=\s)|^([-+])(?=\s)/;

function escapeTopic(topic: string): string {
  return topic
    .replace(/\s+/g, ' ')
    .trim()
    .replace(SPECIAL_CHARACTERS, '\\$&')
    .replace(LIST_MARKER, (_, number, mark, dash) => (dash ? `\\${dash}` : `${number}\\${mark}`));
}

/** Renders a mind map as a Markdown outline, with the root as the heading and the branches as nested lists. */
export function renderMindMapMarkdown(tree: MindMapBranch): string {
  const lines = [`# ${escapeTopic(tree.topic)}`, ''];
  const addBranches = (children: readonly MindMapBranch[], depth: number) => {
    for (const branch of children) {
      lines.push(`${'  '.repeat(depth)}- ${escapeTopic(branch.topic)}`);
      addBranches(branch.children, depth + 1);
    }
  };
  addBranches(tree.children, 0);
  return `${lines.join('\n').trimEnd()}\n`;
}
