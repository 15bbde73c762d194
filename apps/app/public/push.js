/**
 * The service worker's side of notifications. It shows a push message, which has the form of Declarative Web Push, and
 * opens its page on a tap (platform/web/push.ts responds to it in an open page).
 */
/** Maximum time in milliseconds for a page to respond. */
const RESPONSE_TIMEOUT_MS = 1000;

const findPages = () => self.clients.matchAll({ type: 'window', includeUncontrolled: true });

/**
 * Sends a message to a page.
 * @returns its response; undefined if there is none in time, such as while the page is loading
 */
function ask(page, message) {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => resolve(data);
    setTimeout(() => resolve(undefined), RESPONSE_TIMEOUT_MS);
    page.postMessage(message, [port2]);
  });
}

/** Returns whether the user is looking at a recording. Pages are asked, because `url` is the first URL of a page. */
async function isVisible(recording) {
  const pages = (await findPages()).filter((page) => page.visibilityState === 'visible');
  const shown = await Promise.all(pages.map((page) => ask(page, { type: 'shown-recording' })));
  return shown.includes(recording);
}

async function showMessage(message) {
  const { title, navigate, data, ...options } = message.notification;
  if (data.kind === 'transcript' && (await isVisible(data.recording))) return;
  // The app's origin may differ from its server's.
  const { pathname, search } = new URL(navigate);
  await self.registration.showNotification(title, {
    ...options,
    icon: '/icons/linnet-192.png',
    data: { ...data, path: `${pathname}${search}` },
  });
}

/** Shows a page of the app: in an open window, which may be in the middle of a transfer, or in a new one. */
async function openPage(path) {
  for (const page of await findPages()) {
    if (await ask(page, { type: 'open-page', path })) return page.focus();
  }
  return self.clients.openWindow(path);
}

self.addEventListener('push', (event) => {
  if (event.data) event.waitUntil(showMessage(event.data.json()));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(openPage(event.notification.data.path));
});
