/** Loads chunks of the app's code on demand. */

/** Timeout in milliseconds for loading a chunk (specification, section 9). */
const CHUNK_TIMEOUT_MS = 60_000;
/** Delay in milliseconds before the only retry, which covers a dropped connection (specification, section 9). */
const CHUNK_RETRY_DELAY_MS = 200;

/** Thrown if a chunk couldn't be loaded. */
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
    timer = setTimeout(() => reject(new ChunkError('timeout')), CHUNK_TIMEOUT_MS);
  });
  const loadWithRetry = async () => {
    try {
      return await load();
    } catch {
      // Ignore the first failure. If the retry fails too, its error is thrown.
      await delay(CHUNK_RETRY_DELAY_MS);
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

/**
 * Registers a failed load.
 * @param reset called when the user retries; after that, the next use must load the chunk again
 */
export function onChunkRetry(reset: () => void): void {
  failedLoads.add(reset);
}

/** Resets all failed loads. Call it when the user retries. */
export function resetFailedChunks(): void {
  for (const reset of failedLoads) reset();
  failedLoads.clear();
}
