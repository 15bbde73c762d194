/**
 * Tests transcripts in several languages on a phone that did not record them. Also tests their exports by opening the
 * exported files with independent programs.
 */
import { demuxOgg } from '@linnet/audio/ogg';
import { writeWave } from '@linnet/audio/wave';
import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { expectNoViolations } from '../support/axe.ts';
import { chooseFiles } from '../support/choose-files.ts';
import { convertToPdf } from '../support/convert-to-pdf.ts';
import {
  ExportSheet,
  probeAudioFile,
  probeAudioTags,
  runProgram,
} from '../support/export-sheet.ts';
import { LinnetApp } from '../support/linnet-app.ts';
import { PageErrors } from '../support/page-errors.ts';
import { ScriptedSpeechStack, type Talk } from '../support/scripted-speech-stack.ts';
import { ServerAccount } from '../support/server-account.ts';

const owner = 'exporter@example.org';
const recordedAt = '2026-11-20T10:00:00.000Z';
const talks: Talk[] = [
  {
    ...{ title: 'Keys: / where?', language: 'en', recordedAt: recordedAt, pause: 3 },
    lines: ['Please water the orchids tomorrow.', 'Who has the key?'],
  },
  {
    ...{ title: 'اجتماع', language: 'ar', recordedAt: recordedAt, pause: 3 },
    lines: ['أرسل العقد غدا.', 'من معه المفتاح؟'],
  },
  { title: 'ประชุม', language: 'th', lines: ['ประชุมพรุ่งนี้ตอนเช้า'], recordedAt: recordedAt },
  {
    ...{ title: '会议', language: 'zh-Hans', recordedAt: recordedAt, pause: 3 },
    lines: ['我们明天开会。', '谁有钥匙？'],
  },
];
/** Normalizes text: removes spaces and direction marks, and replaces presentation forms of letters. */
const stripLayout = (text: string) => text.normalize('NFKC').replace(/[\s\p{Cf}]/gu, '');
/** Normalizes text and removes punctuation, which pdftotext moves to the end of the line in Arabic. */
const stripPunctuation = (text: string) => stripLayout(text).replace(/\p{P}/gu, '');
const readPdfText = (path: string) => stripPunctuation(runProgram('pdftotext', [path, '-']));

let environment: ScriptedSpeechStack;
let context: BrowserContext;
let page: Page;
let app: LinnetApp;
let sheet: ExportSheet;
const ids: string[] = [];
/** Paths of the exported Word files, keyed by language. */
const wordFiles = new Map<string, string>();
let importedId = '';
const pageErrors = new PageErrors();

test.use({ serviceWorkers: 'allow' });
test.describe.configure({ mode: 'serial' });
test.beforeAll(async ({ browser }) => {
  environment = await ScriptedSpeechStack.start({ env: { TRIAL_DAYS: '0' } });
  const account = await ServerAccount.register(environment.stack, owner);
  for (const talk of talks) ids.push((await environment.transcribe(account, talk)).id);
  context = await browser.newContext({
    ...{ viewport: { width: 390, height: 844 }, locale: 'en-GB', acceptDownloads: true },
  });
  pageErrors.listenTo(context);
  // A print dialog would block the test, so the test inspects the document to be printed instead.
  await context.addInitScript(() => {
    window.print = () => document.documentElement.setAttribute('data-printed', '');
  });
  page = await context.newPage();
  app = new LinnetApp(page, environment.stack);
  sheet = await ExportSheet.create(page);
  await app.open('/pages/index');
  await app.signIn(owner);
  await expect(app.rows('done')).toHaveCount(talks.length);
});
test.afterAll(async () => {
  await sheet?.removeFolder();
  await context?.close();
  await environment?.stop();
});
test.afterEach(() => {
  expect(pageErrors.takeUnexpected()).toEqual([]);
});

/** Closes the sheet if it is open, and shows a recording. */
async function showRecording(id: string): Promise<void> {
  const path = `/pages/fileDetail?id=${id}`;
  if (await sheet.popup.isVisible()) {
    await page.keyboard.press('Escape');
    await expect(sheet.popup).toBeHidden();
  }
  if (!page.url().endsWith(path)) await app.show(path);
}

async function openExport(id: string): Promise<void> {
  await showRecording(id);
  await page.getByTestId('export').click();
  await expect(sheet.popup).toBeVisible();
}

test('saves plain text without membership, and explains why another format is locked', async () => {
  const [keys = ''] = ids;
  await openExport(keys);
  await expect(sheet.popup.getByTestId('export-preview')).toContainText('Please water the orchids');
  await expectNoViolations(page);
  await sheet.selectFormat('docx');
  await expect(sheet.popup.getByTestId('export-locked')).toContainText('VIP feature');
  await expectNoViolations(page);
  await sheet.selectFormat('txt');
  const { name, bytes } = await sheet.save();
  expect(name).toBe('2026-11-20 Keys where.txt');
  expect(bytes.toString('utf8')).toContain('Please water the orchids tomorrow.');
});

test('unlocks every format for members', async () => {
  await app.placeOrder('success', 'vip_monthly');
  // The app loads the membership at startup.
  await page.reload();
  await openExport(ids[0] ?? '');
  await sheet.selectFormat('md');
  await expect(sheet.popup.getByTestId('export-save')).toBeVisible();
  await expect(sheet.popup.getByTestId('export-preview')).toContainText('# Keys: / where?');
});

for (const [index, { language, lines }] of talks.entries()) {
  // The renderers' own tests cover more languages.
  const formats = index === 0 ? ['txt', 'md', 'srt', 'vtt', 'json', 'docx'] : ['docx'];

  test(`shows and exports the text: ${language}`, async () => {
    const id = ids[index] ?? '';
    await showRecording(id);
    await expect
      .poll(async () =>
        stripPunctuation((await page.locator('.paragraph-text').allTextContents()).join('')),
      )
      .toBe(stripPunctuation(lines.join('')));
    const expectAllLines = (text: string) => {
      for (const line of lines) expect(stripLayout(text)).toContain(stripLayout(line));
    };
    for (const format of formats) {
      await openExport(id);
      await sheet.chooseContent('Text');
      await sheet.selectFormat(format);
      const { name, path, bytes } = await sheet.save();
      expect(name.endsWith(`.${format}`)).toBe(true);
      if (format === 'docx') {
        runProgram('unzip', ['-tq', path]);
        wordFiles.set(language, path);
        expectAllLines(
          runProgram('unzip', ['-p', path, 'word/document.xml']).replace(/<[^>]*>/g, ''),
        );
      } else expectAllLines(bytes.toString('utf8'));
      if (format === 'srt')
        expect(probeAudioFile(path)).toMatchObject({ format: 'srt', codec: 'subrip' });
      if (format === 'vtt') {
        expect(probeAudioFile(path)).toMatchObject({ format: 'webvtt', codec: 'webvtt' });
      }
      if (format === 'json') {
        const { format: shape, paragraphs } = JSON.parse(bytes.toString('utf8'));
        expect(shape).toBe('linnet.recording');
        expect(paragraphs[0].words.length).toBeGreaterThan(0);
      }
    }
    await openExport(id);
    await sheet.selectFormat('pdf');
    await sheet.popup.getByTestId('export-print').click();
    await page.locator('html[data-printed]').waitFor({ state: 'attached' });
    const pdfPath = sheet.pathTo(`${language}.pdf`);
    await page.pdf({ path: pdfPath, preferCSSPageSize: true, tagged: true });
    const pdfText = readPdfText(pdfPath);
    for (const line of lines) expect(pdfText).toContain(stripPunctuation(line));
    expect(pdfText).not.toContain(stripPunctuation('Save file'));
    await page.locator('html').evaluate((html) => html.removeAttribute('data-printed'));
  });
}

test('LibreOffice reads every word of the Word files', () => {
  convertToPdf(sheet.pathTo('.'), [...wordFiles.values()]);
  for (const { language, lines } of talks) {
    const pdfText = readPdfText(wordFiles.get(language)?.replace(/docx$/, 'pdf') ?? '');
    for (const line of lines) expect(pdfText).toContain(stripPunctuation(line));
  }
});

test('remembers excluded parts after a reload and on another client', async () => {
  const [keys = ''] = ids;
  await openExport(keys);
  await sheet.selectFormat('txt');
  await sheet.setOption('times', false);
  await sheet.setOption('summary', false);
  const { bytes } = await sheet.save();
  expect(bytes.toString('utf8')).not.toMatch(/^\d:\d\d$|Summary/m);
  await page.reload();
  await page.getByTestId('export').click();
  await expect(sheet.popup.getByTestId('with-times').getByRole('checkbox')).not.toBeChecked();

  const wide = await page
    .context()
    .browser()
    ?.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' });
  if (!wide) throw new Error('no browser');
  pageErrors.listenTo(wide);
  const desktop = new LinnetApp(await wide.newPage(), environment.stack);
  await desktop.open('/pages/index');
  await desktop.signIn(owner);
  await desktop.openRecording(keys);
  await desktop.page.getByTestId('export').click();
  const box = desktop.page.getByTestId('with-times').getByRole('checkbox');
  await expect(box).not.toBeChecked();
  await expectNoViolations(desktop.page);
  await wide.close();
});

test('downloads audio from the cloud and converts it to every format', async () => {
  for (const [format, expected] of [
    ['wav', { format: 'wav', codec: 'pcm_s16le' }],
    ['ogg', { format: 'ogg', codec: 'opus' }],
    ['mp3', { format: 'mp3', codec: 'mp3' }],
  ] as const) {
    await openExport(ids[0] ?? '');
    await sheet.chooseContent('Audio');
    await sheet.selectFormat(format);
    const { name, path } = await sheet.save();
    expect(name).toBe(`2026-11-20 Keys where.${format}`);
    const { seconds, ...kind } = probeAudioFile(path);
    expect(kind).toEqual(expected);
    expect(seconds).toBeGreaterThan(5);
    expect(seconds).toBeLessThan(30);
    const { title, date } = probeAudioTags(path);
    expect(title).toBe(talks[0]?.title);
    expect(new Date(date ?? '')).toEqual(new Date(recordedAt));
  }
});

test('exports audio that is on the phone unchanged, and cancels long conversions', async () => {
  await app.show('/pages/files');
  const minutes = 3;
  const samples = Int16Array.from({ length: 16_000 * 60 * minutes }, (_, n) =>
    Math.round(8000 * Math.sin(n / 12) * Math.sin(n / 16_000)),
  );
  const buffer = Buffer.from(writeWave(samples, 16_000));
  await chooseFiles(page.getByTestId('import-files'), [
    { name: 'Hum.wav', mimeType: 'audio/wav', buffer },
  ]);
  const row = app.rows().filter({ hasText: 'Hum' });
  await expect(row).toHaveCount(1, { timeout: 60_000 });
  importedId = (await row.getAttribute('data-record-id')) ?? '';

  await openExport(importedId);
  await sheet.chooseContent('Audio');
  await sheet.selectFormat('mp3');
  await sheet.popup.getByTestId('export-save').click();
  await expect(sheet.popup.getByRole('progressbar')).toBeVisible();
  await sheet.popup.getByTestId('export-cancel').click();
  await expect(sheet.popup.getByTestId('export-save')).toBeVisible();
  const mp3 = await sheet.save();
  expect(probeAudioFile(mp3.path).seconds).toBeCloseTo(60 * minutes, 0);

  await openExport(importedId);
  await sheet.selectFormat('ogg');
  const ogg = await sheet.save();
  // The file differs only in its tags.
  const readPackets = (file: Uint8Array) => Buffer.concat(demuxOgg(file).packets);
  const stored = await app.readStoredFile(importedId, 'ogg');
  expect(readPackets(ogg.bytes).equals(readPackets(stored))).toBe(true);
  expect(probeAudioTags(ogg.path)).toMatchObject({ title: 'Hum' });
  runProgram('opusinfo', [ogg.path]);
});

test('exports several recordings as an archive, even offline, and lists audio that is missing', async () => {
  await app.show('/pages/files');
  await expect(app.rows()).toHaveCount(talks.length + 1);
  await context.setOffline(true);
  await page.getByTestId('files-menu').click();
  await page.getByRole('menuitem', { name: 'Select recordings' }).click();
  await page.getByTestId('selection-all').click();
  await page.getByTestId('selection-export').click();
  await sheet.chooseContent('Text');
  await sheet.selectFormat('docx');
  await sheet.setOption('folders', true);
  await expectNoViolations(page);
  const { name, path } = await sheet.save();
  expect(name).toMatch(/^\d{4}-\d\d-\d\d Linnet\.zip$/);
  runProgram('unzip', ['-tq', path]);
  const listed = runProgram('unzip', ['-Z1', path]).trim().split('\n');
  expect(listed).toHaveLength(talks.length + 1);
  expect(new Set(listed).size).toBe(listed.length);
  expect(listed).toContain('2026-11-20 ประชุม/2026-11-20 ประชุม.docx');

  await page.getByTestId('selection-export').click();
  await sheet.chooseContent('Audio');
  const audioArchive = await sheet.save();
  pageErrors.allow(/ERR_INTERNET_DISCONNECTED/);
  // The archive contains the audio that is on the phone. A toast and a note in the archive list the missing audio.
  await app.expectToast(`${talks.length} recordings is missing`);
  const files = runProgram('unzip', ['-Z1', audioArchive.path]).trim().split('\n');
  expect(files).toHaveLength(2);
  const missingAudioNote = runProgram('unzip', ['-p', audioArchive.path, 'Missing files.txt']);
  for (const { title } of talks)
    expect(missingAudioNote).toContain(`The audio of “${title}” is in the cloud`);

  await page.getByTestId('selection-export').click();
  await sheet.chooseContent('Audio');
  await context.setOffline(false);
  const archive = await sheet.save();
  expect(runProgram('unzip', ['-Z1', archive.path]).trim().split('\n')).toHaveLength(
    talks.length + 1,
  );
});
