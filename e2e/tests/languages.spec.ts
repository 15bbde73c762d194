/** Tests transcripts in several languages on a phone that did not record them. */
import { expect, test } from '@playwright/test';
import { LinnetApp } from '../support/linnet-app.ts';
import { ScriptedSpeechStack, type Talk } from '../support/scripted-speech-stack.ts';
import { ServerAccount } from '../support/server-account.ts';

const owner = 'reader@example.org';
const talks: Talk[] = [
  {
    title: 'Keys',
    language: 'en',
    lines: ['Please water the orchids tomorrow.', 'Who has the key?'],
  },
  { title: '会议', language: 'zh-Hans', lines: ['我们明天开会。', '谁有钥匙？'] },
  { title: 'اجتماع', language: 'ar', lines: ['أرسل العقد غدا.', 'من معه المفتاح؟'] },
  { title: 'ประชุม', language: 'th', lines: ['ประชุมพรุ่งนี้ตอนเช้า'] },
];
const stripPunctuation = (lines: readonly string[]) => lines.join('').replace(/[\s.?。？؟]/gu, '');
let environment: ScriptedSpeechStack;

test.beforeAll(async () => {
  environment = await ScriptedSpeechStack.start();
});
test.afterAll(() => environment?.stop());

test('shows the transcripts of talks in four languages', async ({ page }) => {
  const account = await ServerAccount.register(environment.stack, owner);
  const recordings = [];
  for (const talk of talks) recordings.push(await environment.transcribe(account, talk));
  const app = new LinnetApp(page, environment.stack);
  await app.open('/pages/index');
  await app.signIn(owner);
  await expect(app.rows('done')).toHaveCount(talks.length);
  for (const [index, { id }] of recordings.entries()) {
    await app.open(`/pages/fileDetail?id=${id}`);
    const lines = talks[index]?.lines ?? [];
    await expect
      .poll(async () => stripPunctuation(await page.locator('.paragraph-text').allTextContents()))
      .toBe(stripPunctuation(lines));
  }
});
