import { writable } from '@linnet/base';
import type { LiveSound } from '../../ports/recorder.ts';
import type { Store } from '../../ports/store.ts';

/** Number of packets (20 ms each) that are combined into one level. */
const PACKETS_PER_LEVEL = 5;
/** Number of levels kept in memory. They cover 30 seconds, which is more than the widest screen shows. */
const MAX_LEVELS = 300;
/** Maximum number of chunks being measured. During a burst, further chunks are skipped. */
const MAX_PENDING = 10;

const silence: LiveSound = { recordId: null, levelCount: 0, levels: [] };

/** The live loudness of the recording in progress. */
export type LiveSoundMeter = {
  readonly sound: Store<LiveSound>;
  /** Measures a chunk of the recording in progress and appends its levels. */
  add(recordId: string, bytes: Uint8Array): void;
  /** Clears the levels before another recording. */
  reset(): void;
};

/** @param measure returns the loudness of each packet, 0–255 */
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
      (_, index) =>
        Math.max(...packets.subarray(index * PACKETS_PER_LEVEL, (index + 1) * PACKETS_PER_LEVEL)),
    ).map((level) => level / 255);
    const current = sound.get();
    const { levelCount, levels } = current.recordId === recordId ? current : silence;
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
