/** Test doubles: a manual clock, and a recorder with scripted replies that also acts as its own transport. */
import {
  type Channel,
  deriveBindingKey,
  generateKeyPair,
  openRecorderChannel,
} from '../channel/index.ts';
import type { Clock } from '../clock.ts';
import {
  type AnyRequest,
  decodeRequest,
  decodeStream,
  encodeRefusal,
  encodeResponse,
  type Frame,
  FrameDecoder,
  type RequestOf,
  type ResponseOf,
  type ResultName,
} from '../codec/index.ts';
import { type CloseReason, type Transport, TransportError } from '../transport.ts';

/** A clock that advances only when `advance` is called. */
export class ManualClock implements Clock {
  private start = 1_795_267_359_000;
  private time = 0;
  private timers: { at: number; callback: () => void }[] = [];

  now(): number {
    return this.start + this.time;
  }

  elapsed(): number {
    return this.time;
  }

  /** Sets the clock forward or back by `ms`. No time passes. */
  set(ms: number): void {
    this.start += ms;
  }

  after(ms: number, callback: () => void): () => void {
    const timer = { at: this.time + ms, callback };
    this.timers.push(timer);
    return () => {
      this.timers = this.timers.filter((each) => each !== timer);
    };
  }

  /** Advances the time by `ms`, running each timer that becomes due and the work it triggers. */
  async advance(ms: number): Promise<void> {
    const end = this.time + ms;
    for (;;) {
      await flushTasks();
      const [next] = this.timers.toSorted((a, b) => a.at - b.at);
      if (!next || next.at > end) break;
      this.time = Math.max(this.time, next.at);
      this.timers = this.timers.filter((each) => each !== next);
      next.callback();
    }
    this.time = end;
    await flushTasks();
  }
}

/** Waits until all pending microtasks and immediates have run. */
export async function flushTasks(): Promise<void> {
  for (let round = 0; round < 5; round++) await new Promise((resolve) => setImmediate(resolve));
}

export interface Write {
  readonly at: number;
  readonly size: number;
  readonly withResponse: boolean;
}

/** The reply to a request: a value, the name of a refusal, or undefined for no reply. */
export type Reply = object | Exclude<ResultName, 'ok'> | undefined;

export class ScriptedRecorder implements Transport {
  readonly kind = 'memory';
  readonly deviceId = 'scripted';
  readonly name = 'scripted';
  maxWriteSize = 512;
  readonly writes: Write[] = [];
  readonly requests: (AnyRequest & { at: number; sequence: number })[] = [];
  /** Received acknowledgements with their times. */
  readonly acknowledgements: { nextChunk: number; at: number }[] = [];
  closed: CloseReason | undefined;
  /** Called for each request without a default reply. */
  respond: (request: AnyRequest, sequence: number) => Reply = () => undefined;
  handshake: Reply = {
    version: 1,
    tranVersion: 1,
    payloadSize: 244,
    isBind: true,
    mac: Uint8Array.of(0x26, 0xc5, 0x7e, 0xdc, 0xb2, 0x57),
    projectCode: 'LNR1',
    sn: 'LNR100000001',
    firmwareVersion: '1.0.0',
  };
  token: Reply = {};
  /** The key of the current or most recent version 2 binding. */
  bindingKey: Uint8Array | undefined;
  private channel: Channel | undefined;
  private readonly decoder = new FrameDecoder();
  private readonly byteListeners = new Set<(bytes: Uint8Array) => void>();
  private readonly closeListeners = new Set<(reason: CloseReason) => void>();
  private readonly clock: Clock;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  async write(bytes: Uint8Array, { withResponse }: { withResponse: boolean }): Promise<void> {
    if (this.closed) throw new TransportError('link_lost');
    this.writes.push({ at: this.clock.now(), size: bytes.length, withResponse });
    for (const frame of this.decoder.push(bytes)) this.handleFrame(frame);
  }

  onBytes(listener: (bytes: Uint8Array) => void) {
    this.byteListeners.add(listener);
    return () => this.byteListeners.delete(listener);
  }

  onClosed(listener: (reason: CloseReason) => void) {
    this.closeListeners.add(listener);
    return () => this.closeListeners.delete(listener);
  }

  async close(): Promise<void> {
    this.disconnect('closed_by_us');
  }

  disconnect(reason: CloseReason): void {
    if (this.closed) return;
    this.closed = reason;
    for (const listener of [...this.closeListeners]) listener(reason);
  }

  send(bytes: Uint8Array): void {
    for (const listener of [...this.byteListeners]) listener(bytes);
  }

  /** Sends a frame, sealed if a channel is open. */
  sendFrame(encoded: Uint8Array): void {
    this.send(this.channel?.seal(encoded) ?? encoded);
  }

  private handleFrame(receivedFrame: Frame): void {
    const receivedAt = this.clock.now();
    const frame = this.channel ? this.channel.open(receivedFrame) : receivedFrame;
    if (!frame) throw new Error('received an invalid record');
    const part = decodeStream(frame);
    if (part?.name === 'acknowledge') {
      this.acknowledgements.push({ ...part.value, at: receivedAt });
      return;
    }
    const decoded = decodeRequest(frame);
    if (!decoded.ok) throw new Error('received an invalid request');
    const { request } = decoded;
    this.requests.push({ ...request, at: receivedAt, sequence: frame.sequence });
    const opened = request.name === 'openChannel' ? this.openChannel(request.value) : undefined;
    const reply = opened?.reply ?? this.replyTo(request, frame.sequence);
    if (reply === undefined) return;
    this.sendFrame(
      typeof reply === 'string'
        ? encodeRefusal(frame.command, reply as never, frame.sequence)
        : encodeResponse(request.name, reply as ResponseOf<typeof request.name>, frame.sequence),
    );
    this.channel ??= opened?.channel;
  }

  private openChannel({ publicKey: peerKey }: RequestOf<'openChannel'>) {
    if (!this.bindingKey) return { reply: 'binding_unknown' as const };
    const keyPair = generateKeyPair();
    const { sn } = this.handshake as ResponseOf<'handshake'>;
    const handshake = { minVersion: 1, maxVersion: 2, version: 2, sn };
    const opened = openRecorderChannel({ keyPair, peerKey }, this.bindingKey, handshake);
    if (!opened) throw new Error('received an invalid public key');
    const { channel, proof } = opened;
    return { reply: { publicKey: keyPair.publicKey, proof }, channel };
  }

  private agreeKey({ publicKey: peerKey }: RequestOf<'agreeKey'>): Reply {
    const keyPair = generateKeyPair();
    const { sn } = this.handshake as ResponseOf<'handshake'>;
    this.bindingKey = deriveBindingKey({ role: 'recorder', keyPair, peerKey }, sn) ?? undefined;
    return { publicKey: keyPair.publicKey };
  }

  private replyTo(request: AnyRequest, sequence: number): Reply {
    if (request.name === 'handshake') return this.handshake;
    if (request.name === 'token') return this.token;
    if (request.name === 'timeSync') return {};
    if (request.name === 'agreeKey') return this.agreeKey(request.value);
    return this.respond(request, sequence);
  }
}
