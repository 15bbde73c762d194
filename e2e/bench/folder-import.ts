import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import config, { chromiumFlags } from '../playwright.config.ts';
import { createAudioFiles } from '../support/audio-kinds.ts';
import { installDrive, putFiles } from '../support/browser-drive.ts';
import { LinnetApp } from '../support/linnet-app.ts';
import { Stack } from '../support/stack.ts';
import { type Measurement, roundToThousandths } from './measurement.ts';

/** Number of files of each of the eight kinds. */
const FILES_PER_KIND = 25;

/** Timeout of the import in milliseconds. */
const TIMEOUT_MS = 600_000;

/** Copies the drive's files to another folder, flushing each file to disk. @returns the duration in seconds */
function copyDrive(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const root = await navigator.storage.getDirectory();
    const drive = await root.getDirectoryHandle('RECORDER');
    const copies = await root.getDirectoryHandle('COPIES', { create: true });
    const startedAt = performance.now();
    for await (const [name, handle] of drive.entries()) {
      const file = await (handle as FileSystemFileHandle).getFile();
      const copy = await copies.getFileHandle(name, { create: true });
      const writer = await copy.createWritable();
      await writer.write(await file.arrayBuffer());
      await writer.close();
    }
    return (performance.now() - startedAt) / 1000;
  });
}

/**
 * Measures the import of a folder of 200 short files in eight formats, without uploads. The baseline is a plain copy of
 * the same files in the same browser.
 */
export async function run(): Promise<Measurement[]> {
  const folder = await mkdtemp(join(tmpdir(), 'linnet-bench-'));
  const stack = await Stack.start({ env: { TRIAL_DAYS: '0' } });
  const context = await chromium.launchPersistentContext(folder, {
    ...config.use?.launchOptions,
    args: [...chromiumFlags],
    reducedMotion: 'reduce',
  });
  try {
    const page = context.pages()[0] ?? (await context.newPage());
    const app = new LinnetApp(page, stack);
    await installDrive(page);
    await app.signUp('folder@example.org');
    const files = await createAudioFiles(FILES_PER_KIND);
    await putFiles(page, files);
    const copySeconds = await copyDrive(page);
    await app.open('/pages/folders');
    await page.getByTestId('pick-folder').click();
    const card = (state: string) => page.locator(`.folder-card[data-state="${state}"]`);
    await card('importing').waitFor({ timeout: TIMEOUT_MS });
    const startedAt = Date.now();
    await card('done').waitFor({ timeout: TIMEOUT_MS });
    const importSeconds = (Date.now() - startedAt) / 1000;
    return [
      {
        name: 'folder: duration of an import of 200 files ÷ plain copy',
        value: roundToThousandths(importSeconds / copySeconds),
        unit: 'ratio',
        detail: {
          importedPerSecond: roundToThousandths(files.length / importSeconds),
          copiedPerSecond: roundToThousandths(files.length / copySeconds),
        },
      },
    ];
  } finally {
    await context.close();
    await stack.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
