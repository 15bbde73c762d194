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

/** Time in milliseconds in which an open page acknowledges a message. */
const ACKNOWLEDGE_MS = 500;
/** Pages that are open without an account. */
const SIGNED_OUT_PATHS = new Set([
  '/pages/index',
  '/pages/register',
  '/pages/register/findMyPasswd',
  '/pages/demo',
]);

/** Returns whether an address is a page of the app with an account, unlike share links and the sign-in page. */
function isAppPage({ url }) {
  const { pathname } = new URL(url);
  return pathname.startsWith('/pages/') && !SIGNED_OUT_PATHS.has(pathname);
}

/** Asks an open page to show another page. Returns whether it does. */
function openIn(page, path) {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    const settle = (isOpened) => {
      port1.close();
      resolve(isOpened);
    };
    port1.onmessage = () => settle(true);
    setTimeout(() => settle(false), ACKNOWLEDGE_MS);
    page.postMessage({ type: 'open-page', path }, [port2]);
  });
}

/** Shows a page of the app: in an open window, which may be in the middle of a transfer, or in a new one. */
async function openPage(path) {
  const page = (await findPages()).find(isAppPage);
  // A page that is loading, or was left by its user, doesn't answer.
  if (page && (await openIn(page, path))) return page.focus();
  return self.clients.openWindow(path);
}

self.addEventListener('push', (event) => {
  if (event.data) event.waitUntil(showMessage(event.data.json()));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(openPage(event.notification.data.path));
});
