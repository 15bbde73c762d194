/**
 * Requests persistent storage, which the browser doesn't evict when the disk is full. Most browsers decide without a
 * prompt. The app doesn't wait for the decision, and repeats the request on every start until it is granted.
 * @param onError called if the request fails
 */
export function requestPersistence(onError: (error: unknown) => void): { granted(): boolean } {
  let isGranted = false;
  (async () => {
    isGranted = (await navigator.storage.persisted()) || (await navigator.storage.persist());
  })().catch(onError);
  return { granted: () => isGranted };
}
