import { toHex } from '@linnet/audio/session-file';
import type { CallFailure, Client } from '@linnet/contract/client';
import { signCosPost } from '@linnet/contract/cos-post';
import { limits } from '@linnet/contract/limits';
import { toSource } from '@linnet/contract/statuses';
import type { ChangesCloud, Cloud, CloudResult, ServerRow, UploadFacts } from '@linnet/sync';
import { type PostOutcome, postForm } from '../../platform/web/upload-form.ts';

const MASTER = { ext: 'ogg', mime_type: 'audio/ogg' } as const;

/** Most ids of one task/index, and most rows that it answers. */
const PAGE = 1000;

/** The server's side of the queue, over its calls. */
export function createServerCloud(client: Client): Cloud {
  return {
    check: (record) => client.call('upload/checkOssFile', fileBody(record, '', 0)),

    async upload(record, file, onProgress, signal) {
      const stored = await store(client, file, `${record.id}.${MASTER.ext}`, onProgress, signal);
      if (!stored.ok) return stored;
      // The server compares it with what it stored: only then is the copy called checked.
      const sha256 = toHex(
        new Uint8Array(await crypto.subtle.digest('SHA-256', await file.arrayBuffer())),
      );
      return client.call('upload/ossFile', { ...fileBody(record, stored.data, file.size), sha256 });
    },

    uploadForTask: (file, onProgress, signal) =>
      store(client, file, `audio.${MASTER.ext}`, onProgress, signal),

    createTask: (id, { language, again, audioUrl }) =>
      client.call('task/create', {
        ...{ id, language },
        ...(again !== undefined && { again }),
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

/** Stores an Ogg in the server's object store. @returns the address it is named by */
async function store(
  client: Client,
  file: Blob,
  name: string,
  onProgress: (fraction: number) => void,
  signal: AbortSignal,
): Promise<CloudResult<string>> {
  const leave = await client.call('oss/config', { type: 'voice_file', ext: MASTER.ext });
  if (!leave.ok) return leave;
  const { form: ready, uploadUrl, url } = leave.data;
  const fields =
    ready?.fields ??
    (await signCosPost(leave.data, { contentType: MASTER.mime_type, size: file.size }));
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.append(field, value);
  // The file goes last: a store may stop reading fields at it.
  form.append('file', file, name);
  const posted = await postForm(ready?.url ?? uploadUrl, form, onProgress, signal);
  return posted.status === 204
    ? { ok: true, data: url }
    : { ok: false, failure: postFailure(posted) };
}

/** The server's side of what owners change, over its calls. */
export function createChangesCloud(client: Client): ChangesCloud {
  return {
    apply: (ops) => client.call('sync/apply', { ops: [...ops] }),
    // A long transcript comes in one page: with a screen's patience a slow link would never get past it.
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
    sn: record.sn,
    client_flag: record.id,
    recorded_at: record.recordedAt,
  };
}

function postFailure({ status }: PostOutcome): CallFailure {
  if (typeof status === 'number') return { kind: 'http', status };
  if (status === 'network') return { kind: 'network', cause: 'upload' };
  return { kind: status };
}
