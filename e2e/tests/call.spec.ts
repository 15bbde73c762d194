/**
 * Tests call recording: a shared tab's audio is recorded along with the microphone, and the transcript shows who spoke.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { Phone } from '../support/phone.ts';
import { ScriptedSpeechStack, type Talk } from '../support/scripted-speech-stack.ts';
import { openSharedTab } from '../support/shared-tab.ts';

/** Title of the tab with the call. */
const CALL_TITLE = 'Call with Miriam';

const talk: Talk = {
  title: 'Call',
  language: 'en',
  // Chromium's microphone plays the file from the moment it is opened, before the recording starts.
  lead: 5,
  lines: [
    'Good morning, I am here.',
    'The roses need water.',
    'Then let us talk about the garden.',
  ],
};
/**
 * Index of the line spoken by the others. It follows the user's lines, because the tab starts playing after the
 * microphone.
 */
const OTHERS_LINE = 2;

let speech: ScriptedSpeechStack;
let folder: string;
let phone: Phone;
let others: Buffer;
test.beforeAll(async () => {
  speech = await ScriptedSpeechStack.start();
  folder = await mkdtemp(join(tmpdir(), 'linnet-call-'));
  const audio = speech.synthesizeCall(talk, (line) => line === OTHERS_LINE);
  others = audio.others;
  const microphone = join(folder, 'microphone.wav');
  await writeFile(microphone, audio.microphone);
  phone = await Phone.create(speech.stack, { microphone, sharedTab: CALL_TITLE });
});
test.afterAll(async () => {
  await phone?.discard();
  await speech?.stop();
  await rm(folder, { recursive: true, force: true });
});

test('a call is recorded from both sides, and the transcript shows who spoke', async () => {
  const app = await phone.start();
  const { page } = app;
  await app.signUp('caller@example.org');
  const call = await openSharedTab(page, CALL_TITLE, others);

  await page.getByTestId('record-options').click();
  const options = page.getByRole('region', { name: 'Recording options' });
  await options.getByText('Call', { exact: true }).click();
  await expect(options).toContainText('Your microphone and the call will be recorded.');

  // Before the first call, a notice asks the user to tell the other participants.
  await app.recordButton('idle').click();
  const notice = page.getByRole('alertdialog', { name: 'Record a call' });
  await expect(notice).toContainText('Tell everyone on the call that you’re recording.');
  await notice.getByRole('button', { name: 'Cancel' }).click();
  await expect(notice).toBeHidden();
  await expect(app.rows()).toHaveCount(0);
  await app.recordButton('idle').click();
  await notice.getByRole('button', { name: 'Start recording' }).click();
  await expect(app.recordButton('recording')).toBeVisible();
  await call.play();
  const panel = page.getByRole('region', { name: 'Recording', exact: true });
  await expect(panel).toContainText('Your microphone and the call are being recorded.');
  await call.ended();

  // When the call's tab is closed, the microphone is still recorded.
  await call.tab.close();
  await expect(panel).toContainText('The call is no longer shared.');
  await app.stopRecording();

  const row = app.rows().first();
  await expect(row).toHaveAttribute('data-state', 'done', { timeout: 120_000 });
  await row.getByRole('link').first().click();
  const paragraphs = page.getByTestId('paragraph');
  await expect(paragraphs).toHaveCount(2);
  await expect(paragraphs.getByTestId('paragraph-speaker')).toHaveText(['Me', 'Others']);
  await expect(paragraphs.first()).toContainText('The roses need water.');
  await expect(paragraphs.last()).toContainText('Then let us talk about the garden.');
});
