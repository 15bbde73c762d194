/** Tests live text: what is said appears while the recording is in progress, and the transcript contains it. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { expectNoViolations } from '../support/axe.ts';
import { LinnetApp } from '../support/linnet-app.ts';
import { Phone } from '../support/phone.ts';
import { ScriptedSpeechStack, type Talk } from '../support/scripted-speech-stack.ts';

const talk: Talk = {
  title: 'Garden',
  language: 'en',
  // Chromium's microphone plays the file from the moment it is opened, before the recording starts.
  lead: 5,
  lines: ['Please water the roses tomorrow.', 'The gate stays open until nine.'],
  pause: 2,
};

let speech: ScriptedSpeechStack;
let folder: string;
let microphone: string;
test.beforeAll(async () => {
  speech = await ScriptedSpeechStack.start();
  folder = await mkdtemp(join(tmpdir(), 'linnet-live-text-'));
  microphone = join(folder, 'microphone.wav');
  await writeFile(microphone, speech.synthesize(talk));
});
test.afterAll(async () => {
  await speech?.stop();
  await rm(folder, { recursive: true, force: true });
});

test('a user reads along during a recording, also after a reload, and finds the text in the transcript', async () => {
  const phone = await Phone.create(speech.stack, { microphone });
  const { page } = await phone.start();
  const app = new LinnetApp(page, speech.stack);
  await app.signUp('reader@example.org');
  await app.startRecording();
  const text = page.getByTestId('live-text');
  const words = text.getByRole('log');
  await expect(text).toContainText('Listening…');
  for (const line of talk.lines) await expect(words).toContainText(line, { timeout: 90_000 });
  await expect(app.recordButton('recording')).toBeVisible();
  await expectNoViolations(page);

  // The server has the text, so it's complete after a reload, which continues the recording.
  await page.reload();
  await expect(app.recordButton('recording')).toBeVisible();
  for (const line of talk.lines) await expect(words).toContainText(line, { timeout: 90_000 });

  await app.stopRecording();
  const row = app.rows().first();
  await expect(row).toHaveAttribute('data-state', 'done', { timeout: 120_000 });
  await row.getByRole('link').first().click();
  const paragraphs = page.locator('main');
  for (const line of talk.lines) await expect(paragraphs).toContainText(line);
  await phone.discard();
});
