import { writable } from '@linnet/base';
import type { LiveSound } from '../../ports/recorder.ts';
import type { Store } from '../../ports/store.ts';

/** Packets of 20 ms per level. */
const PACKETS_PER_LEVEL = 5;
/** Number of levels in memory: 30 seconds, more than the widest screen shows. */
const MAX_LEVELS = 300;
/** Maximum number of chunks queued for measurement. Further chunks of a burst are skipped. */
const MAX_PENDING = 10;

const silence: LiveSound = { recordId: null, levelCount: 0, levels: [] };

/** Live loudness of the recording in progress, measured from its packets. */
export type LiveSoundMeter = {
  readonly sound: Store<LiveSound>;
  /** Adds a chunk of a recording in progress. */
  add(recordId: string, bytes: Uint8Array): void;
  /** Clears the levels for another recording. */
  reset(): void;
};

/** @param measure returns the loudness of each packet of a recording, 0–255 */
export function createLiveSound(
  measure: (recordId: string, packets: Uint8Array) => Promise<Uint8Array>,
  onError: (error: unknown) => void,
): LiveSoundMeter {
  const sound = writable(silence);
  let pending = 0;

  async function measureChunk(recordId: string, bytes: Uint8Array): Promise<void> {
    const packets = await measure(recordId, bytes);
    const newLevels = Array.from(
      { length: Math.floor(packets.length / PACKETS_PER_LEVEL) },
      (_, at) =>
        Math.max(...packets.subarray(at * PACKETS_PER_LEVEL, (at + 1) * PACKETS_PER_LEVEL)),
    ).map((level) => level / 255);
    const now = sound.get();
    const { levelCount, levels } = now.recordId === recordId ? now : silence;
    sound.set({
      recordId,
      levelCount: levelCount + newLevels.length,
      levels: [...levels, ...newLevels].slice(-MAX_LEVELS),
    });
  }

  return {
    sound,
    add(recordId, bytes) {
      if (pending >= MAX_PENDING) return;
      pending += 1;
      measureChunk(recordId, bytes)
        .catch(onError)
        .finally(() => {
          pending -= 1;
        });
    },
    reset: () => sound.set(silence),
  };
}
