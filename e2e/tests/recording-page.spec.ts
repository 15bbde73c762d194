/** Tests a recording's player, transcript and markers, and their sync with the account's other phone. */
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
  // Each line becomes a paragraph, and the silence between the lines is long enough to be skipped.
  pause: 4,
};
/** Maximum distance between the start of a pressed word and the playback position. */
const TOLERANCE_SECONDS = 0.05;
const pageErrors = new PageErrors();
let environment: ScriptedSpeechStack;
let browser: Browser;
let account: ServerAccount;
let transcribedTalk: TranscribedTalk;
let transcript: readonly Paragraph[];
let page: Page;
let app: LinnetApp;

const paragraphs = (onPage: Page) => onPage.getByTestId('paragraph');
const text = (onPage: Page, index: number) =>
  paragraphs(onPage).nth(index).locator('.paragraph-text');
const player = (onPage: Page) => onPage.getByTestId('player');
const serverParagraphs = async () => (await account.getTask(transcribedTalk.taskId)).paragraphs;

/** Opens one of the account's phones and signs in. */
async function openPhone(width = 390): Promise<{ page: Page; app: LinnetApp }> {
  const context = await browser.newContext({
    viewport: { width, height: 844 },
    locale: 'en-GB',
  });
  pageErrors.listenTo(context);
  // The audio element isn't in the document, so expose it to the test.
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
  const freshPage = await context.newPage();
  const opened = new LinnetApp(freshPage, environment.stack);
  await opened.open('/pages/index');
  await opened.signIn(owner);
  await expect(opened.row(transcribedTalk.id)).toBeVisible();
  return { page: freshPage, app: opened };
}

/** Waits until a change has been synced to the other phone. A network event makes that phone poll immediately. */
async function expectSynced(
  otherPage: Page,
  check: (within: { timeout: number }) => Promise<void>,
) {
  await expect(async () => {
    await otherPage.evaluate(() => window.dispatchEvent(new Event('online')));
    await check({ timeout: 2000 });
  }).toPass({ timeout: 120_000 });
}

/** Opens the recording in the running app. */
async function open(phone: { page: Page; app: LinnetApp }, place = ''): Promise<void> {
  await phone.app.show(`/pages/fileDetail?id=${transcribedTalk.id}${place}`);
  await expect(player(phone.page)).toHaveAttribute('data-status', 'ready');
}

/**
 * Presses a word in a paragraph.
 * @returns the playback position in seconds
 */
async function pressWord(onPage: Page, index: number, word: string): Promise<number> {
  const position = await locateWord(text(onPage, index), word);
  const seekPosition = onPage.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const audio = (window as unknown as { audioElements: HTMLAudioElement[] }).audioElements.at(
          -1,
        );
        audio?.addEventListener('seeking', () => resolve(audio.currentTime), { once: true });
      }),
  );
  await onPage.mouse.click(position.x, position.y);
  return seekPosition;
}

test.beforeAll(async () => {
  environment = await ScriptedSpeechStack.start();
  account = await ServerAccount.register(environment.stack, owner);
  transcribedTalk = await environment.transcribe(account, talk);
  transcript = await serverParagraphs();
  browser = await chromium.launch({ ...config.use?.launchOptions, args: chromiumFlags });
  ({ page, app } = await openPhone());
});
test.afterAll(async () => {
  await browser?.close();
  await environment?.stop();
});
test.afterEach(() => expect(pageErrors.takeUnexpected()).toEqual([]));

test('streams a recording of another phone, and plays from a pressed word', async () => {
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
    const position = await pressWord(page, index, word);
    expect(Math.abs(position - start), `${word} at ${start}, played from ${position}`).toBeLessThan(
      TOLERANCE_SECONDS,
    );
    await expect(player(page)).toHaveAttribute('data-playing', 'true');
    await expect(paragraphs(page).nth(index)).toHaveAttribute('data-spoken', 'true');
  }
  await page.keyboard.press('Space');
  await expect(player(page)).toHaveAttribute('data-playing', 'false');
  const mediaTitle = await page.evaluate(() => navigator.mediaSession.metadata?.title);
  expect(mediaTitle).toBe(talk.title);

  // Playback resumes where it stopped.
  const before = Number(await player(page).getAttribute('data-position'));
  await page.getByTestId('back').click();
  await page.waitForURL('**/pages/files');
  // Once the previous page's audio element no longer reads its audio, the audio can be deleted.
  const readsAudio = () =>
    page.evaluate(() =>
      (window as unknown as { audioElements: HTMLAudioElement[] }).audioElements.map(
        ({ networkState }) => networkState !== HTMLMediaElement.NETWORK_EMPTY,
      ),
    );
  await expect.poll(readsAudio).toEqual([false]);
  await app.openRecording(transcribedTalk.id);
  await expect(player(page)).toHaveAttribute('data-status', 'ready');
  await expect
    .poll(async () => Number(await player(page).getAttribute('data-position')))
    .toBeCloseTo(before, 1);
});

test('scrolls to a linked paragraph and focuses it, without playing', async () => {
  const third = transcript[2] as Paragraph;
  await open({ page, app }, `&paragraph=${third.id}`);
  await expect(paragraphs(page).nth(2)).toBeInViewport();
  await expect(paragraphs(page).nth(2).locator('.paragraph-time')).toBeFocused();
  await expect
    .poll(async () => Number(await player(page).getAttribute('data-position')))
    .toBeCloseTo(third.start_time, 1);
  await expect(player(page)).toHaveAttribute('data-playing', 'false');
});

test('reports a failed request, and succeeds on retry', async () => {
  pageErrors.allow(/ERR_FAILED|Failed to load resource/);
  await page.context().route('**/task/index', (route) => route.abort());
  await app.open(`/pages/fileDetail?id=${transcribedTalk.id}`);
  await expect(player(page)).toHaveAttribute('data-status', 'offline');
  await expect(text(page, 0)).toHaveText(talk.lines[0] as string);
  await expectNoViolations(page);
  await page.context().unroute('**/task/index');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(player(page)).toHaveAttribute('data-status', 'ready');
});

test('plays once the audio has loaded if Play is pressed before', async () => {
  const gate = Promise.withResolvers<void>();
  await page.context().route('**/task/index', async (route) => {
    await gate.promise;
    await route.fallback();
  });
  await app.open(`/pages/fileDetail?id=${transcribedTalk.id}`);
  await expect(player(page)).toHaveAttribute('data-status', 'loading');
  await page.getByTestId('player-play').click();
  gate.resolve();
  await expect(player(page)).toHaveAttribute('data-playing', 'true');
  await page.context().unroute('**/task/index');
});

test('continues playback at the same position after the audio URL has expired', async () => {
  await open({ page, app });
  await pressWord(page, 2, 'caretaker');
  await page.keyboard.press('Space');
  await expect(player(page)).toHaveAttribute('data-playing', 'false');
  const position = Number(await player(page).getAttribute('data-position'));
  const countStreams = () =>
    page.evaluate(
      () => (window as unknown as { audioElements: HTMLAudioElement[] }).audioElements.length,
    );
  const before = await countStreams();
  await page.evaluate(() => {
    const now = performance.now.bind(performance);
    performance.now = () => now() + 15 * 60_000;
    (window as unknown as { audioElements: HTMLAudioElement[] }).audioElements
      .at(-1)
      ?.dispatchEvent(new Event('error'));
  });
  await expect.poll(countStreams).toBe(before + 1);
  await expect(player(page)).toHaveAttribute('data-status', 'ready');
  expect(Number(await player(page).getAttribute('data-position'))).toBeCloseTo(position, 1);
});

test('saves texts, highlights, speakers, markers and speed, and syncs them to another phone', async () => {
  const otherPhone = await openPhone(1280);
  await open({ page, app });
  await open(otherPhone);

  // Text: Escape cancels, and Ctrl+Enter saves.
  const openEditor = async () => {
    await paragraphs(page).nth(1).getByTestId('paragraph-more').click();
    await page.getByRole('menuitem', { name: 'Edit text' }).click();
    await expect(page.getByTestId('paragraph-editor')).toBeFocused();
  };
  await openEditor();
  await page.getByTestId('paragraph-editor').fill('Gone');
  await page.keyboard.press('Escape');
  await expect(text(page, 1)).toHaveText(talk.lines[1] as string);
  await expect(paragraphs(page).nth(1).getByTestId('paragraph-more')).toBeFocused();
  await openEditor();
  await page.getByTestId('paragraph-editor').fill('Nobody knows, says Ann.');
  await page.keyboard.press('Control+Enter');
  await expect(text(page, 1)).toHaveText('Nobody knows, says Ann.');
  await app.expectToast(['Text changed', 'Undo']);
  await expectSynced(otherPhone.page, (within) =>
    expect(text(otherPhone.page, 1)).toHaveText('Nobody knows, says Ann.', within),
  );

  // Highlight, and the filter for highlights.
  await paragraphs(page).nth(2).getByTestId('paragraph-mark').click();
  await expectSynced(otherPhone.page, (within) =>
    expect(otherPhone.page.getByTestId('only-marked')).toBeVisible(within),
  );
  await otherPhone.page.getByTestId('only-marked').click();
  await expect(paragraphs(otherPhone.page)).toHaveCount(1);
  await expect(text(otherPhone.page, 0)).toHaveText(talk.lines[2] as string);
  await otherPhone.page.getByTestId('only-marked').click();

  // Speaker.
  await paragraphs(page).nth(0).getByTestId('paragraph-more').click();
  await page.getByRole('menuitem', { name: 'Change speaker' }).click();
  await page.getByRole('menuitem', { name: 'New speaker' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Miriam');
  await page.getByRole('button', { name: 'Save' }).click();
  const speaker = paragraphs(otherPhone.page).nth(0).getByTestId('paragraph-speaker');
  await expectSynced(otherPhone.page, (within) => expect(speaker).toHaveText('Miriam', within));

  // Marker, added with its keyboard shortcut and then named.
  await paragraphs(page).nth(1).locator('.paragraph-time').click();
  await page.keyboard.press('Space');
  await page.keyboard.press('m');
  // The menu lists all tabs, most of them out of view in the tab bar.
  await expect(page.getByTestId('tab-markers')).toContainText('1');
  await page.getByTestId('all-tabs').click();
  await expect(page.getByRole('menuitemcheckbox')).toHaveCount(12);
  await page.getByRole('menuitemcheckbox', { name: 'Markers (1)' }).click();
  await page.getByRole('button', { name: /^Rename “/ }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Who knows');
  await page.getByRole('button', { name: 'Save' }).click();
  await otherPhone.page.getByTestId('tab-markers').click();
  await expectSynced(otherPhone.page, (within) =>
    expect(otherPhone.page.getByTestId('marker')).toContainText('Who knows', within),
  );
  await expect(otherPhone.page.locator('.wave-points [data-kind="marker"]')).toHaveCount(1);
  await expectNoViolations(otherPhone.page);

  await page.getByTestId('player-speed').selectOption('1.5');
  await expectSynced(otherPhone.page, (within) =>
    expect(otherPhone.page.getByTestId('player-speed')).toHaveValue('1.5', within),
  );
  await expect
    .poll(() =>
      otherPhone.page.evaluate(
        () =>
          (window as unknown as { audioElements: HTMLAudioElement[] }).audioElements.at(-1)
            ?.playbackRate,
      ),
    )
    .toBe(1.5);

  // Everything persists after a restart of the app.
  await app.open(`/pages/fileDetail?id=${transcribedTalk.id}`);
  await expect(text(page, 1)).toHaveText('Nobody knows, says Ann.');
  await expect(paragraphs(page).nth(0).getByTestId('paragraph-speaker')).toHaveText('Miriam');
  await expect(paragraphs(page).nth(2).getByTestId('paragraph-mark')).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await expect(page.getByTestId('tab-markers')).toContainText('1');
  await page.getByTestId('tab-markers').click();
  await app.performAndUndo(async () => {
    await page.getByRole('button', { name: /^Delete “/ }).click();
    await expect(page.getByTestId('marker')).toHaveCount(0);
  });
  await expect(page.getByTestId('marker')).toContainText('Who knows');
  await otherPhone.page.context().close();
});

test('text that is being typed is saved or kept when its field is left, and discarded only by Cancel', async () => {
  await open({ page, app });
  const editor = page.getByTestId('paragraph-editor');
  const openEditor = async () => {
    await paragraphs(page).nth(2).getByTestId('paragraph-more').click();
    await page.getByRole('menuitem', { name: 'Edit text' }).click();
    await expect(editor).toBeFocused();
  };
  await openEditor();
  await editor.fill('Discarded');
  await page.getByTestId('paragraph-cancel').click();
  await expect(text(page, 2)).toHaveText(talk.lines[2] as string);

  await openEditor();
  await editor.fill('Saved with a button.');
  await page.getByTestId('paragraph-save').click();
  await expect(text(page, 2)).toHaveText('Saved with a button.');
  await expect(paragraphs(page).nth(2).getByTestId('paragraph-more')).toBeFocused();

  // Tapping another paragraph only ends the edit. The next tap plays.
  await openEditor();
  await editor.fill('Saved by a tap elsewhere.');
  await text(page, 0).click();
  await expect(text(page, 2)).toHaveText('Saved by a tap elsewhere.');
  await expect(player(page)).toHaveAttribute('data-playing', 'false');
  await text(page, 0).click();
  await expect(player(page)).toHaveAttribute('data-playing', 'true');
  await page.keyboard.press('Space');

  await openEditor();
  await editor.fill('Kept through a reload.');
  await page.reload();
  await expect(editor).toHaveValue('Kept through a reload.');
  await page.getByTestId('paragraph-save').click();
  await expect(text(page, 2)).toHaveText('Kept through a reload.');
  await openEditor();
  await editor.fill('Saved later.');
  await page.getByTestId('paragraph-save').click();
  await openEditor();
  await expect(editor).toHaveValue('Saved later.');
  await page.keyboard.press('Escape');

  const title = page.locator('.detail-title-input');
  const renameTo = async (name: string) => {
    await page.locator('.detail-title').getByRole('button').click();
    await title.fill(name);
  };
  await app.show('/pages/files');
  await app.row(transcribedTalk.id).locator('.row-link').click();
  await renameTo('The old hall');
  await page.goBack();
  await expect(app.row(transcribedTalk.id)).toContainText('The old hall');
  await page.goForward();
  await expect(page.locator('.detail-title')).toHaveText('The old hall');
  await renameTo(talk.title);
  await page.reload();
  await expect(text(page, 2)).toHaveText('Saved later.');
  await expect(title).toHaveValue(talk.title);
  await page.keyboard.press('Enter');
  await expect(page.locator('.detail-title')).toHaveText(talk.title);
});

test('replaces all matches, and undoes the replacement', async () => {
  await open({ page, app });
  await page.keyboard.press('/');
  await expect(page.getByTestId('find-wanted')).toBeFocused();
  await page.keyboard.type('anna');
  await expect(page.getByTestId('find-count')).toHaveText('1 of 2');
  // The Enter of an input method only accepts its suggestion.
  const composition = { key: 'Enter', isComposing: true, keyCode: 229 };
  await page.getByTestId('find-wanted').dispatchEvent('keydown', composition);
  await expect(page.getByTestId('find-count')).toHaveText('1 of 2');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('find-count')).toHaveText('2 of 2');
  await page.keyboard.press('Shift+Enter');
  await expect(page.getByTestId('find-count')).toHaveText('1 of 2');
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

test('reverts one or all edits', async () => {
  await open({ page, app });
  const editedText = 'Nobody knows, says Ann.';
  await expect(text(page, 1)).toHaveText(editedText);
  await paragraphs(page).nth(1).getByTestId('paragraph-more').click();
  await page.getByRole('menuitem', { name: 'Version history' }).click();
  await expect(page.getByTestId('versions')).toContainText(talk.lines[1] as string);
  await app.performAndUndo(async () => {
    await page.getByRole('button', { name: 'Restore original' }).click();
    await expect(text(page, 1)).toHaveText(talk.lines[1] as string);
  });
  await expect(text(page, 1)).toHaveText(editedText);

  // The phone has the original text, so restoring it works offline.
  await page.context().setOffline(true);
  await page.getByTestId('back-to-original').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Restore original' }).click();
  await expect(text(page, 1)).toHaveText(talk.lines[1] as string);
  pageErrors.allow(/ERR_INTERNET_DISCONNECTED/);
  await page.context().setOffline(false);
  await expect.poll(async () => (await serverParagraphs())[1]?.content).toBe(talk.lines[1]);
});

test('skips silence in audio on the phone, but no words', async () => {
  await app.show('/pages/files');
  const audio = environment.synthesize(talk);
  const file = { name: 'Silence.wav', mimeType: 'audio/wav', buffer: audio };
  await page.getByTestId('import-files').setInputFiles(file);
  const row = app.rows().filter({ hasText: 'Silence' });
  await expect(row).toBeVisible();
  const id = (await row.getAttribute('data-record-id')) as string;
  await app.openRecording(id);
  await expect(player(page)).toHaveAttribute('data-status', 'ready');
  await expect(page.getByTestId('record-type')).toHaveText('Audio');
  await page.getByTestId('player-skip-silence').click();
  await expect(page.getByTestId('player-skip-silence')).toHaveAttribute('aria-checked', 'true');
  // Record the source and target of each jump.
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
