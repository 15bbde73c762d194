import type { Page } from '@playwright/test';
import type { AudioFile } from './audio-kinds.ts';

/**
 * Replaces the system's folder picker, which tests can't operate, with one that returns a simulated drive. The drive is
 * a folder in the origin private file system, where handles behave like those of a folder on disk.
 */
export async function installDrive(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const showDirectoryPicker = async () => {
      const root = await navigator.storage.getDirectory();
      return root.getDirectoryHandle('RECORDER', { create: true });
    };
    Object.assign(window, { showDirectoryPicker });
  });
}

/** Writes files to the drive. */
export async function putFiles(page: Page, files: readonly AudioFile[]): Promise<void> {
  await page.evaluate(
    async (all) => {
      const root = await navigator.storage.getDirectory();
      const drive = await root.getDirectoryHandle('RECORDER', { create: true });
      for (const { name, base64 } of all) {
        const handle = await drive.getFileHandle(name, { create: true });
        const file = await handle.createWritable();
        await file.write(Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0)));
        await file.close();
      }
    },
    files.map(({ name, bytes }) => ({ name, base64: bytes.toString('base64') })),
  );
}

/** Returns the texts of the drive's files, keyed by name. Skips files that are being renamed or deleted. */
export function fileTexts(page: Page): Promise<Record<string, string>> {
  return page.evaluate(async () => {
    const root = await navigator.storage.getDirectory();
    const texts: Record<string, string> = {};
    for await (const [name, entry] of (await root.getDirectoryHandle('RECORDER')).entries()) {
      if (!(entry instanceof FileSystemFileHandle)) continue;
      try {
        texts[name] = await (await entry.getFile()).text();
      } catch (error) {
        if (!(error instanceof DOMException && error.name === 'NotFoundError')) throw error;
      }
    }
    return texts;
  });
}

/** Returns the names of the drive's files. */
export function fileNames(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const root = await navigator.storage.getDirectory();
    const names: string[] = [];
    for await (const name of (await root.getDirectoryHandle('RECORDER')).keys()) names.push(name);
    return names;
  });
}
