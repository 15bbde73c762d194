/** The port for folders that store a vault's files. */
import type { VaultFailureCode } from '@linnet/contract/vaults';

/** Thrown by the operations of a folder. */
export class VaultFailure extends Error {
  override readonly name = 'VaultFailure';
  readonly code: VaultFailureCode;
  constructor(code: VaultFailureCode, options?: ErrorOptions) {
    super(`vault failed: ${code}`, options);
    this.code = code;
  }
}

/** The state of a file at the time of reading. */
export interface FoundFile {
  /** SHA-256 of the content in hex. */
  readonly digest: string;
  /** Identifies this content in {@link VaultFolder.write} and {@link VaultFolder.delete}; null if unsupported. */
  readonly version: string | null;
}

/**
 * A folder of files named by `file-name.ts`. An operation overwrites or deletes a file only if its content is what the
 * caller expects. All operations throw `VaultFailure` and have a time limit.
 */
export interface VaultFolder {
  /**
   * Checks access to the folder.
   * @param create whether to create a missing folder
   * @throws VaultFailure `missing` if the folder doesn't exist
   */
  open(create: boolean): Promise<void>;
  /** Returns the names of all files that aren't hidden. */
  list(): Promise<readonly string[]>;
  /** Reads a file. Returns null if it doesn't exist. */
  read(name: string): Promise<FoundFile | null>;
  /**
   * Writes a file atomically: a reader never sees a part of it.
   * @param expected the file to replace; null if the name must be unused
   * @returns `conflict` if the folder holds a different file or none; nothing is written then
   */
  write(
    name: string,
    content: Uint8Array<ArrayBuffer>,
    expected: FoundFile | null,
  ): Promise<'done' | 'conflict'>;
  /** Renames a file. @returns `exists` if the new name is taken; `missing` if the file doesn't exist */
  move(from: string, to: string): Promise<'done' | 'exists' | 'missing'>;
  /** Deletes a file. @returns `conflict` if its content has changed; `done` even if it doesn't exist */
  delete(name: string, expected: FoundFile): Promise<'done' | 'conflict'>;
  /** Closes connections. */
  close(): void;
}
