import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Locator, test } from '@playwright/test';

/** A file to choose, with its content. */
export type ChosenFile = {
  readonly name: string;
  /** The media type. Ignored for large files, whose type is derived from their names. */
  readonly mimeType: string;
  readonly buffer: Buffer;
};

/** Files from this size are chosen by path, because Playwright sends content to the browser as text, which is slow. */
const LARGE_FILE_BYTES = 1_000_000;

/** Selects files in a file input. */
export async function chooseFiles(input: Locator, files: readonly ChosenFile[]): Promise<void> {
  if (files.every(({ buffer }) => buffer.length < LARGE_FILE_BYTES)) {
    await input.setInputFiles([...files]);
    return;
  }
  const paths = await Promise.all(
    files.map(async ({ name, buffer }) => {
      const path = test.info().outputPath(crypto.randomUUID(), name);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, buffer);
      return path;
    }),
  );
  await input.setInputFiles(paths);
}
