import type { SharedFile, SharingFailed } from '../../features/library/imports.ts';

/** The cache in which the service worker stores them (public/share-target.js). */
const SHARED_FILES = 'linnet-shared-files';

/** Files shared by other apps, in order of arrival, each until it is removed. */
export async function readSharedFiles(): Promise<readonly SharedFile[]> {
  // Absent on insecure pages, which have no service worker either.
  if (typeof caches === 'undefined' || !(await caches.has(SHARED_FILES))) return [];
  const cache = await caches.open(SHARED_FILES);
  const files: SharedFile[] = [];
  for (const request of await cache.keys()) {
    const response = await cache.match(request);
    if (!response) continue;
    const name = decodeURIComponent(response.headers.get('X-Name') ?? '');
    const file = new File([await response.blob()], name, {
      type: response.headers.get('Content-Type') ?? '',
      lastModified: Number(response.headers.get('X-Modified')),
    });
    files.push({ key: request.url, file, drop: async () => void (await cache.delete(request)) });
  }
  return files;
}

/**
 * Reports shared files that the service worker failed to store, as named in the address it redirected to.
 * Reports them once, even if the address is opened again.
 */
export function onUnshared(listener: SharingFailed): void {
  const address = new URL(location.href);
  const { searchParams } = address;
  const names = searchParams.getAll('unshared');
  if (names.length === 0) return;
  const code = searchParams.has('full') ? 'storage_full' : 'io_failed';
  for (const name of ['unshared', 'full']) searchParams.delete(name);
  history.replaceState(history.state, '', address);
  listener(names, code);
}
