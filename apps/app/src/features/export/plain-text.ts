import type { Block, ListItem, TextDocument } from './text-document.ts';

const checkboxes = { true: '[x] ', false: '[ ] ', null: '' } as const;

function renderListItem({ text, time, notes, done }: ListItem): string {
  const details = [...notes, ...(time === null ? [] : [time])];
  const suffix = details.length > 0 ? ` (${details.join(' · ')})` : '';
  return `- ${checkboxes[`${done}`]}${text}${suffix}`;
}

function renderBlock(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return block.level === 1 ? `${block.text}\n${'='.repeat(12)}` : block.text;
    case 'text':
    case 'label':
      return block.text;
    case 'list':
      return block.items.map(renderListItem).join('\n');
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

/** Renders an exported recording as plain text. */
export function renderPlainText({ title, facts, blocks }: TextDocument): string {
  return `${[title, facts.join('\n'), ...blocks.map(renderBlock)].join('\n\n')}\n`;
}
