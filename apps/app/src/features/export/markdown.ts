import { escapeLines, escapeMarkdown } from '@linnet/vault/markdown';
import { quoteYaml } from '@linnet/vault/yaml';
import type { Block, ListItem, TextDocument } from './text-document.ts';

const checkboxes = { true: '[x] ', false: '[ ] ', null: '' } as const;

function renderListItem({ text, time, notes, done }: ListItem): string {
  const details = [...notes, ...(time === null ? [] : [time])].map(escapeMarkdown);
  const suffix = details.length > 0 ? ` *(${details.join(' · ')})*` : '';
  return `- ${checkboxes[`${done}`]}${escapeLines(text, escapeMarkdown, '  ')}${suffix}`;
}

const row = (cells: readonly string[]) => `| ${cells.map(escapeMarkdown).join(' | ')} |`;

function renderBlock(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return `${block.level === 1 ? '##' : '###'} ${escapeMarkdown(block.text)}`;
    case 'text':
      return escapeLines(block.text);
    case 'label':
      return `*${escapeMarkdown(block.text)}*`;
    case 'list':
      return block.items.map(renderListItem).join('\n');
    case 'table':
      return [row(block.head), row(block.head.map(() => '---')), ...block.rows.map(row)].join('\n');
    case 'spoken': {
      const head = [
        ...(block.marked ? ['★'] : []),
        ...(block.speaker === null ? [] : [`**${escapeMarkdown(block.speaker)}**`]),
        ...(block.time === null ? [] : [`*${escapeMarkdown(block.time)}*`]),
      ].join(' ');
      // Two trailing spaces make a line break, which puts the heading on its own line.
      return `${head}${head ? '  \n' : ''}${escapeLines(block.text)}`;
    }
  }
}

/** Renders the facts as YAML front matter, which note-taking apps read. */
function renderFrontMatter({ title, language, metadata }: TextDocument): string {
  const list = (texts: readonly string[]) => `[${texts.map((text) => quoteYaml(text)).join(', ')}]`;
  return [
    '---',
    `title: ${quoteYaml(title)}`,
    `date: ${metadata.date}`,
    `duration: ${metadata.duration}`,
    ...(language === null ? [] : [`language: ${quoteYaml(language)}`]),
    `tags: ${list(metadata.tags)}`,
    `speakers: ${list(metadata.speakers)}`,
    '---',
  ].join('\n');
}

/** Renders an exported recording as CommonMark with front matter and GitHub's task lists and tables. */
export function renderMarkdown(document: TextDocument): string {
  const { title, facts, blocks } = document;
  const head = facts.map(escapeMarkdown).join('  \n');
  return `${[renderFrontMatter(document), `# ${escapeMarkdown(title)}`, head, ...blocks.map(renderBlock)].join('\n\n')}\n`;
}
