import { chmod, mkdir, stat } from 'node:fs/promises';
import path from 'node:path';

/** Whether this process may drop to another user. */
export const isRoot = process.getuid?.() === 0;

/**
 * Makes DATA_DIR. Its owner alone may look into it; when that is root, others may pass through to the
 * one folder inside that PostgreSQL's unprivileged user owns, but may not list it.
 * @returns the absolute path
 */
export async function ensureDataDir(dataDir: string): Promise<string> {
  const absolute = path.resolve(dataDir);
  const created = await mkdir(absolute, { recursive: true });
  if (created !== undefined) await chmod(absolute, isRoot ? 0o711 : 0o700);
  return absolute;
}

/** Makes a private folder (0700) inside DATA_DIR; one that others can enter is closed to them. */
export async function ensurePrivateDir(dataDir: string, name: string): Promise<string> {
  const folder = path.join(await ensureDataDir(dataDir), name);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (((await stat(folder)).mode & 0o077) !== 0) await chmod(folder, 0o700);
  return folder;
}
