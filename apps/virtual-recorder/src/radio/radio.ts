/**
 * One connection of the radio: connection events at a fixed interval, a few notifications in each.
 * Paced by elapsed time, so that a transfer takes what it would take however late timers fire.
 */
import type { PacedClock } from '../paced-clock.ts';
import { CONNECTION_INTERVAL_MS, PACKETS_PER_EVENT, type Payload } from './model.ts';

/** The recorder's milliseconds in which the last answer leaves before its medium falls silent. */
export const LAST_ANSWER_MS = 500;

/** Link that carries protocol frames. */
export interface FrameLink {
  readonly medium: 'bluetooth' | 'wifi';
  /** Bytes of one notification. */
  readonly payload: number;
  /** Returns the next frame of a running stream; called whenever there is capacity. */
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

/** A phone that is connected, as far as the recorder's sleep and its network depend on it. */
export interface ConnectedPhone {
  readonly medium: FrameLink['medium'];
  /** Whether a transfer is in progress. */
  readonly isMoving: boolean;
}

/** Emulated carrier of notifications. */
export interface RadioPort {
  notify(bytes: Uint8Array): void;
  /** Buffered bytes not yet sent. */
  backlog(): number;
  /** The link breaks. */
  drop(): void;
}

/** What happens to the bytes on the air; counted down from the moment it is asked for. */
export interface AirFaults {
  /** The link breaks when this many more bytes were carried. */
  dropAfterBytes: number | undefined;
  /** One bit flips when this many more bytes were carried. */
  corruptAfterBytes: number | undefined;
  /** The notification in which this many more bytes were carried comes twice. */
  duplicateAfterBytes: number | undefined;
  /** Milliseconds by which each notification comes late. */
  delayMs: number;
}

/** No faults. */
export function clearAir(): AirFaults {
  return {
    dropAfterBytes: undefined,
    corruptAfterBytes: undefined,
    duplicateAfterBytes: undefined,
    delayMs: 0,
  };
}

/** A port that cannot keep up stalls the radio, as a phone that does not listen would. */
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
  private closed = false;
  /** Delayed actions, due in recorder time. */
  private readonly late: { readonly due: number; readonly deed: () => void }[] = [];
  /** Returns the next frame of a running stream; called whenever the air has capacity. */
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

  /** A write of the phone; taken at the next connection event. */
  received(bytes: Uint8Array): void {
    this.inbound.push(bytes);
    this.wake();
  }

  /** Signals that a frame may be available. */
  wake(): void {
    if (this.closed || this.cancelEvent) return;
    this.lastEvent = Math.floor(this.clock.elapsed() / CONNECTION_INTERVAL_MS);
    this.scheduleNext();
  }

  /** Breaks the link. */
  disconnect(): void {
    this.close();
    this.port.drop();
  }

  close(): void {
    this.closed = true;
    this.cancelEvent?.();
  }

  private scheduleNext(): void {
    // Taking a write may already have woken the radio.
    if (this.cancelEvent) return;
    const next = (this.lastEvent + 1) * CONNECTION_INTERVAL_MS;
    this.cancelEvent = this.clock.after(next - this.clock.elapsed(), () => this.event());
  }

  private event(): void {
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
    this.carry(events * PACKETS_PER_EVENT);
    if (!this.closed && this.outboundSize > 0) this.scheduleNext();
  }

  private carry(packets: number): void {
    for (let packet = 0; packet < packets && !this.closed; packet++) {
      if (this.port.backlog() > MAX_BACKLOG) break;
      this.refill();
      if (this.outboundSize === 0) return;
      this.transmit(this.takeOut(Math.min(this.payload, this.outboundSize)));
    }
    this.refill();
  }

  /** Stream frames are fetched when the air has room, so that answers never wait behind many. */
  private refill(): void {
    while (!this.closed && this.outboundSize < this.payload) {
      const frame = this.source();
      if (!frame) return;
      this.outbound.push(frame);
      this.outboundSize += frame.length;
    }
  }

  private takeOut(size: number): Uint8Array {
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
    const corrupt = this.countDown('corruptAfterBytes', packet.length);
    if (corrupt !== null) packet[corrupt] = (packet[corrupt] ?? 0) ^ 0x10;
    const twice = this.countDown('duplicateAfterBytes', packet.length) !== null;
    const dropAt = this.countDown('dropAfterBytes', packet.length);
    const passing = packet.subarray(0, dropAt ?? packet.length);
    if (passing.length > 0) this.deliver(passing);
    if (twice && passing.length > 0) this.deliver(passing);
    if (dropAt === null) return;
    this.close();
    this.after(faults.delayMs, () => this.port.drop());
  }

  /** @returns where in a packet of this length a countdown ends, which is over then; else null */
  private countDown(
    name: 'dropAfterBytes' | 'corruptAfterBytes' | 'duplicateAfterBytes',
    length: number,
  ): number | null {
    const left = this.faults[name];
    if (left === undefined) return null;
    this.faults[name] = left < length ? undefined : left - length;
    return left < length ? left : null;
  }

  private deliver(bytes: Uint8Array): void {
    this.after(this.faults.delayMs, () => this.port.notify(bytes));
  }

  /** Delays an action, preserving order. */
  private after(delayMs: number, deed: () => void): void {
    if (delayMs === 0 && this.late.length === 0) {
      deed();
      return;
    }
    this.late.push({ due: this.clock.elapsed() + delayMs, deed });
    if (this.late.length === 1) this.awaitLate();
  }

  private awaitLate(): void {
    const [next] = this.late;
    if (!next) return;
    this.clock.after(next.due - this.clock.elapsed(), () => {
      this.late.shift();
      next.deed();
      this.awaitLate();
    });
  }
}
