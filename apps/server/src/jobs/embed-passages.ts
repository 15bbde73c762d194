import type { Logger } from 'pino';
import { EmbeddingFailure } from '../providers/embedding/port.ts';
import type { VectorIndex } from '../retrieval/embeddings/vector-index.ts';
import type { JobHandler } from './jobs.ts';

/** Maximum duration of a run in seconds. The next run continues with the remaining recordings. */
const maxSeconds = 50;
/** Initial pause after a failure of the engine, in seconds. Doubles with each failure (exponential backoff). */
const pauseSeconds = 60;
const maxPauseSeconds = 1800;

/**
 * Creates the "embed-passages" job, which computes the vectors of changed recordings. While the engine fails, the job
 * runs less often, and questions are answered by keyword search.
 * @param index null if there is no engine
 */
export function embedPassagesJob(
  index: VectorIndex | null,
  log: Pick<Logger, 'error' | 'warn' | 'info'>,
  now: () => Date,
): JobHandler<'embed-passages'> {
  let failures = 0;
  let pausedUntil = 0;
  return async (_payload, signal) => {
    if (index === null || now().getTime() < pausedUntil) return;
    try {
      const { vectors, failed } = await index.update(Date.now() + maxSeconds * 1000, signal);
      failures = 0;
      for (const { recordingId, reason } of failed) {
        log.warn(
          { recordingId, code: reason.code, reason: reason.detail },
          'failed to embed passages',
        );
      }
      if (vectors > 0) log.info({ vectors }, 'passages embedded');
    } catch (error) {
      if (!(error instanceof EmbeddingFailure)) throw error;
      if (error.code === 'aborted') return;
      const seconds = Math.min(maxPauseSeconds, pauseSeconds * 2 ** failures);
      failures += 1;
      pausedUntil = now().getTime() + seconds * 1000;
      const { code, detail: reason } = error;
      log.error({ code, reason, retrySeconds: seconds }, 'embedding engine failed');
    }
  };
}
