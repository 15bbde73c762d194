/** Loading of code on demand. */

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
  const twice = async () => {
    try {
      return await load();
    } catch {
      // If the retry fails, its cause is the one reported.
      await delay(chunkRetryDelayMs);
      return load();
    }
  };
  try {
    return await Promise.race([twice(), timeout]);
  } catch (cause) {
    throw cause instanceof ChunkError ? cause : new ChunkError('missing', { cause });
  } finally {
    clearTimeout(timer);
  }
}

const failed = new Set<() => void>();

/** Registers a failed load. @param forget called when the user retries */
export function onChunkRetry(forget: () => void): void {
  failed.add(forget);
}

/** Makes every failed load start again the next time it is needed. */
export function forgetFailedChunks(): void {
  for (const forget of failed) forget();
  failed.clear();
}
