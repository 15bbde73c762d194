/** Tests retranscribing a recording from its denoised audio, and summarizing it in other structures. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeOggToPcm } from '@linnet/audio/convert';
import { SAMPLE_RATE } from '@linnet/audio/format';
import { loadOpus } from '@linnet/audio/opus';
import { readOpusWasm } from '@linnet/audio/opus-wasm-node';
import { writeWave } from '@linnet/audio/wave';
import { codes } from '@linnet/contract/codes';
import { toneModel, writeModel } from '@linnet/server/testing/models';
import { expect, type Page, test } from '@playwright/test';
import { expectNoViolations } from '../support/axe.ts';
import { LinnetApp } from '../support/linnet-app.ts';
import { PageErrors } from '../support/page-errors.ts';
import { Stack } from '../support/stack.ts';

const owner = 'listener@example.org';
const scene = join(import.meta.dirname, '..', '..', 'apps/virtual-recorder/scenes/microphone.ogg');
const pageErrors = new PageErrors();
let stack: Stack;
let page: Page;
let app: LinnetApp;

test.beforeAll(async ({ browser }) => {
  stack = await Stack.start();
  const context = await browser.newContext();
  pageErrors.listenTo(context);
  page = await context.newPage();
  app = new LinnetApp(page, stack);
  await app.signUp(owner);
});
test.afterAll(async () => {
  await page?.context().close();
  await stack?.stop();
});
test.afterEach(() => {
  expect(pageErrors.takeUnexpected()).toEqual([]);
});

type Task = { id: string; engine: string; minutes: number };
const getLatestTask = (id: string) => app.callApi<Task>('/task/detail', { id });
const getLeftMinutes = async () =>
  (await app.callApi<{ left_minutes: number }>('/user/leftMinute')).left_minutes;

/**
 * Imports the start of the microphone's scene.
 * @returns the ids of the recording on the phone and on the server
 */
async function importScene(): Promise<{ id: string; serverId: string }> {
  const opus = await loadOpus(readOpusWasm());
  // Long enough for two paragraphs.
  const speech = decodeOggToPcm(await readFile(scene), opus).subarray(0, 14.5 * SAMPLE_RATE);
  await page.getByTestId('import-files').setInputFiles({
    name: 'By the river.wav',
    mimeType: 'audio/wav',
    buffer: Buffer.from(writeWave(speech, SAMPLE_RATE)),
  });
  const row = app.rows('done').filter({ hasText: 'By the river' });
  await expect(row).toBeVisible({ timeout: 120_000 });
  const id = (await row.getAttribute('data-record-id')) as string;
  type Row = { id: string; client_flag: string };
  const { list } = await app.callApi<{ list: Row[] }>('/task/index', {});
  return { id, serverId: list.find(({ client_flag }) => client_flag === id)?.id as string };
}

test('transcribes a recording again, and summarizes it in other structures', async () => {
  const { id, serverId } = await importScene();
  const first = await getLatestTask(serverId);
  const before = await getLeftMinutes();
  await app.openRecording(id);
  await expect(page.getByTestId('paragraph').first()).toBeVisible();

  await test.step('the denoised version is transcribed, with its cost and progress shown', async () => {
    await page.getByTestId('tab-audio').click();
    await page.getByTestId('reduce-noise').click();
    await expect(page.getByTestId('noise-versions')).toBeVisible({ timeout: 120_000 });
    await page.getByTestId('tab-transcription').click();
    await page.getByTestId('transcribe-again').click();
    await expect(page.getByTestId('cost')).toContainText('Uses 1 transcription minute.');
    await expect(page.getByTestId('cost')).toContainText(before.toLocaleString('en-GB'));
    await expect(page.getByTestId('transcribe-sound').getByLabel('Noise-reduced')).toBeChecked();
    await page.getByRole('button', { name: 'Transcribe', exact: true }).click();
    await expect(page.getByTestId('task-steps')).toContainText('Transcribing speech');
    // The first transcript remains until the new one is complete.
    await expect(page.getByTestId('paragraph').first()).toBeVisible();
    await expect(page.getByTestId('transcribe-again')).toBeVisible({ timeout: 120_000 });
    const second = await getLatestTask(serverId);
    expect(second.id).not.toBe(first.id);
    expect(second.minutes).toBe(1);
    expect(await getLeftMinutes()).toBe(before - 1);
  });

  await test.step('a passage is transcribed again, and the other paragraphs stay', async () => {
    const loadParagraphIds = async () =>
      (
        await app.callApi<{ paragraphs: { id: string }[] }>('/task/detail', { id: serverId })
      ).paragraphs.map((paragraph) => paragraph.id);
    const [, ...kept] = await loadParagraphIds();
    expect(kept).not.toEqual([]);
    const left = await getLeftMinutes();
    await page.getByTestId('paragraph-more').first().click();
    await page.getByRole('menuitem', { name: 'Transcribe again from here' }).click();
    const sheet = page.getByRole('dialog');
    await expect(sheet).toContainText('Uses 1 transcription minute.');
    await expectNoViolations(page);
    await page.getByTestId('range-start').click();
    await expect(page.locator('.stages-next')).toContainText('The rest of the transcript stays');
    await expect(page.getByTestId('transcribe-again')).toBeVisible({ timeout: 120_000 });
    const after = await loadParagraphIds();
    expect(after.slice(after.length - kept.length)).toEqual(kept);
    expect(await getLeftMinutes()).toBe(left - 1);
  });

  await test.step('the recording is summarized in a custom and a built-in structure', async () => {
    await page.getByTestId('tab-summary').click();
    const summary = page.getByTestId('summary');
    await expect(summary).toContainText('Overview');
    await page.getByTestId('structure-custom').click();
    await page.getByTestId('summarize').click();
    await page.getByTestId('template-name').fill('Nature walk');
    await page.getByTestId('template-heading-0').fill('The river');
    await page.getByTestId('template-save').click();
    await expect(summary.getByRole('heading', { name: 'The river' })).toBeVisible({
      timeout: 60_000,
    });
    await page.reload();
    await page.getByTestId('tab-summary').click();
    await expect(summary.getByRole('heading', { name: 'The river' })).toBeVisible();
    await page.getByTestId('structure-general').click();
    // The summary may be ready before the test sees the page waiting, so wait for the response.
    const requested = page.waitForResponse(/\/task\/summarize$/);
    await page.getByTestId('summarize').click();
    expect((await (await requested).json()).code).toBe(codes.ok);
    await expect(page.getByTestId('summarize')).not.toHaveAttribute('aria-busy', 'true', {
      timeout: 60_000,
    });
  });

  await test.step('a better engine transcribes the draft again, at no cost', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'linnet-models-'));
    const languages = [{ tag: 'en', quality: 'good' as const }];
    const from = await writeModel(folder, { ...toneModel(), languages });
    await stack.runCli('models', 'install', 'tones', '--from', from);
    await rm(folder, { recursive: true });
    const left = await getLeftMinutes();
    // The app must load the server's new engine.
    await app.open('/pages/me');
    await page.getByTestId('replace-drafts').click();
    await app.expectToast('We’ll transcribe the drafts again');
    await expect.poll(async () => (await getLatestTask(serverId)).engine).toContain('tones');
    expect(await getLeftMinutes()).toBe(left);
    await stack.runCli('models', 'remove', 'tones');
  });

  await test.step('the custom structure belongs to the account, and can be edited', async () => {
    const settings = await app.callApi<Record<string, Record<string, string>>>('/user/config');
    const { name, 1: section = '{}' } = settings.summary_template ?? {};
    expect(name).toBe('Nature walk');
    expect(JSON.parse(section)).toMatchObject({ heading: 'The river' });
    await app.show(`/pages/fileDetail?id=${id}&tab=summary`);
    await page.getByTestId('structure-custom').click();
    await page.getByRole('button', { name: 'Edit template' }).click();
    await expect(page.getByTestId('template-name')).toHaveValue('Nature walk');
    await expect(page.getByTestId('template-heading-0')).toHaveValue('The river');
  });
});
