/** Recordings of this device's microphone: a person without any recorder records, reads, and loses nothing. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { Phone } from '../support/phone.ts';
import { type Talk, TalkingStack } from '../support/talking-stack.ts';

const talk: Talk = {
  title: 'Garden',
  language: 'en',
  lines: ['Please water the roses tomorrow.', 'The gate stays open until nine.'],
};

let talking: TalkingStack;
let folder: string;
let microphone: string;
test.beforeAll(async () => {
  talking = await TalkingStack.start();
  folder = await mkdtemp(join(tmpdir(), 'linnet-microphone-'));
  microphone = join(folder, 'microphone.wav');
  await writeFile(microphone, talking.sound(talk));
});
test.afterAll(async () => {
  await talking?.stop();
  await rm(folder, { recursive: true, force: true });
});

test('a new user records with this device, and reads the transcript after three taps', async () => {
  const phone = await Phone.make(talking.stack, { microphone });
  const app = await phone.start();
  await app.signUp('newcomer@example.org');
  const timer = app.page.getByTestId('record-timer');

  await app.startRecording();
  await expect(timer).toHaveAttribute('data-seconds', '12');
  await app.stopRecording();

  const row = app.rows().first();
  await expect(row).toHaveAttribute('data-state', 'done', { timeout: 120_000 });
  await row.getByRole('link').first().click();
  await expect(app.page.getByTestId('paragraph').first()).toContainText('water the roses');
  await phone.discard();
});
