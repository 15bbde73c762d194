/** Tests audio file import and noise reduction on the phone. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeOggToPcm } from '@linnet/audio/convert';
import { SAMPLE_RATE } from '@linnet/audio/format';
import { audioKinds } from '@linnet/audio/kind';
import { demuxOgg } from '@linnet/audio/ogg';
import { loadOpus, type OpusModule } from '@linnet/audio/opus';
import { readOpusWasm } from '@linnet/audio/opus-wasm-node';
import { createRecorderFiles } from '@linnet/audio/testing';
import { writeWave } from '@linnet/audio/wave';
import { cloudSetting } from '@linnet/contract/statuses';
import { type BrowserContext, expect, type Page, test, type Worker } from '@playwright/test';
import { createMp3Encoder } from 'wasm-media-encoders';
import { type ChosenFile, chooseFiles } from '../support/choose-files.ts';
import { LinnetApp } from '../support/linnet-app.ts';
import { openProfile } from '../support/open-profile.ts';
import { PageErrors } from '../support/page-errors.ts';
import { Quota } from '../support/quota.ts';
import { Stack } from '../support/stack.ts';
import { Toasts } from '../support/toasts.ts';
import { createTone } from '../support/tone.ts';

const scene = join(import.meta.dirname, '..', '..', 'apps/virtual-recorder/scenes/microphone.ogg');
const pageErrors = new PageErrors();
let opus: OpusModule;
let speech: Int16Array;
/** The first sentence of the speech, long enough to be transcribed. */
let sentence: Int16Array;
let stack: Stack;
let context: BrowserContext;
let page: Page;
let app: LinnetApp;

test.beforeAll(async () => {
  opus = await loadOpus(readOpusWasm());
  speech = decodeOggToPcm(await readFile(scene), opus).subarray(0, 12 * SAMPLE_RATE);
  sentence = speech.subarray(0, 6 * SAMPLE_RATE);
  stack = await Stack.start();
  context = await openProfile();
  pageErrors.listenTo(context);
  page = context.pages()[0] ?? (await context.newPage());
  app = new LinnetApp(page, stack);
  await app.signUp('choir@example.org');
});
test.afterAll(async () => {
  await context?.close();
  await stack?.stop();
});
test.afterEach(() => {
  expect(pageErrors.takeUnexpected()).toEqual([]);
});

const createWav = (name: string, samples: Int16Array): ChosenFile => ({
  name,
  mimeType: 'audio/wav',
  buffer: Buffer.from(writeWave(samples, SAMPLE_RATE)),
});

async function createMp3(name: string, samples: Int16Array): Promise<ChosenFile> {
  const encoder = await createMp3Encoder();
  encoder.configure({ sampleRate: SAMPLE_RATE, channels: 1, bitrate: 64 });
  const body = Buffer.from(
    encoder.encode([Float32Array.from(samples, (sample) => sample / 0x8000)]),
  );
  return {
    name,
    mimeType: 'audio/mpeg',
    buffer: Buffer.concat([body, Buffer.from(encoder.finalize())]),
  };
}

/** Repeats the speech so that processing takes long enough to be interrupted. */
function repeatSpeech(minutes: number): Int16Array {
  const samples = new Int16Array(minutes * 60 * SAMPLE_RATE);
  for (let offset = 0; offset < samples.length; offset += speech.length) {
    samples.set(speech.subarray(0, samples.length - offset), offset);
  }
  return samples;
}

/** Returns the names of all audio files on the phone. */
function listAudioFiles(): Promise<string[]> {
  return page.evaluate(async () => {
    let folder = await navigator.storage.getDirectory();
    for (const part of ['linnet', 'audio']) {
      folder = await folder.getDirectoryHandle(part, { create: true });
    }
    const names: string[] = [];
    for await (const name of folder.keys()) names.push(name);
    return names.sort();
  });
}

/** Returns the maximum correlation of two signals over a range of shifts, or 1 if they are equal. */
function correlate(a: Int16Array, b: Int16Array, shifts: number): number {
  const excerpt = a.subarray(SAMPLE_RATE, 4 * SAMPLE_RATE);
  const correlationAt = (shift: number) => {
    let [dotProduct, first, second] = [0, 0, 0];
    for (let n = 0; n < excerpt.length; n++) {
      const [x, y] = [excerpt[n] as number, b[SAMPLE_RATE + n + shift] ?? 0];
      dotProduct += x * y;
      first += x * x;
      second += y * y;
    }
    return dotProduct / Math.sqrt(first * second);
  };
  return Math.max(...Array.from({ length: shifts }, (_, shift) => correlationAt(shift)));
}

async function importFiles(...files: ChosenFile[]): Promise<void> {
  await chooseFiles(page.getByTestId('import-files'), files);
}

/**
 * Imports a file and waits for its row.
 * @returns the recording's id
 */
async function importFile(file: ChosenFile): Promise<string> {
  await importFiles(file);
  const title = file.name.replace(/\.\w+$/, '');
  const row = app.rows().filter({ hasText: title });
  await expect(row).toBeVisible({ timeout: 120_000 });
  return (await row.getAttribute('data-record-id')) as string;
}

test('imports WAV and MP3 files, and rejects other files', async () => {
  await importFiles(
    createWav('Choir practice.wav', sentence),
    await createMp3('Talk by the river.mp3', sentence),
    {
      name: 'minutes.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.from('%PDF-1.7\n'.repeat(99)),
    },
  );
  const failedRow = page.getByTestId('import-row').and(page.locator('[data-state="failed"]'));
  await expect(failedRow).toContainText('isn’t readable audio', { timeout: 120_000 });
  await expect(failedRow).toContainText('import not_audio');
  await expect(page.getByTestId('import-row')).toHaveCount(1);
  await failedRow.getByRole('button').click();
  await expect(page.getByTestId('import-row')).toHaveCount(0);

  const ids: string[] = [];
  for (const [title, shifts] of [
    ['Choir practice', 1],
    // MP3 encoding and decoding delay the audio.
    ['Talk by the river', 2400],
  ] as const) {
    const row = app.rows().filter({ hasText: title });
    const id = (await row.getAttribute('data-record-id')) as string;
    ids.push(id);
    const master = await app.readStoredFile(id, 'ogg');
    expect(new Set(demuxOgg(master).packets.map(({ length }) => length))).toEqual(new Set([160]));
    const samples = decodeOggToPcm(master, opus);
    expect(samples.length - sentence.length).toBeGreaterThanOrEqual(0);
    expect(samples.length - sentence.length).toBeLessThan(0.2 * SAMPLE_RATE);
    expect(correlate(sentence, samples, shifts)).toBeGreaterThan(0.97);
  }
  // The server decodes MP3 with ffmpeg, so both files are masters and are kept alongside their conversions.
  expect(await listAudioFiles()).toEqual(
    ids.flatMap((id) => ['ogg', 'original', 'wav'].map((kind) => `${id}.${kind}`)).sort(),
  );
  // Imported recordings are processed like any other recording.
  await expect(app.rows('done')).toHaveCount(2, { timeout: 120_000 });
  const { list } = await app.callApi<{ list: { client_flag: string; name: string; sn: string }[] }>(
    '/task/index',
    { limit: 1000, page: 1 },
  );
  const named = list.map(({ client_flag, name, sn }) => [client_flag, name, sn].join()).sort();
  expect(named).toEqual([`${ids[0]},Choir practice,`, `${ids[1]},Talk by the river,`].sort());
});

test('a canceled or interrupted import leaves no files', async () => {
  const before = await listAudioFiles();
  const rows = await app.rows().count();
  // Long enough that the import can be interrupted even on a fast machine.
  const file = createWav('Much too long.wav', repeatSpeech(15));
  const row = page.getByTestId('import-row');

  // The app asks before transcribing more than ten minutes' worth of audio.
  const dialog = page.getByRole('alertdialog');
  await importFiles(file);
  await expect(dialog).toContainText('Transcribe 1 file?');
  await expect(dialog).toContainText('about 15 minutes');
  await expect(dialog).toContainText('minutes left');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(row).toHaveCount(0);

  const importWithoutTranscribing = async () => {
    await importFiles(file);
    await dialog.getByRole('button', { name: 'Import without transcribing' }).click();
  };
  await importWithoutTranscribing();
  await expect(row.getByRole('progressbar')).not.toHaveAttribute('aria-valuenow', '0');
  await row.getByRole('button').click();
  await expect(row).toHaveCount(0);
  await expect.poll(listAudioFiles).toEqual(before);

  await importWithoutTranscribing();
  await expect(row.getByRole('progressbar')).not.toHaveAttribute('aria-valuenow', '0');
  await expect.poll(listAudioFiles).not.toEqual(before);
  await page.reload();
  await expect(app.rows()).toHaveCount(rows);
  await expect.poll(listAudioFiles).toEqual(before);
});

/** Turns automatic uploads on or off, as another phone of the account does. */
async function setAutoSync(isOn: boolean): Promise<void> {
  const { group, keys } = cloudSetting;
  const setting = { group_name: group, config_key: keys.autoSync, config_value: isOn ? '1' : '0' };
  await app.callApi('/user/updateConfig', setting);
  // The page shows the setting once the phone has received it. A network event makes the phone poll immediately.
  await app.show('/pages/cloudBackup');
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  await expect(page.getByTestId('auto-sync')).toBeChecked({ checked: isOn });
  await app.show('/pages/files');
}

test('noise reduction can be canceled, played and undone, and is deleted with its recording', async () => {
  // Mix the speech with white noise at a signal-to-noise ratio of 5 dB.
  const loudness = Math.sqrt(speech.reduce((sum, sample) => sum + sample ** 2, 0) / speech.length);
  const peak = (Math.sqrt(3) * loudness) / 10 ** (5 / 20);
  let state = 1;
  const noisy = repeatSpeech(2).map((sample) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return Math.max(-32_768, Math.min(32_767, sample + (state / 2 ** 30 - 1) * peak));
  });
  // The server must not transcribe the noise, which takes longer than the rest of the test.
  await setAutoSync(false);
  const id = await importFile(createWav('Beside the road.wav', noisy));
  const denoisedFile = `${id}.cleaner.ogg`;
  await app.openRecording(id);
  const openTab = () => page.getByTestId('tab-audio').click();
  await openTab();
  const progress = page.getByTestId('noise-working');
  const reduceButton = page.getByTestId('reduce-noise');
  const versions = page.getByTestId('noise-versions');

  // Neither a cancellation nor a reload leaves a partial file.
  await reduceButton.click();
  await expect(progress.getByRole('progressbar')).not.toHaveAttribute('aria-valuenow', '0');
  await page.getByTestId('noise-cancel').click();
  await expect(reduceButton).toBeVisible();
  expect(await listAudioFiles()).not.toContain(denoisedFile);
  await reduceButton.click();
  await expect(progress.getByRole('progressbar')).not.toHaveAttribute('aria-valuenow', '0');
  expect(await listAudioFiles()).toContain(denoisedFile);
  await page.reload();
  await openTab();
  await expect(reduceButton).toBeVisible();
  await expect.poll(listAudioFiles).not.toContain(denoisedFile);

  await reduceButton.click();
  await expect(versions).toBeVisible({ timeout: 120_000 });
  const [master, denoised] = [
    await app.readStoredFile(id, 'ogg'),
    await app.readStoredFile(id, 'cleaner.ogg'),
  ];
  expect(demuxOgg(denoised).granules).toBe(demuxOgg(master).granules);
  const [before, after] = [decodeOggToPcm(master, opus), decodeOggToPcm(denoised, opus)];
  expect(correlate(speech, before, 1)).toBeLessThan(0.9);
  expect(correlate(speech, after, 1)).toBeGreaterThan(0.93);

  // Both versions can be played. Switching keeps the playback position.
  await expect(versions.getByLabel('Noise-reduced')).toBeChecked();
  await page.getByTestId('player').getByRole('button', { name: 'Skip forward 15 seconds' }).click();
  const position = page.getByTestId('player').getByRole('slider');
  const getPosition = async () => Number(await position.getAttribute('aria-valuenow'));
  await expect.poll(getPosition).toBe(15);
  await versions.getByText('Original').click();
  await expect(versions.getByLabel('Original')).toBeChecked();
  await expect.poll(getPosition).toBe(15);
  await page.getByTestId('player').getByRole('button', { name: 'Play' }).click();
  await expect.poll(getPosition).toBeGreaterThan(16);
  await versions.getByText('Noise-reduced').click();
  await expect.poll(getPosition).toBeGreaterThan(18);
  await page.getByTestId('player').getByRole('button', { name: 'Pause' }).click();
  expect(await getPosition()).toBeLessThan(50);

  await app.performAndUndo(async () => {
    await page.getByTestId('noise-delete').click();
    await expect(reduceButton).toBeVisible();
  });
  await expect(versions).toBeVisible();

  // Deleting the recording permanently on another phone also deletes the denoised version.
  await setAutoSync(true);
  type Row = { id: string; client_flag: string };
  let row: Row | undefined;
  await expect
    .poll(async () => {
      const { list } = await app.callApi<{ list: Row[] }>('/task/index', { limit: 1000, page: 1 });
      row = list.find(({ client_flag }) => client_flag === id);
      return row !== undefined;
    })
    .toBe(true);
  await app.callApi('/radio/batchDelete', { ids: [row?.id] });
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  await expect
    .poll(async () => (await listAudioFiles()).filter((name) => name.startsWith(id)), {
      timeout: 60_000,
    })
    .toEqual([]);
});

/** Waits until the worker has failed to open a file. */
function waitForFailedOpen(worker: Worker): Promise<void> {
  return worker.evaluate(
    () =>
      new Promise<void>((resolve) => {
        type HandlePrototype = {
          createSyncAccessHandle(this: FileSystemFileHandle): Promise<unknown>;
        };
        const prototype = FileSystemFileHandle.prototype as unknown as HandlePrototype;
        const { createSyncAccessHandle } = prototype;
        prototype.createSyncAccessHandle = async function () {
          try {
            return await createSyncAccessHandle.call(this);
          } catch (error) {
            resolve();
            throw error;
          }
        };
      }),
  );
}

test('noise reduction waits for a file that is locked by a closing page, and can be deleted', async () => {
  await app.show('/pages/files');
  const id = await importFile(createWav('Held.wav', createTone(5)));
  const denoisedFile = `${id}.cleaner.ogg`;
  await app.openRecording(id);
  await page.getByTestId('tab-audio').click();
  const reduceButton = page.getByTestId('reduce-noise');
  await expect(reduceButton).toBeVisible();
  // An open writer locks the file, as another page's sync access handle would.
  const writer = await page.evaluateHandle(async (name) => {
    let folder = await navigator.storage.getDirectory();
    for (const part of ['linnet', 'audio']) folder = await folder.getDirectoryHandle(part);
    return (await folder.getFileHandle(name, { create: true })).createWritable();
  }, denoisedFile);
  // The import's worker may still be running, in which case it is reused.
  const isAudioProcessorWorker = (each: Worker) => each.url().includes('audio-processor');
  const running = page.workers().find(isAudioProcessorWorker);
  const started = running ?? page.waitForEvent('worker', isAudioProcessorWorker);
  await reduceButton.click();
  await waitForFailedOpen(await started);
  await writer.evaluate((each) => each.abort());
  await expect(page.getByTestId('noise-versions')).toBeVisible({ timeout: 120_000 });
  expect(await listAudioFiles()).toContain(denoisedFile);
  await page.getByTestId('noise-delete').click();
  await expect(reduceButton).toBeVisible();
  await expect.poll(listAudioFiles, { timeout: 30_000 }).not.toContain(denoisedFile);
  await reduceButton.click();
  await expect(page.getByTestId('noise-versions')).toBeVisible({ timeout: 120_000 });
});

test('noise reduction and import fail on a full disk without losing data, and succeed later', async () => {
  // The search index runs out of disk space too, and continues later.
  pageErrors.allow(/QuotaExceededError/, /SqlError: full/);
  await app.show('/pages/files');
  const id = await importFile(createWav('Before it got tight.wav', createTone(30)));
  await app.openRecording(id);
  await page.getByTestId('tab-audio').click();
  const before = await listAudioFiles();
  const quota = await Quota.attach(page);
  await quota.setFreeBytes(0);
  await page.getByTestId('reduce-noise').click();
  const noise = page.getByTestId('noise');
  await expect(noise).toContainText('noise storage_full', { timeout: 60_000 });
  await expect.poll(listAudioFiles).toEqual(before);

  // A restart clears the failed state.
  await app.open('/pages/files');
  await importFiles(createWav('One too many.wav', repeatSpeech(1)));
  const failedRow = page.getByTestId('import-row');
  await expect(failedRow).toContainText('import storage_full', { timeout: 60_000 });
  await expect.poll(listAudioFiles).toEqual(before);
  await failedRow.getByRole('button').click();
  await expect(app.rows().filter({ hasText: 'One too many' })).toHaveCount(0);

  await quota.setFreeBytes(null);
  await app.openRecording(id);
  await page.getByTestId('tab-audio').click();
  await page.getByTestId('reduce-noise').click();
  await expect(page.getByTestId('noise-versions')).toBeVisible({ timeout: 120_000 });
});

test('reports an edit that does not fit on a full disk, and saves it on retry', async () => {
  pageErrors.allow(/QuotaExceededError/, /SqlError: full/, /StorageFull/);
  await app.show('/pages/files');
  const id = await importFile(createWav('Plain.wav', sentence.subarray(SAMPLE_RATE)));
  await expect(app.rows('done').and(app.row(id))).toBeVisible({ timeout: 120_000 });
  await app.openRecording(id);
  const text = page.locator('.paragraph-text').first();
  const toast = page.getByTestId('toast');
  const toasts = await Toasts.of(page);
  const quota = await Quota.attach(page);
  await quota.setFreeBytes(0);
  await toasts.withHover(async () => {
    // The database file has free pages, so several edits are saved before one doesn't fit.
    let savedText = await text.innerText();
    let newText = '';
    for (let tries = 1; ; tries++) {
      newText = `A long afternoon, ${tries}. `.repeat(800).trim();
      await page.getByTestId('paragraph-more').first().click();
      await page.getByRole('menuitem', { name: 'Edit text' }).click();
      await page.getByTestId('paragraph-editor').fill(newText);
      await page.keyboard.press('Control+Enter');
      if ((await toasts.expectAnyOf('Couldn’t save', 'Text changed')) === 'Couldn’t save') break;
      savedText = newText;
    }
    await expect(text).toHaveText(savedText);
    await quota.setFreeBytes(null);
    await toast.getByRole('button', { name: 'Try again' }).click();
    await expect(text).toHaveText(newText);
    await expect(toast.getByRole('button', { name: 'Undo' })).toBeVisible();
  });
});

test('stores and rejects the files of crashed and foreign recorders exactly as the server does', async () => {
  const files = await createRecorderFiles();
  const [accepted, refused] = [
    files.filter(({ treatment }) => treatment.as !== 'refused'),
    files.filter(({ treatment }) => treatment.as === 'refused'),
  ];
  await app.show('/pages/files');
  await importFiles(
    ...files.map(({ name, bytes }) => ({ name, mimeType: '', buffer: Buffer.from(bytes) })),
  );
  const dialog = page.getByRole('alertdialog');
  await dialog.getByRole('button', { name: 'Import without transcribing' }).click();
  type Stored = { name: string; mime_type: string; file_size: number; total_time: number };
  const toTitle = (name: string) => name.replace(/\.\w+$/, '');
  const titles = accepted.map(({ name }) => toTitle(name));
  const listStored = async () => {
    const query = { limit: 1000, page: 1 };
    const { list } = await app.callApi<{ list: Stored[] }>('/task/index', query);
    return new Map(list.map((stored) => [stored.name, stored]));
  };
  await expect
    .poll(
      async () => {
        const stored = await listStored();
        return titles.filter((title) => !stored.has(title));
      },
      { timeout: 120_000 },
    )
    .toEqual([]);
  const failedRows = page.getByTestId('import-row');
  await expect(failedRows).toHaveCount(refused.length);
  for (const { name } of refused) {
    const row = failedRows.filter({ hasText: name });
    await expect(row).toContainText('isn’t readable audio');
    await row.getByRole('button').click();
  }
  const storedFiles = await listStored();
  for (const { name, bytes, seconds, treatment } of accepted) {
    const stored = storedFiles.get(toTitle(name));
    expect.soft(Math.abs((stored?.total_time ?? 0) - seconds), name).toBeLessThan(0.6);
    const isUnchanged = stored?.file_size === bytes.length;
    expect.soft(isUnchanged, name).toBe(treatment.as === 'stored');
    const kind = audioKinds[treatment.as === 'stored' ? treatment.kind : 'opus'];
    expect.soft(stored?.mime_type, name).toBe(kind.mediaTypes[0]);
  }
});
