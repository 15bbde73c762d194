/** Joins recorders' own networks, where a device lets an app do so. */
export type RecorderNetworks = {
  /**
   * Has this device join, after its owner was asked, and leave when `signal` aborts.
   * @returns false when it was refused or cannot be done: then its owner joins by hand
   */
  join(network: RecorderNetwork, signal: AbortSignal): Promise<boolean>;
};

export type RecorderNetwork = { readonly ssid: string; readonly password: string };
