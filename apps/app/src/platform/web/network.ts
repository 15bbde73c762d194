import type { NetworkKind } from '../../ports/network.ts';
import type { Store } from '../../ports/store.ts';

/** The Network Information API of Chromium on phones and ChromeOS. */
type Information = EventTarget & { readonly type?: string };

const kinds: Readonly<Record<string, NetworkKind>> = {
  wifi: 'fixed',
  ethernet: 'fixed',
  cellular: 'mobile',
  wimax: 'mobile',
  // Tethering to a phone.
  bluetooth: 'mobile',
};

/** Tracks the network kind, if the browser reports it. */
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
