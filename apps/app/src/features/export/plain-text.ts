import type { Block, ListItem, TextDocument } from './text-document.ts';

const tick = { true: '[x] ', false: '[ ] ', null: '' } as const;

function line({ text, time, notes, done }: ListItem): string {
  const more = [...notes, ...(time === null ? [] : [time])];
  return `- ${tick[`${done}`]}${text}${more.length > 0 ? ` (${more.join(' · ')})` : ''}`;
}

function textOf(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return block.level === 1 ? `${block.text}\n${'='.repeat(12)}` : block.text;
    case 'text':
    case 'label':
      return block.text;
    case 'list':
      return block.items.map(line).join('\n');
    case 'table':
      return block.rows
        .map((row) => `- ${row.filter((cell) => cell !== '').join(' · ')}`)
        .join('\n');
    case 'spoken': {
      const head = [block.speaker, block.time].filter((part) => part !== null).join(' · ');
      return `${block.marked ? '★ ' : ''}${head}${head ? '\n' : ''}${block.text}`;
    }
  }
}

/** Plain text in UTF-8. */
export function plainTextOf({ title, facts, blocks }: TextDocument): string {
  return `${[title, facts.join('\n'), ...blocks.map(textOf)].join('\n\n')}\n`;
}
