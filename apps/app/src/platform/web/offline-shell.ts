/**
 * Keeps the app's own files on this device, so that it opens without the server. A new version is fetched
 * in the background and takes over once every page of the old one is closed.
 */
export async function keepShellOffline(): Promise<void> {
  // Only a built app has a service worker; some browsers have none in private windows.
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  await navigator.serviceWorker.register('/sw.js');
}
