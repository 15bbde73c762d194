/** The port for the folders in which vaults have their files. */
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

/** A file as it was when it was read. */
export interface FoundFile {
  /** SHA-256 of the content in hex. */
  readonly digest: string;
  /** Identifies this content for {@link VaultFolder.write} and {@link VaultFolder.delete}; null if the folder can't. */
  readonly version: string | null;
}

/**
 * A folder of files. Names are those of `file-name.ts`. No operation overwrites or deletes a file that the
 * caller doesn't expect. All operations throw `VaultFailure`, and end within a time limit.
 */
export interface VaultFolder {
  /**
   * Checks that the folder can be used. `missing` means that it doesn't exist.
   * @param create whether it is created if it doesn't exist
   */
  open(create: boolean): Promise<void>;
  /** Lists the names of the files, without those that are hidden. */
  list(): Promise<readonly string[]>;
  /** Returns null if there is no such file. */
  read(name: string): Promise<FoundFile | null>;
  /**
   * Writes a whole file; a reader never sees a part of it.
   * @param expected the file to replace; null if there must be none
   * @returns `conflict` if there is another file, or none; then nothing has changed
   */
  write(
    name: string,
    content: Uint8Array<ArrayBuffer>,
    expected: FoundFile | null,
  ): Promise<'done' | 'conflict'>;
  /** Renames a file. `exists` means that the new name is taken, `missing` that there is no such file. */
  move(from: string, to: string): Promise<'done' | 'exists' | 'missing'>;
  /** Deletes a file. @returns `conflict` if it has changed; a file that doesn't exist is `done` */
  delete(name: string, expected: FoundFile): Promise<'done' | 'conflict'>;
  /** Closes connections. */
  close(): void;
}
