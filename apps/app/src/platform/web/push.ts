import type {
  BrowserPush,
  BrowserSubscription,
} from '../../features/notifications/browser-push.ts';
import { paths } from '../../page-kit/paths.ts';
import { supportsPush, withPushLock } from './end-push.ts';

/** Names of the errors that browsers throw when they refuse to subscribe (Push API, 6.1). */
const refusals: ReadonlySet<string> = new Set(['AbortError', 'NotAllowedError']);

/**
 * Returns the browser's push service, or null if it has none. Safari on iOS, for example, has one only for apps on the
 * Home Screen.
 */
export function createBrowserPush(): BrowserPush | null {
  if (!supportsPush()) return null;
  const { serviceWorker } = navigator;

  /** Returns the push manager, or undefined without a service worker, as in development. */
  async function findManager(): Promise<PushManager | undefined> {
    return (await serviceWorker.getRegistration())?.pushManager;
  }

  async function subscribe(serverKey: string): Promise<BrowserSubscription | null> {
    const manager = await findManager();
    if (!manager) return null;
    const existing = await manager.getSubscription();
    const subscription = existing && toSubscription(existing);
    if (subscription?.serverKey === serverKey) return subscription;
    await existing?.unsubscribe();
    try {
      const options = { userVisibleOnly: true, applicationServerKey: serverKey };
      return toSubscription(await manager.subscribe(options));
    } catch (error) {
      // The push service can't be reached, the browser was built without one, or it is a private window.
      const isRefused = error instanceof DOMException && refusals.has(error.name);
      if (isRefused) return null;
      throw error;
    }
  }

  return {
    kind: 'push',
    permission: () => Notification.permission,
    requestPermission: () => Notification.requestPermission(),
    async current() {
      const subscription = await (await findManager())?.getSubscription();
      return subscription ? toSubscription(subscription) : null;
    },
    subscribe: (serverKey) => withPushLock(() => subscribe(serverKey)),
    unsubscribe: () =>
      withPushLock(async () => {
        await (await (await findManager())?.getSubscription())?.unsubscribe();
      }),
    async show({ title, path, ...options }) {
      const registration = await serviceWorker.getRegistration();
      const icon = '/icons/linnet-192.png';
      if (!registration)
        throw new DOMException('No service worker is registered.', 'NotFoundError');
      await registration.showNotification(title, { ...options, icon, data: { path } });
    },
    timeZone: () => Intl.DateTimeFormat().resolvedOptions().timeZone,
    onTap(listener) {
      const receive = ({ data, ports: [port] }: MessageEvent<unknown>) => {
        const request = parseRequest(data);
        if (request?.type === 'shown-recording') port?.postMessage(shownRecording());
        if (request?.type !== 'open-page') return;
        port?.postMessage(true);
        listener(request.path);
      };
      serviceWorker.addEventListener('message', receive);
      return () => serviceWorker.removeEventListener('message', receive);
    },
  };
}

/** A message from `public/push.js`, which expects a response. */
type WorkerRequest =
  | { readonly type: 'shown-recording' }
  | { readonly type: 'open-page'; readonly path: string };

/** Parses a message. Returns null for any other message. */
function parseRequest(message: unknown): WorkerRequest | null {
  if (typeof message !== 'object' || message === null || !('type' in message)) return null;
  if (message.type === 'shown-recording') return { type: message.type };
  if (message.type !== 'open-page' || !('path' in message)) return null;
  return typeof message.path === 'string' ? { type: message.type, path: message.path } : null;
}

/** Returns the client flag of the recording that is open, or null on other pages. */
function shownRecording(): string | null {
  const { pathname, search } = location;
  return pathname === paths.fileDetail ? new URLSearchParams(search).get('id') : null;
}

function toSubscription(subscription: PushSubscription): BrowserSubscription {
  const { applicationServerKey: serverKey } = subscription.options;
  return {
    endpoint: subscription.endpoint,
    keys: {
      p256dh: encode(subscription.getKey('p256dh')),
      auth: encode(subscription.getKey('auth')),
    },
    serverKey: serverKey && encode(serverKey),
  };
}

/** Encodes bytes in base64url without padding. */
function encode(bytes: ArrayBuffer | null): string {
  const text = String.fromCharCode(...new Uint8Array(bytes ?? new ArrayBuffer(0)));
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
