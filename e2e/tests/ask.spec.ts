/** Tests questions about recordings: from an answer to playback, threads, and what is shown without a server. */
import { expect, type Page, test } from '@playwright/test';
import { expectNoViolations } from '../support/axe.ts';
import { LinnetApp } from '../support/linnet-app.ts';
import { PageErrors } from '../support/page-errors.ts';
import {
  ScriptedSpeechStack,
  type Talk,
  type TranscribedTalk,
} from '../support/scripted-speech-stack.ts';
import { ServerAccount } from '../support/server-account.ts';

const owner = 'asker@example.org';
const orchids: Talk = {
  title: 'Orchids',
  language: 'en',
  lines: [
    'We talked about the weather for a while.',
    'The gardener waters the orchids on Friday.',
    'Tom ordered soil for the lilies.',
  ],
  pause: 2.5,
};

let environment: ScriptedSpeechStack;
let talk: TranscribedTalk;
const pageErrors = new PageErrors();

test.beforeAll(async () => {
  environment = await ScriptedSpeechStack.start();
  talk = await environment.transcribe(
    await ServerAccount.register(environment.stack, owner),
    orchids,
  );
});
test.beforeEach(({ context }) => pageErrors.listenTo(context));
test.afterEach(() => expect(pageErrors.takeUnexpected()).toEqual([]));
test.afterAll(() => environment?.stop());

const id = (page: Page, name: string) => page.getByTestId(name);

async function signIn(page: Page): Promise<LinnetApp> {
  const app = new LinnetApp(page, environment.stack);
  await app.open('/pages/index');
  await app.signIn(owner);
  await expect(app.rows('done')).toHaveCount(1);
  return app;
}

/** Asks a question with the keyboard. */
async function ask(page: Page, question: string): Promise<void> {
  await id(page, 'question').fill(question);
  await id(page, 'question').press('Enter');
}

test('an answer opens the recording at its passage and plays, and the thread is continued and deleted', async ({
  page,
}) => {
  const app = await signIn(page);
  await id(page, 'to-ask').click();
  await expect(id(page, 'example-question')).toHaveCount(3);
  await expectNoViolations(page);
  await ask(page, 'When are the orchids watered?');
  const quote = id(page, 'quote').first();
  await expect(quote).toContainText('The gardener waters the orchids on Friday.');
  await expect(quote).toContainText('Orchids');
  await expect(id(page, 'quoted')).toBeVisible();
  await expect(id(page, 'ask-status')).toContainText('waters the orchids');
  await expect(id(page, 'question')).toBeFocused();
  await expect(id(page, 'question')).toHaveValue('');
  await page.waitForURL('**/pages/ask?thread=*');
  const threadId = new URL(page.url()).searchParams.get('thread');
  await expectNoViolations(page);

  await quote.click();
  await page.waitForURL(`**/pages/fileDetail?id=${talk.id}&paragraph=*`);
  const player = id(page, 'player');
  await expect(player).toHaveAttribute('data-playing', 'true');
  const paragraph = id(page, 'paragraph').filter({ hasText: 'orchids' });
  const start = Number(await paragraph.getAttribute('data-start'));
  expect(start).toBeGreaterThan(1);
  await expect
    .poll(async () => Number(await player.getAttribute('data-position')))
    .toBeGreaterThanOrEqual(start);
  await page.goBack();
  await expect(quote).toBeFocused();

  await ask(page, 'And the lilies?');
  await expect(id(page, 'turn')).toHaveCount(2);
  await expect(id(page, 'turn').last()).toContainText('Tom ordered soil for the lilies.');
  // The thread is stored on the server, so it survives a reload.
  await page.reload();
  await expect(id(page, 'turn')).toHaveCount(2);

  // After returning, the thread shows a question asked on another device.
  await quote.click();
  await page.waitForURL('**/pages/fileDetail?*');
  await app.callApi('/ask/question', { thread_id: threadId, question: 'And the weather?' });
  await page.goBack();
  await expect(id(page, 'turn')).toHaveCount(3);
  await expect(quote).toBeFocused();

  await id(page, 'new-chat').click();
  const thread = id(page, 'thread');
  await expect(thread).toHaveText(/When are the orchids watered/);
  await thread.getByRole('link').click();
  await expect(id(page, 'turn')).toHaveCount(3);
  await id(page, 'delete-chat').click();
  await expectNoViolations(page);
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete chat' }).click();
  await app.expectToast('Chat deleted');
  await expect(id(page, 'example-question')).toHaveCount(3);
  await expect(thread).toHaveCount(0);
});

test('a question about one recording is asked on its page, and a question about all in search', async ({
  page,
}) => {
  const app = await signIn(page);
  await app.openRecording(talk.id);
  await id(page, 'ask-recording').click();
  await page.waitForURL(`**/pages/ask?recording=${talk.id}`);
  await expect(id(page, 'ask-scope')).toContainText('Orchids');
  await ask(page, 'Who repaired the roof of the library?');
  await expect(id(page, 'no-answer')).toBeVisible();
  await expectNoViolations(page);
  await page.getByRole('link', { name: 'Ask about all recordings' }).click();
  await expect(id(page, 'ask-scope')).toHaveCount(0);

  // No recording has all these words, so there is no exact match.
  await app.open('/pages/search?q=gardener zebras');
  await expect(id(page, 'related').getByTestId('quote').first()).toContainText('gardener');
  await app.open('/pages/search?q=lilies');
  await id(page, 'ask-query').click();
  await expect(id(page, 'quote').first()).toContainText('lilies');
});

test('a link to a removed paragraph opens the paragraph at its time, and doesn’t start playback', async ({
  page,
}) => {
  const app = await signIn(page);
  await app.openRecording(talk.id);
  const paragraph = id(page, 'paragraph').filter({ hasText: 'lilies' });
  const start = Number(await paragraph.getAttribute('data-start'));
  await app.open(`/pages/fileDetail?id=${talk.id}&paragraph=gone&play=${start + 0.5}`);
  const player = id(page, 'player');
  await expect(player).toHaveAttribute('data-status', 'ready');
  await expect(player).toHaveAttribute('data-position', String(start));
  await expect(paragraph.locator('.paragraph-time')).toBeFocused();
  await expect(player).toHaveAttribute('data-playing', 'false');
});
