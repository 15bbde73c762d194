/** Implements the sync engines' cloud ports with server calls and object transfers. */
import { type AudioKind, kindOfMediaType, oggKind } from '@linnet/audio/kind';
import { fewerPeaks } from '@linnet/audio/peaks';
import { toBase64, toHex, withUtcOffset } from '@linnet/base';
import type { Client } from '@linnet/contract/client';
import { limits } from '@linnet/contract/limits';
import { toSource } from '@linnet/contract/statuses';
import {
  type ChangesCloud,
  type Cloud,
  type CloudResult,
  parseSha256,
  type ServerRow,
  type UploadMetadata,
} from '@linnet/sync';
import { readObject } from './read-object.ts';
import { storeObject } from './store-object.ts';

/** Maximum number of IDs in a `task/index` request. */
const MAX_IDS = 1000;

/** Transfers objects to and from the server's object storage. */
export type ObjectTransfers = {
  readonly store: typeof storeObject;
  readonly read: typeof readObject;
};

const browserTransfers: ObjectTransfers = { store: storeObject, read: readObject };

/**
 * Creates the cloud port for uploads and downloads.
 * @param transfers the browser's by default
 */
export function createServerCloud(
  client: Client,
  transfers: ObjectTransfers = browserTransfers,
): Cloud {
  const uploadAudio = createUploader(client, transfers);
  return {
    check: (record) => client.call('upload/checkOssFile', fileBody(record, oggKind, '', 0)),

    async digest(recordId) {
      const result = await client.call('upload/checkOssFile', { client_flag: recordId });
      if (!result.ok) return result;
      const { data: file } = result;
      return { ok: true, data: file?.url ? parseSha256(file.audio_sha256) : null };
    },

    async upload(record, file, onProgress, signal) {
      const kind = detectKind(file);
      const stored = await uploadAudio(file, kind, record.id, onProgress, signal);
      if (!stored.ok) return stored;
      // The server compares this hash with the stored object and rejects a damaged upload.
      const sha256 = toHex(
        new Uint8Array(await crypto.subtle.digest('SHA-256', await file.arrayBuffer())),
      );
      return client.call('upload/ossFile', {
        ...fileBody(record, kind, stored.data, file.size),
        auto_transcribe: record.autoTranscribe,
        sha256,
        ...(record.callLevels && {
          call_levels: toBase64(record.callLevels.subarray(0, limits.recording.callLevelsBytes)),
        }),
      });
    },

    async download(serverId, fromByte, onPiece, signal) {
      // Signed URLs expire quickly, so every attempt requests a new one.
      const result = await client.call('task/index', { ids: [serverId], limit: 1 });
      if (!result.ok) return result;
      const url = result.data.list[0]?.url;
      if (!url) return { ok: false, failure: { kind: 'http', status: 404 } };
      return transfers.read(url, fromByte, onPiece, signal);
    },

    uploadForTask: (file, onProgress, signal) =>
      uploadAudio(file, detectKind(file), 'audio', onProgress, signal),

    createTask: (id, { language, replaces, audioUrl }) =>
      client.call('task/create', {
        id,
        language,
        ...(replaces !== undefined && { again: replaces }),
        ...(audioUrl !== undefined && { audio_url: audioUrl }),
      }),
    mergeTranscripts: (id, parts) => client.call('task/merge', { id, parts: [...parts] }),
    task: (id) => client.call('task/detail', { id }),

    async list(ids): Promise<CloudResult<readonly ServerRow[]>> {
      const rows: ServerRow[] = [];
      for (let from = 0; from < ids.length; from += MAX_IDS) {
        const batch = ids.slice(from, from + MAX_IDS);
        const result = await client.call('task/index', { limit: MAX_IDS, ids: batch });
        if (!result.ok) return result;
        rows.push(...result.data.list);
      }
      return { ok: true, data: rows };
    },
  };
}

/** Returns the audio kind of a master or a denoised version. */
function detectKind({ type }: Blob): AudioKind {
  return kindOfMediaType(type) ?? oggKind;
}

/** Returns a function that uploads an audio file to the server's object storage. It resolves with the object's URL. */
function createUploader(client: Client, transfers: ObjectTransfers) {
  return async (
    file: Blob,
    { ext, mediaTypes }: AudioKind,
    name: string,
    onProgress: (fraction: number) => void,
    signal: AbortSignal,
  ): Promise<CloudResult<string>> => {
    const grant = await client.call('oss/config', { type: 'voice_file', ext, recording: true });
    if (!grant.ok) return grant;
    const metadata = { name: `${name}.${ext}`, contentType: mediaTypes[0] };
    return transfers.store(grant.data, file, metadata, onProgress, signal);
  };
}

/** Creates the cloud port for changes. */
export function createChangesCloud(client: Client): ChangesCloud {
  return {
    apply: (ops) => client.call('sync/apply', { ops: [...ops] }),
    // A response with a long transcript can exceed the default timeout on a slow network.
    changes: (cursor) =>
      client.call('sync/changes', cursor === undefined ? { recordings_first: true } : { cursor }, {
        timeoutMs: limits.transferIdleTimeoutMs,
      }),
  };
}

function fileBody(record: UploadMetadata, kind: AudioKind, url: string, size: number) {
  return {
    name: record.name.slice(0, limits.recording.nameMaxLength),
    source: toSource(record.scene),
    scene: record.scene,
    url,
    file_size: size,
    ext: kind.ext,
    mime_type: kind.mediaTypes[0],
    total_time: record.seconds,
    peaks: toBase64(fewerPeaks(record.peaks, limits.recording.peaks)),
    sn: record.sn,
    client_flag: record.id,
    recorded_at: withUtcOffset(new Date(record.recordedAt)),
  };
}
