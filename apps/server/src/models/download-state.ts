/**
 * The state of automatic downloads, as a file in the models folder. The downloading worker writes it, and processes
 * that share the folder read it, such as the API.
 */
import { readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { modelFailureCodes } from './failure.ts';
import { isLocked, lockFolder } from './lock.ts';

const STATE_FILE = '.downloads.json';

/** States of a model. `waiting`: queued, or waiting for another attempt. `installing`: being verified and unpacked. */
const modelStates = ['waiting', 'downloading', 'installing', 'installed', 'failed'] as const;

const stateSchema = z.object({
  format: z.literal(1),
  models: z.array(
    z.object({
      name: z.string(),
      licence: z.string(),
      /** Size of the download in bytes. */
      bytes: z.int(),
      /** Bytes downloaded so far. */
      done_bytes: z.int(),
      state: z.enum(modelStates),
      /** Why the last attempt failed, or null if it succeeded or there was none. */
      failure: z.enum(modelFailureCodes).nullable(),
    }),
  ),
});

export type DownloadState = z.output<typeof stateSchema>;
export type ModelDownload = DownloadState['models'][number];

/**
 * Reads the state of a folder's downloads. Models being downloaded by a process that died are `waiting`.
 * @returns null if no model was ever requested, or if a different version wrote the file
 */
export async function readDownloadState(folder: string): Promise<DownloadState | null> {
  const text = await readFile(path.join(folder, STATE_FILE), 'utf8').catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    },
  );
  if (text === null) return null;
  const parsed = stateSchema.safeParse(parseJson(text));
  if (!parsed.success) return null;
  const isActive = ({ state }: ModelDownload) => state === 'downloading' || state === 'installing';
  if (!parsed.data.models.some(isActive) || (await isLocked(folder))) return parsed.data;
  const models = parsed.data.models.map((model) =>
    isActive(model) ? { ...model, state: 'waiting' as const } : model,
  );
  return { ...parsed.data, models };
}

/** Parses JSON. Returns undefined if the text is invalid, for example after a power failure. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Replaces the state atomically. The caller must hold the folder's lock. */
export async function writeDownloadState(
  folder: string,
  models: readonly ModelDownload[],
): Promise<void> {
  const file = path.join(folder, STATE_FILE);
  await writeFile(`${file}.new`, JSON.stringify({ format: 1, models }));
  await rename(`${file}.new`, file);
}

/**
 * Clears the models in a folder's state, because no models are requested anymore. Does nothing while another process
 * is downloading.
 */
export async function clearDownloadState(folder: string): Promise<void> {
  const state = await readDownloadState(folder);
  if (!state || state.models.length === 0) return;
  const lock = await lockFolder(folder);
  if (!lock) return;
  try {
    await writeDownloadState(folder, []);
  } finally {
    await lock.release();
  }
}

/** A summary of all downloads. */
export type DownloadSummary = {
  /**
   * `downloading` while a process is working on them, `waiting` until the next attempt, `failed` if only failed
   * downloads remain, otherwise `complete`.
   */
  readonly state: 'complete' | 'downloading' | 'waiting' | 'failed';
  readonly bytes: number;
  readonly done_bytes: number;
  /** The models' licenses, keyed by model name. */
  readonly licenses: Readonly<Record<string, string>>;
  /** Failure codes of the models whose last attempt failed, keyed by model name. */
  readonly failures: Readonly<Record<string, string>>;
};

export function summarizeDownloads({ models }: DownloadState): DownloadSummary {
  const has = (...states: readonly string[]) => models.some(({ state }) => states.includes(state));
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const computeState = () => {
    if (has('downloading', 'installing')) return 'downloading';
    if (has('waiting')) return 'waiting';
    return has('failed') ? 'failed' : 'complete';
  };
  return {
    state: computeState(),
    bytes: sum(models.map(({ bytes }) => bytes)),
    done_bytes: sum(models.map(({ done_bytes }) => done_bytes)),
    licenses: Object.fromEntries(models.map(({ name, licence }) => [name, licence])),
    failures: Object.fromEntries(
      models.flatMap(({ name, failure }) => (failure === null ? [] : [[name, failure]])),
    ),
  };
}
