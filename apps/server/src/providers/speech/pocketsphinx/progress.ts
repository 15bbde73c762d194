import { FRAME_SECONDS, type Slice } from '../slices.ts';

/** Reporting interval. After about five seconds without a change, users doubt that anything is happening. */
const INTERVAL_MS = 1000;
/** Initial guess, used until the first slice is done: seconds of processing per second of audio. */
const INITIAL_REAL_TIME_FACTOR = 0.35;

/** Tracks the progress that several processes make on their slices. */
export interface SliceProgress {
  startSlice(process: number, slice: Slice): void;
  /** Completes the process's current slice. */
  end(process: number): void;
  stop(): void;
}

/**
 * Estimates progress within slices, because the engine only reports completed ones, many seconds apart on a busy
 * machine. The estimate is based on the speed so far and approaches the slice's end asymptotically.
 * @param frames total of all slices
 * @param onProgress called with the fraction done, rising
 */
export function createSliceProgress(
  frames: number,
  onProgress: (fraction: number) => void,
): SliceProgress {
  const current = new Map<number, { readonly frames: number; readonly since: number }>();
  let completedFrames = 0;
  let reported = 0;
  let msPerFrame = INITIAL_REAL_TIME_FACTOR * FRAME_SECONDS * 1000;

  function report(): void {
    const now = performance.now();
    let reached = completedFrames;
    for (const slice of current.values()) {
      const elapsedFraction = (now - slice.since) / (slice.frames * msPerFrame);
      reached += slice.frames * (elapsedFraction / (1 + elapsedFraction));
    }
    const fraction = reached / frames;
    if (fraction <= reported) return;
    reported = fraction;
    onProgress(fraction);
  }

  const timer = setInterval(report, INTERVAL_MS);
  return {
    startSlice: (process, { from, to }) => {
      current.set(process, { frames: to - from, since: performance.now() });
    },

    end(process) {
      const slice = current.get(process);
      if (!slice) return;
      current.delete(process);
      completedFrames += slice.frames;
      msPerFrame = (performance.now() - slice.since) / slice.frames;
      report();
    },

    stop: () => clearInterval(timer),
  };
}
