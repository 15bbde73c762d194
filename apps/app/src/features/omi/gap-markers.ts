import type { Marker } from '@linnet/contract';
import { markerId } from '@linnet/sync';
import type { Gap } from './capture.ts';

/** Losses within this many milliseconds share a marker. */
const SHARED_MS = 10_000;
/** Maximum number of markers per recording. Further losses are counted but not marked. */
const MAX_MARKERS = 200;

export type GapMarkers = {
  add(recordId: string, gap: Gap): void;
  /** Adds the marker of the last losses. Call it when the recording ends. */
  flush(): void;
};

/** Marks the lost parts of a recording. */
export function createGapMarkers(options: {
  readonly mark: (recordId: string, marker: Marker) => Promise<unknown>;
  /** @param length in milliseconds */
  readonly label: (length: number) => string;
  readonly onError: (error: unknown) => void;
}): GapMarkers {
  let pending: { readonly recordId: string; readonly gap: Gap } | null = null;
  let markers = { recordId: '', count: 0 };

  function flush(): void {
    if (!pending) return;
    const { recordId, gap } = pending;
    pending = null;
    const count = markers.recordId === recordId ? markers.count + 1 : 1;
    markers = { recordId, count };
    if (count > MAX_MARKERS) return;
    const marker = { id: markerId(), time: gap.from / 1000, label: options.label(gap.length) };
    options.mark(recordId, marker).catch(options.onError);
  }

  return {
    add(recordId, gap) {
      const isShared = pending?.recordId === recordId && gap.from - pending.gap.from < SHARED_MS;
      if (pending && isShared) {
        const length = pending.gap.length + gap.length;
        pending = { recordId, gap: { from: pending.gap.from, length } };
        return;
      }
      flush();
      pending = { recordId, gap };
    },
    flush,
  };
}
