/** Loads code on demand. */

/** Time limit for loading a chunk (specification, section 9). */
const chunkTimeoutMs = 60_000;
/** Delay before the one retry, for a dropped connection (section 9). */
const chunkRetryDelayMs = 200;

/** A chunk that failed to load or timed out. */
export class ChunkError extends Error {
  override readonly name = 'ChunkError';
  readonly code: 'timeout' | 'missing';

  constructor(code: 'timeout' | 'missing', options?: { cause?: unknown }) {
    super(code, options);
    this.code = code;
  }
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/**
 * Loads a chunk within the time limit, with one retry.
 * @throws ChunkError
 */
export async function loadChunk<T>(load: () => Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ChunkError('timeout')), chunkTimeoutMs);
  });
  const loadWithRetry = async () => {
    try {
      return await load();
    } catch {
      // Ignores the first failure; if the retry fails too, its error is reported.
      await delay(chunkRetryDelayMs);
      return load();
    }
  };
  try {
    return await Promise.race([loadWithRetry(), timeout]);
  } catch (cause) {
    throw cause instanceof ChunkError ? cause : new ChunkError('missing', { cause });
  } finally {
    clearTimeout(timer);
  }
}

/** Reset functions of failed loads. */
const failedLoads = new Set<() => void>();

/** Registers a failed load. @param reset called when the user retries */
export function onChunkRetry(reset: () => void): void {
  failedLoads.add(reset);
}

/** Resets all failed loads, so that each starts again when it is next needed. */
export function resetFailedChunks(): void {
  for (const reset of failedLoads) reset();
  failedLoads.clear();
}
