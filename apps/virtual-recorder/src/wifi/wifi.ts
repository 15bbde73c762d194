/**
 * WiFi: a hotspot of the recorder's own, or a network that it joins. The air is this machine's loopback:
 * who "joins" the hotspot (a phone's hands, in the control API) can reach its HTTP service from then on.
 */

import { randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { Mutex } from '@linnet/base';
import type { ReportOf, RequestOf, ResponseOf } from '@linnet/device/codec';
import { done, type Outcome, type Refusal, refused } from '../outcome.ts';
import type { Viewer } from '../ownership.ts';
import { LAST_RESPONSE_MS } from '../radio/radio.ts';
import type { Recorder } from '../recorder.ts';
import { type Grant, LOOPBACK, type SessionsServer, serveSessions } from './sessions-server.ts';

/** Hotspot idle timeout, ms (PROTOCOL.md, section 4). */
export const HOTSPOT_PATIENCE_MS = 60_000;
type State =
  | { readonly status: 'off' }
  | { readonly status: 'hotspot'; readonly isJoined: boolean; readonly cancel: () => void }
  | { readonly status: 'joining'; readonly cancel: () => void }
  | { readonly status: 'joined' }
  | { readonly status: 'failed' };

interface WifiEvents {
  changed: [ReportOf<'wifiChanged'>];
  /** The hotspot has taken the shared radio: Bluetooth must disconnect. */
  radioTaken: [];
}

/** Time to join a network, recorder time, ms. */
const JOINING_MS = 3000;

export class Wifi extends EventEmitter<WifiEvents> {
  private state: State = { status: 'off' };
  private server: SessionsServer | null = null;
  /** Serializes starting, joining and stopping the network, so that no server is leaked. */
  private readonly changes = new Mutex();
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
   * Starts the hotspot for a phone or the button, if the current state permits it.
   * @param sessions IDs of the sessions to be read
   */
  async open(
    sessions: RequestOf<'wifiOpen'>['sessions'],
    viewer: Viewer,
  ): Promise<Outcome<ResponseOf<'wifiOpen'>>> {
    const obstacle = this.obstacle();
    if (obstacle) return refused(obstacle);
    const known = sessions.every(({ sessionId }) =>
      this.recorder.sessions.isVisible(sessionId, viewer),
    );
    if (!known) return refused('session_unknown');
    const { token } = await this.raise(viewer);
    this.recorder.clock.after(LAST_RESPONSE_MS, () => this.emit('radioTaken'));
    return done({ ...this.credentials, ...this.place, token });
  }

  /** Joins a network alongside Bluetooth, if the current state permits it. */
  async configure(
    { ssid, password }: RequestOf<'wifiConfigure'>,
    viewer: Viewer,
  ): Promise<Outcome<ResponseOf<'wifiConfigure'>>> {
    const obstacle = this.obstacle();
    if (obstacle) return refused(obstacle);
    const { token } = await this.join(ssid, password, viewer);
    return done({ state: this.status, token });
  }

  private obstacle(): Refusal | null {
    if (this.recorder.status !== 'idle') return 'session_recording';
    return this.recorder.faults.usbDisk ? 'usb_disk_mode' : null;
  }

  /**
   * Starts the hotspot. Its HTTP service is reachable once a device has joined.
   * @param viewer owner whose sessions the token grants access to
   */
  raise(viewer: Viewer): Promise<{ token: Uint8Array }> {
    return this.changes.run(async () => {
      await this.lower();
      const token = randomBytes(16);
      await this.serve(this.grant(token, viewer));
      this.state = { status: 'hotspot', isJoined: false, cancel: this.losePatience() };
      this.tell();
      return { token };
    });
  }

  /** Admits a device to the hotspot. @returns false if it is rejected */
  register(ssid: string, password: string): boolean {
    const { state, credentials, recorder } = this;
    const right = ssid === credentials.ssid && password === credentials.password;
    if (state.status !== 'hotspot' || !right || recorder.faults.wifiDenied) return false;
    // Rejoining does not extend the timeout: under version 2, the serial number is enough to join.
    if (state.isJoined && this.isSealed) return true;
    state.cancel();
    this.state = { ...state, isJoined: true, cancel: this.losePatience() };
    return true;
  }

  /**
   * Joins a network and reports success or failure.
   * @param viewer owner whose sessions the token grants access to
   */
  join(ssid: string, password: string, viewer: Viewer): Promise<{ token: Uint8Array }> {
    return this.changes.run(async () => {
      await this.lower();
      const token = randomBytes(16);
      const grant = this.grant(token, viewer);
      const cancel = this.recorder.clock.after(JOINING_MS, () => {
        this.changes
          .run(() => this.joined(joining, { ssid, password }, grant))
          .catch((error: unknown) => console.error('the network could not be joined', error));
      });
      const joining: State = { status: 'joining', cancel };
      this.state = joining;
      this.tell();
      return { token };
    });
  }

  /** Turns WiFi off. */
  fall(): Promise<void> {
    return this.changes.run(() => this.lower());
  }

  private async joined(
    joining: State,
    { ssid, password }: { ssid: string; password: string },
    grant: Grant,
  ): Promise<void> {
    // WiFi was turned off during the join.
    if (this.state !== joining) return;
    const found = this.recorder.faults.networks.find((network) => network.ssid === ssid);
    const may = found !== undefined && (found.password === null || found.password === password);
    if (may) await this.serve(grant);
    this.state = { status: may ? 'joined' : 'failed' };
    this.tell();
  }

  private async lower(): Promise<void> {
    if (this.state.status === 'off') return;
    this.cancelPresent();
    this.state = { status: 'off' };
    const { server } = this;
    this.server = null;
    await server?.stop();
    this.tell();
  }

  /** HTTP address and port; zeroes if not served. */
  get place(): { address: Uint8Array; port: number } {
    const numbers = this.server ? LOOPBACK.split('.').map(Number) : [0, 0, 0, 0];
    return { address: Uint8Array.from(numbers), port: this.server?.port ?? 0 };
  }

  /** Starts the idle timeout. @returns a canceller */
  private losePatience(): () => void {
    return this.recorder.clock.after(HOTSPOT_PATIENCE_MS, () => void this.fall());
  }

  /** Whether the recorder is bound under version 2. */
  private get isSealed(): boolean {
    return this.recorder.ownership.key !== null;
  }

  private grant(token: Buffer, viewer: Viewer): Grant {
    return this.isSealed
      ? { version: 2, secret: token }
      : { version: 1, token: token.toString('hex'), viewer };
  }

  /**
   * Suspends the idle timeout while connections are open and restarts it after the last one. Under version 2
   * only the authenticated link counts, so that other clients cannot keep the hotspot up.
   */
  private busy(connections: number): void {
    if (this.state.status !== 'hotspot') return;
    this.state.cancel();
    const cancel = connections > 0 ? () => undefined : this.losePatience();
    this.state = { ...this.state, cancel };
  }

  private async serve(grant: Grant): Promise<void> {
    const { faults } = this.recorder;
    const server = await serveSessions(this.recorder, grant, {
      isReachable: () => this.state.status !== 'hotspot' || this.state.isJoined,
      onBytes: (bytes) => {
        const left = faults.wifiVanishAfterBytes;
        if (left === undefined) return bytes;
        faults.wifiVanishAfterBytes = left > bytes ? left - bytes : undefined;
        if (left > bytes) return bytes;
        void this.fall();
        return left;
      },
      onConnections: (open) => grant.version === 1 && this.busy(open),
      onDone: () => void this.fall(),
      onLink: () => this.busy(1),
      // The hotspot has no further use: Bluetooth comes back. A hotspot that was raised since stays.
      onLinkEnd: () => {
        if (this.server === server && this.state.status === 'hotspot') void this.fall();
      },
    });
    this.server = server;
  }

  private cancelPresent(): void {
    if ('cancel' in this.state) this.state.cancel();
  }

  private tell(): void {
    this.emit('changed', { state: this.state.status, ...this.place });
  }
}
