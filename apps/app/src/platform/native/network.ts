import { type ConnectionType, Network, type NetworkPlugin } from '@capacitor/network';
import { writable } from '@linnet/base';
import type { NetworkKind } from '../../ports/network.ts';
import type { Store } from '../../ports/store.ts';

/** Network kind by connection type; null while offline, which keeps the previous kind. */
const kinds: Readonly<Record<ConnectionType, NetworkKind | null>> = {
  wifi: 'fixed',
  cellular: 'mobile',
  // A cable, or a type unknown to the system.
  unknown: 'unknown',
  none: null,
};

/**
 * Tracks the phone's network kind. It counts as mobile until the system reports it, so that *Wi-Fi only*
 * transfers wait.
 */
export function watchPhoneNetwork(
  onError: (error: unknown) => void,
  plugin: Pick<NetworkPlugin, 'getStatus' | 'addListener'> = Network,
): Store<NetworkKind> {
  const kind = writable<NetworkKind>('mobile');
  const setKind = (next: NetworkKind | null) => {
    if (next !== null) kind.set(next);
  };

  async function watch(): Promise<void> {
    let changed = false;
    await plugin.addListener('networkStatusChange', ({ connectionType }) => {
      changed = true;
      setKind(kinds[connectionType]);
    });
    const { connectionType } = await plugin.getStatus();
    // A change reported during the call is more recent.
    if (!changed) setKind(kinds[connectionType]);
  }
  watch().catch((error: unknown) => {
    onError(error);
    // An unknown kind does not block transfers.
    setKind('unknown');
  });

  return kind;
}
