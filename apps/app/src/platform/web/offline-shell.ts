import { writable } from '@linnet/base';
import type { ShellUpdate } from '../../features/update.ts';

/** Minimum interval in milliseconds between checks for a new version while a page is open. */
const CHECK_MS = 60 * 60_000;

/**
 * Registers the service worker, which caches the app's files for offline use. A new version is downloaded in the
 * background, and activated on request or once all pages running the old version are closed.
 */
export function cacheShell(onError: (error: unknown) => void): ShellUpdate {
  const waiting = writable(false);
  // Only production builds have a service worker, and some browsers don't support them in private windows.
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return { waiting, takeOver() {} };
  const { serviceWorker } = navigator;
  let registration: ServiceWorkerRegistration | undefined;
  // Without a controller, this is the first installation, not an update.
  const isUpdate = () => registration?.waiting != null && serviceWorker.controller !== null;

  async function register(): Promise<void> {
    registration = await serviceWorker.register('/sw.js');
    waiting.set(isUpdate());
    // Undefined in automated browsers that block service workers.
    registration?.addEventListener('updatefound', () => {
      const installing = registration?.installing;
      installing?.addEventListener('statechange', () => waiting.set(isUpdate()));
    });
    let lastCheckedAt = Date.now();
    document.addEventListener('visibilitychange', () => {
      // Use the wall clock, because it keeps running while the device is suspended. It may be set back, hence the
      // absolute value.
      const isRecent = Math.abs(Date.now() - lastCheckedAt) < CHECK_MS;
      if (document.visibilityState !== 'visible' || isRecent) return;
      lastCheckedAt = Date.now();
      // Failing while offline is expected.
      registration?.update().catch((error: unknown) => navigator.onLine && onError(error));
    });
  }

  // Reload the page when a new version is activated, because the old version's files no longer exist.
  if (serviceWorker.controller) {
    serviceWorker.addEventListener('controllerchange', () => location.reload());
  }
  register().catch(onError);
  return {
    waiting,
    takeOver: () => registration?.waiting?.postMessage({ type: 'SKIP_WAITING' }),
  };
}
