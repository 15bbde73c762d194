import { WAVE_HEADER_BYTES, WAVE_SAMPLE_RATE_OFFSET } from '@linnet/audio/wave';
import type { Client } from '@linnet/contract/client';
import type { AudioProcessor, AudioStore, AudioVersion, RecordStore } from '@linnet/sync';
import type { Levels, LibraryService, PlayableAudio } from '../../ports/library.ts';
import type { InUse } from './in-use.ts';

/** Duration of one level in seconds, the same as a recorder's packet. */
const LEVEL_SECONDS = 0.02;
const BYTES_PER_SAMPLE = 2;
const PCM_FULL_SCALE = 32_768;

export type AudioFinderOptions = {
  readonly client: Pick<Client, 'call'>;
  readonly records: Pick<RecordStore, 'detail'>;
  readonly audio: Pick<AudioStore, 'wave'>;
  readonly audioProcessor: Pick<AudioProcessor, 'denoised'>;
  readonly inUse: Pick<InUse, 'hold'>;
};

/** Creates the function that finds a recording's playable audio on this phone or else in the cloud. */
export function createAudioFinder(options: AudioFinderOptions): LibraryService['audio'] {
  const { client, records, audio, audioProcessor, inUse } = options;

  /** Finds the audio in the cloud. Always requests a new signed URL, because an earlier one may have expired. */
  async function findInCloud(id: string): Promise<PlayableAudio | null> {
    const detail = await records.detail(id);
    if (!detail?.server_id || detail.copies.cloud.status === 'absent') return null;
    const response = await client.call('task/index', {
      ids: [detail.server_id],
      limit: 1,
      page: 1,
    });
    const url = response.ok && response.data.list[0]?.url;
    return url ? { url, from: 'cloud', levels: null, release: () => {} } : null;
  }

  /** Finds the audio on this phone. */
  async function findOnPhone(
    id: string,
    version: AudioVersion,
    release: () => void,
  ): Promise<PlayableAudio | null> {
    const wave = await audio.wave(id);
    const blob = version === 'cleaner' ? await audioProcessor.denoised(id) : wave;
    if (!blob) return null;
    // The denoised version is compressed and can't be read piecemeal, so use the original's levels for both.
    const levels = wave && (await createLevels(wave));
    const url = URL.createObjectURL(blob);
    const revoke = () => {
      URL.revokeObjectURL(url);
      release();
    };
    return { url, from: 'phone', levels, release: revoke };
  }

  return async (id, version = 'original') => {
    const release = inUse.hold([id], 'player');
    let found: PlayableAudio | null = null;
    try {
      found = await findOnPhone(id, version, release);
    } finally {
      if (!found) release();
    }
    return found ?? (version === 'original' ? findInCloud(id) : null);
  };
}

/** Creates a level reader for a 16-bit mono PCM WAV file. It reads only the requested section. */
async function createLevels(wave: Blob): Promise<Levels> {
  const header = new DataView(await wave.slice(0, WAVE_HEADER_BYTES).arrayBuffer());
  const rate = header.getUint32(WAVE_SAMPLE_RATE_OFFSET, true);
  const samplesPerStep = Math.round(rate * LEVEL_SECONDS);
  return {
    step: LEVEL_SECONDS,
    async read(from, to) {
      const toOffset = (seconds: number) =>
        WAVE_HEADER_BYTES + Math.floor(seconds / LEVEL_SECONDS) * samplesPerStep * BYTES_PER_SAMPLE;
      const part = await wave.slice(toOffset(from), toOffset(to)).arrayBuffer();
      const samples = new Int16Array(part, 0, Math.floor(part.byteLength / BYTES_PER_SAMPLE));
      const levels = new Float32Array(Math.floor(samples.length / samplesPerStep));
      for (let step = 0; step < levels.length; step += 1) {
        let peak = 0;
        for (let index = step * samplesPerStep; index < (step + 1) * samplesPerStep; index += 1) {
          peak = Math.max(peak, Math.abs(samples[index] ?? 0));
        }
        levels[step] = peak / PCM_FULL_SCALE;
      }
      return levels;
    },
  };
}
