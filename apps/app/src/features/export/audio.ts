/** Supplies the audio for an export: reads it from this phone or the cloud, and converts it to the requested format. */
import type { CallFailure, Client } from '@linnet/contract/client';
import { limits } from '@linnet/contract/limits';
import type { AudioProcessor, AudioStore, AudioVersion, RecordDetail } from '@linnet/sync';
import type { ExportAudioFormat, ExportFailure } from '../../ports/exports.ts';
import { BlobParts } from './blob-parts.ts';

/**
 * Converts audio to a different format. Rejects with `signal.reason` if aborted.
 * @throws AudioStoreError `not_audio`, `storage_full`, `io_failed`
 */
export type Recode = (
  file: Blob,
  format: ExportAudioFormat,
  onProgress: (fraction: number) => void,
  signal: AbortSignal,
) => Promise<Blob>;

/** Thrown if a recording's audio is unavailable. */
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

export type AudioSourceOptions = {
  readonly client: Pick<Client, 'call'>;
  readonly audio: Pick<AudioStore, 'master' | 'oggOpus' | 'wave'>;
  readonly audioProcessor: Pick<AudioProcessor, 'denoised'>;
  readonly recode: Recode;
};

type RequestedAudio = { readonly format: ExportAudioFormat; readonly version: AudioVersion };
type ProgressOptions = {
  /** `fetching`: downloading the audio from the cloud. `sound`: converting it. */
  onProgress(step: 'fetching' | 'sound', fraction: number): void;
  readonly signal: AbortSignal;
};

/**
 * Creates the function that returns a recording's audio in the requested format. The audio is read from this phone, or
 * downloaded from the cloud if this phone doesn't have it.
 */
export function createAudioSource({ client, audio, audioProcessor, recode }: AudioSourceOptions) {
  /** Reads the best local source for the requested version. */
  async function readLocal(id: string, { format, version }: RequestedAudio): Promise<Blob | null> {
    const denoised = version === 'cleaner' ? await audioProcessor.denoised(id) : null;
    if (denoised) return denoised;
    if (format === 'wav') return (await audio.wave(id)) ?? audio.master(id);
    const master = await audio.master(id);
    if (master && detectFormat(master) === format) return master;
    // The Ogg Opus file needs no conversion. For MP3, an imported WAV file is the better source.
    if (format === 'ogg') return (await audio.oggOpus(id)) ?? master ?? audio.wave(id);
    return master ?? audio.wave(id);
  }

  async function downloadAudio(
    record: RecordDetail,
    { onProgress, signal }: ProgressOptions,
  ): Promise<Blob> {
    const { server_id, copies } = record;
    if (server_id === null || copies.cloud.status === 'absent') {
      throw new AudioUnavailable('no_sound');
    }
    const result = await client.call('task/index', { ids: [server_id], limit: 1, page: 1 });
    signal.throwIfAborted();
    if (!result.ok) {
      const code = result.failure.kind === 'server' ? 'refused' : 'offline';
      throw new AudioUnavailable(code, result.failure);
    }
    const [row] = result.data.list;
    if (!row?.url) throw new AudioUnavailable('no_sound');
    return download(row.url, row.mime_type, (fraction) => onProgress('fetching', fraction), signal);
  }

  return async (
    record: RecordDetail,
    requested: RequestedAudio,
    options: ProgressOptions,
  ): Promise<Blob> => {
    const source =
      (await readLocal(record.id, requested)) ?? (await downloadAudio(record, options));
    if (detectFormat(source) === requested.format) return source;
    const onProgress = (fraction: number) => options.onProgress('sound', fraction);
    return recode(source, requested.format, onProgress, options.signal);
  };
}

function detectFormat({ type }: Blob): ExportAudioFormat | null {
  if (/ogg|opus/.test(type)) return 'ogg';
  return /wav/.test(type) ? 'wav' : null;
}

/**
 * Downloads a file.
 * @throws AudioUnavailable `refused` if the server rejects the request, `offline` if the connection is interrupted or
 * no data arrives for a minute
 */
async function download(
  url: string,
  type: string,
  onProgress: (fraction: number) => void,
  signal: AbortSignal,
): Promise<Blob> {
  const idleController = new AbortController();
  let timer = setTimeout(() => idleController.abort(), limits.transferIdleTimeoutMs);
  try {
    const response = await fetch(url, { signal: AbortSignal.any([signal, idleController.signal]) });
    if (!response.ok || !response.body) {
      throw new AudioUnavailable('refused', { kind: 'http', status: response.status });
    }
    const totalBytes = Number(response.headers.get('Content-Length')) || 0;
    const parts = new BlobParts();
    const onBytes = (bytes: number) => {
      clearTimeout(timer);
      timer = setTimeout(() => idleController.abort(), limits.transferIdleTimeoutMs);
      onProgress(totalBytes > 0 ? Math.min(1, bytes / totalBytes) : 0);
    };
    await parts.addStream(response.body, onBytes, signal);
    return parts.blob(type);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof AudioUnavailable) throw error;
    throw new AudioUnavailable('offline', { kind: 'network', cause: error });
  } finally {
    clearTimeout(timer);
  }
}
