import type { NetworkKind } from '../../ports/network.ts';
import type { Store } from '../../ports/store.ts';

/** What Chromium on phones and ChromeOS tells of the network (Network Information API). */
type Information = EventTarget & { readonly type?: string };

const kinds: Readonly<Record<string, NetworkKind>> = {
  wifi: 'fixed',
  ethernet: 'fixed',
  cellular: 'mobile',
  wimax: 'mobile',
  // A phone that shares its own network.
  bluetooth: 'mobile',
};

/** What kind of network this device is on, as far as the browser tells. */
export function watchNetwork(): Store<NetworkKind> {
  const information = (navigator as Navigator & { readonly connection?: Information }).connection;
  return {
    get: () => kinds[information?.type ?? ''] ?? 'unknown',
    subscribe(listener) {
      information?.addEventListener('change', listener);
      return () => information?.removeEventListener('change', listener);
    },
  };
}
