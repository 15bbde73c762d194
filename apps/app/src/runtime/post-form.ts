/** The outcome of a request: an HTTP status, or the reason why no response was received. */
export type PostOutcome =
  | { readonly status: number }
  | { readonly status: 'network' | 'timeout' | 'aborted' };

/** The time in milliseconds without progress after which an upload times out. */
const IDLE_TIMEOUT_MS = 60_000;

/**
 * Posts a multipart form. It uses XMLHttpRequest, because `fetch` does not report the progress of uploads.
 * @param onProgress called with the sent fraction of the bytes, 0–1
 */
export function postForm(
  url: string,
  form: FormData,
  onProgress: (fraction: number) => void,
  signal: AbortSignal,
): Promise<PostOutcome> {
  // A signal that is already aborted dispatches no event.
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
