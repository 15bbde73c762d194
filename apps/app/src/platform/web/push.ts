import type {
  BrowserPush,
  BrowserSubscription,
} from '../../features/notifications/browser-push.ts';
import { inPushLock, supportsPush } from './end-push.ts';

/** Names of the errors with which browsers refuse to subscribe (Push API, 6.1). */
const refusals: ReadonlySet<string> = new Set(['AbortError', 'NotAllowedError']);

/** Returns the browser's push service; null if it has none, such as Safari outside of the Home Screen. */
export function createBrowserPush(): BrowserPush | null {
  if (!supportsPush()) return null;
  const { serviceWorker } = navigator;

  /** Returns the push manager; undefined without a service worker, as in development. */
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
    permission: () => Notification.permission,
    requestPermission: () => Notification.requestPermission(),
    async current() {
      const subscription = await (await findManager())?.getSubscription();
      return subscription ? toSubscription(subscription) : null;
    },
    subscribe: (serverKey) => inPushLock(() => subscribe(serverKey)),
    unsubscribe: () =>
      inPushLock(async () => {
        await (await (await findManager())?.getSubscription())?.unsubscribe();
      }),
    timeZone: () => Intl.DateTimeFormat().resolvedOptions().timeZone,
    onTap(listener) {
      const receive = ({ data, ports }: MessageEvent<unknown>) => {
        const path = readPath(data);
        if (path === null) return;
        listener(path);
        ports[0]?.postMessage('opened');
      };
      serviceWorker.addEventListener('message', receive);
      return () => serviceWorker.removeEventListener('message', receive);
    },
  };
}

/** Returns the address in a message of `public/push.js`; null for other messages. */
function readPath(message: unknown): string | null {
  if (typeof message !== 'object' || message === null) return null;
  if (!('type' in message) || message.type !== 'open-page' || !('path' in message)) return null;
  return typeof message.path === 'string' ? message.path : null;
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
