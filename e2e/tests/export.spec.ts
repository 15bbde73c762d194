/** Exported files are opened by independent programs. */
import { writeWave } from '@linnet/audio/wave';
import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { expectNoViolations } from '../support/axe.ts';
import { convertToPdf } from '../support/convert-to-pdf.ts';
import { ExportSheet, probeAudioFile, runProgram } from '../support/export-sheet.ts';
import { LinnetApp } from '../support/linnet-app.ts';
import { PageErrors } from '../support/page-errors.ts';
import { ScriptedSpeechStack, type Talk } from '../support/scripted-speech-stack.ts';
import { ServerAccount } from '../support/server-account.ts';

const owner = 'exporter@example.org';
const at = '2026-11-20T10:00:00.000Z';
const talks: Talk[] = [
  {
    ...{ title: 'Keys: / where?', language: 'en', recordedAt: at, pause: 3 },
    lines: ['Please water the orchids tomorrow.', 'Who has the key?'],
  },
  {
    ...{ title: 'اجتماع', language: 'ar', recordedAt: at, pause: 3 },
    lines: ['أرسل العقد غدا.', 'من معه المفتاح؟'],
  },
  { title: 'ประชุม', language: 'th', lines: ['ประชุมพรุ่งนี้ตอนเช้า'], recordedAt: at },
  {
    ...{ title: '会议', language: 'zh-Hans', recordedAt: at, pause: 3 },
    lines: ['我们明天开会。', '谁有钥匙？'],
  },
];
/** Text without layout: no spaces, direction marks or presentation forms of letters. */
const plain = (text: string) => text.normalize('NFKC').replace(/[\s\p{Cf}]/gu, '');
/**
 * The text of a PDF. pdftotext reads Arabic word by word, and puts the mark at the end of a line regardless of its
 * position on the page.
 */
const unmarked = (text: string) => plain(text).replace(/\p{P}/gu, '');
const onPaper = (path: string) => unmarked(runProgram('pdftotext', [path, '-']));

let environment: ScriptedSpeechStack;
let context: BrowserContext;
let page: Page;
let app: LinnetApp;
let sheet: ExportSheet;
const ids: string[] = [];
/** Word files by the language of their content. */
const written = new Map<string, string>();
let imported = '';
const pageErrors = new PageErrors();

test.describe.configure({ mode: 'serial' });
test.beforeAll(async ({ browser }) => {
  environment = await ScriptedSpeechStack.start({ env: { TRIAL_DAYS: '0' } });
  const account = await ServerAccount.register(environment.stack, owner);
  for (const talk of talks) ids.push((await environment.transcribe(account, talk)).id);
  context = await browser.newContext({
    ...{ viewport: { width: 390, height: 844 }, locale: 'en-GB', acceptDownloads: true },
  });
  pageErrors.listenTo(context);
  // A print dialog would block; the test inspects the document to be printed instead.
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

async function openExport(id: string): Promise<void> {
  const path = `/pages/fileDetail?id=${id}`;
  if (await sheet.popup.isVisible()) {
    await page.keyboard.press('Escape');
    await expect(sheet.popup).toBeHidden();
  }
  if (!page.url().endsWith(path)) await app.open(path);
  await page.getByTestId('export').click();
  await expect(sheet.popup).toBeVisible();
}

test('without membership plain text is saved, and a lock explains the other formats', async () => {
  const [keys = ''] = ids;
  await openExport(keys);
  await expect(sheet.popup.getByTestId('export-preview')).toContainText('Please water the orchids');
  await expectNoViolations(page);
  for (const format of ['md', 'docx', 'pdf', 'srt', 'vtt', 'json']) {
    await sheet.selectFormat(format);
    await expect(sheet.popup.getByTestId('export-locked')).toContainText('membership');
    await expect(sheet.popup.getByTestId('export-save')).toBeHidden();
    await expect(sheet.popup.getByTestId('export-print')).toBeHidden();
  }
  await expectNoViolations(page);
  await sheet.selectFormat('txt');
  const { name, bytes } = await sheet.save();
  expect(name).toBe('2026-11-20 Keys where.txt');
  expect(bytes.toString('utf8')).toContain('Please water the orchids tomorrow.');
});

test('every format is open to a member', async ({ page: checkout }) => {
  const { pay_url } = await app.callApi<{ pay_url: string }>('/user/pay', { plan: 'vip_monthly' });
  await checkout.goto(pay_url);
  await checkout.getByRole('button', { name: /^Pay / }).click();
  // The app fetches the membership at start.
  await page.reload();
  await openExport(ids[0] ?? '');
  await sheet.selectFormat('md');
  await expect(sheet.popup.getByTestId('export-save')).toBeVisible();
  await expect(sheet.popup.getByTestId('export-preview')).toContainText('# Keys: / where?');
});

for (const [index, { language, lines }] of talks.entries()) {
  test(`text in every format: ${language}`, async () => {
    const id = ids[index] ?? '';
    const words = (text: string) => {
      for (const line of lines) expect(plain(text)).toContain(plain(line));
    };
    for (const format of ['txt', 'md', 'srt', 'vtt', 'json', 'docx']) {
      await openExport(id);
      await sheet.chooseContent('Text');
      await sheet.selectFormat(format);
      const { name, path, bytes } = await sheet.save();
      expect(name.endsWith(`.${format}`)).toBe(true);
      if (format === 'docx') {
        runProgram('unzip', ['-tq', path]);
        written.set(language, path);
        words(runProgram('unzip', ['-p', path, 'word/document.xml']).replace(/<[^>]*>/g, ''));
      } else words(bytes.toString('utf8'));
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
    const paper = sheet.pathTo(`${language}.pdf`);
    await page.pdf({ path: paper, preferCSSPageSize: true, tagged: true });
    const read = onPaper(paper);
    for (const line of lines) expect(read).toContain(unmarked(line));
    expect(read).not.toContain(unmarked('Save file'));
    await page.locator('html').evaluate((html) => html.removeAttribute('data-printed'));
  });
}

test('LibreOffice reads every word of the Word files', () => {
  convertToPdf(sheet.pathTo('.'), [...written.values()]);
  for (const { language, lines } of talks) {
    const paper = onPaper(written.get(language)?.replace(/docx$/, 'pdf') ?? '');
    for (const line of lines) expect(paper).toContain(unmarked(line));
  }
});

test('excluded parts stay excluded after a reload and on another client', async () => {
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
  const desk = new LinnetApp(await wide.newPage(), environment.stack);
  await desk.open('/pages/index');
  await desk.signIn(owner);
  await desk.openRecording(keys);
  await desk.page.getByTestId('export').click();
  const box = desk.page.getByTestId('with-times').getByRole('checkbox');
  await expect(box).not.toBeChecked();
  await expectNoViolations(desk.page);
  // By keyboard alone: to the option, on again, and out.
  await box.focus();
  await desk.page.keyboard.press('Space');
  await expect(box).toBeChecked();
  await desk.page.keyboard.press('Escape');
  await expect(desk.page.getByRole('dialog')).toBeHidden();
  await expect(desk.page.getByTestId('export')).toBeFocused();
  await wide.close();
});

test('audio in the cloud is fetched and converted to every format', async () => {
  for (const [format, expected] of [
    ['wav', { format: 'wav', codec: 'pcm_s16le' }],
    ['ogg', { format: 'ogg', codec: 'opus' }],
    ['mp3', { format: 'mp3', codec: 'mp3' }],
  ] as const) {
    await openExport(ids[0] ?? '');
    await sheet.chooseContent('Sound');
    await sheet.selectFormat(format);
    const { name, path } = await sheet.save();
    expect(name).toBe(`2026-11-20 Keys where.${format}`);
    const { seconds, ...kind } = probeAudioFile(path);
    expect(kind).toEqual(expected);
    expect(seconds).toBeGreaterThan(5);
    expect(seconds).toBeLessThan(30);
  }
});

test('audio on the phone is exported as stored, and long conversions can be canceled', async () => {
  await app.open('/pages/files');
  const minutes = 8;
  const samples = Int16Array.from({ length: 16_000 * 60 * minutes }, (_, n) =>
    Math.round(8000 * Math.sin(n / 12) * Math.sin(n / 16_000)),
  );
  const file = { name: 'Hum.wav', mimeType: 'audio/wav' };
  await page
    .getByTestId('import-files')
    .setInputFiles({ ...file, buffer: Buffer.from(writeWave(samples, 16_000)) });
  const row = app.rows().filter({ hasText: 'Hum' });
  await expect(row).toHaveCount(1, { timeout: 60_000 });
  imported = (await row.getAttribute('data-record-id')) ?? '';

  await openExport(imported);
  await sheet.chooseContent('Sound');
  await sheet.selectFormat('mp3');
  await sheet.popup.getByTestId('export-save').click();
  await expect(sheet.popup.getByRole('progressbar')).toBeVisible();
  await sheet.popup.getByTestId('export-cancel').click();
  await expect(sheet.popup.getByTestId('export-save')).toBeVisible();
  const mp3 = await sheet.save();
  expect(probeAudioFile(mp3.path).seconds).toBeCloseTo(60 * minutes, 0);

  await openExport(imported);
  await sheet.selectFormat('ogg');
  const ogg = await sheet.save();
  expect(ogg.bytes.equals(await app.readStoredFile(imported, 'ogg'))).toBe(true);
  runProgram('opusinfo', [ogg.path]);
});

test('several recordings become one archive, also in flight mode; those only in the cloud are named', async () => {
  await app.open('/pages/files');
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
  await sheet.chooseContent('Sound');
  const sound = await sheet.save();
  pageErrors.allow(/ERR_INTERNET_DISCONNECTED/);
  // Audio on the phone is included; the missing is named, in the archive and on screen.
  await app.expectToast(`${talks.length} recordings is missing`);
  const files = runProgram('unzip', ['-Z1', sound.path]).trim().split('\n');
  expect(files).toHaveLength(2);
  const note = runProgram('unzip', ['-p', sound.path, 'Missing sound.txt']);
  for (const { title } of talks) expect(note).toContain(`The sound of “${title}” is in the cloud`);

  await page.getByTestId('selection-export').click();
  await sheet.chooseContent('Sound');
  await context.setOffline(false);
  const archive = await sheet.save();
  expect(runProgram('unzip', ['-Z1', archive.path]).trim().split('\n')).toHaveLength(
    talks.length + 1,
  );
});
