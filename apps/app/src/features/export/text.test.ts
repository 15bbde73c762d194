import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import i18next, { type TFunction } from 'i18next';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { type ExportPart, exportParts } from '../../export-parts.ts';
import { formatDay } from '../../i18n/format.ts';
import en from '../../i18n/locales/en/index.ts';
import type { ExportChoice } from '../../ports/exports.ts';
import { createRecords } from '../../workbench/fixtures/recordings.ts';
import { createDocx } from './docx.ts';
import { renderHtml } from './html.ts';
import { renderJson } from './json.ts';
import { renderMarkdown } from './markdown.ts';
import { renderPlainText } from './plain-text.ts';
import { availableParts, createTextDocument } from './text-document.ts';

const arabic = 'أرسل العقد غدا إلى سلمى.';
const thai = 'ประชุมพรุ่งนี้ตอนเช้าที่ห้องประชุมใหญ่';
const chinese = '我们明天上午开会，请带上钥匙。';

const [fixture] = createRecords();
if (!fixture) throw new Error('the workbench has no recording');
const item = (id: string, text: string) => ({ id, text, paragraph_id: 'p1', start_time: 65 });
const record = {
  ...fixture,
  title: 'Keys & <doors>',
  ai_title: '',
  create_date: '2026-11-21T12:00:00.000Z',
  record_time: 754,
  brief: thai,
  keywords: ['钥匙', 'عقد'],
  ticks: { t1: true },
  speakers: { S1: 'سلمى' },
  task: { id: 't', language: 'ar' },
  place: null,
  tags: ['work'],
  markers: [{ id: 'm1', time: 5, label: '' }],
  notes: [
    { id: 'n1', time: 0, text: 'Ask for *the* keys' },
    { id: 'n2', time: 65, text: arabic },
  ],
  content: [
    { id: 'p1', start_time: 65, end_time: 70, content: arabic, is_tag: 1 as const, speaker: 'S1' },
    { id: 'p2', start_time: 70, end_time: 75, content: thai, is_tag: 0 as const, speaker: 'S2' },
    {
      id: 'p3',
      start_time: 75,
      end_time: 80,
      content: `${chinese} *a* <b> | 1`,
      is_tag: 0 as const,
    },
  ],
  summary_json: JSON.stringify({
    version: 1,
    engine: 'builtin',
    kind: 'extractive',
    language: 'ar',
    structure: 'general',
    structures: { general: { sections: [{ heading: 'overview', items: [item('g1', arabic)] }] } },
    todos: [{ ...item('t1', 'Call Tom'), who: 'Miriam', when: 'tomorrow', due: '2026-11-22' }],
    finance: [{ ...item('f1', 'It costs 420.'), amount: 420, currency: 'EUR', purpose: '钥匙' }],
    timeline: [{ ...item('e1', thai), when: 'tomorrow', date: null }],
    knowledge_points: [],
    needs: [],
    questions: [],
    topics: [],
    looked_for: [],
  }),
};
const choice: Pick<ExportChoice, 'parts' | 'speakers' | 'times' | 'marked'> = {
  parts: exportParts,
  speakers: true,
  times: true,
  marked: false,
};
let t: TFunction;
const createDocument = (change: Partial<typeof choice> = {}) =>
  createTextDocument(record, { ...choice, ...change }, { t, language: 'en' });
const withParts = (parts: readonly ExportPart[], change = {}) =>
  createDocument({ parts, ...change });

beforeAll(async () => {
  t = await i18next.init({ lng: 'en', resources: { en: { translation: en } } });
});

describe('an exported text', () => {
  it('has only the parts with content', () => {
    expect(availableParts(record)).toEqual([
      ...['summary', 'keywords', 'todos', 'timeline', 'finance', 'markers', 'notes'],
      'transcript',
    ]);
    expect(
      availableParts({
        ...record,
        content: [],
        summary_json: null,
        brief: '',
        summary: '',
        keywords: [],
        markers: [],
        notes: [],
      }),
    ).toEqual([]);
  });

  it('has the notes, without a time if they were typed before the recording', () => {
    expect(renderPlainText(withParts(['notes']))).toContain(
      ['Notes', '============', '', '- Ask for *the* keys', `- ${arabic} (1:05)`].join('\n'),
    );
    expect(renderMarkdown(withParts(['notes']))).toContain('- Ask for \\*the\\* keys\n');
    expect(JSON.parse(renderJson(record)).notes).toEqual(record.notes);
  });

  it('is rendered as plain text with or without speakers and times', () => {
    const dueDate = formatDay('2026-11-22T00:00:00', 'en');
    expect(renderPlainText(withParts(['transcript', 'todos']))).toContain(
      [
        ...['To-dos', '============', '', `- [x] Call Tom (Miriam · ${dueDate} · 1:05)`, ''],
        ...['Transcript', '============', '', '★ سلمى · 1:05', arabic, ''],
        ...['Speaker S2 · 1:10', thai, ''],
      ].join('\n'),
    );
    const withoutSpeakers = renderPlainText(
      withParts(['transcript'], { speakers: false, times: false }),
    );
    expect(withoutSpeakers).toContain(`\n\n★ ${arabic}\n\n${thai}\n\n`);
    expect(withoutSpeakers).not.toMatch(/سلمى ·|1:05|Speaker/);
  });

  it('can be limited to marked paragraphs', () => {
    const text = renderPlainText(withParts(['transcript'], { marked: true }));
    expect(text).toContain(arabic);
    expect(text).not.toContain(thai);
  });

  it('states that the built-in analyzer created the summary', () => {
    expect(renderPlainText(withParts(['summary']))).toContain(en.detail.extractive);
  });

  it('is rendered as Markdown with escaped content', () => {
    const text = renderMarkdown(createDocument());
    const [, frontMatter] = text.split('---\n');
    expect(parseYaml(frontMatter ?? '')).toEqual({
      title: 'Keys & <doors>',
      date: '2026-11-21T12:00:00.000Z',
      duration: 754,
      language: 'ar',
      tags: ['work'],
      speakers: ['سلمى', 'Speaker S2'],
    });
    expect(text).toContain('# Keys & \\<doors\\>');
    expect(text).toContain(`${chinese} \\*a\\* \\<b\\> \\| 1`);
    expect(text).toContain('| 420 EUR | 钥匙 | It costs 420. | 1:05 |');
    expect(text).toContain('- [x] Call Tom *(Miriam · ');
    expect(text).toContain('★ **سلمى** *1:05*  \n');
  });

  it('is rendered as HTML with escaped content and the direction of each paragraph', () => {
    const html = renderHtml(createDocument());
    expect(html).toContain('Keys &amp; &lt;doors&gt;');
    expect(html).toContain(
      `<section class="spoken" dir="rtl"><p class="head"><b dir="auto">سلمى</b>`,
    );
    expect(html).toContain(`dir="ltr"><p class="head"><b dir="auto">Speaker S2</b>`);
    expect(html).not.toMatch(
      /<(?!\/?(article|header|section|h[1-3]|p|ul|li|table|thead|tbody|tr|t[hd]|b|bdi)[ >])/,
    );
  });

  it('is rendered as JSON with its format and version', () => {
    const json = JSON.parse(renderJson(record));
    expect(json).toMatchObject({ format: 'linnet.recording', version: 1, done: ['t1'] });
    expect(json.recording).toMatchObject({ title: 'Keys & <doors>', seconds: 754, language: 'ar' });
    expect(json.paragraphs[0]).toEqual({
      id: 'p1',
      start: 65,
      end: 70,
      speaker: 'S1',
      text: arabic,
      marked: true,
      edited: false,
      words: [],
    });
    expect(json.summary.todos[0].text).toBe('Call Tom');
  });

  it('is converted to a Word document with right-to-left Arabic', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'linnet-docx-'));
    try {
      const path = join(folder, 'made.docx');
      const blob = await createDocx(createDocument(), 'en');
      writeFileSync(path, new Uint8Array(await blob.arrayBuffer()));
      execFileSync('unzip', ['-tq', path]);
      const part = (name: string) =>
        execFileSync('unzip', ['-p', path, name], { encoding: 'utf8', maxBuffer: 2 ** 24 });
      const body = part('word/document.xml');
      for (const text of [arabic, thai, chinese]) expect(body).toContain(text);
      const paragraphs = body.split('<w:p>').filter((each) => each.includes(`>★ ${arabic}<`));
      expect(paragraphs).toHaveLength(1);
      expect(paragraphs[0]).toMatch(/<w:bidi\/>/);
      expect(paragraphs[0]).toMatch(/<w:rtl\/>/);
      const ltr = body
        .split('<w:p>')
        .find((each) => each.includes(`>${thai}<`) && !each.includes('w:numId'));
      expect(ltr).not.toMatch(/<w:bidi\/>|<w:rtl\/>/);
      expect(part('word/styles.xml')).toMatch(/<w:lang w:val="en" w:bidi="ar"\/>/);
      expect(body).toContain('<w:tbl>');
      // An exact line height would be too small for a title that spans several lines.
      expect(part('word/styles.xml')).toMatch(/<w:spacing [^>]*w:line="300" w:lineRule="auto"/);
      expect(part('docProps/core.xml')).toContain('<cp:lastModifiedBy>Linnet<');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('keeps line breaks in every format', async () => {
    const content = [{ ...record.content[0], content: 'First *line*.\n- Second line.' }];
    const withLineBreak = { ...record, content } as typeof record;
    const document = createTextDocument(
      withLineBreak,
      { ...choice, parts: ['transcript'] },
      { t, language: 'en' },
    );
    expect(renderPlainText(document)).toContain('First *line*.\n- Second line.');
    expect(renderMarkdown(document)).toContain('First \\*line\\*.  \n\\- Second line.');
    expect(renderHtml(document)).toContain('First *line*.<br>- Second line.');
    const folder = mkdtempSync(join(tmpdir(), 'linnet-docx-'));
    try {
      const path = join(folder, 'lines.docx');
      writeFileSync(path, new Uint8Array(await (await createDocx(document, 'en')).arrayBuffer()));
      const xml = execFileSync('unzip', ['-p', path, 'word/document.xml'], { encoding: 'utf8' });
      const text = xml.replaceAll('<w:br/>', '\n').replace(/<[^>]*>/g, '');
      expect(text).toContain('First *line*.\n- Second line.');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
