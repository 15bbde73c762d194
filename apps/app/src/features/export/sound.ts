import type { CallFailure, Client } from '@linnet/contract/client';
import { limits } from '@linnet/contract/limits';
import type { AudioStore, AudioVersion, AudioWorkshop, RecordDetail } from '@linnet/sync';
import type { ExportFailure, SoundFormat } from '../../ports/exports.ts';
import { BlobParts } from './blob-parts.ts';

/**
 * Converts audio to another format. Aborting rejects with the signal's reason.
 * @throws AudioStoreError `not_audio`, `storage_full`, `io_failed`
 */
export type Recode = (
  file: Blob,
  format: SoundFormat,
  onProgress: (fraction: number) => void,
  signal: AbortSignal,
) => Promise<Blob>;

/** The audio of a recording is unavailable. */
export class AudioUnavailable extends Error {
  override readonly name = 'AudioUnavailable';
  readonly code: Extract<ExportFailure['code'], 'no_sound' | 'offline' | 'refused'>;
  readonly failure: CallFailure | undefined;

  constructor(code: AudioUnavailable['code'], failure?: CallFailure) {
    super(code);
    this.code = code;
    this.failure = failure;
  }
}

export type SoundOptions = {
  readonly client: Pick<Client, 'call'>;
  readonly audio: Pick<AudioStore, 'master' | 'wave'>;
  readonly workshop: Pick<AudioWorkshop, 'denoised'>;
  readonly recode: Recode;
};

type RequestedSound = { readonly format: SoundFormat; readonly version: AudioVersion };
type ProgressOptions = {
  /** `fetching`: downloading from the cloud. */
  onProgress(step: 'fetching' | 'sound', fraction: number): void;
  readonly signal: AbortSignal;
};

/** Provides a recording's audio in the requested format, from this phone or else from the cloud. */
export function createSoundExport({ client, audio, workshop, recode }: SoundOptions) {
  /** Finds the best local source for the requested version. */
  async function readLocal(id: string, { format, version }: RequestedSound): Promise<Blob | null> {
    const denoised = version === 'cleaner' ? await workshop.denoised(id) : null;
    if (denoised) return denoised;
    const master = () => audio.master(id);
    const wave = () => audio.wave(id);
    return format === 'wav' ? ((await wave()) ?? master()) : ((await master()) ?? wave());
  }

  async function downloadAudio(
    record: RecordDetail,
    { onProgress, signal }: ProgressOptions,
  ): Promise<Blob> {
    const { server_id, copies } = record;
    if (server_id === null || copies.cloud.status === 'absent')
      throw new AudioUnavailable('no_sound');
    const answer = await client.call('task/index', { ids: [server_id], limit: 1, page: 1 });
    signal.throwIfAborted();
    if (!answer.ok) {
      throw new AudioUnavailable(
        answer.failure.kind === 'server' ? 'refused' : 'offline',
        answer.failure,
      );
    }
    const [row] = answer.data.list;
    if (!row?.url) throw new AudioUnavailable('no_sound');
    return download(row.url, row.mime_type, (fraction) => onProgress('fetching', fraction), signal);
  }

  return async (
    record: RecordDetail,
    requested: RequestedSound,
    options: ProgressOptions,
  ): Promise<Blob> => {
    const source =
      (await readLocal(record.id, requested)) ?? (await downloadAudio(record, options));
    if (formatOf(source) === requested.format) return source;
    const report = (fraction: number) => options.onProgress('sound', fraction);
    return recode(source, requested.format, report, options.signal);
  };
}

function formatOf({ type }: Blob): SoundFormat | null {
  if (/ogg|opus/.test(type)) return 'ogg';
  return /wav/.test(type) ? 'wav' : null;
}

/** Downloads a file. @throws AudioUnavailable `offline` after an interruption or a minute without data; `refused` */
async function download(
  url: string,
  type: string,
  onProgress: (fraction: number) => void,
  signal: AbortSignal,
): Promise<Blob> {
  const idle = new AbortController();
  let timer = setTimeout(() => idle.abort(), limits.transferIdleTimeoutMs);
  try {
    const response = await fetch(url, { signal: AbortSignal.any([signal, idle.signal]) });
    if (!response.ok || !response.body) {
      throw new AudioUnavailable('refused', { kind: 'http', status: response.status });
    }
    const total = Number(response.headers.get('Content-Length')) || 0;
    const parts = new BlobParts();
    const report = (bytes: number) => {
      clearTimeout(timer);
      timer = setTimeout(() => idle.abort(), limits.transferIdleTimeoutMs);
      onProgress(total > 0 ? Math.min(1, bytes / total) : 0);
    };
    await parts.addStream(response.body, report, signal);
    return parts.blob(type);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof AudioUnavailable) throw error;
    throw new AudioUnavailable('offline', { kind: 'network', cause: error });
  } finally {
    clearTimeout(timer);
  }
}
