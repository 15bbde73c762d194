import type { ShellUpdate } from '../../features/update.ts';
import { writable } from '../../stores.ts';

/** Milliseconds between two looks for a new version by a page that is open for long. */
const LOOK_MS = 60 * 60_000;

/**
 * Keeps the app's own files on this device, so that it opens without the server. A new version is fetched in the
 * background, and takes over once it is asked to, or every page of the old one is closed.
 */
export function keepShellOffline(onError: (error: unknown) => void): ShellUpdate {
  const waiting = writable(false);
  // Only a built app has a service worker; some browsers have none in private windows.
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return { waiting, takeOver() {} };
  const { serviceWorker } = navigator;
  let registration: ServiceWorkerRegistration | undefined;
  // The very first one takes over nothing.
  const isUpdate = () => registration?.waiting != null && serviceWorker.controller !== null;

  async function register(): Promise<void> {
    registration = await serviceWorker.register('/sw.js');
    waiting.set(isUpdate());
    registration.addEventListener('updatefound', () => {
      const installing = registration?.installing;
      installing?.addEventListener('statechange', () => waiting.set(isUpdate()));
    });
    let lookedAt = Date.now();
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState !== 'visible' || Date.now() - lookedAt < LOOK_MS) return;
      lookedAt = Date.now();
      // Without a network there is nothing new, and nothing wrong.
      registration?.update().catch((error: unknown) => navigator.onLine && onError(error));
    });
  }

  // Pages of the old version would look for files that are gone.
  if (serviceWorker.controller) {
    serviceWorker.addEventListener('controllerchange', () => location.reload());
  }
  register().catch(onError);
  return {
    waiting,
    takeOver: () => registration?.waiting?.postMessage({ type: 'SKIP_WAITING' }),
  };
}
