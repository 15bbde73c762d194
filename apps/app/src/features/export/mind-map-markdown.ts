import type { Twig } from '../../mind-map/tree.ts';

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
export function mindMapMarkdown(tree: Twig): string {
  const lines = [`# ${plain(tree.topic)}`, ''];
  const list = (twigs: readonly Twig[], depth: number) => {
    for (const twig of twigs) {
      lines.push(`${'  '.repeat(depth)}- ${plain(twig.topic)}`);
      list(twig.twigs, depth + 1);
    }
  };
  list(tree.twigs, 0);
  return `${lines.join('\n').trimEnd()}\n`;
}
