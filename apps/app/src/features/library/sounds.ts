import { WAVE_HEADER_BYTES, WAVE_SAMPLE_RATE_AT } from '@linnet/audio/wave';
import type { Client } from '@linnet/contract/client';
import type { AudioStore, AudioVersion, AudioWorkshop, RecordStore } from '@linnet/sync';
import type { Levels, LibraryService, Sound } from '../../ports/library.ts';
import type { InUse } from './in-use.ts';

/** Duration of a level in seconds: one packet of the recorder. */
const LEVEL_SECONDS = 0.02;
const BYTES_PER_SAMPLE = 2;
const PCM_FULL_SCALE = 32_768;

export type SoundsOptions = {
  readonly client: Pick<Client, 'call'>;
  readonly records: Pick<RecordStore, 'detail'>;
  readonly audio: Pick<AudioStore, 'wave'>;
  readonly workshop: Pick<AudioWorkshop, 'denoised'>;
  readonly inUse: Pick<InUse, 'hold'>;
};

/** Finds the playable audio of a recording on this phone, or else in the cloud. */
export function createSounds(options: SoundsOptions): LibraryService['audio'] {
  const { client, records, audio, workshop, inUse } = options;

  /** Requests a new signed address, since earlier ones may have expired. */
  async function inCloud(id: string): Promise<Sound | null> {
    const detail = await records.detail(id);
    if (!detail?.server_id || detail.copies.cloud.status === 'absent') return null;
    const answer = await client.call('task/index', { ids: [detail.server_id], limit: 1, page: 1 });
    const url = answer.ok && answer.data.list[0]?.url;
    return url ? { url, from: 'cloud', levels: null, release: () => {} } : null;
  }

  /** Audio on this phone; null if there is none. */
  async function onPhone(
    id: string,
    version: AudioVersion,
    release: () => void,
  ): Promise<Sound | null> {
    const wave = await audio.wave(id);
    const blob = version === 'cleaner' ? await workshop.denoised(id) : wave;
    if (!blob) return null;
    // The levels of the original also serve the denoised version, which cannot be read in parts.
    const levels = wave && (await levelsOf(wave));
    const url = URL.createObjectURL(blob);
    const revoke = () => {
      URL.revokeObjectURL(url);
      release();
    };
    return { url, from: 'phone', levels, release: revoke };
  }

  return async (id, version = 'original') => {
    const release = inUse.hold([id], 'player');
    let sound: Sound | null = null;
    try {
      sound = await onPhone(id, version, release);
    } finally {
      if (!sound) release();
    }
    return sound ?? (version === 'original' ? inCloud(id) : null);
  };
}

/** Returns a reader of levels from a WAV file of 16-bit mono PCM. It reads only the requested section. */
async function levelsOf(wave: Blob): Promise<Levels> {
  const header = new DataView(await wave.slice(0, WAVE_HEADER_BYTES).arrayBuffer());
  const rate = header.getUint32(WAVE_SAMPLE_RATE_AT, true);
  const samplesPerStep = Math.round(rate * LEVEL_SECONDS);
  return {
    step: LEVEL_SECONDS,
    async read(from, to) {
      const at = (seconds: number) =>
        WAVE_HEADER_BYTES + Math.floor(seconds / LEVEL_SECONDS) * samplesPerStep * BYTES_PER_SAMPLE;
      const part = await wave.slice(at(from), at(to)).arrayBuffer();
      const samples = new Int16Array(part, 0, Math.floor(part.byteLength / BYTES_PER_SAMPLE));
      const levels = new Float32Array(Math.floor(samples.length / samplesPerStep));
      for (let step = 0; step < levels.length; step += 1) {
        let loudest = 0;
        for (let index = step * samplesPerStep; index < (step + 1) * samplesPerStep; index += 1) {
          loudest = Math.max(loudest, Math.abs(samples[index] ?? 0));
        }
        levels[step] = loudest / PCM_FULL_SCALE;
      }
      return levels;
    },
  };
}
