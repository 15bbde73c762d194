import { isRightToLeft } from './direction.ts';
import type { Block, ListItem, TextDocument } from './text-document.ts';

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '<br>',
};
const escapeHtml = (text: string) =>
  text.replace(/[&<>"\n]/g, (character) => escapes[character] ?? character);

/** Renders an element whose text direction is detected automatically. */
const element = (name: string, text: string, className = '') =>
  `<${name} dir="auto"${className && ` class="${className}"`}>${escapeHtml(text)}</${name}>`;

const aside = (text: string) => element('bdi', text, 'aside');

const checkboxes = { true: '☑ ', false: '☐ ', null: '' } as const;

function renderListItem({ text, time, notes, done }: ListItem): string {
  const details = [...notes, ...(time === null ? [] : [time])].map((note) => ` ${aside(note)}`);
  return `<li dir="auto">${checkboxes[`${done}`]}${escapeHtml(text)}${details.join('')}</li>`;
}

function renderBlock(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return element(block.level === 1 ? 'h2' : 'h3', block.text);
    case 'text':
      return element('p', block.text);
    case 'label':
      return element('p', block.text, 'label');
    case 'list':
      return `<ul>${block.items.map(renderListItem).join('')}</ul>`;
    case 'table': {
      const row = (cells: readonly string[], cell: string) =>
        `<tr>${cells.map((text) => element(cell, text)).join('')}</tr>`;
      const body = block.rows.map((cells) => row(cells, 'td')).join('');
      return `<table><thead>${row(block.head, 'th')}</thead><tbody>${body}</tbody></table>`;
    }
    case 'spoken': {
      const head = [
        ...(block.speaker === null ? [] : [element('b', block.speaker)]),
        ...(block.time === null ? [] : [aside(block.time)]),
      ].join(' ');
      // The heading must have the same direction as its text in order to align with it.
      const direction = isRightToLeft(block.text) ? 'rtl' : 'ltr';
      const body = `<p>${block.marked ? '★ ' : ''}${escapeHtml(block.text)}</p>`;
      return `<section class="spoken" dir="${direction}">${head && `<p class="head">${head}</p>`}${body}</section>`;
    }
  }
}

/** Renders an exported recording as HTML. All content is escaped. */
export function renderHtml({ title, facts, language, blocks }: TextDocument): string {
  const lang = language === null ? '' : ` lang="${escapeHtml(language)}"`;
  const head = `${element('h1', title)}${facts.map((fact) => element('p', fact, 'fact')).join('')}`;
  return `<article${lang}><header>${head}</header>${blocks.map(renderBlock).join('')}</article>`;
}
