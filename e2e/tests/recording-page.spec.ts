/** Player, transcript and markers of a recording, here and on the owner's other phone. */
import type { Paragraph } from '@linnet/contract';
import { type Browser, chromium, expect, type Page, test } from '@playwright/test';
import config, { chromiumFlags } from '../playwright.config.ts';
import { expectNoViolations } from '../support/axe.ts';
import { LinnetApp } from '../support/linnet-app.ts';
import { locateWord } from '../support/locate-word.ts';
import { PageErrors } from '../support/page-errors.ts';
import {
  ScriptedSpeechStack,
  type Talk,
  type TranscribedTalk,
} from '../support/scripted-speech-stack.ts';
import { ServerAccount } from '../support/server-account.ts';

const owner = 'listener@example.org';
const talk: Talk = {
  title: 'The hall',
  language: 'en',
  lines: [
    'Anna asks who has the key to the hall.',
    'Nobody knows, says Anna, not even the caretaker.',
    'Then Miriam calls the caretaker after lunch today.',
    'She writes to Anna when the door is open.',
  ],
  // Each line is a paragraph, with silence long enough to be skipped.
  pause: 4,
};
/** Allowed distance from the beginning of a tapped word, in seconds. */
const exactly = 0.05;
const pageErrors = new PageErrors();
let environment: ScriptedSpeechStack;
let browser: Browser;
let account: ServerAccount;
let heard: TranscribedTalk;
let transcript: readonly Paragraph[];
let page: Page;
let app: LinnetApp;

const paragraphs = (on: Page) => on.getByTestId('paragraph');
const text = (on: Page, index: number) => paragraphs(on).nth(index).locator('.paragraph-text');
const player = (on: Page) => on.getByTestId('player');
const serverParagraphs = async () => (await account.getTask(heard.taskId)).paragraphs;

/** The owner's phone, with the recording open. */
async function phone(width = 390): Promise<{ page: Page; app: LinnetApp }> {
  const context = await browser.newContext({
    viewport: { width, height: 844 },
    locale: 'en-GB',
  });
  pageErrors.listenTo(context);
  // The audio element is not in the document: expose it to the test.
  await context.addInitScript(() => {
    const audioElements: HTMLAudioElement[] = [];
    Object.assign(window, { audioElements });
    window.Audio = new Proxy(Audio, {
      construct(target, args) {
        const audio = Reflect.construct(target, args) as HTMLAudioElement;
        audioElements.push(audio);
        return audio;
      },
    });
  });
  const fresh = await context.newPage();
  const opened = new LinnetApp(fresh, environment.stack);
  await opened.open('/pages/index');
  await opened.signIn(owner);
  return { page: fresh, app: opened };
}

/** Makes the other phone poll, by reporting that the network is back, and waits for the change. */
async function reaches(other: Page, check: (within: { timeout: number }) => Promise<void>) {
  await expect(async () => {
    await other.evaluate(() => window.dispatchEvent(new Event('online')));
    await check({ timeout: 2000 });
  }).toPass({ timeout: 120_000 });
}

async function open(on: { page: Page; app: LinnetApp }, place = ''): Promise<void> {
  await on.app.open(`/pages/fileDetail?id=${heard.id}${place}`);
  await expect(player(on.page)).toHaveAttribute('data-status', 'ready');
}

/** Presses a word of a paragraph. @returns the playback position, in seconds */
async function press(on: Page, index: number, word: string): Promise<number> {
  const where = await locateWord(text(on, index), word);
  const began = on.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const audio = (window as unknown as { audioElements: HTMLAudioElement[] }).audioElements.at(
          -1,
        );
        audio?.addEventListener('seeking', () => resolve(audio.currentTime), { once: true });
      }),
  );
  await on.mouse.click(where.x, where.y);
  return began;
}

test.beforeAll(async () => {
  environment = await ScriptedSpeechStack.start();
  account = await ServerAccount.register(environment.stack, owner);
  heard = await environment.transcribe(account, talk);
  transcript = await serverParagraphs();
  browser = await chromium.launch({ ...config.use?.launchOptions, args: chromiumFlags });
  ({ page, app } = await phone());
});
test.afterAll(async () => {
  await browser?.close();
  await environment?.stop();
});
test.afterEach(() => expect(pageErrors.takeUnexpected()).toEqual([]));

test('a recording of another phone is streamed, and a pressed word plays', async () => {
  await open({ page, app });
  expect(transcript.map(({ content }) => content)).toEqual(talk.lines);
  await expect(text(page, 3)).toHaveText(talk.lines[3] as string);
  await expectNoViolations(page);
  for (const [index, word] of [
    [0, 'key'],
    [2, 'caretaker'],
    [1, 'Nobody'],
    [3, 'door'],
  ] as const) {
    const start = transcript[index]?.words?.find(({ text }) => text.includes(word))?.start ?? -1;
    const began = await press(page, index, word);
    expect(Math.abs(began - start), `${word} at ${start}, played from ${began}`).toBeLessThan(
      exactly,
    );
    await expect(player(page)).toHaveAttribute('data-playing', 'true');
    await expect(paragraphs(page).nth(index)).toHaveAttribute('data-spoken', 'true');
  }
  await page.keyboard.press('Space');
  await expect(player(page)).toHaveAttribute('data-playing', 'false');
  const session = await page.evaluate(() => navigator.mediaSession.metadata?.title);
  expect(session).toBe(talk.title);

  // Playback resumes where it stopped.
  const before = Number(await player(page).getAttribute('data-position'));
  await page.getByTestId('back').click();
  await page.waitForURL('**/pages/files');
  await app.openRecording(heard.id);
  await expect(player(page)).toHaveAttribute('data-status', 'ready');
  expect(Number(await player(page).getAttribute('data-position'))).toBeCloseTo(before, 1);
});

test('a link to a paragraph scrolls to it and marks it, without playing', async () => {
  const third = transcript[2] as Paragraph;
  await open({ page, app }, `&paragraph=${third.id}`);
  await expect(paragraphs(page).nth(2)).toBeInViewport();
  await expect(paragraphs(page).nth(2).locator('.paragraph-time')).toBeFocused();
  await expect
    .poll(async () => Number(await player(page).getAttribute('data-position')))
    .toBeCloseTo(third.start_time, 1);
  await expect(player(page)).toHaveAttribute('data-playing', 'false');
});

test('a failed server request is reported, and succeeds once the server answers', async () => {
  pageErrors.allow(/ERR_FAILED|Failed to load resource/);
  await page.context().route('**/task/index', (route) => route.abort());
  await app.open(`/pages/fileDetail?id=${heard.id}`);
  await expect(player(page)).toHaveAttribute('data-status', 'offline');
  await expect(text(page, 0)).toHaveText(talk.lines[0] as string);
  await expectNoViolations(page);
  await page.context().unroute('**/task/index');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(player(page)).toHaveAttribute('data-status', 'ready');
});

test('playback continues in place after its URL has expired', async () => {
  await open({ page, app });
  await press(page, 2, 'caretaker');
  await page.keyboard.press('Space');
  await expect(player(page)).toHaveAttribute('data-playing', 'false');
  const position = Number(await player(page).getAttribute('data-position'));
  const streams = () =>
    page.evaluate(
      () => (window as unknown as { audioElements: HTMLAudioElement[] }).audioElements.length,
    );
  const before = await streams();
  await page.evaluate(() => {
    const now = performance.now.bind(performance);
    performance.now = () => now() + 15 * 60_000;
    (window as unknown as { audioElements: HTMLAudioElement[] }).audioElements
      .at(-1)
      ?.dispatchEvent(new Event('error'));
  });
  await expect.poll(streams).toBe(before + 1);
  await expect(player(page)).toHaveAttribute('data-status', 'ready');
  expect(Number(await player(page).getAttribute('data-position'))).toBeCloseTo(position, 1);
});

test('texts, highlights, speakers, markers and speed are synced to the other phone, and persist', async () => {
  const other = await phone(1280);
  await open({ page, app });
  await open(other);

  // A text: Escape cancels, Ctrl Enter saves.
  const change = async () => {
    await paragraphs(page).nth(1).getByTestId('paragraph-more').click();
    await page.getByRole('menuitem', { name: 'Change the text' }).click();
    await expect(page.getByTestId('paragraph-editor')).toBeFocused();
  };
  await change();
  await page.getByTestId('paragraph-editor').fill('Gone');
  await page.keyboard.press('Escape');
  await expect(text(page, 1)).toHaveText(talk.lines[1] as string);
  await expect(paragraphs(page).nth(1).getByTestId('paragraph-more')).toBeFocused();
  await change();
  await page.getByTestId('paragraph-editor').fill('Nobody knows, says Ann.');
  await page.keyboard.press('Control+Enter');
  await expect(text(page, 1)).toHaveText('Nobody knows, says Ann.');
  await app.expectToast(['Text changed.', 'Undo']);
  await reaches(other.page, (within) =>
    expect(text(other.page, 1)).toHaveText('Nobody knows, says Ann.', within),
  );

  // A highlight, and the filter for highlights.
  await paragraphs(page).nth(2).getByTestId('paragraph-mark').click();
  await reaches(other.page, (within) =>
    expect(other.page.getByTestId('only-marked')).toBeVisible(within),
  );
  await other.page.getByTestId('only-marked').click();
  await expect(paragraphs(other.page)).toHaveCount(1);
  await expect(text(other.page, 0)).toHaveText(talk.lines[2] as string);
  await other.page.getByTestId('only-marked').click();

  // A speaker.
  await paragraphs(page).nth(0).getByTestId('paragraph-more').click();
  await page.getByRole('menuitem', { name: 'Who speaks here' }).click();
  await page.getByRole('menuitem', { name: 'Somebody else' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Miriam');
  await page.getByRole('button', { name: 'Save' }).click();
  const speaker = paragraphs(other.page).nth(0).getByTestId('paragraph-speaker');
  await reaches(other.page, (within) => expect(speaker).toHaveText('Miriam', within));

  // A marker, by its key, with a name.
  await paragraphs(page).nth(1).locator('.paragraph-time').click();
  await page.keyboard.press('Space');
  await page.keyboard.press('m');
  await expect(page.getByTestId('tab-markers')).toContainText('1');
  await page.getByTestId('tab-markers').click();
  await page.getByRole('button', { name: /^Name: / }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Who knows');
  await page.getByRole('button', { name: 'Save' }).click();
  await other.page.getByTestId('tab-markers').click();
  await reaches(other.page, (within) =>
    expect(other.page.getByTestId('marker')).toContainText('Who knows', within),
  );
  await expect(other.page.locator('.wave-points [data-kind="marker"]')).toHaveCount(1);
  await expectNoViolations(other.page);

  await page.getByTestId('player-speed').selectOption('1.5');
  await reaches(other.page, (within) =>
    expect(other.page.getByTestId('player-speed')).toHaveValue('1.5', within),
  );
  await expect
    .poll(() =>
      other.page.evaluate(
        () =>
          (window as unknown as { audioElements: HTMLAudioElement[] }).audioElements.at(-1)
            ?.playbackRate,
      ),
    )
    .toBe(1.5);

  // Everything persists across a reload.
  await open({ page, app });
  await expect(text(page, 1)).toHaveText('Nobody knows, says Ann.');
  await expect(paragraphs(page).nth(0).getByTestId('paragraph-speaker')).toHaveText('Miriam');
  await expect(paragraphs(page).nth(2).getByTestId('paragraph-mark')).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await expect(page.getByTestId('tab-markers')).toContainText('1');
  await page.getByTestId('tab-markers').click();
  await app.performAndUndo(async () => {
    await page.getByRole('button', { name: /^Delete: / }).click();
    await expect(page.getByTestId('marker')).toHaveCount(0);
  });
  await expect(page.getByTestId('marker')).toContainText('Who knows');
  await other.page.context().close();
});

test('replacing applies at once, and can be undone at once', async () => {
  await open({ page, app });
  await page.keyboard.press('/');
  await expect(page.getByTestId('find-wanted')).toBeFocused();
  await page.keyboard.type('anna');
  await expect(page.getByTestId('find-count')).toHaveText('1 of 2');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('find-count')).toHaveText('2 of 2');
  await page.keyboard.press('Shift+Enter');
  await expect(page.getByTestId('find-count')).toHaveText('1 of 2');
  await expectNoViolations(page);
  await page.getByTestId('find-by').fill('Johanna');
  await app.performAndUndo(async () => {
    await page.getByTestId('find-replace-all').click();
    await expect(text(page, 0)).toHaveText('Johanna asks who has the key to the hall.');
    await expect(text(page, 3)).toHaveText('She writes to Johanna when the door is open.');
    await expect.poll(async () => (await serverParagraphs())[3]?.content).toContain('Johanna');
  });
  await expect(text(page, 0)).toHaveText(talk.lines[0] as string);
  await expect.poll(async () => (await serverParagraphs())[3]?.content).toBe(talk.lines[3]);
  await page.getByTestId('find-wanted').press('Escape');
  await expect(page.getByTestId('find-open')).toBeFocused();
});

test('edits can be reverted, one by one or all together', async () => {
  await open({ page, app });
  const changed = 'Nobody knows, says Ann.';
  await expect(text(page, 1)).toHaveText(changed);
  await paragraphs(page).nth(1).getByTestId('paragraph-more').click();
  await page.getByRole('menuitem', { name: 'Earlier texts' }).click();
  await expect(page.getByTestId('versions')).toContainText(talk.lines[1] as string);
  await expectNoViolations(page);
  await app.performAndUndo(async () => {
    await page.getByRole('button', { name: 'Back to the original' }).click();
    await expect(text(page, 1)).toHaveText(talk.lines[1] as string);
  });
  await expect(text(page, 1)).toHaveText(changed);

  // Without the server the phone itself has the original text.
  await page.context().setOffline(true);
  await page.getByTestId('back-to-original').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Back to the original' }).click();
  await expect(text(page, 1)).toHaveText(talk.lines[1] as string);
  pageErrors.allow(/ERR_INTERNET_DISCONNECTED/);
  await page.context().setOffline(false);
  await expect.poll(async () => (await serverParagraphs())[1]?.content).toBe(talk.lines[1]);
});

test('silence is skipped in audio on the phone, and no word is', async () => {
  await app.open('/pages/files');
  const sound = environment.synthesize(talk);
  const file = { name: 'Silence.wav', mimeType: 'audio/wav', buffer: sound };
  await page.getByTestId('import-files').setInputFiles(file);
  const row = app.rows().filter({ hasText: 'Silence' });
  await expect(row).toBeVisible();
  const id = (await row.getAttribute('data-record-id')) as string;
  await app.openRecording(id);
  await expect(player(page)).toHaveAttribute('data-status', 'ready');
  await expect(page.getByTestId('record-type')).toHaveText('Audio');
  await page.getByTestId('player-skip-silence').click();
  await expect(page.getByTestId('player-skip-silence')).toHaveAttribute('aria-checked', 'true');
  // Source and target of each jump.
  await page.evaluate(() => {
    const audio = (window as unknown as { audioElements: HTMLAudioElement[] }).audioElements.at(-1);
    const jumps: [number, number][] = [];
    Object.assign(window, { jumps });
    let last = 0;
    audio?.addEventListener('timeupdate', () => {
      if (!audio.seeking) last = audio.currentTime;
    });
    audio?.addEventListener('seeking', () => jumps.push([last, audio.currentTime]));
  });
  await page.getByTestId('player-speed').selectOption('3');
  await page.getByTestId('player-play').click();
  await expect
    .poll(() => page.evaluate(() => (window as unknown as { jumps: unknown[] }).jumps.length))
    .toBeGreaterThanOrEqual(3);
  const jumps = await page.evaluate(
    () => (window as unknown as { jumps: [number, number][] }).jumps,
  );
  const words = transcript.flatMap(({ words = [] }) => words);
  for (const [, to] of jumps) {
    expect(words.filter(({ start, end }) => start < to && end > to)).toEqual([]);
    // Playback continues just before the next word.
    const next = Math.min(...words.map(({ start }) => start).filter((start) => start >= to));
    expect(next - to).toBeLessThan(0.5);
  }
  await open({ page, app });
  await expect(page.getByTestId('player-skip-silence')).toBeDisabled();
});

test('the page’s keys are listed, and are inactive while typing', async () => {
  await open({ page, app });
  await page.keyboard.press('?');
  await expect(page.getByTestId('shortcuts')).toBeVisible();
  await expectNoViolations(page);
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('shortcuts')).toHaveCount(0);
  await page.keyboard.press('/');
  await page.keyboard.type('m ?');
  await expect(page.getByTestId('find-wanted')).toHaveValue('m ?');
  await expect(page.getByTestId('tab-markers')).toContainText('1');
});
