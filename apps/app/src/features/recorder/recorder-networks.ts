/** Joins the networks of recorders on platforms that allow apps to join a network. */
export type RecorderNetworks = {
  /**
   * Joins a network after the user has agreed, and leaves it when `signal` aborts.
   * @returns false if the user refused or joining failed, so that the user must join manually
   */
  join(network: RecorderNetwork, signal: AbortSignal): Promise<boolean>;
};

export type RecorderNetwork = { readonly ssid: string; readonly password: string };
