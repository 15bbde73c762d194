import { registerPlugin } from '@capacitor/core';
import type { RecorderNetworks } from '../../features/recorder/recorder-networks.ts';
import { pluginErrorCode } from './plugin-error.ts';

/** The plugin implemented in RecorderNetworkPlugin.java and RecorderNetworkPlugin.swift. */
export type RecorderNetworkPlugin = {
  join(network: { ssid: string; password: string; timeoutMs: number }): Promise<void>;
  leave(): Promise<void>;
};

/** Timeout in milliseconds for the user's consent, the same as the recorder's (PROTOCOL.md, section 4). */
const CONSENT_MS = 60_000;

/** Error codes that mean the user must join the network manually. */
const manualJoinCodes: ReadonlySet<string> = new Set(['unsupported', 'declined', 'failed']);

/** Creates the adapter that joins recorders' networks through the phone's operating system. */
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
        // The signal aborted during the prompt, before the network was joined.
        if (signal.aborted) leave();
        return true;
      } catch (error) {
        if (!manualJoinCodes.has(pluginErrorCode(error))) throw error;
        return false;
      }
    },
  };
}
