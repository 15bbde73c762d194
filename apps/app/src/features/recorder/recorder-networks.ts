/** Joins recorders' own networks on devices that allow apps to do so. */
export type RecorderNetworks = {
  /**
   * Has this device join after asking the user, and leave when `signal` aborts.
   * @returns false if refused or impossible, so that the user must join by hand
   */
  join(network: RecorderNetwork, signal: AbortSignal): Promise<boolean>;
};

export type RecorderNetwork = { readonly ssid: string; readonly password: string };
