import { isRightToLeft } from './direction.ts';
import type { Block, ListItem, TextDocument } from './text-document.ts';

const marks: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '<br>',
};
const plain = (text: string) => text.replace(/[&<>"\n]/g, (mark) => marks[mark] ?? mark);

/** An element with the direction of its text. */
const element = (name: string, text: string, kind = '') =>
  `<${name} dir="auto"${kind && ` class="${kind}"`}>${plain(text)}</${name}>`;

const aside = (text: string) => element('bdi', text, 'aside');

function line({ text, time, notes, done }: ListItem): string {
  const more = [...notes, ...(time === null ? [] : [time])].map((note) => ` ${aside(note)}`);
  const tick = done === null ? '' : done ? '☑ ' : '☐ ';
  return `<li dir="auto">${tick}${plain(text)}${more.join('')}</li>`;
}

function blockHtml(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return element(block.level === 1 ? 'h2' : 'h3', block.text);
    case 'text':
      return element('p', block.text);
    case 'label':
      return element('p', block.text, 'label');
    case 'list':
      return `<ul>${block.items.map(line).join('')}</ul>`;
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
      // Aligns the heading with the start of the text.
      const direction = isRightToLeft(block.text) ? 'rtl' : 'ltr';
      const words = `<p>${block.marked ? '★ ' : ''}${plain(block.text)}</p>`;
      return `<section class="spoken" dir="${direction}">${head && `<p class="head">${head}</p>`}${words}</section>`;
    }
  }
}

/** Renders a recording as HTML. All content is escaped. */
export function htmlOf({ title, facts, language, blocks }: TextDocument): string {
  const lang = language === null ? '' : ` lang="${plain(language)}"`;
  const head = `${element('h1', title)}${facts.map((fact) => element('p', fact, 'fact')).join('')}`;
  return `<article${lang}><header>${head}</header>${blocks.map(blockHtml).join('')}</article>`;
}
