import { registerPlugin } from '@capacitor/core';
import type { RecorderNetworks } from '../../features/recorder/recorder-networks.ts';
import { codeOf } from './plugin-error.ts';

/** Our own plugin: RecorderNetworkPlugin.java and .swift. */
export type RecorderNetworkPlugin = {
  join(network: { ssid: string; password: string; timeoutMs: number }): Promise<void>;
  leave(): Promise<void>;
};

/**
 * Time limit in milliseconds for the user's consent: as long as the recorder waits (PROTOCOL.md, section 4).
 */
const AGREE_MS = 60_000;

/** Codes after which the user must join by hand. */
const byHand: ReadonlySet<string> = new Set(['unsupported', 'declined', 'failed']);

/** Joins recorders' networks through the phone's own API. */
export function createRecorderNetworks(
  onError: (error: unknown) => void,
  plugin = registerPlugin<RecorderNetworkPlugin>('RecorderNetwork'),
): RecorderNetworks {
  return {
    async join({ ssid, password }, signal) {
      const leave = () => void plugin.leave().catch(onError);
      if (signal.aborted) return false;
      signal.addEventListener('abort', leave, { once: true });
      try {
        await plugin.join({ ssid, password, timeoutMs: AGREE_MS });
        // Canceled while the user was asked, so the network is left again.
        if (signal.aborted) leave();
        return true;
      } catch (error) {
        if (!byHand.has(codeOf(error))) throw error;
        return false;
      }
    },
  };
}
