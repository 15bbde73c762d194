/** A request's outcome: an HTTP status, or why no response was received. */
export type PostOutcome =
  | { readonly status: number }
  | { readonly status: 'network' | 'timeout' | 'aborted' };

/** Timeout in milliseconds for an upload without progress. */
const IDLE_TIMEOUT_MS = 60_000;

/**
 * Posts a multipart form. Uses XMLHttpRequest, because `fetch` doesn't report upload progress.
 * @param onProgress called with the fraction of bytes sent so far, 0–1
 */
export function postForm(
  url: string,
  form: FormData,
  onProgress: (fraction: number) => void,
  signal: AbortSignal,
): Promise<PostOutcome> {
  // A signal that has already aborted dispatches no event.
  if (signal.aborted) return Promise.resolve({ status: 'aborted' });
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    let idleTimer = 0;
    const settle = (outcome: PostOutcome) => {
      clearTimeout(idleTimer);
      signal.removeEventListener('abort', onAbort);
      resolve(outcome);
    };
    const onAbort = () => {
      request.abort();
      settle({ status: 'aborted' });
    };
    const restartIdleTimer = () => {
      clearTimeout(idleTimer);
      idleTimer = window.setTimeout(() => {
        request.abort();
        settle({ status: 'timeout' });
      }, IDLE_TIMEOUT_MS);
    };
    request.upload.addEventListener('progress', (event) => {
      restartIdleTimer();
      if (event.lengthComputable) onProgress(event.loaded / event.total);
    });
    request.addEventListener('load', () => settle({ status: request.status }));
    request.addEventListener('error', () => settle({ status: 'network' }));
    signal.addEventListener('abort', onAbort, { once: true });
    request.open('POST', url);
    restartIdleTimer();
    request.send(form);
  });
}
