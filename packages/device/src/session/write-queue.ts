/**
 * The one queue through which a session writes. A link takes one operation at a time; commands keep
 * their distance from each other, acknowledgements of a stream do not wait for that.
 */
import type { Clock } from '../clock.ts';
import { MIN_PAYLOAD_SIZE } from '../codec/index.ts';
import type { Transport } from '../transport.ts';
import { WRITE_DELAY_MS } from './timing.ts';

interface Entry {
  readonly frame: Uint8Array;
  readonly settle: (error?: unknown) => void;
}

export class WriteQueue {
  /** Bytes of one write. The least every link carries, until the handshake tells more. */
  partSize: number = MIN_PAYLOAD_SIZE;
  /** What becomes of a frame at the moment it is written: records are numbered in that order. */
  seal: (frame: Uint8Array) => Uint8Array = (frame) => frame;
  private readonly commands: Entry[] = [];
  private readonly urgent: Entry[] = [];
  private nextCommandAt = 0;
  /** The frame on its way. */
  private current: Entry | undefined;
  private cancelDelay: (() => void) | undefined;
  private readonly transport: Transport;
  private readonly clock: Clock;

  constructor(transport: Transport, clock: Clock) {
    this.transport = transport;
    this.clock = clock;
  }

  /** Resolves when the recorder's radio has confirmed all of the frame. */
  command(frame: Uint8Array): Promise<void> {
    return this.enter(this.commands, frame);
  }

  /** Written before any waiting command, without response. */
  acknowledgement(frame: Uint8Array): Promise<void> {
    return this.enter(this.urgent, frame);
  }

  /** Drops everything, also a write under way: on a dead link it may never come back. */
  fail(error: unknown): void {
    this.cancelDelay?.();
    this.current?.settle(error);
    for (const entry of [...this.urgent.splice(0), ...this.commands.splice(0)]) entry.settle(error);
  }

  private enter(queue: Entry[], frame: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      queue.push({ frame, settle: (error) => (error === undefined ? resolve() : reject(error)) });
      this.pump();
    });
  }

  private pump(): void {
    if (this.current) return;
    this.cancelDelay?.();
    this.cancelDelay = undefined;
    const acknowledgement = this.urgent.shift();
    if (acknowledgement) {
      void this.write(acknowledgement, false);
      return;
    }
    if (this.commands.length === 0) return;
    const wait = this.nextCommandAt - this.clock.now();
    if (wait > 0) {
      this.cancelDelay = this.clock.after(wait, () => this.pump());
      return;
    }
    const command = this.commands.shift();
    if (command) void this.write(command, true);
  }

  private async write(entry: Entry, isCommand: boolean): Promise<void> {
    this.current = entry;
    try {
      const frame = this.seal(entry.frame);
      for (let offset = 0; offset < frame.length; offset += this.partSize) {
        const part = frame.slice(offset, offset + this.partSize);
        await this.transport.write(part, { withResponse: isCommand });
      }
      entry.settle();
    } catch (error) {
      entry.settle(error);
    } finally {
      if (isCommand) this.nextCommandAt = this.clock.now() + WRITE_DELAY_MS;
      this.current = undefined;
      this.pump();
    }
  }
}
