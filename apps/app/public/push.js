/**
 * The service worker's side of notifications. It shows a push message, which has the form of Declarative Web Push, and
 * opens its page on a tap (platform/web/push.ts receives the address in an open page).
 */
const RECORDING_PATH = '/pages/fileDetail';

const findPages = () => self.clients.matchAll({ type: 'window', includeUncontrolled: true });

/** Returns whether the user is looking at a recording. */
async function isVisible(recording) {
  return (await findPages()).some(({ url, visibilityState }) => {
    const { pathname, searchParams } = new URL(url);
    const isOpen = pathname === RECORDING_PATH && searchParams.get('id') === recording;
    return isOpen && visibilityState === 'visible';
  });
}

async function showMessage(message) {
  const { title, navigate, data, ...options } = message.notification;
  if (data.kind === 'transcript' && (await isVisible(data.recording))) return;
  // The app may have another origin than its server.
  const { pathname, search } = new URL(navigate);
  await self.registration.showNotification(title, {
    ...options,
    icon: '/icons/linnet-192.png',
    data: { ...data, path: `${pathname}${search}` },
  });
}

/** Shows a page of the app: in an open window, which may be in the middle of a transfer, or in a new one. */
async function openPage(path) {
  const [page] = await findPages();
  if (!page) return self.clients.openWindow(path);
  page.postMessage({ type: 'open-page', path });
  return page.focus();
}

self.addEventListener('push', (event) => {
  if (event.data) event.waitUntil(showMessage(event.data.json()));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(openPage(event.notification.data.path));
});
