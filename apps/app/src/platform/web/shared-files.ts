import type { SharedFile, SharingFailedListener } from '../../features/library/imports.ts';

/** The cache where the service worker stores shared files (public/share-target.js). */
const SHARED_FILES = 'linnet-shared-files';

/** Reads the files shared by other apps that haven't been dropped yet, oldest first. */
export async function readSharedFiles(): Promise<readonly SharedFile[]> {
  // Pages without a secure context have no caches.
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
 * Reports shared files that the service worker couldn't store. The service worker puts their names into the URL; this
 * function removes them; otherwise, reloading the page would report them again.
 */
export function onSharingFailed(listener: SharingFailedListener): void {
  const url = new URL(location.href);
  const { searchParams } = url;
  const names = searchParams.getAll('unshared');
  if (names.length === 0) return;
  const code = searchParams.has('full') ? 'storage_full' : 'io_failed';
  for (const name of ['unshared', 'full']) searchParams.delete(name);
  history.replaceState(history.state, '', url);
  listener(names, code);
}
