import { writable } from '@linnet/base';
import type { LiveAudioLevels } from '@linnet/recorders';
import type { Store } from '../../ports/store.ts';

/** Number of packets (20 ms each) combined into one level. */
const PACKETS_PER_LEVEL = 5;
/** Number of levels kept in memory: 30 seconds' worth, more than the widest screen shows. */
const MAX_LEVELS = 300;
/** Maximum number of chunks being measured at once. During a burst, further chunks are skipped. */
const MAX_PENDING = 10;

const silence: LiveAudioLevels = { recordId: null, levelCount: 0, levels: [] };

/** Live loudness of the recording in progress. */
export type LiveLevels = {
  readonly audioLevels: Store<LiveAudioLevels>;
  /** Adds the levels (0–255) of a recording's consecutive packets. */
  add(recordId: string, packets: Uint8Array): void;
  /** Clears the levels before another recording. */
  reset(): void;
};

/** Collects a recording's levels while it is in progress. */
export function createLiveLevels(): LiveLevels {
  const audioLevels = writable(silence);
  /** Levels of packets that don't add up to a complete level yet. */
  let pendingLevels: number[] = [];
  return {
    audioLevels,
    add(recordId, packets) {
      const previousLevels = audioLevels.get();
      const isNew = previousLevels.recordId !== recordId;
      const packetLevels = [...(isNew ? [] : pendingLevels), ...packets];
      const count = Math.floor(packetLevels.length / PACKETS_PER_LEVEL);
      const added = Array.from({ length: count }, (_, index) => {
        const part = packetLevels.slice(index * PACKETS_PER_LEVEL, (index + 1) * PACKETS_PER_LEVEL);
        return Math.max(...part) / 255;
      });
      pendingLevels = packetLevels.slice(count * PACKETS_PER_LEVEL);
      const { levelCount, levels } = isNew ? silence : previousLevels;
      audioLevels.set({
        recordId,
        levelCount: levelCount + added.length,
        levels: [...levels, ...added].slice(-MAX_LEVELS),
      });
    },
    reset() {
      pendingLevels = [];
      audioLevels.set(silence);
    },
  };
}

/** Measures live loudness from a recorder's packets. */
export type LiveAudioMeter = {
  readonly audioLevels: Store<LiveAudioLevels>;
  /** Measures a chunk of the recording in progress and appends its levels. */
  add(recordId: string, bytes: Uint8Array): void;
  /** Clears the levels before another recording. */
  reset(): void;
};

/** @param measure returns each packet's loudness, 0–255 */
export function createLiveAudioMeter(
  measure: (recordId: string, packets: Uint8Array) => Promise<Uint8Array>,
  onError: (error: unknown) => void,
): LiveAudioMeter {
  const levels = createLiveLevels();
  let pendingChunks = 0;
  return {
    audioLevels: levels.audioLevels,
    add(recordId, bytes) {
      if (pendingChunks >= MAX_PENDING) return;
      pendingChunks += 1;
      measure(recordId, bytes)
        .then((packets) => levels.add(recordId, packets))
        .catch(onError)
        .finally(() => {
          pendingChunks -= 1;
        });
    },
    reset: levels.reset,
  };
}
