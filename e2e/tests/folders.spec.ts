/** Tests folder import in the browser. */
import { SAMPLE_RATE } from '@linnet/audio/format';
import { writeWave } from '@linnet/audio/wave';
import { expect, test } from '@playwright/test';
import { createAudioFiles, encodeAsMp3 } from '../support/audio-kinds.ts';
import { fileNames, installDrive, putFiles } from '../support/browser-drive.ts';
import { LinnetApp } from '../support/linnet-app.ts';
import { ScriptedSpeechStack, type Talk } from '../support/scripted-speech-stack.ts';
import { createTone } from '../support/tone.ts';

const talk: Talk = {
  title: 'Garden',
  language: 'en',
  lines: ['Please water the roses tomorrow.', 'The gate stays open until nine.'],
};

/** Number of files of each of the eight kinds. A full run uses FILES_PER_KIND=25, for a total of 200 files. */
const filesPerKind = Number(process.env.FILES_PER_KIND ?? 2);
const fileCount = 8 * filesPerKind;
/** Time limit for importing all files, in milliseconds. */
const IMPORT_MS = 60_000 + fileCount * 1000;

/**
 * Returns a WAV file with a one-second tone.
 * @param period as in `createTone`
 */
function tone(period: number): Buffer {
  return Buffer.from(writeWave(createTone(1, period), SAMPLE_RATE));
}

let speech: ScriptedSpeechStack;
test.beforeAll(async () => {
  // Without a trial, nothing is uploaded automatically before the account becomes a member.
  speech = await ScriptedSpeechStack.start({ env: { TRIAL_DAYS: '0' } });
});
test.afterAll(() => speech?.stop());

test('the files of a folder are imported once, and new files are imported automatically', async ({
  page,
}) => {
  test.setTimeout(180_000 + IMPORT_MS);
  const app = new LinnetApp(page, speech.stack);
  await installDrive(page);
  await app.signUp('folders@example.org');
  const files = await createAudioFiles(filesPerKind);
  expect(files).toHaveLength(fileCount);
  await putFiles(page, files);
  await app.show('/pages/folders');
  const status = page.getByTestId('folder-status');
  await page.getByTestId('pick-folder').click();
  await expect(status).toContainText(`${fileCount} recordings`, { timeout: IMPORT_MS });
  await expect(page.getByText('Couldn’t import')).toHaveCount(0);

  // A second scan, after a restart of the app, imports nothing.
  await page.reload();
  await expect(status).toContainText(`${fileCount} recordings`);
  await putFiles(page, [
    { name: 'A new one.wav', bytes: tone(5) },
    // A file with the same content doesn't become a new recording.
    { name: 'Copy.mp3', bytes: files.find(({ name }) => name === '001.mp3')?.bytes as Buffer },
  ]);
  await expect(status).toContainText(`${fileCount + 2} recordings`, { timeout: 60_000 });
  const counted = await page.evaluate(async () => {
    let folder = await navigator.storage.getDirectory();
    for (const part of ['linnet', 'audio']) folder = await folder.getDirectoryHandle(part);
    let originals = 0;
    for await (const name of folder.keys()) originals += Number(/\.(original|foreign)$/.test(name));
    return originals;
  });
  expect(counted).toBe(fileCount + 1);

  await test.step('a file that is picked again is not imported again, and its recording is offered', async () => {
    await app.show('/pages/files');
    const file = { name: 'The same tone.wav', mimeType: 'audio/wav', buffer: tone(5) };
    await page.getByTestId('import-files').setInputFiles(file);
    const known = page.getByTestId('import-row').and(page.locator('[data-state="known"]'));
    await expect(known).toContainText('already in your recordings');
    await known.getByRole('link').click();
    await page.waitForURL('**/pages/fileDetail?id=*');
    await expect(page.getByRole('heading', { level: 1 })).toContainText('A new one');
  });
});

test('an imported MP3 file is uploaded unchanged, transcribed, and deleted from its folder once the server has a verified copy', async ({
  page,
  browser,
}) => {
  const app = new LinnetApp(page, speech.stack);
  await installDrive(page);
  await app.signUp('drive@example.org');
  await app.placeOrder('success', 'vip_monthly');
  const bytes = encodeAsMp3(speech.synthesize(talk));
  await putFiles(page, [{ name: 'Garden.mp3', bytes }]);
  const granted = page.waitForRequest((request) => request.url().endsWith('/oss/config'));
  // The app loads the membership at startup.
  await app.open('/pages/folders');
  await page.getByTestId('pick-folder').click();
  await expect(page.getByTestId('folder-status')).toContainText('1 recording', { timeout: 60_000 });
  await page.getByTestId('delete-files').click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog).toContainText('RECORDER');
  await dialog.getByRole('button', { name: 'Delete after import' }).click();
  await expect.poll(() => fileNames(page), { timeout: 60_000 }).toEqual([]);
  expect((await granted).postDataJSON()).toMatchObject({ ext: 'mp3', recording: true });

  await app.show('/pages/files');
  await expect(app.rows('done')).toHaveCount(1, { timeout: 120_000 });
  await app.rows().first().getByRole('link').first().click();
  await expect(page.getByTestId('paragraph').first()).toContainText('water the roses');

  const secondContext = await browser.newContext();
  const second = new LinnetApp(await secondContext.newPage(), speech.stack);
  await second.open();
  await second.signIn('drive@example.org');
  await second.rows('done').first().getByRole('link').first().click();
  const player = second.page.getByTestId('player');
  await player.getByRole('button', { name: 'Play' }).click();
  await expect(player.getByRole('slider')).not.toHaveAttribute('aria-valuenow', '0');
  await secondContext.close();

  await app.show('/pages/folders');
  await app.performAndUndo(async () => {
    await page.getByTestId('remove-folder').click();
    await expect(page.getByTestId('folder-status')).toHaveCount(0);
  });
  await expect(page.getByTestId('folder-status')).toBeVisible();
});
