/** Word documents. Loaded on demand, because the library is large. */
import {
  AlignmentType,
  Document,
  Footer,
  HeadingLevel,
  type IRunOptions,
  Packer,
  PageNumber,
  Paragraph,
  type ParagraphChild,
  Table,
  TableCell,
  TableRow,
  TextRun,
  WidthType,
} from 'docx';
import { isRightToLeft } from './direction.ts';
import type { Block, ListItem, TextDocument } from './text-document.ts';

/**
 * Fonts bundled with Word, by script. Other programs substitute missing fonts. `cs` covers Arabic and Thai.
 */
const LATIN = 'Calibri';
const eastAsian: Readonly<Record<string, string>> = {
  ja: 'Yu Gothic',
  ko: 'Malgun Gothic',
};
const complex: Readonly<Record<string, string>> = { th: 'Leelawadee UI' };

function fontsFor(language: string) {
  return {
    ...{ ascii: LATIN, hAnsi: LATIN },
    eastAsia: eastAsian[language] ?? 'Microsoft YaHei',
    cs: complex[language] ?? 'Arial',
  };
}

/** Assigns the language to one of a run's three language attributes. Word requires a region for Chinese. */
function tagsFor(language: string) {
  if (/^(zh|ja|ko)/.test(language)) {
    return { eastAsia: language === 'zh-Hans' ? 'zh-CN' : language };
  }
  return /^(ar|th)/.test(language) ? { bidirectional: language } : { value: language };
}

/** Half points, Word's unit. */
const BODY = 22;
const SMALL = 18;
const GRAY = '655F5A';
const RULE = 'CFC6BB';

/** A run of text with its direction. */
function run(text: string, options: IRunOptions = {}): TextRun {
  return new TextRun({ text, rightToLeft: isRightToLeft(text), ...options });
}

/** Text that may have several lines. */
const lines = (text: string) =>
  text.split('\n').map((line, index) => run(line, index > 0 ? { break: 1 } : {}));

type ParagraphOptions = ConstructorParameters<typeof Paragraph>[0];
/** A paragraph with the direction of its text. */
function paragraph(
  words: string,
  children: readonly ParagraphChild[],
  options: Exclude<ParagraphOptions, string> = {},
): Paragraph {
  return new Paragraph({ ...options, bidirectional: isRightToLeft(words), children });
}

const gray = (text: string) => run(text, { color: GRAY, size: SMALL });

const tick = { true: '☑ ', false: '☐ ', null: '' } as const;

function toListItem({ text, time, notes, done }: ListItem): Paragraph {
  const more = [...notes, ...(time === null ? [] : [time])];
  return paragraph(
    text,
    [...lines(`${tick[`${done}`]}${text}`), ...more.map((note) => gray(`  ${note}`))],
    { bullet: { level: 0 }, spacing: { after: 60 } },
  );
}

function toTable(head: readonly string[], rows: readonly (readonly string[])[]): Table {
  const row = (cells: readonly string[], heading: boolean) =>
    new TableRow({
      tableHeader: heading,
      children: cells.map(
        (text) =>
          new TableCell({
            margins: { top: 60, bottom: 60, left: 100, right: 100 },
            children: [paragraph(text, [run(text, { bold: heading })])],
          }),
      ),
    });
  const line = { style: 'single', size: 4, color: RULE } as const;
  return new Table({
    width: { size: 100, type: WidthType.PERCENTAGE },
    visuallyRightToLeft: isRightToLeft(head.join(' ')),
    borders: {
      ...{ top: line, bottom: line, left: line, right: line },
      ...{ insideHorizontal: line, insideVertical: line },
    },
    rows: [row(head, true), ...rows.map((cells) => row(cells, false))],
  });
}

function toParagraphs(block: Block): (Paragraph | Table)[] {
  switch (block.kind) {
    case 'heading': {
      const heading = block.level === 1 ? HeadingLevel.HEADING_1 : HeadingLevel.HEADING_2;
      return [paragraph(block.text, [run(block.text)], { heading })];
    }
    case 'text':
      return [paragraph(block.text, lines(block.text))];
    case 'label':
      return [paragraph(block.text, [gray(block.text)])];
    case 'list':
      return block.items.map(toListItem);
    case 'table':
      return [toTable(block.head, block.rows), new Paragraph({})];
    case 'spoken': {
      const words = block.marked ? `★ ${block.text}` : block.text;
      const head = [
        ...(block.speaker === null ? [] : [run(block.speaker, { bold: true })]),
        ...(block.time === null
          ? []
          : [gray(`${block.speaker === null ? '' : '  '}${block.time}`)]),
      ];
      return [
        ...(head.length > 0
          ? [paragraph(block.text, head, { keepNext: true, spacing: { before: 160, after: 20 } })]
          : []),
        paragraph(block.text, lines(words)),
      ];
    }
  }
}

/** Creates a Word document. @param language interface language, used by the headings */
export async function docxOf(document: TextDocument, language: string): Promise<Blob> {
  const spoken = document.language ?? language;
  const { title, facts, blocks } = document;
  const heading = (size: number, before: number) => ({
    run: { size, bold: true, color: '1C1B1A' },
    paragraph: { spacing: { before, after: 100 }, keepNext: true },
  });
  const rightToLeft = isRightToLeft(title);
  const word = new Document({
    ...{ title, creator: 'Linnet' },
    styles: {
      default: {
        document: {
          run: {
            ...{ font: fontsFor(spoken), size: BODY },
            language: { value: language, ...tagsFor(spoken) },
          },
          paragraph: { spacing: { after: 120, line: 300 } },
        },
        title: heading(40, 0),
        heading1: heading(30, 360),
        heading2: heading(24, 240),
      },
    },
    sections: [
      {
        footers: {
          default: new Footer({
            children: [
              new Paragraph({
                ...{ bidirectional: rightToLeft, alignment: AlignmentType.CENTER },
                children: [
                  gray(`${title} · `),
                  new TextRun({ children: [PageNumber.CURRENT], color: GRAY, size: SMALL }),
                ],
              }),
            ],
          }),
        },
        children: [
          paragraph(title, [run(title)], { heading: HeadingLevel.TITLE }),
          ...facts.map((fact) => paragraph(fact, [gray(fact)], { spacing: { after: 40 } })),
          ...blocks.flatMap(toParagraphs),
        ],
      },
    ],
  });
  return Packer.toBlob(word);
}
