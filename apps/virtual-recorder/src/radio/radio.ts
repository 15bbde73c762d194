/**
 * Emulates a radio connection, with connection events at a fixed interval and a few notifications per event. The
 * connection is paced by elapsed time, so late timers don't change the throughput.
 */
import type { PacedClock } from '../paced-clock.ts';
import { CONNECTION_INTERVAL_MS, PACKETS_PER_EVENT, type Payload } from './model.ts';

/**
 * Delay before a medium is turned off, in milliseconds of recorder time. Allows the last response to be sent.
 */
export const LAST_RESPONSE_MS = 500;

/** A link that carries protocol frames. */
export interface FrameLink {
  readonly medium: 'bluetooth' | 'wifi';
  /** Size of a notification, in bytes. */
  readonly payload: number;
  /** Returns the next frame of a running stream. Called whenever there is capacity. */
  source: () => Uint8Array | undefined;
  onWrite: (bytes: Uint8Array) => void;
  /** Queues a frame ahead of further stream frames. */
  send(frame: Uint8Array): void;
  /** Signals that a frame may be available. */
  wake(): void;
  close(): void;
  /** Breaks the link. */
  disconnect(): void;
}

/** The state of a connected phone that affects sleep and the network. */
export interface ConnectedPhone {
  readonly medium: FrameLink['medium'];
  /** Whether a transfer is in progress. */
  readonly isTransferring: boolean;
}

/** An emulated carrier of notifications. */
export interface RadioPort {
  notify(bytes: Uint8Array): void;
  /** Returns the number of buffered bytes not yet sent. */
  backlog(): number;
  /** Breaks the link. */
  drop(): void;
}

/** Transmission faults. Countdowns start when they are set. */
export interface AirFaults {
  /** Breaks the link after this many bytes. */
  dropAfterBytes: number | undefined;
  /** Flips one bit after this many bytes. */
  corruptAfterBytes: number | undefined;
  /** Sends a notification twice after this many bytes. */
  duplicateAfterBytes: number | undefined;
  /** The delay of each notification in milliseconds. */
  delayMs: number;
}

/** Returns a state without faults. */
export function noAirFaults(): AirFaults {
  return {
    dropAfterBytes: undefined,
    corruptAfterBytes: undefined,
    duplicateAfterBytes: undefined,
    delayMs: 0,
  };
}

/** The backlog in bytes at which the radio stalls until the port has caught up. */
const MAX_BACKLOG = 256 * 1024;

export class Radio implements FrameLink {
  readonly medium = 'bluetooth';
  readonly payload: Payload;
  private readonly port: RadioPort;
  private readonly clock: PacedClock;
  private readonly faults: AirFaults;
  private readonly inbound: Uint8Array[] = [];
  private outbound: Uint8Array[] = [];
  private outboundSize = 0;
  private lastEvent = 0;
  private cancelEvent: (() => void) | undefined;
  private isClosed = false;
  /** Delayed actions, due in recorder time. */
  private readonly delayed: { readonly dueAt: number; readonly action: () => void }[] = [];
  /** Returns the next frame of a running stream. Called whenever the radio has capacity. */
  source: () => Uint8Array | undefined = () => undefined;
  onWrite: (bytes: Uint8Array) => void = () => {};

  constructor(port: RadioPort, payload: Payload, clock: PacedClock, faults: AirFaults) {
    this.port = port;
    this.payload = payload;
    this.clock = clock;
    this.faults = faults;
  }

  /** Queues a frame ahead of further stream frames. */
  send(frame: Uint8Array): void {
    this.outbound.push(frame);
    this.outboundSize += frame.length;
    this.wake();
  }

  /** Queues a write from the phone, to be handled at the next connection event. */
  receive(bytes: Uint8Array): void {
    this.inbound.push(bytes);
    this.wake();
  }

  /** Signals that a frame may be available. */
  wake(): void {
    if (this.isClosed || this.cancelEvent) return;
    this.lastEvent = Math.floor(this.clock.elapsed() / CONNECTION_INTERVAL_MS);
    this.scheduleNext();
  }

  /** Breaks the link. */
  disconnect(): void {
    this.close();
    this.port.drop();
  }

  close(): void {
    this.isClosed = true;
    this.cancelEvent?.();
  }

  private scheduleNext(): void {
    // Handling a write may already have woken the radio.
    if (this.cancelEvent) return;
    const next = (this.lastEvent + 1) * CONNECTION_INTERVAL_MS;
    this.cancelEvent = this.clock.after(next - this.clock.elapsed(), () =>
      this.handleConnectionEvents(),
    );
  }

  private handleConnectionEvents(): void {
    this.cancelEvent = undefined;
    const now = Math.floor(this.clock.elapsed() / CONNECTION_INTERVAL_MS);
    const events = Math.max(0, now - this.lastEvent);
    this.lastEvent = now;
    // A timer may fire slightly early, before the event is due.
    if (events === 0) {
      this.scheduleNext();
      return;
    }
    for (const bytes of this.inbound.splice(0)) this.onWrite(bytes);
    this.sendPackets(events * PACKETS_PER_EVENT);
    if (!this.isClosed && this.outboundSize > 0) this.scheduleNext();
  }

  private sendPackets(packets: number): void {
    for (let packet = 0; packet < packets && !this.isClosed; packet++) {
      if (this.port.backlog() > MAX_BACKLOG) break;
      this.refill();
      if (this.outboundSize === 0) return;
      this.transmit(this.dequeue(Math.min(this.payload, this.outboundSize)));
    }
    this.refill();
  }

  /** Fetches stream frames only when there is free capacity, so a response waits for at most one stream frame. */
  private refill(): void {
    while (!this.isClosed && this.outboundSize < this.payload) {
      const frame = this.source();
      if (!frame) return;
      this.outbound.push(frame);
      this.outboundSize += frame.length;
    }
  }

  private dequeue(size: number): Uint8Array {
    const packet = new Uint8Array(size);
    let filled = 0;
    while (filled < size) {
      const frame = this.outbound[0];
      if (!frame) break;
      const part = frame.subarray(0, size - filled);
      packet.set(part, filled);
      filled += part.length;
      if (part.length === frame.length) this.outbound.shift();
      else this.outbound[0] = frame.subarray(part.length);
    }
    this.outboundSize -= size;
    return packet;
  }

  private transmit(packet: Uint8Array): void {
    const { faults } = this;
    const corruptOffset = this.countDown('corruptAfterBytes', packet.length);
    if (corruptOffset !== null) packet[corruptOffset] = (packet[corruptOffset] ?? 0) ^ 0x10;
    const isDuplicated = this.countDown('duplicateAfterBytes', packet.length) !== null;
    const dropOffset = this.countDown('dropAfterBytes', packet.length);
    const delivered = packet.subarray(0, dropOffset ?? packet.length);
    if (delivered.length > 0) this.deliver(delivered);
    if (isDuplicated && delivered.length > 0) this.deliver(delivered);
    if (dropOffset === null) return;
    this.close();
    this.after(faults.delayMs, () => this.port.drop());
  }

  /** Advances a countdown. @returns the offset in the packet at which the countdown expires, or null */
  private countDown(
    name: 'dropAfterBytes' | 'corruptAfterBytes' | 'duplicateAfterBytes',
    length: number,
  ): number | null {
    const remaining = this.faults[name];
    if (remaining === undefined) return null;
    this.faults[name] = remaining < length ? undefined : remaining - length;
    return remaining < length ? remaining : null;
  }

  private deliver(bytes: Uint8Array): void {
    this.after(this.faults.delayMs, () => this.port.notify(bytes));
  }

  /** Delays an action, preserving order. */
  private after(delayMs: number, action: () => void): void {
    if (delayMs === 0 && this.delayed.length === 0) {
      action();
      return;
    }
    this.delayed.push({ dueAt: this.clock.elapsed() + delayMs, action });
    if (this.delayed.length === 1) this.scheduleDelayed();
  }

  private scheduleDelayed(): void {
    const [next] = this.delayed;
    if (!next) return;
    this.clock.after(next.dueAt - this.clock.elapsed(), () => {
      this.delayed.shift();
      next.action();
      this.scheduleDelayed();
    });
  }
}
