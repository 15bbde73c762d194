/** Joins the Wi-Fi network that a recorder has opened, and connects over it. */
import type { Client } from '@linnet/contract/client';
import type { Hotspot, RecorderSession } from '@linnet/device/session';
import type { Clock, Log } from '@linnet/sync';
import { openWifi } from '@linnet/transports/wifi';
import { openKnownRecorder } from './binding-keys.ts';
import { attemptOrReport } from './failures.ts';
import type { KnownRecorder } from './known-recorders.ts';
import type { RecorderNetworks } from './recorder-networks.ts';

/** How long the recorder keeps its network open while no device connects, in milliseconds (PROTOCOL.md, section 4). */
const JOIN_MS = 60_000;
/** Interval in milliseconds between connection attempts. */
const RETRY_MS = 1000;

export type HotspotJoinOptions = {
  readonly client: Client;
  /** Null if the user must join networks manually. */
  readonly networks: RecorderNetworks | null;
  readonly clock: Clock;
  readonly log: Log;
  readonly onError: (error: unknown) => void;
};

type JoinRequest = {
  readonly network: Hotspot;
  readonly recorder: KnownRecorder;
  readonly signal: AbortSignal;
  /** Called if the system didn't join the network, so that the user must join it manually. */
  readonly onRefused: () => void;
  /** Called with the session over Wi-Fi. If it throws a DeviceError, the attempt counts as failed. */
  readonly accept: (session: RecorderSession) => Promise<void>;
};

/**
 * Keeps trying to connect until this device has joined the network.
 * @returns whether a session was accepted before the recorder closed its network
 */
export async function connectOverHotspot(
  options: HotspotJoinOptions,
  request: JoinRequest,
): Promise<boolean> {
  const { client, clock, onError } = options;
  const { network, recorder, signal, accept } = request;
  const { deviceId, name } = recorder;
  // Start connecting without waiting for the system: the recorder's time limit is already running, and the user may
  // join manually while the system prompt is open.
  let deadline = clock.elapsed() + JOIN_MS;
  let attemptEnd = new AbortController();
  void joinNetwork(options, request).then((hasJoined) => {
    if (!hasJoined) return;
    deadline = clock.elapsed() + JOIN_MS;
    // Abort any attempt that started before this device joined; it would fail only after a long timeout.
    attemptEnd.abort();
  });
  // In protocol version 2, the secret is valid for only one link.
  let isSecretUsed = false;
  while (!isSecretUsed && clock.elapsed() < deadline) {
    attemptEnd = new AbortController();
    const attemptSignal = AbortSignal.any([signal, attemptEnd.signal]);
    const outcome = await attemptOrReport(async () => {
      const connect = async () => {
        const transport = await openWifi(network, { deviceId, name, signal: attemptSignal });
        isSecretUsed = network.version === 2;
        return transport;
      };
      await accept(await openKnownRecorder(client, recorder, connect, signal));
      return null;
    }, onError);
    if (outcome.ok) return true;
    await clock.sleep(RETRY_MS, signal);
  }
  return false;
}

/** Asks the system to join the network, if this platform supports that, and to leave it when the signal aborts. */
async function joinNetwork(
  { networks, log, onError }: HotspotJoinOptions,
  { network, signal, onRefused }: JoinRequest,
): Promise<boolean> {
  if (!networks) return false;
  const { ssid, password } = network;
  const hasJoined = await networks.join({ ssid, password }, signal).catch((error: unknown) => {
    onError(error);
    return false;
  });
  if (hasJoined || signal.aborted) return hasJoined;
  log('wifi.not_joined');
  onRefused();
  return false;
}
