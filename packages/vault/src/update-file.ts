/**
 * Brings the file of one recording up to date. A file that the owner has edited is never overwritten or deleted: it gets
 * another name first, or stays as it is.
 */
import type { VaultFailureCode } from '@linnet/contract/vaults';
import { digestOf } from './digest.ts';
import { editedCopyName, isNoteOf, noteFileName } from './file-name.ts';
import { type FoundFile, VaultFailure, type VaultFolder } from './folder.ts';

/** The file that a recording should have. */
export interface WantedFile {
  /** The recording's ID and local day, and its title, which give the name. */
  readonly id: string;
  readonly day: string;
  readonly title: string;
  readonly text: string;
  /** The owner's current local time in ISO 8601, for the names of copies. */
  readonly localTime: string;
}

/**
 * The stored state of a recording's file. Before a file is written or renamed, the new digest or name is stored beside the
 * current one, so that the file is recognized if the program ends in between.
 */
export interface FileState {
  readonly recordingId: string;
  readonly name: string;
  /** SHA-256 of the content that was last written, in hex; null until then. */
  readonly digest: string | null;
  readonly nextName: string | null;
  readonly nextDigest: string | null;
  /** Why this file could not be written, although others could. */
  readonly failure: VaultFailureCode | null;
}

/** The stored states of a vault's files. */
export interface FileStates {
  read(recordingId: string): Promise<FileState | null>;
  add(recordingId: string, name: string): Promise<FileState>;
  store(recordingId: string, changes: Partial<Omit<FileState, 'recordingId'>>): Promise<void>;
  remove(recordingId: string): Promise<void>;
  /**
   * True if no other recording has a file with this name, or with one whose `nameKey` is equal, and none is about to
   * get it.
   */
  isFree(recordingId: string, name: string): Promise<boolean>;
}

export interface FileParts {
  readonly states: FileStates;
  readonly folder: VaultFolder;
}

interface LocatedFile {
  readonly name: string;
  readonly found: FoundFile;
}

/** Attempts if the owner changes the file at the same time. */
const maxAttempts = 4;
/** Maximum number of files with the same name, which only differ in a number. */
const maxNumber = 20;
/** Maximum number of names that are tried in the folder at a time. */
const maxCollisions = 3;

/** Runs steps until one is not interrupted by a change of the file. */
async function untilDone(step: () => Promise<'done' | 'again'>): Promise<void> {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    if ((await step()) === 'done') return;
  }
  throw new VaultFailure('busy');
}

/**
 * Writes or renames a recording's file. If neither its content nor its name would change, the folder isn't even read, so
 * that a file that the owner has deleted or edited stays so until the recording changes.
 */
export async function updateFile(
  parts: FileParts,
  recordingId: string,
  wanted: WantedFile,
): Promise<void> {
  const content = new TextEncoder().encode(wanted.text);
  const digest = await digestOf(content);
  await untilDone(async () => {
    const state =
      (await parts.states.read(recordingId)) ?? (await addState(parts, recordingId, wanted));
    const isPending = state.nextName !== null || state.nextDigest !== null;
    const isUnchanged = state.digest === digest && !isPending;
    if (isUnchanged && isNameOf(state.name, wanted)) return forgetFailure(parts, state);
    const located =
      (await locate(parts.folder, state)) ??
      (isUnchanged ? null : await findRenamed(parts, state, wanted.id));
    if (located === null) {
      // The owner has deleted the file, and the recording has not changed since.
      if (isUnchanged) return forgetFailure(parts, state);
      const renamed = isNameOf(state.name, wanted)
        ? state
        : await rename(parts, state, wanted, null);
      return write(parts, state, renamed.name, { content, digest }, null);
    }
    if (isOurs(state, digest, located.found)) {
      const { name, moved } = await rename(parts, state, wanted, located.name);
      if (moved === 'missing') return 'again';
      if (located.found.digest !== digest) {
        return write(parts, state, name, { content, digest }, located.found);
      }
      await parts.states.store(recordingId, { digest, nextDigest: null, failure: null });
      return 'done';
    }
    // The owner's edits stay where they are until the recording changes.
    if (isUnchanged) return forgetFailure(parts, state);
    await setAside(parts.folder, located.name, wanted.localTime);
    return 'again';
  });
}

/**
 * Deletes the file of a recording that the owner has moved to the recycle bin, or that was permanently deleted, unless the
 * owner has edited it.
 * @param isErased whether the recording was permanently deleted, so that an edited file is no longer Linnet's
 */
export async function removeFile(
  parts: FileParts,
  recordingId: string,
  isErased: boolean,
): Promise<void> {
  await untilDone(async () => {
    const state = await parts.states.read(recordingId);
    if (!state) return 'done';
    const located = await locate(parts.folder, state);
    if (located && isOurs(state, null, located.found)) {
      const deleted = await parts.folder.delete(located.name, located.found);
      if (deleted === 'conflict') return 'again';
    } else if (located && !isErased) {
      return forgetFailure(parts, state);
    }
    await parts.states.remove(recordingId);
    return 'done';
  });
}

/** Leaves the file of a recording in the recycle bin as it is, because a rule has moved it there, and not the owner. */
export async function keepFile(parts: FileParts, recordingId: string): Promise<void> {
  const state = await parts.states.read(recordingId);
  if (state) await forgetFailure(parts, state);
}

/** Ends the attempts for a file with which nothing is to be done. */
async function forgetFailure({ states }: FileParts, state: FileState): Promise<'done'> {
  if (state.failure !== null) await states.store(state.recordingId, { failure: null });
  return 'done';
}

/** SHA-256 of an empty file. */
const emptyDigest = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

/**
 * True if the content was written by Linnet, or equals what it would write. An empty file has no edits to lose: some
 * folders create it before they write the content.
 */
function isOurs(state: FileState, digest: string | null, found: FoundFile): boolean {
  if (state.nextDigest !== null && found.digest === emptyDigest) return true;
  return [state.digest, state.nextDigest, digest].includes(found.digest);
}

/** Finds the file under its name, or under the one that it was getting when the program ended. */
async function locate(folder: VaultFolder, state: FileState): Promise<LocatedFile | null> {
  for (const name of [state.name, ...(state.nextName === null ? [] : [state.nextName])]) {
    const found = await folder.read(name);
    if (found) return { name, found };
  }
  return null;
}

/** Finds a file that was written before, and that the owner has renamed. */
async function findRenamed(
  { folder }: FileParts,
  { digest }: FileState,
  id: string,
): Promise<LocatedFile | null> {
  if (digest === null) return null;
  const name = (await folder.list()).find((each) => isNoteOf(each, id));
  const found = name === undefined ? null : await folder.read(name);
  return name !== undefined && found ? { name, found } : null;
}

/** Renames an edited file to a name with the time, so that the owner's edits are not lost. */
async function setAside(folder: VaultFolder, name: string, localTime: string): Promise<void> {
  for (let number = 1; number <= maxCollisions; number += 1) {
    const moved = await folder.move(name, editedCopyName(name, localTime, number));
    if (moved !== 'exists') return;
  }
  // The names have the minute, so that others are free later.
  throw new VaultFailure('busy');
}

async function write(
  parts: FileParts,
  state: FileState,
  name: string,
  { content, digest }: { readonly content: Uint8Array<ArrayBuffer>; readonly digest: string },
  expected: FoundFile | null,
): Promise<'done' | 'again'> {
  // The present content is Linnet's, although it may be that of an attempt whose end was not noticed.
  await parts.states.store(state.recordingId, {
    ...(expected && { digest: expected.digest }),
    nextDigest: digest,
  });
  const written = await parts.folder.write(name, content, expected);
  if (written === 'conflict') return 'again';
  await parts.states.store(state.recordingId, { digest, nextDigest: null, failure: null });
  return 'done';
}

/**
 * Makes sure that the file has one of the names that it may have, and stores it.
 * @param current the file's present name; null if there is no file
 */
async function rename(
  parts: FileParts,
  state: FileState,
  wanted: WantedFile,
  current: string | null,
): Promise<{ readonly name: string; readonly moved: 'done' | 'missing' }> {
  if (current !== null && isNameOf(current, wanted)) {
    if (current !== state.name || state.nextName !== null) await settleName(parts, state, current);
    return { name: current, moved: 'done' };
  }
  for (let number = 1, collisions = 0; number <= maxNumber; number += 1) {
    const name = noteFileName(wanted, number);
    if (!(await parts.states.isFree(state.recordingId, name))) continue;
    if (current !== null) {
      await parts.states.store(state.recordingId, { nextName: name });
      const moved = await parts.folder.move(current, name);
      if (moved === 'exists') {
        collisions += 1;
        if (collisions === maxCollisions) break;
        continue;
      }
      if (moved === 'missing') return { name, moved };
    }
    await settleName(parts, state, name);
    return { name, moved: 'done' };
  }
  throw new VaultFailure('refused');
}

const settleName = ({ states }: FileParts, { recordingId }: FileState, name: string) =>
  states.store(recordingId, { name, nextName: null });

/** True if a file of the recording may have the name. */
function isNameOf(name: string, wanted: WantedFile): boolean {
  for (let number = 1; number <= maxNumber; number += 1) {
    if (name === noteFileName(wanted, number)) return true;
  }
  return false;
}

async function addState(
  { states }: FileParts,
  recordingId: string,
  wanted: WantedFile,
): Promise<FileState> {
  for (let number = 1; number <= maxNumber; number += 1) {
    const name = noteFileName(wanted, number);
    if (await states.isFree(recordingId, name)) return states.add(recordingId, name);
  }
  throw new VaultFailure('refused');
}
