import { writable } from '@linnet/base';
import type { LiveSound } from '../../ports/recorder.ts';
import type { Store } from '../../ports/store.ts';

/** Packets of 20 ms per level. */
const PACKETS_A_LEVEL = 5;
/** Half a minute: more than the widest screen shows. */
const KEPT_LEVELS = 300;
/**
 * Maximum number of chunks waiting to be measured; when earlier parts arrive in a burst, some are skipped.
 */
const MAX_WAITING = 10;

const nothing: LiveSound = { recordId: null, heard: 0, levels: [] };

/** Live loudness of the recording in progress, measured from its packets. */
export type LiveSoundKeeper = {
  readonly sound: Store<LiveSound>;
  /** Adds a chunk of a recording in progress. */
  hear(recordId: string, bytes: Uint8Array): void;
  /** Resets for another recording. */
  forget(): void;
};

/** @param measure returns the loudness of each packet of a recording, 0–255 */
export function createLiveSound(
  measure: (recordId: string, packets: Uint8Array) => Promise<Uint8Array>,
  onError: (error: unknown) => void,
): LiveSoundKeeper {
  const sound = writable(nothing);
  let waiting = 0;

  async function take(recordId: string, bytes: Uint8Array): Promise<void> {
    const packets = await measure(recordId, bytes);
    const fresh = Array.from({ length: Math.floor(packets.length / PACKETS_A_LEVEL) }, (_, at) =>
      Math.max(...packets.subarray(at * PACKETS_A_LEVEL, (at + 1) * PACKETS_A_LEVEL)),
    ).map((level) => level / 255);
    const now = sound.get();
    const { heard, levels } = now.recordId === recordId ? now : nothing;
    sound.set({
      recordId,
      heard: heard + fresh.length,
      levels: [...levels, ...fresh].slice(-KEPT_LEVELS),
    });
  }

  return {
    sound,
    hear(recordId, bytes) {
      if (waiting >= MAX_WAITING) return;
      waiting += 1;
      take(recordId, bytes)
        .catch(onError)
        .finally(() => {
          waiting -= 1;
        });
    },
    forget: () => sound.set(nothing),
  };
}
