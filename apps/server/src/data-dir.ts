import { chmod, mkdir, stat } from 'node:fs/promises';
import path from 'node:path';

/** True if this process runs as root and can therefore switch to a different user. */
export const isRoot = process.getuid?.() === 0;

/**
 * Creates DATA_DIR with owner-only access. If root owns it, other users may traverse but not list it, because
 * PostgreSQL's unprivileged user must reach its own folder.
 * @returns the absolute path
 */
export async function ensureDataDir(dataDir: string): Promise<string> {
  const absolute = path.resolve(dataDir);
  const created = await mkdir(absolute, { recursive: true });
  if (created !== undefined) await chmod(absolute, isRoot ? 0o711 : 0o700);
  return absolute;
}

/** Creates a private folder (0700) in DATA_DIR, or restricts the permissions of an existing folder. */
export async function ensurePrivateDir(dataDir: string, name: string): Promise<string> {
  const folder = path.join(await ensureDataDir(dataDir), name);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (((await stat(folder)).mode & 0o077) !== 0) await chmod(folder, 0o700);
  return folder;
}
