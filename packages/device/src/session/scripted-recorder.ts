/** A recorder that does what a test says, a link to it, and a clock that stands until moved. */
import { answerChannel, bindingKeyOf, type Channel, newKeyPair } from '../channel/index.ts';
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

/** Time passes only in `pass`. */
export class StandingClock implements Clock {
  private time = 1_795_267_359_000;
  private timers: { at: number; callback: () => void }[] = [];

  now(): number {
    return this.time;
  }

  after(ms: number, callback: () => void): () => void {
    const timer = { at: this.time + ms, callback };
    this.timers.push(timer);
    return () => {
      this.timers = this.timers.filter((each) => each !== timer);
    };
  }

  /** Lets `ms` pass, timer by timer, and everything that follows from each. */
  async pass(ms: number): Promise<void> {
    const end = this.time + ms;
    for (;;) {
      await settle();
      const [next] = this.timers.toSorted((a, b) => a.at - b.at);
      if (!next || next.at > end) break;
      this.time = Math.max(this.time, next.at);
      this.timers = this.timers.filter((each) => each !== next);
      next.callback();
    }
    this.time = end;
    await settle();
  }
}

/** Runs all that is ready to run. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}

export interface Write {
  readonly at: number;
  readonly size: number;
  readonly withResponse: boolean;
}

/** What a test answers to a request: a value, a refusal, or nothing. */
export type Reply = object | Exclude<ResultName, 'ok'> | undefined;

export class ScriptedRecorder implements Transport {
  readonly kind = 'memory';
  readonly deviceId = 'scripted';
  readonly name = 'scripted';
  maxWriteSize = 512;
  readonly writes: Write[] = [];
  readonly requests: (AnyRequest & { at: number; sequence: number })[] = [];
  /** `nextChunk` of each, and when it came. */
  readonly acknowledgements: { nextChunk: number; at: number }[] = [];
  closed: CloseReason | undefined;
  /** Called for each request that the defaults below do not answer. */
  answer: (request: AnyRequest, sequence: number) => Reply = () => undefined;
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
  /** Of version 2: what it was bound with, or what was agreed on last. */
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
    for (const frame of this.decoder.push(bytes)) this.received(frame);
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
    this.end('closed_by_us');
  }

  end(reason: CloseReason): void {
    if (this.closed) return;
    this.closed = reason;
    for (const listener of [...this.closeListeners]) listener(reason);
  }

  send(bytes: Uint8Array): void {
    for (const listener of [...this.byteListeners]) listener(bytes);
  }

  /** Sends a frame, sealed once a channel is open. */
  tell(encoded: Uint8Array): void {
    this.send(this.channel?.seal(encoded) ?? encoded);
  }

  private received(sent: Frame): void {
    const at = this.clock.now();
    const frame = this.channel ? this.channel.open(sent) : sent;
    if (!frame) throw new Error('the session sent a record that does not hold');
    const part = decodeStream(frame);
    if (part?.name === 'acknowledge') {
      this.acknowledgements.push({ ...part.value, at });
      return;
    }
    const decoded = decodeRequest(frame);
    if (!decoded.ok) throw new Error('the session sent something that is no request');
    const { request } = decoded;
    this.requests.push({ ...request, at, sequence: frame.sequence });
    const opened = request.name === 'openChannel' ? this.openChannel(request.value) : undefined;
    const reply = opened?.reply ?? this.replyTo(request, frame.sequence);
    if (reply === undefined) return;
    this.tell(
      typeof reply === 'string'
        ? encodeRefusal(frame.command, reply as never, frame.sequence)
        : encodeResponse(request.name, reply as ResponseOf<typeof request.name>, frame.sequence),
    );
    this.channel ??= opened?.channel;
  }

  private openChannel({ publicKey: theirs }: RequestOf<'openChannel'>) {
    if (!this.bindingKey) return { reply: 'binding_unknown' as const };
    const own = newKeyPair();
    const { sn } = this.handshake as ResponseOf<'handshake'>;
    const agreed = { minVersion: 1, maxVersion: 2, version: 2, sn };
    const answered = answerChannel({ own, theirs }, this.bindingKey, agreed);
    if (!answered) throw new Error('the session sent a public key that is none');
    const { channel, proof } = answered;
    return { reply: { publicKey: own.publicKey, proof }, channel };
  }

  private agreeKey({ publicKey: theirs }: RequestOf<'agreeKey'>): Reply {
    const own = newKeyPair();
    const { sn } = this.handshake as ResponseOf<'handshake'>;
    this.bindingKey = bindingKeyOf({ role: 'recorder', own, theirs }, sn) ?? undefined;
    return { publicKey: own.publicKey };
  }

  private replyTo(request: AnyRequest, sequence: number): Reply {
    if (request.name === 'handshake') return this.handshake;
    if (request.name === 'token') return this.token;
    if (request.name === 'timeSync') return {};
    if (request.name === 'agreeKey') return this.agreeKey(request.value);
    return this.answer(request, sequence);
  }
}
