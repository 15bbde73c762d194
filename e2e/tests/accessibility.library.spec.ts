/**
 * Checks the accessibility of Files, the recycle bin, search and all parts of a recording, including their overlays.
 */
import { randomUUID } from 'node:crypto';
import { writeWave } from '@linnet/audio/wave';
import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { AccessibilityWalk, narrow, selectWalks } from '../support/accessibility-walk.ts';
import { LinnetApp } from '../support/linnet-app.ts';
import { PageErrors } from '../support/page-errors.ts';
import { arabicTalks, englishTalks } from '../support/sample-talks.ts';
import {
  ScriptedSpeechStack,
  type Talk,
  type TranscribedTalk,
} from '../support/scripted-speech-stack.ts';
import { type AudioFile, ServerAccount } from '../support/server-account.ts';

const parts = [
  ...['transcription', 'summary', 'mindMap', 'audio', 'timeline', 'knowledge', 'todos', 'needs'],
  ...['questions', 'finance', 'topics', 'markers'],
];
const samples = {
  en: { talks: englishTalks, word: 'garden' },
  ar: { talks: arabicTalks, word: 'الحديقة' },
} as const;
const silence: AudioFile = {
  bytes: Buffer.from(writeWave(new Int16Array(48_000), 16_000)),
  ext: 'wav',
  type: 'audio/wav',
};

const pageErrors = new PageErrors();
let environment: ScriptedSpeechStack;

test.describe.configure({ mode: 'serial' });
test.beforeAll(async () => {
  environment = await ScriptedSpeechStack.start();
});
test.afterEach(() => expect(pageErrors.takeUnexpected()).toEqual([]));
test.afterAll(() => environment?.stop());

for (const { name, locale, language, appearances } of selectWalks('en')) {
  test.describe(name, () => {
    const { talks, word } = samples[language];
    const untranscribedId = randomUUID();
    let context: BrowserContext;
    let page: Page;
    let app: LinnetApp;
    let walk: AccessibilityWalk;
    let transcribed: TranscribedTalk;
    const id = (testId: string) => walk.getByTestId(testId);
    const openRecording = async (recording: string, part = 'transcription') => {
      await app.show(`/pages/fileDetail?id=${recording}&tab=${part}`);
      await expect(id(`tab-${part}`)).toBeInViewport({ ratio: 1 });
      await expect(id('player')).toHaveAttribute('data-status', 'ready');
    };
    const showPart = async (part: string) => {
      await id(`tab-${part}`).click();
      await expect(id(`tab-${part}`)).toHaveAttribute('aria-selected', 'true');
      await expect(page.locator('.detail-panel .waiting')).toHaveCount(0);
    };

    test.beforeAll(async ({ browser }) => {
      const owner = `reader-${language}@example.org`;
      const account = await ServerAccount.register(environment.stack, owner);
      transcribed = await environment.transcribe(account, talks[0] as Talk);
      await environment.transcribe(account, talks[1] as Talk);
      await account.upload(untranscribedId, silence, { name: 'Bare' });
      context = await browser.newContext({ viewport: narrow, locale });
      pageErrors.listenTo(context);
      page = await context.newPage();
      app = new LinnetApp(page, environment.stack, { guide: 'show' });
      walk = new AccessibilityWalk(page, appearances);
      await app.open('/');
      await app.signIn(owner);
    });
    test.afterAll(() => context?.close());

    test('files', async () => {
      await expect(id('guide')).toBeVisible();
      await walk.check('guide');
      await page.keyboard.press('Enter');
      await expect(id('guide')).toHaveCount(0);
      await expect(app.rows()).toHaveCount(3);
      await walk.check('files');
      await walk.checkOverlay('menu of files', () => id('files-menu').click());
      const menu = app.row(transcribed.id).locator('.row-menu');
      await walk.checkOverlay('menu of a row', () => menu.click());
      await walk.checkOverlay('sort', () => id('filter-sort').click());
      await walk.checkOverlay('days', async () => {
        await walk.chooseMenuItem(id('filter-time'), 4);
        await expect(id('first-day')).toBeVisible();
      });
      await walk.checkOverlay('rename', async () => {
        await walk.chooseMenuItem(menu, 0);
        await expect(page.getByRole('alertdialog')).toBeVisible();
      });
      await walk.chooseMenuItem(menu, 1);
      await id('new-tag').fill(word);
      await page.keyboard.press('Enter');
      await expect(id('tag')).toBeVisible();
      await walk.check('tags');
      await walk.closeOverlay();
      await walk.chooseMenuItem(id('filter-type'), 1);
      await expect(page.locator('.empty')).toBeVisible();
      await walk.check('files, no match');
      await walk.checkOverlay('save a filter', () => id('filter-save').click());
      await id('filter-clear').click();
    });

    test('import', async () => {
      const buffer = Buffer.from('no sound');
      const file = { name: 'notes.wav', mimeType: 'audio/wav', buffer };
      await id('import-files').setInputFiles(file);
      const failed = id('import-row').and(page.locator('[data-state="failed"]'));
      await expect(failed).toBeVisible();
      await walk.check('failed import');
      await failed.getByRole('button').click();
      await expect(failed).toHaveCount(0);
    });

    test('selection', async () => {
      await walk.chooseMenuItem(id('files-menu'), 0);
      await walk.check('empty selection');
      await id('selection-all').click();
      await walk.check('selection, all');
      await walk.checkOverlay('export of several', async () => {
        await id('selection-export').click();
        await expect(id('export-save')).toBeVisible();
      });
      await walk.checkOverlay('tags of several', () => id('selection-tag').click());
      await page.keyboard.press('Escape');
      await expect(id('selection-head')).toHaveCount(0);
    });

    test('bin', async () => {
      await walk.chooseMenuItem(app.row(untranscribedId).locator('.row-menu'), -1);
      await expect(id('toast')).toBeVisible();
      await walk.check('toast');
      await walk.chooseMenuItem(id('files-menu'), 2);
      await expect(app.row(untranscribedId)).toBeVisible();
      await walk.check('bin');
      await walk.checkOverlay('delete for good', () => id('delete').click());
      await id('bin-pick').click();
      await id('selection-all').click();
      await walk.check('selection in the recycle bin');
      await id('bin-recover').click();
      await expect(page.locator('.empty')).toBeVisible();
    });

    test('search', async () => {
      await app.show('/pages/search');
      await id('search-input').fill(word);
      await expect(id('found').first()).toBeVisible();
      await walk.check('search results');
      await id('search-input').fill('xyzzyx');
      await expect(page.locator('.empty')).toBeVisible();
      await walk.check('no search results');
      await id('search-input').fill(word);
      await id('found').first().locator('.found-name').click();
      // The search is saved once the result's page has opened.
      await expect(id('player')).toHaveAttribute('data-status', 'ready');
      await app.show('/pages/search');
      await expect(id('recent-search')).toBeVisible();
      await walk.check('recent searches');
    });

    test('transcript', async () => {
      await openRecording(transcribed.id);
      await expect(id('paragraph').first()).toBeVisible();
      await walk.checkOverlay('export', async () => {
        await id('export').click();
        await expect(id('export-save')).toBeVisible();
      });
      await walk.checkOverlay('share a link', async () => {
        await id('export').click();
        await id('share-link-open').click();
        await expect(id('create-share-link')).toBeVisible();
      });
      await walk.checkOverlay('keys', () => page.keyboard.press('?'));
      await id('find-open').click();
      await id('find-wanted').fill(word);
      await expect(id('find-count')).not.toBeEmpty();
      await walk.check('find and replace');
      await id('find-wanted').press('Escape');
      const more = id('paragraph').first().getByTestId('paragraph-more');
      await walk.checkOverlay('menu of a paragraph', () => more.click());
      await walk.chooseMenuItem(more, 0);
      await id('paragraph-editor').fill(`${word}!`);
      await walk.check('editing a paragraph');
      await expect(id('paragraph-editor')).toHaveValue(`${word}!`);
      await id('paragraph-editor').press('Control+Enter');
      await expect(id('back-to-original')).toBeVisible();
      await walk.checkOverlay('earlier texts', async () => {
        await walk.chooseMenuItem(more, 3);
        await expect(id('versions')).toBeVisible();
      });
      await walk.checkOverlay('back to the original', () => id('back-to-original').click());
      await walk.chooseMenuItem(more, 1);
      await walk.check('speaker menu');
      await page.getByRole('menuitem').last().click();
      await page.getByRole('alertdialog').getByRole('textbox').fill(word);
      await walk.check('speaker name');
      await page.keyboard.press('Enter');
      await expect(id('paragraph-speaker')).toHaveText(word);
      await id('paragraph').first().getByTestId('paragraph-mark').click();
      await id('only-marked').click();
      await walk.check('highlights only');
      await id('only-marked').click();
      await id('transcribe-again').click();
      await expect(id('spoken-language')).toBeVisible();
      await walk.check('transcribe again');
      await page.getByRole('main').press('m');
      await expect(id('tab-markers')).not.toHaveAttribute('data-empty');
    });

    test('parts of a recording', async () => {
      for (const part of parts.slice(1)) {
        await showPart(part);
        await walk.check(part);
      }
      await walk.checkOverlay('name of a marker', () =>
        id('marker').getByRole('button').nth(1).click(),
      );
      await showPart('summary');
      await id('structure-custom').click();
      // The page becomes shorter, and a mouse click on the moving button can miss it.
      await id('summarize').press('Enter');
      await expect(id('template-name')).toBeVisible();
      await walk.check('custom structure');
      await showPart('mindMap');
      await walk.checkOverlay('formats of a map', () => id('map-save').click());
      await id('map-node').nth(1).click();
      await expect(id('map-chosen')).toBeVisible();
      await walk.check('selected node in a mind map');
      await walk.checkOverlay('ways in a map', () => id('map-more').click());
      await walk.checkOverlay('name in a map', () => id('map-rename').click());
      await page.locator('.map-tools .choice label').nth(1).click();
      await walk.check('mind map as an outline');
    });

    test('parts of an empty recording', async () => {
      await openRecording(untranscribedId, 'needs');
      for (const part of parts) {
        await showPart(part);
        await walk.check(`${part}, empty`);
      }
    });

    test('maps for choosing and showing a place', async () => {
      const map = page.locator('[data-testid="map"][data-drawn="true"]');
      await openRecording(transcribed.id);
      await id('add-place').click();
      await id('coordinates').fill('48.85660, 2.35220');
      await expect(map).toBeVisible();
      await walk.check('choose a place');
      await id('place-save').click();
      await id('place').click();
      await expect(id('place-name')).toHaveText('Paris');
      await expect(map).toBeVisible();
      await walk.check('a place');
    });
  });
}
