import type { KnownModel } from '../catalog.ts';
import type { ModelKind, ModelManifest } from '../manifest.ts';

/** A request to install a model. */
export interface Installation {
  /** `MODELS_DIR`. Created if it doesn't exist. */
  readonly folder: string;
  readonly name: string;
  /** A folder with a `model.json`, a file or a URL. Defaults to the URL in the catalog. */
  readonly from?: string | undefined;
  /** Replaces the catalog, for tests. */
  readonly catalog?: readonly KnownModel[];
  readonly onProgress?: (fraction: number) => void;
  /**
   * Prepares this machine for a kind of model. Called before the download if the kind is already known.
   * @throws {ModelFailure}
   */
  readonly prepare?: ((kind: ModelKind, signal?: AbortSignal) => Promise<void>) | undefined;
  /** Called once the download is complete and verified, before it is unpacked. */
  readonly onDownloaded?: (() => void) | undefined;
  /** Base URL of a mirror that has the catalog's files under their original names. */
  readonly mirror?: string | undefined;
  /** Bytes of disk space that must remain free. */
  readonly reserveBytes?: number;
  /** Returns a folder's free disk space in bytes. Replaced in tests. */
  readonly freeBytes?: (folder: string) => Promise<number>;
  readonly signal?: AbortSignal;
  /** Folder of system packages unpacked without privileges, if any. Contains `bin`. */
  readonly privateRoot?: string | undefined;
  readonly now: () => Date;
  /** Seconds between download attempts without progress. */
  readonly pauseSeconds?: number;
}

/** Where a model came from. */
export type Source = NonNullable<ModelManifest['source']>;

/** A local file and its origin. */
export interface ObtainedFile {
  readonly file: string;
  readonly source: Source;
}
