import { Capacitor, registerPlugin } from '@capacitor/core';
import { Share, type SharePlugin } from '@capacitor/share';
import type { FileSharing } from '../../features/export/file-sharing.ts';
import type { SharedFile } from '../../features/library/imports.ts';

/** Plugin implemented by FilesPlugin.java and .swift. `data` is base64, because the bridge transfers no binary data. */
export type FilesPlugin = {
  write(piece: { name: string; piece: number; data: string }): Promise<{ uri: string }>;
  save(file: { name: string; type: string }): Promise<{ saved: boolean }>;
  discard(file: { name: string }): Promise<void>;
  shared(): Promise<{ files: readonly ReceivedFile[] }>;
  dropShared(file: { uri: string }): Promise<void>;
  addListener(event: 'shared', listener: (about: Shared) => void): Promise<unknown>;
};

/** `modified` and `came` (time of receipt) are milliseconds since 1970. Only iOS, which reuses URIs, sets `came`. */
type ReceivedFile = { uri: string; name: string; modified: number; came?: number };

/** `failed`: names of files that could not be received. iOS never sets it. */
type Shared = { readonly failed?: readonly string[] };

/** Bytes per call over the bridge; divisible by three, so that base64 needs no padding. */
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
        // The plugin reports cancellation only by this message. The written file is deleted at the next start,
        // since another app may still be reading it.
        if (error instanceof Error && error.message === 'Share canceled') return 'cancelled';
        throw error;
      }
    },
  };
}

/** Sends a file to the plugin in pieces. @returns its native URI */
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
      const dataUrl = reader.result as string;
      resolve(dataUrl.slice(dataUrl.indexOf(',') + 1));
    });
    reader.addEventListener('error', () => reject(reader.error));
    reader.readAsDataURL(bytes);
  });
}

/** Reads the files shared by other apps and not dropped yet. @throws Error if a file is unreadable */
export async function readSharedFiles(files = filesPlugin()): Promise<readonly SharedFile[]> {
  const shared = await files.shared();
  return Promise.all(
    shared.files.map(async ({ uri, name, modified, came = 0 }) => {
      const answer = await fetch(Capacitor.convertFileSrc(uri));
      if (!answer.ok) throw new Error(`${uri}: ${answer.status}`);
      const bytes = await answer.blob();
      const file = new File([bytes], name, { type: bytes.type, lastModified: modified });
      return { key: `${uri} ${came}`, file, drop: () => files.dropShared({ uri }) };
    }),
  );
}

/**
 * Registers a listener for files shared by another app while this one runs. It is called with the names of failed
 * files.
 */
export function onFilesShared(
  listener: (failed: readonly string[]) => void,
  files = filesPlugin(),
): void {
  void files.addListener('shared', ({ failed = [] }) => listener(failed));
}
