/**
 * Tests recording with this device's microphone: a user without a recorder makes a recording, reads the transcript, and
 * loses no audio.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PACKET_BYTES, PACKET_MS } from '@linnet/audio/format';
import { demuxOgg } from '@linnet/audio/ogg';
import { expect, test } from '@playwright/test';
import { LinnetApp } from '../support/linnet-app.ts';
import { Phone } from '../support/phone.ts';
import { ScriptedSpeechStack, type Talk } from '../support/scripted-speech-stack.ts';
import { waitUntil } from '../support/wait-until.ts';

const talk: Talk = {
  title: 'Garden',
  language: 'en',
  // Chromium's microphone plays the file from the moment it is opened, before the recording starts.
  lead: 5,
  lines: ['Please water the roses tomorrow.', 'The gate stays open until nine.'],
};

let speech: ScriptedSpeechStack;
let folder: string;
let microphone: string;
test.beforeAll(async () => {
  speech = await ScriptedSpeechStack.start();
  folder = await mkdtemp(join(tmpdir(), 'linnet-microphone-'));
  microphone = join(folder, 'microphone.wav');
  await writeFile(microphone, speech.synthesize(talk));
});
test.afterAll(async () => {
  await speech?.stop();
  await rm(folder, { recursive: true, force: true });
});

test('a new user records with this device, reads the transcript after three taps, and continues the recording, which merges both', async () => {
  const phone = await Phone.create(speech.stack, { microphone });
  const { page } = await phone.start();
  // The guide in Files must not appear, because dismissing it would take a fourth tap.
  const app = new LinnetApp(page, speech.stack, { guide: 'show' });
  await app.signUp('newcomer@example.org');
  const timer = page.getByTestId('record-timer');
  const paragraphs = page.getByTestId('paragraph');
  const markedParagraphs = page.locator('[data-testid="paragraph"][data-marked]');
  const [roses = ''] = talk.lines;

  await app.startRecording();
  await expect(timer).toHaveAttribute('data-seconds', '16');
  await app.stopRecording();

  const row = app.rows().first();
  await expect(row).toHaveAttribute('data-state', 'done', { timeout: 120_000 });
  await row.getByRole('link').first().click();
  await expect(page.getByTestId('record-type')).toHaveText('Meeting');
  for (const line of talk.lines) await expect(paragraphs.first()).toContainText(line);
  await page.goBack();
  await expect(page.getByTestId('guide')).toBeVisible();
  await page.getByTestId('guide-done').click();

  await test.step('continuing the recording keeps one transcript with all edits', async () => {
    await row.getByRole('link').first().click();
    await expect(paragraphs).toHaveCount(1);
    await page.getByTestId('paragraph-mark').first().click();
    await expect(markedParagraphs).toHaveCount(1);
    await page.getByTestId('continue-recording').click();
    await expect(timer).toHaveAttribute('data-seconds', '10');
    await app.performAndUndo(async () => {
      await app.stopRecording();
      await expect(app.rows()).toHaveCount(2);
      await app.expectToast('Added to');
      await expect(app.rows('done')).toHaveCount(1, { timeout: 120_000 });
      await app.rows().getByRole('link').first().click();
      await expect(paragraphs).toHaveCount(2);
      await expect(paragraphs.last()).toContainText(roses);
      await expect(markedParagraphs).toHaveCount(1);
    });
  });

  await test.step('merging the two recordings gives the same', async () => {
    await page.goBack();
    await expect(app.rows()).toHaveCount(2);
    await page.getByTestId('files-menu').click();
    await page.getByRole('menuitem', { name: 'Select recordings' }).click();
    await page.getByTestId('selection-all').click();
    await page.getByTestId('selection-merge').click();
    await expect(page.getByTestId('merge-list').getByRole('listitem')).toHaveCount(2);
    await page.getByTestId('merge-start').click();
    await expect(app.rows()).toHaveCount(1);
    await expect(app.rows('done')).toHaveCount(1, { timeout: 120_000 });
    await app.rows().getByRole('link').first().click();
    await expect(paragraphs).toHaveCount(2);
    await expect(markedParagraphs).toHaveCount(1);
  });
  await phone.discard();
});

test('notes typed before and during a recording survive a reload, and appear next to the transcript', async () => {
  const phone = await Phone.create(speech.stack, { microphone });
  const app = await phone.start();
  const { page } = app;
  await app.signUp('notes@example.org');
  const field = page.getByTestId('record-note');

  await page.getByTestId('record-options').click();
  await field.fill('Bring the keys');
  await field.press('Enter');
  await expect(page.getByTestId('advance-note')).toHaveText(['Bring the keys']);
  await field.fill('Two ro');
  await page.reload();
  await page.getByTestId('record-options').click();
  await expect(page.getByTestId('advance-note')).toHaveText(['Bring the keys']);
  // A note begun before the recording is placed at its start.
  await app.startRecording();
  await expect(field).toHaveValue('Two ro');
  await field.fill('Two roses');
  await field.press('Enter');
  await expect(field).toHaveValue('');
  const timer = page.getByTestId('record-timer');
  await expect(timer).toHaveAttribute('data-seconds', '7');
  await field.fill('Until nine');
  await page.reload();
  await expect(app.recordButton('recording')).toBeVisible();
  await field.fill('Ask Ada');
  // Stopping the recording adds the note without pressing Enter.
  await app.stopRecording();

  const row = app.rows().first();
  await row.getByRole('link').first().click();
  const notes = page.getByTestId('note');
  const text = ['0:00Bring the keys', '0:00Two roses', /^0:0[78]Until nine$/, /^0:\d\dAsk Ada$/];
  await expect(notes).toHaveText(text);
  await expect(page.getByTestId('paragraph').first()).toBeVisible({ timeout: 120_000 });
  await expect(notes).toHaveText(text);

  await notes.first().getByTestId('note-more').click();
  await page.getByRole('menuitem', { name: 'Delete note' }).click();
  await expect(notes).toHaveCount(3);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(notes).toHaveText(text);
  await notes.nth(1).getByTestId('note-more').click();
  await page.getByRole('menuitem', { name: 'Edit note' }).click();
  await page.getByRole('textbox', { name: 'Note' }).fill('Three roses');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(notes.nth(1)).toContainText('Three roses');
  await page.getByTestId('note-add').click();
  await page.getByRole('textbox', { name: 'Note' }).fill('While listening');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(notes).toHaveCount(5);
  await phone.discard();
});

/** Number of kills. A full run uses MICROPHONE_KILLS=20. */
const kills = Number(process.env.MICROPHONE_KILLS ?? 2);

test('killing the browser at random times loses less than a second of audio each time, and duplicates no recording', async () => {
  const phone = await Phone.create(speech.stack, { microphone });
  let app = await phone.start();
  await app.signUp('killed@example.org');
  // Close the browser first, so that Chromium writes the sign-in to disk. Otherwise it writes seconds later, and an
  // earlier kill would sign the user out.
  await phone.stop();
  app = await phone.start();
  await app.open('/pages/files');
  await app.startRecording();
  const id = await app.rows().first().getAttribute('data-record-id');
  if (id === null) throw new Error('the recording has no row');

  /** Milliseconds of durable audio. */
  const durable = async () => ((await phone.getStoredBytes(id)) / PACKET_BYTES) * PACKET_MS;
  let durableMs = 0;
  const losses: number[] = [];
  for (let kill = 1; kill <= kills; kill += 1) {
    const earlier = durableMs;
    await waitUntil('some audio is durable', async () => (await durable()) > earlier);
    const before = await durable();
    const startedAt = Date.now();
    // Kill at a random time. A kill right after audio has become durable would lose the least.
    const moment = startedAt + Math.random() * 3000;
    await waitUntil('it is time to kill the browser', () => Date.now() >= moment);
    const recordedMs = Date.now() - startedAt;
    await phone.kill();
    app = await phone.start();
    await app.open('/pages/files');
    await expect(app.row(id)).toHaveAttribute('data-state', 'interrupted');
    durableMs = await durable();
    losses.push(recordedMs - (durableMs - before));
    await app.page.getByTestId('record-continue').click();
    await expect(app.recordButton('recording')).toBeVisible();
  }
  console.log(`lost per kill, in milliseconds: ${losses.map(Math.round).join(' ')}`);
  expect(Math.max(...losses)).toBeLessThan(1000);

  // A reload continues the recording without a tap, but doesn't end a pause.
  await app.page.reload();
  await expect(app.recordButton('recording')).toBeVisible();
  await app.page.getByTestId('record-hold').click();
  await app.page.reload();
  await expect(app.row(id)).toHaveAttribute('data-state', 'interrupted');
  await app.page.getByTestId('record-continue').click();
  await expect(app.recordButton('recording')).toBeVisible();

  await app.stopRecording();
  await expect(app.rows()).toHaveCount(1);
  // If the kills were early, the recording has no speech or is too short, and its transcription fails.
  const saved = /local|uploading|transcribing|done|trouble/;
  await expect(app.row(id)).toHaveAttribute('data-state', saved);
  const master = demuxOgg(await app.readStoredFile(id, 'ogg'));
  expect(master.packets.length * PACKET_MS).toBeGreaterThanOrEqual(durableMs);
  await phone.discard();
});
