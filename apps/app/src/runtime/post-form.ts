/** Outcome of a form post: an HTTP status, or no response. */
export type PostOutcome =
  | { readonly status: number }
  | { readonly status: 'network' | 'timeout' | 'aborted' };

/** Idle time in milliseconds after which a transfer is considered dead. */
const SILENCE_MS = 60_000;

/**
 * Posts a multipart form with progress, which `fetch` does not report.
 * @param onProgress 0–1 of the bytes sent
 */
export function postForm(
  url: string,
  form: FormData,
  onProgress: (fraction: number) => void,
  signal: AbortSignal,
): Promise<PostOutcome> {
  // An earlier abort fires no event.
  if (signal.aborted) return Promise.resolve({ status: 'aborted' });
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    let silence = 0;
    const done = (outcome: PostOutcome) => {
      clearTimeout(silence);
      signal.removeEventListener('abort', onAbort);
      resolve(outcome);
    };
    const onAbort = () => {
      request.abort();
      done({ status: 'aborted' });
    };
    const moved = () => {
      clearTimeout(silence);
      silence = window.setTimeout(() => {
        request.abort();
        done({ status: 'timeout' });
      }, SILENCE_MS);
    };
    request.upload.addEventListener('progress', (event) => {
      moved();
      if (event.lengthComputable) onProgress(event.loaded / event.total);
    });
    request.addEventListener('load', () => done({ status: request.status }));
    request.addEventListener('error', () => done({ status: 'network' }));
    signal.addEventListener('abort', onAbort, { once: true });
    request.open('POST', url);
    moved();
    request.send(form);
  });
}
