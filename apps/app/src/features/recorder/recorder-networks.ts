/** Joins recorders' networks on platforms that let apps join a network. */
export type RecorderNetworks = {
  /**
   * Joins a network with the user's consent, and leaves it when `signal` aborts.
   * @returns false if the user declined or joining failed; the user must then join manually
   */
  join(network: RecorderNetwork, signal: AbortSignal): Promise<boolean>;
};

export type RecorderNetwork = { readonly ssid: string; readonly password: string };
