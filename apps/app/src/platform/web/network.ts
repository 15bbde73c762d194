import type { NetworkKind } from '../../ports/network.ts';
import type { Store } from '../../ports/store.ts';

/** The Network Information API, supported only by Chromium on phones and ChromeOS. */
type NetworkInformation = EventTarget & { readonly type?: string };

const kinds: Readonly<Record<string, NetworkKind>> = {
  wifi: 'fixed',
  ethernet: 'fixed',
  cellular: 'mobile',
  wimax: 'mobile',
  // The device is tethered to a phone.
  bluetooth: 'mobile',
};

/** Tracks the kind of network, if the browser reports it. */
export function watchNetwork(): Store<NetworkKind> {
  const information = (navigator as Navigator & { readonly connection?: NetworkInformation })
    .connection;
  return {
    get: () => kinds[information?.type ?? ''] ?? 'unknown',
    subscribe(listener) {
      information?.addEventListener('change', listener);
      return () => information?.removeEventListener('change', listener);
    },
  };
}
