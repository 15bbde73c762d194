import { FRAME_SECONDS, type Slice } from '../slices.ts';

/** Reporting interval. Users doubt that anything happens after about five seconds. */
const INTERVAL_MS = 1000;
/** Assumed seconds per second of audio, until the first slice is done. */
const INITIAL_SPEED = 0.35;

/** Tracks the progress of several processes over their slices. */
export interface SliceProgress {
  begin(process: number, slice: Slice): void;
  /** Completes the process's current slice. */
  end(process: number): void;
  stop(): void;
}

/**
 * Estimates progress within slices, because the engine only reports completed ones, many seconds apart on a busy
 * machine. The estimate is based on the speed so far and approaches the end of the slice asymptotically.
 * @param frames total of all slices
 * @param onProgress called with the fraction done, rising
 */
export function createSliceProgress(
  frames: number,
  onProgress: (fraction: number) => void,
): SliceProgress {
  const current = new Map<number, { readonly frames: number; readonly since: number }>();
  let done = 0;
  let reported = 0;
  let msPerFrame = INITIAL_SPEED * FRAME_SECONDS * 1000;

  function report(): void {
    const now = performance.now();
    let reached = done;
    for (const slice of current.values()) {
      const passed = (now - slice.since) / (slice.frames * msPerFrame);
      reached += slice.frames * (passed / (1 + passed));
    }
    const fraction = reached / frames;
    if (fraction <= reported) return;
    reported = fraction;
    onProgress(fraction);
  }

  const timer = setInterval(report, INTERVAL_MS);
  return {
    begin: (process, { from, to }) => {
      current.set(process, { frames: to - from, since: performance.now() });
    },

    end(process) {
      const slice = current.get(process);
      if (!slice) return;
      current.delete(process);
      done += slice.frames;
      msPerFrame = (performance.now() - slice.since) / slice.frames;
      report();
    },

    stop: () => clearInterval(timer),
  };
}
