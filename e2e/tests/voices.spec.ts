/** Tests that a voice named in one recording is proposed in the next one, and can be forgotten. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { speakerModels, writeModel } from '@linnet/server/testing/models';
import { expect, type Page, test } from '@playwright/test';
import { expectNoViolations } from '../support/axe.ts';
import { LinnetApp } from '../support/linnet-app.ts';
import { ScriptedSpeechStack, type Talk } from '../support/scripted-speech-stack.ts';
import { ServerAccount } from '../support/server-account.ts';

const owner = 'voices@example.org';
const createTalk = (title: string): Talk => ({
  title,
  language: 'en',
  // The words' tones rise, so the models hear one speaker in the first half and another in the second.
  lines: Array.from(
    { length: 6 },
    () => 'Anna asks who has the key to the hall and the door today.',
  ),
});
let models: string;
let environment: ScriptedSpeechStack;
test.beforeAll(async () => {
  models = await mkdtemp(join(tmpdir(), 'linnet-models-'));
  for (const model of speakerModels()) await writeModel(models, model);
  environment = await ScriptedSpeechStack.start({ env: { MODELS_DIR: models, BILLING: 'off' } });
});
test.afterAll(async () => {
  await environment.stop();
  await rm(models, { recursive: true });
});

const speaker = (page: Page) => page.getByTestId('paragraph-speaker').first();

test('a named voice is proposed, confirmed or dismissed with a tap, and forgotten', async ({
  page,
}) => {
  const account = await ServerAccount.register(environment.stack, owner);
  const app = new LinnetApp(page, environment.stack);
  await app.open('/pages/index');
  await app.signIn(owner);

  await app.open('/pages/voices');
  const remember = page.getByTestId('remember-voices');
  await expect(remember).not.toBeChecked();
  await remember.click();
  await expect(remember).toBeChecked();
  await expect(page.getByText('No voices yet')).toBeVisible();
  // The server needs the user's consent before it transcribes.
  await expect.poll(() => account.remembersVoices()).toBe(true);

  const first = await environment.transcribe(account, createTalk('First talk'));
  await app.open(`/pages/fileDetail?id=${first.id}`);
  await speaker(page).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Anna');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(speaker(page)).toHaveText('Anna');

  const second = await environment.transcribe(account, createTalk('Second talk'));
  await app.open(`/pages/fileDetail?id=${second.id}`);
  await expect(page.getByTestId('proposal')).toContainText('Anna');
  await expect(speaker(page)).toHaveText('Speaker 1');
  await expectNoViolations(page);
  await page.context().setOffline(true);
  await page.getByTestId('proposal-confirm').click();
  await expect(speaker(page)).toHaveText('Anna');
  await expect(page.getByTestId('proposal')).toHaveCount(0);
  await page.context().setOffline(false);

  // Dismissing a proposal offline doesn't overwrite a name set on another device.
  const third = await environment.transcribe(account, createTalk('Third talk'));
  await app.open(`/pages/fileDetail?id=${third.id}`);
  await expect(page.getByTestId('proposal')).toContainText('Anna');
  await page.context().setOffline(true);
  await page.getByTestId('proposal-dismiss').click();
  await expect(page.getByTestId('proposal')).toHaveCount(0);
  await account.nameSpeaker(third.id, '1', 'Anna');
  const sent = page.waitForResponse(/\/sync\/apply$/);
  await page.context().setOffline(false);
  expect((await sent).request().postDataJSON().ops).toMatchObject([
    { type: 'recording.dismissProposal', recording: third.id, speaker: '1' },
  ]);
  await expect(speaker(page)).toHaveText('Anna');

  await app.open('/pages/voices');
  await expect(async () => {
    await page.reload();
    await expect(page.getByTestId('voice')).toContainText('3 recordings', { timeout: 2000 });
  }).toPass();
  await expectNoViolations(page);
  await page.getByTestId('forget-voice').click();
  await page.getByRole('button', { name: 'Forget this voice' }).click();
  await expect(page.getByText('No voices yet')).toBeVisible();
  await app.open(`/pages/fileDetail?id=${second.id}`);
  await expect(speaker(page)).toHaveText('Anna');

  // Merging speakers changes all of their paragraphs, and can be undone.
  const other = page.getByTestId('paragraph-speaker').filter({ hasText: 'Speaker 2' });
  await expect(other.first()).toBeVisible();
  await other.first().click();
  await page.getByRole('menuitem', { name: 'Merge' }).click();
  await page.getByRole('menuitem', { name: 'Anna' }).click();
  await expect(other).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(other.first()).toBeVisible();
});
