/** Tests live text: what is said appears while the recording is in progress, and the transcript contains it. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { expectNoViolations } from '../support/axe.ts';
import { LinnetApp } from '../support/linnet-app.ts';
import { Phone } from '../support/phone.ts';
import { ScriptedSpeechStack, type Talk } from '../support/scripted-speech-stack.ts';

const talk = {
  title: 'Garden',
  language: 'en',
  // Chromium's microphone plays the file from the moment it is opened, before the recording starts.
  lead: 5,
  lines: ['Please water the roses tomorrow.', 'The gate stays open until nine.'],
  pause: 2,
} as const satisfies Talk;

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

test('a user reads along during a recording, even after a reload, and finds the text in the transcript', async () => {
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

  // The server has the text, so a reload, which continues the recording, loses none of it.
  await page.reload();
  await expect(app.recordButton('recording')).toBeVisible();
  for (const line of talk.lines) await expect(words).toContainText(line, { timeout: 90_000 });

  // The recording's own page shows it, too.
  const row = app.rows().first();
  await row.getByRole('link').first().click();
  await page.waitForURL('**/pages/fileDetail?id=*');
  for (const line of talk.lines) await expect(words).toContainText(line);
  await page.goBack();

  await app.stopRecording();
  await expect(row).toHaveAttribute('data-state', 'done', { timeout: 120_000 });
  await row.getByRole('link').first().click();
  const paragraphs = page.locator('main');
  for (const line of talk.lines) await expect(paragraphs).toContainText(line);
  await phone.discard();
});

test('another device of the account shows the text, and then the recording', async () => {
  const [line] = talk.lines;
  const email = 'two.devices@example.org';
  const phone = await Phone.create(speech.stack, { microphone });
  const app = await phone.start();
  await app.signUp(email);
  const otherPhone = await Phone.create(speech.stack);
  const otherApp = await otherPhone.start();
  await otherApp.open('/');
  await otherApp.signIn(email);
  const { page } = otherApp;
  const otherRow = page.getByTestId('other-recording');
  await expect(page.getByTestId('record-button')).toBeVisible();

  await app.startRecording();
  await expect(otherRow).toContainText('Recording on another device');
  await expect(app.page.getByTestId('other-recording')).toHaveCount(0);
  await otherRow.getByRole('link').click();
  const text = page.getByTestId('other-recording-page').getByTestId('live-text');
  await Promise.all([
    expect(text.getByRole('log')).toContainText(line, { timeout: 90_000 }),
    expect(app.page.getByTestId('live-text')).toContainText(line, { timeout: 90_000 }),
  ]);
  await expectNoViolations(page);

  // A question is answered from the current live text.
  await page.getByTestId('ask-recording').click();
  await expect(page.getByTestId('ask-scope')).toContainText('recording in progress');
  await page.getByTestId('question').fill('When do the roses need water?');
  await page.keyboard.press('Enter');
  const quote = page.getByTestId('turn').getByTestId('quote');
  await expect(quote.first()).toContainText(line);
  await expectNoViolations(page);
  await expect(page).toHaveURL(/[?&]thread=/);
  const thread = new URL(page.url());
  await quote.first().click();
  await expect(page.getByTestId('other-recording-page')).toBeVisible();

  // The recording's page replaces the live view and shows the text.
  await app.stopRecording();
  await expect(page.getByTestId('other-recording-page')).toHaveCount(0, { timeout: 90_000 });
  await expect(page.getByTestId('record-type')).toBeVisible();
  await expect(page.locator('main')).toContainText(line);

  // The questions stay with the uploaded recording.
  await otherApp.open(`${thread.pathname}${thread.search}`);
  await expect(page.getByTestId('ask-scope')).not.toContainText('recording in progress');
  await expect(quote.first()).toContainText(line);
  await otherApp.open('/');
  await expect(otherApp.rows()).toHaveCount(1);
  await expect(otherRow).toHaveCount(0);
  await phone.discard();
  await otherPhone.discard();
});
