/**
 * The service worker's part of taking what other apps share with Linnet: the system posts the files to
 * the address that the manifest names, before any page is there. They are kept until a page takes them
 * (platform/web/shared-files.ts, where the names below are, too).
 */
const SHARE_ADDRESS = '/pages/share';
const SHARED_FILES = 'linnet-shared-files';

/**
 * Keeps the posted files. @returns the way to where they are shown as they come in; its address names those that
 * could not be kept, for want of room or for whatever else
 */
async function keepShared(request) {
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
  event.respondWith(keepShared(event.request));
});
