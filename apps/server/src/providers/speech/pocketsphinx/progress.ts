import { FRAME_SECONDS, type Slice } from '../slices.ts';

/** How often it is told, in milliseconds: people begin to doubt after five seconds. */
const TELL_MS = 1000;
/** Seconds per second of audio, until a slice shows how fast the engine is here. */
const USUAL_SPEED = 0.35;

/** The progress of several processes over their slices. */
export interface SliceProgress {
  /** A process begins on a slice. */
  begin(process: number, slice: Slice): void;
  /** The slice that a process began on is done. */
  end(process: number): void;
  stop(): void;
}

/**
 * The engine speaks up when a slice is done, which takes many seconds on a busy machine. Between, the part
 * that is done is guessed from the speed so far: more and more slowly, so that it is never told to be done.
 * @param frames of all slices
 * @param onProgress called with the fraction done, rising
 */
export function createSliceProgress(
  frames: number,
  onProgress: (fraction: number) => void,
): SliceProgress {
  const current = new Map<number, { readonly frames: number; readonly since: number }>();
  let done = 0;
  let told = 0;
  let msPerFrame = USUAL_SPEED * FRAME_SECONDS * 1000;

  function tell(): void {
    const now = performance.now();
    let reached = done;
    for (const slice of current.values()) {
      const passed = (now - slice.since) / (slice.frames * msPerFrame);
      reached += slice.frames * (passed / (1 + passed));
    }
    const fraction = reached / frames;
    if (fraction <= told) return;
    told = fraction;
    onProgress(fraction);
  }

  const timer = setInterval(tell, TELL_MS);
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
      tell();
    },

    stop: () => clearInterval(timer),
  };
}
