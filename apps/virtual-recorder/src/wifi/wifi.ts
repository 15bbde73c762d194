/**
 * Wi-Fi: the recorder's hotspot, or a network that the recorder joins. Wi-Fi is emulated on loopback. The control API
 * makes a device join the hotspot, after which the HTTP service is reachable.
 */

import { randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { Mutex } from '@linnet/base';
import type { ReportOf, RequestOf, ResponseOf } from '@linnet/device/codec';
import { type Outcome, type Refusal, refused, succeeded } from '../outcome.ts';
import type { Viewer } from '../ownership.ts';
import { LAST_RESPONSE_MS } from '../radio/radio.ts';
import type { Recorder } from '../recorder.ts';
import { type Grant, LOOPBACK, type SessionsServer, serveSessions } from './sessions-server.ts';

/** The idle timeout of the hotspot in milliseconds (PROTOCOL.md, section 4). */
export const HOTSPOT_TIMEOUT_MS = 60_000;
type State =
  | { readonly status: 'off' }
  | { readonly status: 'hotspot'; readonly isJoined: boolean; readonly cancel: () => void }
  | { readonly status: 'joining'; readonly cancel: () => void }
  | { readonly status: 'joined' }
  | { readonly status: 'failed' };

interface WifiEvents {
  changed: [ReportOf<'wifiChanged'>];
  /** The hotspot uses the shared radio, so Bluetooth must disconnect. */
  radioAcquired: [];
}

/** Time it takes to join a network, in milliseconds of recorder time. */
const JOINING_MS = 3000;

export class Wifi extends EventEmitter<WifiEvents> {
  private state: State = { status: 'off' };
  private server: SessionsServer | null = null;
  /** Serializes starting, joining and stopping the network, so no server is leaked. */
  private readonly stateMutex = new Mutex();
  private readonly recorder: Recorder;

  constructor(recorder: Recorder) {
    super();
    this.recorder = recorder;
  }

  get status(): State['status'] {
    return this.state.status;
  }

  /** The hotspot's name and password. */
  get credentials(): { ssid: string; password: string } {
    const { sn, hotspotPassword } = this.recorder.flash.state;
    return {
      ssid: `${sn.slice(0, 4)}-9-${sn.slice(-4)}`,
      password: hotspotPassword ?? sn.slice(-8),
    };
  }

  /**
   * Starts the hotspot on request of a phone or the button, if the current state permits it.
   * @param sessions the IDs of the sessions to be read
   */
  async open(
    sessions: RequestOf<'wifiOpen'>['sessions'],
    viewer: Viewer,
  ): Promise<Outcome<ResponseOf<'wifiOpen'>>> {
    const refusal = this.findRefusal();
    if (refusal) return refused(refusal);
    const areVisible = sessions.every(({ sessionId }) =>
      this.recorder.sessions.isVisible(sessionId, viewer),
    );
    if (!areVisible) return refused('session_unknown');
    const { token } = await this.startHotspot(viewer);
    this.recorder.clock.after(LAST_RESPONSE_MS, () => this.emit('radioAcquired'));
    return succeeded({ ...this.credentials, ...this.httpAddress, token });
  }

  /** Joins a network alongside Bluetooth, if the current state permits it. */
  async configure(
    { ssid, password }: RequestOf<'wifiConfigure'>,
    viewer: Viewer,
  ): Promise<Outcome<ResponseOf<'wifiConfigure'>>> {
    const refusal = this.findRefusal();
    if (refusal) return refused(refusal);
    const { token } = await this.joinNetwork(ssid, password, viewer);
    return succeeded({ state: this.status, token });
  }

  private findRefusal(): Refusal | null {
    if (this.recorder.status !== 'idle') return 'session_recording';
    return this.recorder.faults.usbDisk ? 'usb_disk_mode' : null;
  }

  /**
   * Starts the hotspot. Its HTTP service is reachable once a device has joined.
   * @param viewer the owner whose sessions the token grants access to
   */
  startHotspot(viewer: Viewer): Promise<{ token: Uint8Array }> {
    return this.stateMutex.run(async () => {
      await this.turnOff();
      const token = randomBytes(16);
      await this.serve(this.grant(token, viewer));
      this.state = { status: 'hotspot', isJoined: false, cancel: this.startIdleTimeout() };
      this.report();
      return { token };
    });
  }

  /**
   * Admits a device to the hotspot.
   * @returns false if it is rejected
   */
  join(ssid: string, password: string): boolean {
    const { state, credentials, recorder } = this;
    const isValid = ssid === credentials.ssid && password === credentials.password;
    if (state.status !== 'hotspot' || !isValid || recorder.faults.wifiDenied) return false;
    // Rejoining doesn't extend the timeout, because under version 2 anyone who knows the serial number can join.
    if (state.isJoined && this.isSealed) return true;
    state.cancel();
    this.state = { ...state, isJoined: true, cancel: this.startIdleTimeout() };
    return true;
  }

  /**
   * Joins a network and reports success or failure.
   * @param viewer the owner whose sessions the token grants access to
   */
  joinNetwork(ssid: string, password: string, viewer: Viewer): Promise<{ token: Uint8Array }> {
    return this.stateMutex.run(async () => {
      await this.turnOff();
      const token = randomBytes(16);
      const grant = this.grant(token, viewer);
      const cancel = this.recorder.clock.after(JOINING_MS, () => {
        this.stateMutex
          .run(() => this.finishJoining(joining, { ssid, password }, grant))
          .catch((error: unknown) => console.error('failed to join the network', error));
      });
      const joining: State = { status: 'joining', cancel };
      this.state = joining;
      this.report();
      return { token };
    });
  }

  /** Turns Wi-Fi off. */
  stop(): Promise<void> {
    return this.stateMutex.run(() => this.turnOff());
  }

  private async finishJoining(
    joining: State,
    { ssid, password }: { ssid: string; password: string },
    grant: Grant,
  ): Promise<void> {
    // Ignore the result if Wi-Fi was turned off during the join.
    if (this.state !== joining) return;
    const network = this.recorder.faults.networks.find((network) => network.ssid === ssid);
    const isAdmitted =
      network !== undefined && (network.password === null || network.password === password);
    if (isAdmitted) await this.serve(grant);
    this.state = { status: isAdmitted ? 'joined' : 'failed' };
    this.report();
  }

  private async turnOff(): Promise<void> {
    if (this.state.status === 'off') return;
    this.cancelTimer();
    this.state = { status: 'off' };
    const { server } = this;
    this.server = null;
    await server?.stop();
    this.report();
  }

  /** The address and port of the HTTP service, or zeros if it isn't available. */
  get httpAddress(): { address: Uint8Array; port: number } {
    const numbers = this.server ? LOOPBACK.split('.').map(Number) : [0, 0, 0, 0];
    return { address: Uint8Array.from(numbers), port: this.server?.port ?? 0 };
  }

  /** @returns a function that cancels the timeout */
  private startIdleTimeout(): () => void {
    return this.recorder.clock.after(HOTSPOT_TIMEOUT_MS, () => void this.stop());
  }

  /** Whether the recorder is bound under version 2, which encrypts (seals) all traffic. */
  private get isSealed(): boolean {
    return this.recorder.ownership.key !== null;
  }

  private grant(token: Buffer, viewer: Viewer): Grant {
    return this.isSealed
      ? { version: 2, secret: token }
      : { version: 1, token: token.toString('hex'), viewer };
  }

  /**
   * Suspends the idle timeout while connections are open, and restarts it when the last connection closes. Under
   * version 2, only the authenticated link counts, so other clients can't keep the hotspot up.
   */
  private setConnections(connections: number): void {
    if (this.state.status !== 'hotspot') return;
    this.state.cancel();
    const cancel = connections > 0 ? () => undefined : this.startIdleTimeout();
    this.state = { ...this.state, cancel };
  }

  private async serve(grant: Grant): Promise<void> {
    const { faults } = this.recorder;
    const server = await serveSessions(this.recorder, grant, {
      isReachable: () => this.state.status !== 'hotspot' || this.state.isJoined,
      onBytes: (bytes) => {
        const remaining = faults.wifiVanishAfterBytes;
        if (remaining === undefined) return bytes;
        faults.wifiVanishAfterBytes = remaining > bytes ? remaining - bytes : undefined;
        if (remaining > bytes) return bytes;
        void this.stop();
        return remaining;
      },
      onConnections: (open) => grant.version === 1 && this.setConnections(open),
      onDone: () => void this.stop(),
      onLink: () => this.setConnections(1),
      // Stop the hotspot, unless a new hotspot with a different server has been started since.
      onLinkEnd: () => {
        if (this.server === server && this.state.status === 'hotspot') void this.stop();
      },
    });
    this.server = server;
  }

  private cancelTimer(): void {
    if ('cancel' in this.state) this.state.cancel();
  }

  private report(): void {
    this.emit('changed', { state: this.state.status, ...this.httpAddress });
  }
}
