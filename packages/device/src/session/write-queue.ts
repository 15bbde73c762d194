/**
 * Serializes a session's writes, because a link handles one operation at a time. Commands are spaced by a minimum
 * delay; stream acknowledgements aren't delayed.
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
  /** Maximum number of bytes per write. Starts at the size every link allows, and increases after the handshake. */
  partSize: number = MIN_PAYLOAD_SIZE;
  /** Seals a frame. Called just before the write, because sequence numbers must follow the order of writes. */
  seal: (frame: Uint8Array) => Uint8Array = (frame) => frame;
  private readonly commands: Entry[] = [];
  private readonly urgent: Entry[] = [];
  private nextCommandAt = 0;
  /** The frame being written. */
  private current: Entry | undefined;
  private cancelDelay: (() => void) | undefined;
  private readonly transport: Transport;
  private readonly clock: Clock;

  constructor(transport: Transport, clock: Clock) {
    this.transport = transport;
    this.clock = clock;
  }

  /** Writes a frame. Resolves once the recorder's radio has confirmed all of it. */
  writeCommand(frame: Uint8Array): Promise<void> {
    return this.enqueue(this.commands, frame);
  }

  /** Writes a frame without response, ahead of all queued commands. */
  writeUrgent(frame: Uint8Array): Promise<void> {
    return this.enqueue(this.urgent, frame);
  }

  /** Rejects all entries, including the current write, which might never settle on a lost link. */
  fail(error: unknown): void {
    this.cancelDelay?.();
    this.current?.settle(error);
    for (const entry of [...this.urgent.splice(0), ...this.commands.splice(0)]) entry.settle(error);
  }

  private enqueue(queue: Entry[], frame: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      queue.push({ frame, settle: (error) => (error === undefined ? resolve() : reject(error)) });
      this.writeNext();
    });
  }

  private writeNext(): void {
    if (this.current) return;
    this.cancelDelay?.();
    this.cancelDelay = undefined;
    const urgent = this.urgent.shift();
    if (urgent) {
      void this.write(urgent, false);
      return;
    }
    if (this.commands.length === 0) return;
    const waitMs = this.nextCommandAt - this.clock.elapsed();
    if (waitMs > 0) {
      this.cancelDelay = this.clock.after(waitMs, () => this.writeNext());
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
      if (isCommand) this.nextCommandAt = this.clock.elapsed() + WRITE_DELAY_MS;
      this.current = undefined;
      this.writeNext();
    }
  }
}
