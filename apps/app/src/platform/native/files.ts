import { Capacitor, registerPlugin } from '@capacitor/core';
import { Share, type ShareOptions, type SharePlugin } from '@capacitor/share';
import type { FileSharing } from '../../features/export/file-sharing.ts';
import type { SharedFile } from '../../features/library/imports.ts';
import type { ShareResult } from '../../ports/exports.ts';

/**
 * The plugin implemented in FilesPlugin.java and FilesPlugin.swift. `data` is base64, because the bridge can't transfer
 * binary data.
 */
export type FilesPlugin = {
  write(piece: { name: string; piece: number; data: string }): Promise<{ uri: string }>;
  save(file: { name: string; type: string }): Promise<{ saved: boolean }>;
  discard(file: { name: string }): Promise<void>;
  shared(): Promise<{ files: readonly ReceivedFile[] }>;
  dropShared(file: { uri: string }): Promise<void>;
  addListener(event: 'shared', listener: (event: SharedEvent) => void): Promise<unknown>;
};

/** Times are in milliseconds since 1970. */
type ReceivedFile = {
  uri: string;
  name: string;
  modified: number;
  /** Time of receipt. Set only by iOS, which reuses URIs. */
  receivedAt?: number;
};

type SharedEvent = {
  /** Names of files that couldn't be received. Set only by Android. */
  readonly failed?: readonly string[];
};

/** Bytes per call over the bridge. Divisible by three, so the base64 needs no padding. */
const PIECE_BYTES = 768 * 1024;

const filesPlugin = () => registerPlugin<FilesPlugin>('Files');

/** Creates the adapter that saves and shares files through the phone's dialogs. */
export function createPhoneFileSharing(
  files = filesPlugin(),
  shareSheet: Pick<SharePlugin, 'share'> = Share,
): FileSharing {
  return {
    async save(file) {
      const { name } = file;
      try {
        await writeFile(files, file);
        const { saved } = await files.save({ name, type: file.type });
        return saved;
      } finally {
        await files.discard({ name });
      }
    },
    canShare: true,
    async share(file) {
      const uri = await writeFile(files, file);
      // Don't delete the file afterwards, because another app may still be reading it; the plugin deletes it on the next
      // start.
      return open({ title: file.name, files: [uri] });
    },
    canShareLinks: true,
    shareLink: (url) => open({ url }),
  };

  async function open(options: ShareOptions): Promise<ShareResult> {
    try {
      await shareSheet.share(options);
      return 'shared';
    } catch (error) {
      // The plugin reports a cancellation only through this message.
      if (error instanceof Error && error.message === 'Share canceled') return 'canceled';
      throw error;
    }
  }
}

/**
 * Sends a file to the plugin in pieces.
 * @returns the file's native URI
 */
async function writeFile(files: FilesPlugin, file: File): Promise<string> {
  let piece = 0;
  let uri = '';
  do {
    const bytes = file.slice(piece * PIECE_BYTES, (piece + 1) * PIECE_BYTES);
    ({ uri } = await files.write({ name: file.name, piece, data: await toBase64(bytes) }));
    piece += 1;
  } while (piece * PIECE_BYTES < file.size);
  return uri;
}

function toBase64(bytes: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => {
      const dataUrl = reader.result as string;
      resolve(dataUrl.slice(dataUrl.indexOf(',') + 1));
    });
    reader.addEventListener('error', () => reject(reader.error));
    reader.readAsDataURL(bytes);
  });
}

/**
 * Reads the files that other apps have shared and that the app hasn't discarded yet.
 * @throws Error if a file is unreadable
 */
export async function readSharedFiles(files = filesPlugin()): Promise<readonly SharedFile[]> {
  const shared = await files.shared();
  return Promise.all(
    shared.files.map(async ({ uri, name, modified, receivedAt = 0 }) => {
      const response = await fetch(Capacitor.convertFileSrc(uri));
      if (!response.ok) throw new Error(`${uri}: ${response.status}`);
      const bytes = await response.blob();
      const file = new File([bytes], name, { type: bytes.type, lastModified: modified });
      return { key: `${uri} ${receivedAt}`, file, drop: () => files.dropShared({ uri }) };
    }),
  );
}

/**
 * Registers a listener for files that another app shares while this one is running. The listener gets the names of
 * the files that couldn't be received.
 */
export function onFilesShared(
  listener: (failed: readonly string[]) => void,
  files = filesPlugin(),
): void {
  void files.addListener('shared', ({ failed = [] }) => listener(failed));
}
