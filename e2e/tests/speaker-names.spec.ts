/** Tests that speaker names in a finished summary follow later changes of the speakers. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { speakerModels, writeModel } from '@linnet/server/testing/models';
import { expect, test } from '@playwright/test';
import { ExportSheet } from '../support/export-sheet.ts';
import { LinnetApp } from '../support/linnet-app.ts';
import { ScriptedSpeechStack } from '../support/scripted-speech-stack.ts';
import { ServerAccount } from '../support/server-account.ts';

const owner = 'names@example.org';
let models: string;
let environment: ScriptedSpeechStack;

test.beforeAll(async () => {
  models = await mkdtemp(join(tmpdir(), 'linnet-models-'));
  for (const model of speakerModels()) await writeModel(models, model);
  environment = await ScriptedSpeechStack.start({
    env: { MODELS_DIR: models, BILLING: 'off' },
    // The fake language model uses the speaker names it is given.
    reader: {
      corrupt: (answer) => {
        const todos = answer.todos.map((todo) => ({
          ...todo,
          text: `${todo.who} plans the feast`,
        }));
        const names = [...new Set(todos.map(({ who }) => who))].slice(0, 2);
        return {
          ...answer,
          todos,
          title: `Feast of ${names.join(' and ')}`,
          brief: `${names.join(' and ')} share the work.`,
        };
      },
    },
  });
});
test.afterAll(async () => {
  await environment?.stop();
  await rm(models, { recursive: true });
});

test('renaming and merging speakers updates title, summary, to-dos, mind map, export and the server', async ({
  page,
}) => {
  const account = await ServerAccount.register(environment.stack, owner);
  const talk = await environment.transcribe(account, {
    title: '',
    language: 'en',
    // The words' tones rise, so the models hear one speaker after another.
    lines: Array.from({ length: 6 }, () => 'We will reserve the small hall near the main door.'),
  });
  const app = new LinnetApp(page, environment.stack);
  await app.open('/pages/index');
  await app.signIn(owner);
  await app.openRecording(talk.id);
  const speakers = page.getByTestId('paragraph-speaker');
  const tab = (name: string) => page.getByTestId(`tab-${name}`).click();
  const todos = page.getByTestId('understood-item');
  const heading = page.getByRole('heading', { level: 1 });
  await expect(speakers.first()).toHaveText('Speaker 1');
  await expect(heading).toContainText('Feast of Speaker 1 and Speaker 2');

  // The phone updates the names without the server.
  const sync = /\/sync\/(apply|changes)$/;
  await page.route(sync, (route) => route.abort());
  await speakers.first().click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Zoë');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(heading).toContainText('Feast of Zoë and Speaker 2');
  await tab('summary');
  await expect(page.getByTestId('summary')).toContainText('Zoë and Speaker 2 share the work.');
  await tab('todos');
  await expect(todos.filter({ hasText: 'Zoë plans the feast' }).first()).toBeVisible();
  await expect(todos.filter({ hasText: 'Speaker 1' })).toHaveCount(0);
  await tab('mindMap');
  await expect(page.getByTestId('mind-map')).toContainText('Feast of Zoë and Speaker 2');

  await tab('transcription');
  const other = speakers.filter({ hasText: 'Speaker 2' });
  const merge = async () => {
    await other.first().click();
    await page.getByRole('menuitem', { name: 'Merge' }).click();
    await page.getByRole('menuitem', { name: 'Zoë' }).click();
    await expect(heading).toContainText('Feast of Zoë and Zoë');
  };
  await app.performAndUndo(merge);
  await expect(heading).toContainText('Feast of Zoë and Speaker 2');
  await merge();

  const sheet = await ExportSheet.create(page);
  await page.getByTestId('export').click();
  await sheet.selectFormat('md');
  await sheet.setOption('todos', true);
  const { bytes } = await sheet.save();
  expect(bytes.toString()).toContain('Zoë plans the feast');
  expect(bytes.toString()).not.toMatch(/Speaker [12]/);
  await sheet.removeFolder();

  await page.unroute(sync);
  await expect
    .poll(async () => JSON.stringify(await account.getTask(talk.taskId)))
    .not.toMatch(/Speaker [12]/);
  const { title, summary_json: document } = await account.getTask(talk.taskId);
  expect(title).toBe('Feast of Zoë and Zoë');
  expect(document?.todos.map(({ who }) => who)).toContain('Zoë');

  await test.step('the next recording offers the names of earlier ones', async () => {
    const next = {
      title: 'Practice',
      language: 'en',
      lines: ['The choir meets on Thursday.'],
    } as const;
    const { id } = await environment.transcribe(account, next);
    await app.show('/pages/files');
    // A network event makes the phone poll immediately.
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    await app.openRecording(id);
    await speakers.first().click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await page.getByTestId('suggestion').filter({ hasText: 'Zoë' }).click();
    await expect(speakers.first()).toHaveText('Zoë');
  });

  await test.step('an edit that has no place in a new transcript is listed until it is dismissed', async () => {
    const text = page.locator('.paragraph-text').first();
    const edited = 'The choir meets on Friday.';
    await page.getByTestId('paragraph-more').first().click();
    await page.getByRole('menuitem', { name: 'Edit text' }).click();
    await page.getByTestId('paragraph-editor').fill(edited);
    await page.keyboard.press('Control+Enter');
    await expect(text).toHaveText(edited);
    const line = 'Everyone forgot umbrellas yesterday afternoon.';
    environment.synthesize({ title: '', language: 'en', lines: [line] });
    await page.getByTestId('transcribe-again').click();
    await page.getByRole('button', { name: 'Transcribe', exact: true }).click();
    await expect(text).toHaveText(line, { timeout: 60_000 });
    const open = page.getByTestId('unplaced-open');
    await open.click();
    await expect(page.getByTestId('unplaced')).toContainText(edited);
    const dismiss = () => page.getByTestId('unplaced-dismiss').click();
    await app.performAndUndo(dismiss);
    await open.click();
    await dismiss();
    await expect(open).toHaveCount(0);
  });
});
