import { type ConnectionType, Network, type NetworkPlugin } from '@capacitor/network';
import { writable } from '@linnet/base';
import type { NetworkKind } from '../../ports/network.ts';
import type { Store } from '../../ports/store.ts';

/** Maps connection types to network kinds. Null keeps the previous kind while offline. */
const kinds: Readonly<Record<ConnectionType, NetworkKind | null>> = {
  wifi: 'fixed',
  cellular: 'mobile',
  // A cable, or a type that the system doesn't know.
  unknown: 'unknown',
  none: null,
};

/**
 * Tracks the kind of network the phone is using. Until the system reports it, the network counts as mobile, so
 * transfers limited to Wi-Fi wait.
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
    let hasChanged = false;
    await plugin.addListener('networkStatusChange', ({ connectionType }) => {
      hasChanged = true;
      setKind(kinds[connectionType]);
    });
    const { connectionType } = await plugin.getStatus();
    // A change reported during the call is more recent than the status.
    if (!hasChanged) setKind(kinds[connectionType]);
  }
  watch().catch((error: unknown) => {
    onError(error);
    // Transfers are allowed on a network of unknown kind.
    setKind('unknown');
  });

  return kind;
}
