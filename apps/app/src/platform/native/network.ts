import { type ConnectionType, Network, type NetworkPlugin } from '@capacitor/network';
import type { NetworkKind } from '../../ports/network.ts';
import type { Store } from '../../ports/store.ts';

/** What carries bytes then; null where nothing does, which leaves it what it was. */
const kinds: Readonly<Record<ConnectionType, NetworkKind | null>> = {
  wifi: 'fixed',
  cellular: 'mobile',
  // A cable, or what the system has no name for.
  unknown: 'unknown',
  none: null,
};

/**
 * What kind of network this phone is on, as its system tells. Until it did, it is taken for one that may cost:
 * what is to go *over WiFi only* waits that moment.
 */
export function watchPhoneNetwork(
  onError: (error: unknown) => void,
  plugin: Pick<NetworkPlugin, 'getStatus' | 'addListener'> = Network,
): Store<NetworkKind> {
  let kind: NetworkKind = 'mobile';
  const listeners = new Set<() => void>();
  const become = (next: NetworkKind | null) => {
    if (next === null || next === kind) return;
    kind = next;
    for (const listener of listeners) listener();
  };

  async function follow(): Promise<void> {
    let changed = false;
    await plugin.addListener('networkStatusChange', ({ connectionType }) => {
      changed = true;
      become(kinds[connectionType]);
    });
    const { connectionType } = await plugin.getStatus();
    // A change that was told meanwhile is newer.
    if (!changed) become(kinds[connectionType]);
  }
  follow().catch((error: unknown) => {
    onError(error);
    // A phone that does not tell must not keep everything waiting.
    become('unknown');
  });

  return {
    get: () => kind,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
