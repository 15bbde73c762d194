import { registerPlugin } from '@capacitor/core';
import type { RecorderNetworks } from '../../features/recorder/recorder-networks.ts';
import { pluginErrorCode } from './plugin-error.ts';

/** Plugin implemented by RecorderNetworkPlugin.java and .swift. */
export type RecorderNetworkPlugin = {
  join(network: { ssid: string; password: string; timeoutMs: number }): Promise<void>;
  leave(): Promise<void>;
};

/** Time limit in milliseconds for the user's consent, equal to the recorder's (PROTOCOL.md, section 4). */
const CONSENT_MS = 60_000;

/** Codes after which the user must join manually. */
const manualJoinCodes: ReadonlySet<string> = new Set(['unsupported', 'declined', 'failed']);

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
        await plugin.join({ ssid, password, timeoutMs: CONSENT_MS });
        // Leaves the network if the operation was canceled during the prompt.
        if (signal.aborted) leave();
        return true;
      } catch (error) {
        if (!manualJoinCodes.has(pluginErrorCode(error))) throw error;
        return false;
      }
    },
  };
}
