import { writable } from '@linnet/base';
import type { ShellUpdate } from '../../features/update.ts';

/** Interval in milliseconds at which a page that stays open checks for a new version. */
const CHECK_MS = 60 * 60_000;

/**
 * Caches the app's own files, so that it opens without the server. A new version is downloaded in the
 * background and takes over on request, or once every page of the old one is closed.
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
      // Failing while offline is expected.
      registration?.update().catch((error: unknown) => navigator.onLine && onError(error));
    });
  }

  // Pages of the old version would request files that no longer exist.
  if (serviceWorker.controller) {
    serviceWorker.addEventListener('controllerchange', () => location.reload());
  }
  register().catch(onError);
  return {
    waiting,
    takeOver: () => registration?.waiting?.postMessage({ type: 'SKIP_WAITING' }),
  };
}
