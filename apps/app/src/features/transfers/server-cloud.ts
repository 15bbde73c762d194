import { fewerPeaks } from '@linnet/audio/peaks';
import { toHex } from '@linnet/base';
import type { Client } from '@linnet/contract/client';
import { limits } from '@linnet/contract/limits';
import { toSource } from '@linnet/contract/statuses';
import {
  asSha256,
  type ChangesCloud,
  type Cloud,
  type CloudResult,
  type ServerRow,
  type UploadFacts,
} from '@linnet/sync';
import { readObject } from './read-object.ts';
import { storeObject } from './store-object.ts';

const MASTER = { ext: 'ogg', mime_type: 'audio/ogg' } as const;

/** Maximum ids in a task/index request, and rows in its response. */
const PAGE = 1000;

/** The cloud port of uploads and downloads, implemented with server calls. */
export function createServerCloud(client: Client): Cloud {
  return {
    check: (record) => client.call('upload/checkOssFile', fileBody(record, '', 0)),

    async digest(recordId) {
      const answer = await client.call('upload/checkOssFile', { client_flag: recordId });
      if (!answer.ok) return answer;
      const { data: stored } = answer;
      return { ok: true, data: stored?.url ? asSha256(stored.audio_sha256) : null };
    },

    async upload(record, file, onProgress, signal) {
      const stored = await store(client, file, `${record.id}.${MASTER.ext}`, onProgress, signal);
      if (!stored.ok) return stored;
      // The server compares the hash with the stored object and rejects a damaged upload.
      const sha256 = toHex(
        new Uint8Array(await crypto.subtle.digest('SHA-256', await file.arrayBuffer())),
      );
      return client.call('upload/ossFile', {
        ...fileBody(record, stored.data, file.size),
        auto_transcribe: record.autoTranscribe,
        sha256,
      });
    },

    async download(serverId, fromByte, onPiece, signal) {
      // Signed addresses are short-lived, so each attempt requests a new one.
      const answer = await client.call('task/index', { ids: [serverId], limit: 1 });
      if (!answer.ok) return answer;
      const url = answer.data.list[0]?.url;
      if (!url) return { ok: false, failure: { kind: 'http', status: 404 } };
      return readObject(url, fromByte, onPiece, signal);
    },

    uploadForTask: (file, onProgress, signal) =>
      store(client, file, `audio.${MASTER.ext}`, onProgress, signal),

    createTask: (id, { language, replaces, audioUrl }) =>
      client.call('task/create', {
        ...{ id, language },
        ...(replaces !== undefined && { again: replaces }),
        ...(audioUrl !== undefined && { audio_url: audioUrl }),
      }),
    task: (id) => client.call('task/detail', { id }),

    async list(ids): Promise<CloudResult<readonly ServerRow[]>> {
      const rows: ServerRow[] = [];
      for (let from = 0; from < ids.length; from += PAGE) {
        const page = ids.slice(from, from + PAGE);
        const answer = await client.call('task/index', { limit: PAGE, ids: page });
        if (!answer.ok) return answer;
        rows.push(...answer.data.list);
      }
      return { ok: true, data: rows };
    },
  };
}

/** Stores an Ogg file in the server's object store. @returns its address */
async function store(
  client: Client,
  file: Blob,
  name: string,
  onProgress: (fraction: number) => void,
  signal: AbortSignal,
): Promise<CloudResult<string>> {
  const grant = await client.call('oss/config', { type: 'voice_file', ext: MASTER.ext });
  if (!grant.ok) return grant;
  const metadata = { name, contentType: MASTER.mime_type };
  return storeObject(grant.data, file, metadata, onProgress, signal);
}

/** The cloud port of edits, implemented with server calls. */
export function createChangesCloud(client: Client): ChangesCloud {
  return {
    apply: (ops) => client.call('sync/apply', { ops: [...ops] }),
    // A page with a long transcript can exceed the default timeout on a slow network.
    changes: (cursor) =>
      client.call('sync/changes', cursor === undefined ? {} : { cursor }, {
        timeoutMs: limits.transferIdleTimeoutMs,
      }),
  };
}

function fileBody(record: UploadFacts, url: string, size: number) {
  return {
    name: record.name.slice(0, limits.recording.nameMaxLength),
    source: toSource(record.recSource),
    url,
    file_size: size,
    ...MASTER,
    total_time: record.seconds,
    peaks: btoa(String.fromCharCode(...fewerPeaks(record.peaks, limits.recording.peaks))),
    sn: record.sn,
    client_flag: record.id,
    recorded_at: record.recordedAt,
  };
}
