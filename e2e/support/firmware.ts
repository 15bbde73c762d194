import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Stack } from './stack.ts';

/** The virtual recorder's firmware project. */
const RECORDER_MODEL = 'LNR1';

/** Publishes a random firmware image with the server's CLI, which signs it. */
export async function publishFirmware(
  stack: Stack,
  { version, bytes, notes = '' }: { version: string; bytes: number; notes?: string },
): Promise<void> {
  const file = join(stack.dataDir, `${version}.bin`);
  await writeFile(file, randomBytes(bytes));
  const options = ['--project', RECORDER_MODEL, '--version', version, '--notes', notes];
  await stack.runCli('firmware', 'publish', file, ...options, '--allow-older');
}
