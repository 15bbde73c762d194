/** Creates Word documents. This module is loaded on demand, because the `docx` library is large. */
import {
  AlignmentType,
  Document,
  Footer,
  HeadingLevel,
  type IRunOptions,
  LineRuleType,
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

/** Fonts that come with Word for each script. Other programs substitute missing fonts. */
const LATIN = 'Calibri';
const eastAsian: Readonly<Record<string, string>> = {
  ja: 'Yu Gothic',
  ko: 'Malgun Gothic',
};
/** Fonts for complex scripts (here, Arabic and Thai). */
const complex: Readonly<Record<string, string>> = { th: 'Leelawadee UI' };

function fontsFor(language: string) {
  return {
    ascii: LATIN,
    hAnsi: LATIN,
    eastAsia: eastAsian[language] ?? 'Microsoft YaHei',
    cs: complex[language] ?? 'Arial',
  };
}

/** Returns the attribute that sets a run's language. Word has a different one for each kind of script. */
function languageAttribute(language: string) {
  if (/^(zh|ja|ko)/.test(language)) {
    // Word requires a region for Chinese.
    return { eastAsia: language === 'zh-Hans' ? 'zh-CN' : language };
  }
  return /^(ar|th)/.test(language) ? { bidirectional: language } : { value: language };
}

/** Font sizes in half points, which is the unit Word uses. */
const BODY_SIZE = 22;
const SMALL_SIZE = 18;
const GRAY = '655F5A';
const BORDER_COLOR = 'CFC6BB';

/** Creates a run of text with the text's own direction. */
function run(text: string, options: IRunOptions = {}): TextRun {
  return new TextRun({ text, rightToLeft: isRightToLeft(text), ...options });
}

/** Creates the runs for text with line breaks. */
const lines = (text: string) =>
  text.split('\n').map((line, index) => run(line, index > 0 ? { break: 1 } : {}));

type ParagraphOptions = ConstructorParameters<typeof Paragraph>[0];
/** Creates a paragraph with the direction of its text. */
function paragraph(
  text: string,
  children: readonly ParagraphChild[],
  options: Exclude<ParagraphOptions, string> = {},
): Paragraph {
  return new Paragraph({ ...options, bidirectional: isRightToLeft(text), children });
}

const gray = (text: string) => run(text, { color: GRAY, size: SMALL_SIZE });

const checkboxes = { true: '☑ ', false: '☐ ', null: '' } as const;

function toListItem({ text, time, notes, done }: ListItem): Paragraph {
  const details = [...notes, ...(time === null ? [] : [time])];
  return paragraph(
    text,
    [...lines(`${checkboxes[`${done}`]}${text}`), ...details.map((note) => gray(`  ${note}`))],
    { bullet: { level: 0 }, spacing: { after: 60 } },
  );
}

function toTable(head: readonly string[], rows: readonly (readonly string[])[]): Table {
  const row = (cells: readonly string[], isHeading: boolean) =>
    new TableRow({
      tableHeader: isHeading,
      children: cells.map(
        (text) =>
          new TableCell({
            margins: { top: 60, bottom: 60, left: 100, right: 100 },
            children: [paragraph(text, [run(text, { bold: isHeading })])],
          }),
      ),
    });
  const line = { style: 'single', size: 4, color: BORDER_COLOR } as const;
  return new Table({
    width: { size: 100, type: WidthType.PERCENTAGE },
    visuallyRightToLeft: isRightToLeft(head.join(' ')),
    borders: {
      top: line,
      bottom: line,
      left: line,
      right: line,
      insideHorizontal: line,
      insideVertical: line,
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
      const text = block.marked ? `★ ${block.text}` : block.text;
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
        paragraph(block.text, lines(text)),
      ];
    }
  }
}

/**
 * Creates a Word document.
 * @param language the interface language, also for the headings
 */
export async function createDocx(document: TextDocument, language: string): Promise<Blob> {
  const spokenLanguage = document.language ?? language;
  const { title, facts, blocks } = document;
  const heading = (size: number, before: number) => ({
    run: { size, bold: true, color: '1C1B1A' },
    paragraph: { spacing: { before, after: 100 }, keepNext: true },
  });
  const rightToLeft = isRightToLeft(title);
  const word = new Document({
    title,
    creator: 'Linnet',
    lastModifiedBy: 'Linnet',
    styles: {
      default: {
        document: {
          run: {
            font: fontsFor(spokenLanguage),
            size: BODY_SIZE,
            language: { value: language, ...languageAttribute(spokenLanguage) },
          },
          // Without this rule, LibreOffice treats the height as exact and lines of large text overlap.
          paragraph: { spacing: { after: 120, line: 300, lineRule: LineRuleType.AUTO } },
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
                bidirectional: rightToLeft,
                alignment: AlignmentType.CENTER,
                children: [
                  gray(`${title} · `),
                  new TextRun({ children: [PageNumber.CURRENT], color: GRAY, size: SMALL_SIZE }),
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
