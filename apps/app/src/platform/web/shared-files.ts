import type { SharedFile, SharingFailed } from '../../features/library/imports.ts';

/** Where the service worker keeps them (public/share-target.js). */
const SHARED_FILES = 'linnet-shared-files';

/** The files that other apps shared with this one, in the order in which they came, each until it is dropped. */
export async function readSharedFiles(): Promise<readonly SharedFile[]> {
  // Not there on pages that are not secure, which have no service worker either.
  if (typeof caches === 'undefined' || !(await caches.has(SHARED_FILES))) return [];
  const cache = await caches.open(SHARED_FILES);
  const files: SharedFile[] = [];
  for (const request of await cache.keys()) {
    const kept = await cache.match(request);
    if (!kept) continue;
    const name = decodeURIComponent(kept.headers.get('X-Name') ?? '');
    const file = new File([await kept.blob()], name, {
      type: kept.headers.get('Content-Type') ?? '',
      lastModified: Number(kept.headers.get('X-Modified')),
    });
    files.push({ key: request.url, file, drop: async () => void (await cache.delete(request)) });
  }
  return files;
}

/**
 * Tells which shared files the service worker could not keep, as the address says to which it led; once, whoever
 * opens that address again.
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
