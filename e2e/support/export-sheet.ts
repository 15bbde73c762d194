import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';

/** A file downloaded from the app and saved to a temporary folder. */
export type SavedFile = { readonly name: string; readonly path: string; readonly bytes: Buffer };

/** Page object for the export sheet. */
export class ExportSheet {
  readonly #page: Page;
  readonly #folder: string;

  private constructor(page: Page, folder: string) {
    this.#page = page;
    this.#folder = folder;
  }

  static async create(page: Page): Promise<ExportSheet> {
    return new ExportSheet(page, await mkdtemp(join(tmpdir(), 'linnet-export-')));
  }

  get popup(): Locator {
    return this.#page.getByRole('dialog');
  }

  async chooseContent(content: 'Text' | 'Audio' | 'Both'): Promise<void> {
    await this.popup.getByText(content, { exact: true }).click();
  }

  async selectFormat(format: string): Promise<void> {
    await this.popup.getByTestId(`format-${format}`).click();
    await expect(this.popup.getByTestId(`format-${format}`).getByRole('radio')).toBeChecked();
  }

  /** Turns an export option on or off. */
  async setOption(name: string, isOn: boolean): Promise<void> {
    const option = this.popup.getByTestId(`with-${name}`);
    if ((await option.getByRole('checkbox').isChecked()) !== isOn) await option.click();
    await expect(option.getByRole('checkbox')).toBeChecked({ checked: isOn });
  }

  /** Saves the selection, which closes the sheet. */
  async save(): Promise<SavedFile> {
    const downloadStarted = this.#page.waitForEvent('download');
    await this.popup.getByTestId('export-save').click();
    const download = await downloadStarted;
    const name = download.suggestedFilename();
    const path = join(this.#folder, name);
    await download.saveAs(path);
    await expect(this.popup).toBeHidden();
    return { name, path, bytes: await readFile(path) };
  }

  /** Returns a file's path in the folder with the saved files. */
  pathTo(name: string): string {
    return join(this.#folder, name);
  }

  async removeFolder(): Promise<void> {
    await rm(this.#folder, { recursive: true });
  }
}

/** Runs an external program and returns its output. */
export function runProgram(program: string, args: readonly string[]): string {
  // Force UTF-8, so that every script works regardless of the machine's locale.
  const env = { ...process.env, LC_ALL: 'C.UTF-8' };
  return execFileSync(program, args, { encoding: 'utf8', env, maxBuffer: 64 * 1024 * 1024 });
}

/** Returns an audio file's format, codec and duration, as reported by ffprobe. */
export function probeAudioFile(path: string): { format: string; codec: string; seconds: number } {
  const output = runProgram('ffprobe', [
    ...['-v', 'error', '-of', 'json', '-show_entries'],
    ...['format=format_name,duration:stream=codec_name', path],
  ]);
  const { format, streams } = JSON.parse(output);
  const [{ codec_name }] = streams;
  return { format: format.format_name, codec: codec_name, seconds: Number(format.duration) };
}

/** Returns an audio file's tags as reported by ffprobe, with lowercase names. */
export function probeAudioTags(path: string): Record<string, string> {
  const output = runProgram('ffprobe', [
    ...['-v', 'error', '-of', 'json', '-show_entries', 'format_tags:stream_tags', path],
  ]);
  const { format, streams } = JSON.parse(output);
  const tags = Object.entries<string>({ ...format.tags, ...streams[0].tags });
  return Object.fromEntries(tags.map(([name, text]) => [name.toLowerCase(), text]));
}
