/**
 * Keeps a recording's Markdown file up to date. Never overwrites or deletes a file that the user has edited: renames it
 * first, or leaves it alone.
 */
import type { VaultFailureCode } from '@linnet/contract/vaults';
import { computeDigest } from './digest.ts';
import { editedCopyName, isNoteName, noteFileName } from './file-name.ts';
import { type FoundFile, VaultFailure, type VaultFolder } from './folder.ts';

/** The file that a recording should have. */
export interface TargetFile {
  /** The recording's ID, local day and title determine the file name. */
  readonly id: string;
  readonly day: string;
  readonly title: string;
  readonly text: string;
  /** The user's current local time in ISO 8601, for the names of copies. */
  readonly localTime: string;
}

/**
 * The stored state of a recording's file. Before a file is written or renamed, the new digest or name is stored beside
 * the current one, so the file is recognized if the process exits halfway.
 */
export interface FileState {
  readonly recordingId: string;
  readonly name: string;
  /** SHA-256 of the content that was last written, in hex; null until then. */
  readonly digest: string | null;
  readonly nextName: string | null;
  readonly nextDigest: string | null;
  /**
   * Why this file couldn't be written; null if the last attempt succeeded. Failures of the whole folder aren't stored.
   */
  readonly failure: VaultFailureCode | null;
}

/** The stored states of a vault's files. */
export interface FileStates {
  read(recordingId: string): Promise<FileState | null>;
  add(recordingId: string, name: string): Promise<FileState>;
  store(recordingId: string, changes: Partial<Omit<FileState, 'recordingId'>>): Promise<void>;
  remove(recordingId: string): Promise<void>;
  /** Returns whether no other recording uses, or is about to use, a name with the same `nameKey`. */
  isFree(recordingId: string, name: string): Promise<boolean>;
}

export interface FileDependencies {
  readonly states: FileStates;
  readonly folder: VaultFolder;
}

interface LocatedFile {
  readonly name: string;
  readonly found: FoundFile;
}

/** Maximum number of attempts while the user is changing the file. */
const maxAttempts = 4;
/** The highest number that is appended to make a name unique. */
const maxNumber = 20;
/** Maximum number of names that may be taken in the folder before an update gives up. */
const maxCollisions = 3;

/** Repeats a step until no concurrent change interrupts it. @throws VaultFailure `busy` after {@link maxAttempts} */
async function repeatUntilDone(step: () => Promise<'done' | 'again'>): Promise<void> {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    if ((await step()) === 'done') return;
  }
  throw new VaultFailure('busy');
}

/**
 * Writes or renames a recording's file. Doesn't access the folder if the stored state is up to date, so a file that the
 * user has edited or deleted is left alone until the recording changes.
 */
export async function updateFile(
  deps: FileDependencies,
  recordingId: string,
  target: TargetFile,
): Promise<void> {
  const content = new TextEncoder().encode(target.text);
  const digest = await computeDigest(content);
  await repeatUntilDone(async () => {
    const state =
      (await deps.states.read(recordingId)) ?? (await addState(deps, recordingId, target));
    const isPending = state.nextName !== null || state.nextDigest !== null;
    const isUnchanged = state.digest === digest && !isPending;
    if (isUnchanged && isFileName(state.name, target)) return forgetFailure(deps, state);
    const located =
      (await locate(deps.folder, state)) ??
      (isUnchanged ? null : await findRenamed(deps, state, target.id));
    if (located === null) {
      // The user deleted the file, and the recording hasn't changed since.
      if (isUnchanged) return forgetFailure(deps, state);
      const renamed = isFileName(state.name, target)
        ? state
        : await rename(deps, state, target, null);
      return write(deps, state, renamed.name, { content, digest }, null);
    }
    if (isOurs(state, digest, located.found)) {
      const { name, moved } = await rename(deps, state, target, located.name);
      if (moved === 'missing') return 'again';
      if (located.found.digest !== digest) {
        return write(deps, state, name, { content, digest }, located.found);
      }
      await deps.states.store(recordingId, { digest, nextDigest: null, failure: null });
      return 'done';
    }
    // The user's edits are left alone until the recording changes.
    if (isUnchanged) return forgetFailure(deps, state);
    await setAside(deps.folder, located.name, target.localTime);
    return 'again';
  });
}

/**
 * Deletes the file of a recording that the user has moved to the recycle bin or deleted permanently. Keeps a file that
 * the user has edited.
 * @param isErased true if the recording was deleted permanently; an edited file is then no longer tracked
 */
export async function removeFile(
  deps: FileDependencies,
  recordingId: string,
  isErased: boolean,
): Promise<void> {
  await repeatUntilDone(async () => {
    const state = await deps.states.read(recordingId);
    if (!state) return 'done';
    const located = await locate(deps.folder, state);
    if (located && isOurs(state, null, located.found)) {
      const deleted = await deps.folder.delete(located.name, located.found);
      if (deleted === 'conflict') return 'again';
    } else if (located && !isErased) {
      return forgetFailure(deps, state);
    }
    await deps.states.remove(recordingId);
    return 'done';
  });
}

/** Keeps the file of a recording that a retention rule, rather than the user, has moved to the recycle bin. */
export async function keepFile(deps: FileDependencies, recordingId: string): Promise<void> {
  const state = await deps.states.read(recordingId);
  if (state) await forgetFailure(deps, state);
}

/** Clears the stored failure of a file that needs no update. */
async function forgetFailure({ states }: FileDependencies, state: FileState): Promise<'done'> {
  if (state.failure !== null) await states.store(state.recordingId, { failure: null });
  return 'done';
}

/** SHA-256 of an empty file. */
const emptyDigest = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

/**
 * Returns whether Linnet wrote the content or would write the same content. Treats an empty file as Linnet's while a
 * write is pending, because some folders create the file before they write its content.
 */
function isOurs(state: FileState, digest: string | null, found: FoundFile): boolean {
  if (state.nextDigest !== null && found.digest === emptyDigest) return true;
  return [state.digest, state.nextDigest, digest].includes(found.digest);
}

/** Finds the file by its name, or by its new name if the process exited during a rename. */
async function locate(folder: VaultFolder, state: FileState): Promise<LocatedFile | null> {
  for (const name of [state.name, ...(state.nextName === null ? [] : [state.nextName])]) {
    const found = await folder.read(name);
    if (found) return { name, found };
  }
  return null;
}

/** Finds a file that the user has renamed. */
async function findRenamed(
  { folder }: FileDependencies,
  { digest }: FileState,
  id: string,
): Promise<LocatedFile | null> {
  if (digest === null) return null;
  const name = (await folder.list()).find((each) => isNoteName(each, id));
  const found = name === undefined ? null : await folder.read(name);
  return name !== undefined && found ? { name, found } : null;
}

/** Renames an edited file to a name that contains the time, so the user's edits aren't lost. */
async function setAside(folder: VaultFolder, name: string, localTime: string): Promise<void> {
  for (let number = 1; number <= maxCollisions; number += 1) {
    const moved = await folder.move(name, editedCopyName(name, localTime, number));
    if (moved !== 'exists') return;
  }
  // Names contain the time to the minute, so a retry a minute later finds free ones.
  throw new VaultFailure('busy');
}

async function write(
  deps: FileDependencies,
  state: FileState,
  name: string,
  { content, digest }: { readonly content: Uint8Array<ArrayBuffer>; readonly digest: string },
  expected: FoundFile | null,
): Promise<'done' | 'again'> {
  // Linnet wrote the current content, possibly in an attempt that was interrupted before its digest was stored.
  await deps.states.store(state.recordingId, {
    ...(expected && { digest: expected.digest }),
    nextDigest: digest,
  });
  const written = await deps.folder.write(name, content, expected);
  if (written === 'conflict') return 'again';
  await deps.states.store(state.recordingId, { digest, nextDigest: null, failure: null });
  return 'done';
}

/**
 * Renames the file if its name isn't valid for the recording, and stores the new name.
 * @param current the file's current name; null if there is no file
 */
async function rename(
  deps: FileDependencies,
  state: FileState,
  target: TargetFile,
  current: string | null,
): Promise<{ readonly name: string; readonly moved: 'done' | 'missing' }> {
  if (current !== null && isFileName(current, target)) {
    if (current !== state.name || state.nextName !== null) await settleName(deps, state, current);
    return { name: current, moved: 'done' };
  }
  for (let number = 1, collisions = 0; number <= maxNumber; number += 1) {
    const name = noteFileName(target, number);
    if (!(await deps.states.isFree(state.recordingId, name))) continue;
    if (current !== null) {
      await deps.states.store(state.recordingId, { nextName: name });
      const moved = await deps.folder.move(current, name);
      if (moved === 'exists') {
        collisions += 1;
        if (collisions === maxCollisions) break;
        continue;
      }
      if (moved === 'missing') return { name, moved };
    }
    await settleName(deps, state, name);
    return { name, moved: 'done' };
  }
  throw new VaultFailure('refused');
}

const settleName = ({ states }: FileDependencies, { recordingId }: FileState, name: string) =>
  states.store(recordingId, { name, nextName: null });

/** Returns whether the name is valid for the recording's file. */
function isFileName(name: string, target: TargetFile): boolean {
  for (let number = 1; number <= maxNumber; number += 1) {
    if (name === noteFileName(target, number)) return true;
  }
  return false;
}

async function addState(
  { states }: FileDependencies,
  recordingId: string,
  target: TargetFile,
): Promise<FileState> {
  for (let number = 1; number <= maxNumber; number += 1) {
    const name = noteFileName(target, number);
    if (await states.isFree(recordingId, name)) return states.add(recordingId, name);
  }
  throw new VaultFailure('refused');
}
