import { FRAME_SECONDS, type Slice } from '../slices.ts';

/**
 * Reporting interval in milliseconds. Without changes for about five seconds, users suspect that nothing is happening.
 */
const INTERVAL_MS = 1000;
/** Initial estimate of the real-time factor, used until the first slice is done. */
const INITIAL_REAL_TIME_FACTOR = 0.35;

/** Tracks the progress of several processes on their slices. */
export interface SliceProgress {
  startSlice(process: number, slice: Slice): void;
  /** Completes the process's current slice. */
  end(process: number): void;
  stop(): void;
}

/**
 * Estimates the progress within slices, because the engine only reports completed slices, many seconds apart on a busy
 * machine. The estimate is based on the speed so far and approaches the end of the slice asymptotically.
 * @param frames total number of frames in all slices
 * @param onProgress called with the completed fraction, which never decreases
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
