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
 * Tracks the kind of network this phone is on. Until the system reports it, it counts as metered, so that
 * *Wi-Fi only* transfers wait.
 */
export function watchPhoneNetwork(
  onError: (error: unknown) => void,
  plugin: Pick<NetworkPlugin, 'getStatus' | 'addListener'> = Network,
): Store<NetworkKind> {
  const kind = writable<NetworkKind>('mobile');
  const become = (next: NetworkKind | null) => {
    if (next !== null) kind.set(next);
  };

  async function follow(): Promise<void> {
    let changed = false;
    await plugin.addListener('networkStatusChange', ({ connectionType }) => {
      changed = true;
      become(kinds[connectionType]);
    });
    const { connectionType } = await plugin.getStatus();
    // A change reported meanwhile is more recent.
    if (!changed) become(kinds[connectionType]);
  }
  follow().catch((error: unknown) => {
    onError(error);
    // Without a report, transfers must not wait forever.
    become('unknown');
  });

  return kind;
}
