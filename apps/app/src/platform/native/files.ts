import { Capacitor, registerPlugin } from '@capacitor/core';
import { Share, type SharePlugin } from '@capacitor/share';
import type { FileSharing } from '../../features/export/file-sharing.ts';
import type { SharedFile } from '../../features/library/imports.ts';

/** Our own plugin: FilesPlugin.java and .swift. `data` is base64, the only binary form the bridge carries. */
export type FilesPlugin = {
  write(piece: { name: string; piece: number; data: string }): Promise<{ uri: string }>;
  save(file: { name: string; type: string }): Promise<{ saved: boolean }>;
  discard(file: { name: string }): Promise<void>;
  shared(): Promise<{ files: readonly HandedFile[] }>;
  dropShared(file: { uri: string }): Promise<void>;
  addListener(event: 'shared', listener: (about: Shared) => void): Promise<unknown>;
};

/** `modified` and `came` are milliseconds since 1970. Only iOS sets `came`, since it reuses addresses. */
type HandedFile = { uri: string; name: string; modified: number; came?: number };

/** `failed`: names of files that could not be imported. iOS hands over complete files and never sets it. */
type Shared = { readonly failed?: readonly string[] };

/** Bytes sent over the bridge at once; divisible by three, so that pieces of base64 need no padding. */
const PIECE_BYTES = 768 * 1024;

const filesPlugin = () => registerPlugin<FilesPlugin>('Files');

/** Saves and shares files with the phone's own dialogs. */
export function createPhoneFileSharing(
  files = filesPlugin(),
  sheet: Pick<SharePlugin, 'share'> = Share,
): FileSharing {
  return {
    async save(file) {
      const { name } = file;
      try {
        await write(files, file);
        const { saved } = await files.save({ name, type: file.type });
        return saved;
      } finally {
        await files.discard({ name });
      }
    },
    shares: true,
    async share(file) {
      const uri = await write(files, file);
      try {
        await sheet.share({ title: file.name, files: [uri] });
        return 'shared';
      } catch (error) {
        // The plugin reports cancellation only by this message. The file it wrote stays until the next start,
        // since another app may still read it.
        if (error instanceof Error && error.message === 'Share canceled') return 'cancelled';
        throw error;
      }
    },
  };
}

/** Sends a file to the native side in pieces. @returns its URI there */
async function write(files: FilesPlugin, file: File): Promise<string> {
  let piece = 0;
  let uri = '';
  do {
    const bytes = file.slice(piece * PIECE_BYTES, (piece + 1) * PIECE_BYTES);
    ({ uri } = await files.write({ name: file.name, piece, data: await base64(bytes) }));
    piece += 1;
  } while (piece * PIECE_BYTES < file.size);
  return uri;
}

function base64(bytes: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => {
      const address = reader.result as string;
      resolve(address.slice(address.indexOf(',') + 1));
    });
    reader.addEventListener('error', () => reject(reader.error));
    reader.readAsDataURL(bytes);
  });
}

/** Files handed over by other apps, each until it is removed. @throws Error when one cannot be read */
export async function readHandedFiles(files = filesPlugin()): Promise<readonly SharedFile[]> {
  const handed = await files.shared();
  return Promise.all(
    handed.files.map(async ({ uri, name, modified, came = 0 }) => {
      const answer = await fetch(Capacitor.convertFileSrc(uri));
      if (!answer.ok) throw new Error(`${uri}: ${answer.status}`);
      const bytes = await answer.blob();
      const file = new File([bytes], name, { type: bytes.type, lastModified: modified });
      return { key: `${uri} ${came}`, file, drop: () => files.dropShared({ uri }) };
    }),
  );
}

/**
 * Calls the listener when another app hands files over while this one runs, with the names of those that
 * failed.
 */
export function onHanded(
  listener: (failed: readonly string[]) => void,
  files = filesPlugin(),
): void {
  void files.addListener('shared', ({ failed = [] }) => listener(failed));
}
