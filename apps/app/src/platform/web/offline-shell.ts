import { writable } from '@linnet/base';
import type { ShellUpdate } from '../../features/update.ts';

/** Minimum interval in milliseconds between checks for a new version on an open page. */
const CHECK_MS = 60 * 60_000;

/**
 * Caches the app's files for offline use. A new version is downloaded in the background and activates on request, or
 * once all pages of the old version are closed.
 */
export function cacheShell(onError: (error: unknown) => void): ShellUpdate {
  const waiting = writable(false);
  // Only a production build has a service worker, and some browsers have none in private windows.
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return { waiting, takeOver() {} };
  const { serviceWorker } = navigator;
  let registration: ServiceWorkerRegistration | undefined;
  // The first installation is not an update.
  const isUpdate = () => registration?.waiting != null && serviceWorker.controller !== null;

  async function register(): Promise<void> {
    registration = await serviceWorker.register('/sw.js');
    waiting.set(isUpdate());
    registration.addEventListener('updatefound', () => {
      const installing = registration?.installing;
      installing?.addEventListener('statechange', () => waiting.set(isUpdate()));
    });
    let checkedAt = Date.now();
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState !== 'visible' || Date.now() - checkedAt < CHECK_MS) return;
      checkedAt = Date.now();
      // Ignores a failure while offline, which is expected.
      registration?.update().catch((error: unknown) => navigator.onLine && onError(error));
    });
  }

  // Reloads pages of the old version, whose files no longer exist.
  if (serviceWorker.controller) {
    serviceWorker.addEventListener('controllerchange', () => location.reload());
  }
  register().catch(onError);
  return {
    waiting,
    takeOver: () => registration?.waiting?.postMessage({ type: 'SKIP_WAITING' }),
  };
}
