import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { ensurePrivateDir } from '../data-dir.ts';
import type { Database } from '../db/database.ts';
import { isId } from '../db/ids.ts';
import { underWay } from '../modules/task/under-way.ts';

/** Makes the private folder of a task, or finds what a killed worker left in it. */
export function openScratch(dataDir: string, taskId: string): Promise<string> {
  return ensurePrivateDir(dataDir, path.join('scratch', taskId));
}

export async function removeScratch(dataDir: string, taskId: string): Promise<void> {
  await rm(path.join(dataDir, 'scratch', taskId), { recursive: true, force: true });
}

/** Removes the folders on this machine of tasks that have ended or are gone. Returns how many. */
export async function sweepTaskScratch(db: Database, dataDir: string): Promise<number> {
  const folders = (await readdir(await ensurePrivateDir(dataDir, 'scratch'))).filter(isId);
  if (folders.length === 0) return 0;
  const kept = await db
    .selectFrom('tasks')
    .select('id')
    .where('id', 'in', folders)
    .where('status', 'in', underWay)
    .execute();
  const over = folders.filter((folder) => !kept.some(({ id }) => id === folder));
  for (const taskId of over) await removeScratch(dataDir, taskId);
  return over.length;
}
