import type { Block, ListItem, TextDocument } from './text-document.ts';

/** Escapes text that Markdown would interpret. */
function plain(text: string): string {
  return text
    .replace(/[\\`*_[\]<>|~]/g, '\\$&')
    .replace(/\s*\n\s*/g, ' ')
    .replace(
      /^(\s*)([#+-]|\d+[.)])(?=\s|$)/,
      (_, space: string, mark: string) =>
        // A number is escaped at its dot, anything else at its first character.
        `${space}${/^\d/.test(mark) ? `${mark.slice(0, -1)}\\${mark.at(-1)}` : `\\${mark}`}`,
    );
}

/** Text that keeps its line breaks. @param indent of all lines but the first */
const lines = (text: string, indent = '') => text.split('\n').map(plain).join(`  \n${indent}`);

const tick = { true: '[x] ', false: '[ ] ', null: '' } as const;

function line({ text, time, notes, done }: ListItem): string {
  const more = [...notes, ...(time === null ? [] : [time])].map(plain);
  return `- ${tick[`${done}`]}${lines(text, '  ')}${more.length > 0 ? ` *(${more.join(' · ')})*` : ''}`;
}

const row = (cells: readonly string[]) => `| ${cells.map(plain).join(' | ')} |`;

function markdownOf(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return `${block.level === 1 ? '##' : '###'} ${plain(block.text)}`;
    case 'text':
      return lines(block.text);
    case 'label':
      return `*${plain(block.text)}*`;
    case 'list':
      return block.items.map(line).join('\n');
    case 'table':
      return [row(block.head), row(block.head.map(() => '---')), ...block.rows.map(row)].join('\n');
    case 'spoken': {
      const head = [
        ...(block.marked ? ['★'] : []),
        ...(block.speaker === null ? [] : [`**${plain(block.speaker)}**`]),
        ...(block.time === null ? [] : [`*${plain(block.time)}*`]),
      ].join(' ');
      // Two trailing spaces keep the heading on its own line.
      return `${head}${head ? '  \n' : ''}${lines(block.text)}`;
    }
  }
}

/** CommonMark with GitHub's task lists and tables. */
export function markdownTextOf({ title, facts, blocks }: TextDocument): string {
  const head = facts.map(plain).join('  \n');
  return `${[`# ${plain(title)}`, head, ...blocks.map(markdownOf)].join('\n\n')}\n`;
}
