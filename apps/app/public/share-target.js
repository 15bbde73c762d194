/**
 * The service worker's share target. The system posts shared files to the address named in the manifest, even
 * while no page is open. They are stored until a page reads them (platform/web/shared-files.ts, which uses the
 * same names).
 */
const SHARE_ADDRESS = '/pages/share';
const SHARED_FILES = 'linnet-shared-files';

/**
 * Stores the posted files.
 * @returns a redirect to the page that shows the imports; its address names files that could not be stored
 */
async function storeShared(request) {
  const failed = new URLSearchParams();
  const files = (await request.formData()).getAll('files');
  const now = Date.now();
  for (const [nth, file] of files.entries()) {
    if (typeof file === 'string') continue;
    const headers = {
      'Content-Type': file.type || 'application/octet-stream',
      'X-Name': encodeURIComponent(file.name),
      'X-Modified': String(file.lastModified),
    };
    try {
      const cache = await caches.open(SHARED_FILES);
      await cache.put(`/shared/${now}-${nth}`, new Response(file, { headers }));
    } catch (error) {
      console.error(error);
      failed.append('unshared', file.name);
      if (error.name === 'QuotaExceededError') failed.set('full', '');
    }
  }
  return Response.redirect(failed.size > 0 ? `/pages/files?${failed}` : '/pages/files', 303);
}

self.addEventListener('fetch', (event) => {
  const { pathname } = new URL(event.request.url);
  if (event.request.method !== 'POST' || pathname !== SHARE_ADDRESS) return;
  event.respondWith(storeShared(event.request));
});
