import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { ensurePrivateDir } from '../data-dir.ts';
import type { Database } from '../db/database.ts';
import { isId } from '../db/ids.ts';
import { activeStatuses } from '../modules/task/active-tasks.ts';

/** Creates a task's private folder, or reuses a folder left by a killed worker. */
export function openScratch(dataDir: string, taskId: string): Promise<string> {
  return ensurePrivateDir(dataDir, path.join('scratch', taskId));
}

export async function removeScratch(dataDir: string, taskId: string): Promise<void> {
  await rm(path.join(dataDir, 'scratch', taskId), { recursive: true, force: true });
}

/** Removes this machine's folders of tasks that have ended or been deleted. Returns the number of folders removed. */
export async function sweepTaskScratch(db: Database, dataDir: string): Promise<number> {
  const folders = (await readdir(await ensurePrivateDir(dataDir, 'scratch'))).filter(isId);
  if (folders.length === 0) return 0;
  const active = await db
    .selectFrom('tasks')
    .select('id')
    .where('id', 'in', folders)
    .where('status', 'in', activeStatuses)
    .execute();
  const obsolete = folders.filter((folder) => !active.some(({ id }) => id === folder));
  for (const taskId of obsolete) await removeScratch(dataDir, taskId);
  return obsolete.length;
}
