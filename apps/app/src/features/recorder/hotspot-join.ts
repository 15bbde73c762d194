/** Joins the network opened by a recorder and connects over it. */
import type { Client } from '@linnet/contract/client';
import type { Hotspot, RecorderSession } from '@linnet/device/session';
import type { Clock, Log } from '@linnet/sync';
import { openWifi } from '@linnet/transports/wifi';
import { openKnown } from './binding-keys.ts';
import { attemptOrReport } from './failures.ts';
import type { KnownRecorder } from './known-recorders.ts';
import type { RecorderNetworks } from './recorder-networks.ts';

/**
 * Time limit in milliseconds for this device to join the recorder's network, after which the recorder closes it
 * (PROTOCOL.md, section 4), and the interval between connection attempts.
 */
const JOIN_MS = 60_000;
const RETRY_MS = 1000;

export type HotspotJoinOptions = {
  readonly client: Client;
  /** Null if the user must join networks by hand. */
  readonly networks: RecorderNetworks | null;
  readonly clock: Clock;
  readonly log: Log;
  readonly onError: (error: unknown) => void;
};

type JoinRequest = {
  readonly network: Hotspot;
  readonly recorder: KnownRecorder;
  readonly signal: AbortSignal;
  /** Called when the system did not join, so that the user must do it by hand. */
  readonly onRefused: () => void;
  /** Accepts the session over Wi-Fi. A DeviceError counts as a failed attempt. */
  readonly accept: (session: RecorderSession) => Promise<void>;
};

/**
 * Retries the connection until this device has joined the network.
 * @returns whether the session was accepted before the network closed
 */
export async function connectOverHotspot(
  options: HotspotJoinOptions,
  request: JoinRequest,
): Promise<boolean> {
  const { client, clock, onError } = options;
  const { network, recorder, signal, accept } = request;
  const { deviceId, name } = recorder;
  // The recorder's time limit has started, and the user may join by hand while the system prompt is open.
  let deadline = clock.now() + JOIN_MS;
  let attemptEnd = new AbortController();
  void joinNetwork(options, request).then((hasJoined) => {
    if (!hasJoined) return;
    deadline = clock.now() + JOIN_MS;
    // An attempt started outside the network would fail only after a long timeout.
    attemptEnd.abort();
  });
  // The secret of version 2 opens only one link.
  let isSpent = false;
  while (!isSpent && clock.now() < deadline) {
    attemptEnd = new AbortController();
    const attemptSignal = AbortSignal.any([signal, attemptEnd.signal]);
    const outcome = await attemptOrReport(async () => {
      const connect = async () => {
        const transport = await openWifi(network, { deviceId, name, signal: attemptSignal });
        isSpent = network.version === 2;
        return transport;
      };
      await accept(await openKnown(client, recorder, connect, signal));
      return null;
    }, onError);
    if (outcome.ok) return true;
    await clock.sleep(RETRY_MS, signal);
  }
  return false;
}

/** Has the system join the network if this device allows it, and leave it when the signal aborts. */
async function joinNetwork(
  { networks, log, onError }: HotspotJoinOptions,
  { network, signal, onRefused }: JoinRequest,
): Promise<boolean> {
  if (!networks) return false;
  const { ssid, password } = network;
  const joined = await networks.join({ ssid, password }, signal).catch((error: unknown) => {
    onError(error);
    return false;
  });
  if (joined || signal.aborted) return joined;
  log('wifi.not_joined');
  onRefused();
  return false;
}
