/** Atomic file replacement that survives a power loss. */
import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Syncs a directory, making its entries durable. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Writes a file with mode 0600. Resolves when `content` is durable at `path`. */
export async function writeAtomically(path: string, content: string): Promise<void> {
  const temporary = `${path}.new`;
  const file = await open(temporary, 'w', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
  await syncFolder(dirname(path));
}
