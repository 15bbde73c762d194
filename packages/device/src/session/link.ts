/**
 * Requests, reports and streams over one transport: frames in and out, answers matched to
 * questions, time-outs. What the messages mean is not known here.
 */
import { Emitter, Mutex } from '@linnet/base';
import type { Channel } from '../channel/index.ts';
import type { Clock } from '../clock.ts';
import {
  type AnyReport,
  type AnyStream,
  COMMANDS,
  type CommandName,
  decodeReport,
  decodeResponse,
  decodeStream,
  encodeRequest,
  encodeStream,
  type Frame,
  FrameDecoder,
  MAX_WRITE_SIZE,
  MIN_PAYLOAD_SIZE,
  type RequestOf,
  type ResponseOf,
  type StreamOf,
  VERSION_1,
} from '../codec/index.ts';
import { DeviceError, type DeviceErrorCode, TransportError } from '../errors.ts';
import type { CloseReason, Transport, Unsubscribe } from '../transport.ts';
import { FRAME_GAP_MS, REQUEST_TIMEOUT_MS } from './timing.ts';
import { WriteQueue } from './write-queue.ts';

interface Waiting {
  readonly command: number;
  readonly sequence: number;
  readonly answer: (frame: Frame) => void;
  readonly fail: (error: DeviceError) => void;
}

type LinkState =
  | { readonly status: 'open' }
  | {
      readonly status: 'closed';
      readonly reason: CloseReason;
      /** What requests fail with from here on. */
      readonly code: 'link_lost' | 'channel_broken';
    };

export class Link {
  private state: LinkState = { status: 'open' };
  private readonly decoder = new FrameDecoder();
  private readonly queue: WriteQueue;
  private waiting: Waiting | undefined;
  private readonly requests = new Mutex();
  private lastSequence = 0;
  private cancelGap: (() => void) | undefined;
  /** What everything is sealed with, under version 2. */
  private channel: Channel | undefined;
  private readonly reports = new Emitter<[report: AnyReport]>();
  private readonly streams = new Emitter<[stream: AnyStream, sequence: number]>();
  private readonly end = new Emitter<[reason: CloseReason]>();
  private readonly transport: Transport;
  private readonly clock: Clock;

  constructor(transport: Transport, clock: Clock) {
    this.transport = transport;
    this.clock = clock;
    this.queue = new WriteQueue(transport, clock);
    transport.onClosed((reason) => this.closed(reason));
    transport.onBytes((bytes) => this.received(bytes));
  }

  /** To be called with what the recorder says in the handshake. */
  set payloadSize(bytes: number) {
    const most = Math.min(bytes, this.transport.maxWriteSize, MAX_WRITE_SIZE);
    this.queue.partSize = Math.max(MIN_PAYLOAD_SIZE, most);
  }

  /** Seals whatever is written from here on, and takes nothing that is not sealed. */
  secure(channel: Channel): void {
    this.channel = channel;
    this.queue.seal = (frame) => {
      if (channel.isSpent) {
        this.breakOff('link_lost');
        throw new TransportError('link_lost');
      }
      return channel.seal(frame);
    };
  }

  /**
   * One request at a time: the next goes out when this one is answered or given up. `onSequence`
   * learns the sequence before the answer can arrive.
   * @throws {DeviceError}
   */
  request<N extends CommandName>(
    name: N,
    value: RequestOf<N>,
    onSequence?: (sequence: number) => void,
  ): Promise<ResponseOf<N>> {
    return this.requests.run(() => this.ask(name, value, onSequence));
  }

  /** @throws {DeviceError} */
  acknowledge(nextChunk: number, sequence: number): Promise<void> {
    return this.send('acknowledge', { nextChunk }, sequence);
  }

  /**
   * Something that is not answered, written without response and before any waiting request.
   * @throws {DeviceError}
   */
  async send<N extends 'acknowledge' | 'otaData'>(
    name: N,
    value: StreamOf<N>,
    sequence: number,
  ): Promise<void> {
    this.mustBeOpen();
    const frame = encodeStream(name, value, sequence);
    await this.queue.acknowledgement(frame).catch((error: unknown) => {
      throw asDeviceError(error);
    });
  }

  onReport(listener: (report: AnyReport) => void): Unsubscribe {
    return this.reports.subscribe(listener);
  }

  onStream(listener: (stream: AnyStream, sequence: number) => void): Unsubscribe {
    return this.streams.subscribe(listener);
  }

  onClosed(listener: (reason: CloseReason) => void): Unsubscribe {
    if (this.state.status === 'closed') {
      const { reason } = this.state;
      queueMicrotask(() => listener(reason));
      return () => undefined;
    }
    return this.end.subscribe(listener);
  }

  close(): Promise<void> {
    return this.transport.close();
  }

  private mustBeOpen(): void {
    if (this.state.status === 'closed') throw new DeviceError(this.state.code);
  }

  private async ask<N extends CommandName>(
    name: N,
    value: RequestOf<N>,
    onSequence: ((sequence: number) => void) | undefined,
  ): Promise<ResponseOf<N>> {
    this.mustBeOpen();
    this.lastSequence = (this.lastSequence + 1) & 0xffff;
    const sequence = this.lastSequence;
    onSequence?.(sequence);
    const frame = await this.exchange(
      COMMANDS[name].number,
      sequence,
      encodeRequest(name, value, sequence),
    );
    const response = decodeResponse(name, frame);
    if (response.kind === 'ok') return response.value;
    if (response.kind === 'malformed') throw new DeviceError('reply_malformed');
    const code: DeviceErrorCode =
      response.name === undefined || response.name === 'ok' ? 'result_unknown' : response.name;
    throw new DeviceError(code, { result: response.result });
  }

  private exchange(command: number, sequence: number, request: Uint8Array): Promise<Frame> {
    return new Promise((resolve, reject) => {
      let cancelTimeout = () => {};
      const done = () => {
        cancelTimeout();
        this.waiting = undefined;
      };
      this.waiting = {
        command,
        sequence,
        answer: (frame) => {
          done();
          resolve(frame);
        },
        fail: (error) => {
          done();
          reject(error);
        },
      };
      const mine = this.waiting;
      this.queue.command(request).then(
        () => {
          if (this.waiting !== mine) return;
          cancelTimeout = this.clock.after(REQUEST_TIMEOUT_MS, () =>
            mine.fail(new DeviceError('timeout')),
          );
        },
        (error: unknown) => {
          if (this.waiting === mine) mine.fail(asDeviceError(error));
        },
      );
    });
  }

  private received(bytes: Uint8Array): void {
    this.cancelGap?.();
    this.cancelGap = undefined;
    for (const frame of this.decoder.push(bytes)) this.take(frame);
    if (this.decoder.pending === 0 || this.state.status === 'closed') return;
    this.cancelGap = this.clock.after(FRAME_GAP_MS, () => {
      for (const frame of this.decoder.abandon()) this.take(frame);
    });
  }

  private take(frame: Frame): void {
    if (this.state.status === 'closed') return;
    const opened = this.channel ? this.channel.open(frame) : frame;
    if (opened && opened.version === VERSION_1) this.dispatch(opened);
    // Somebody has meddled, or is out of step.
    else if (this.channel) this.breakOff('channel_broken');
  }

  /** Ends the link: to whoever looks on, it was lost. @param code what requests fail with */
  private breakOff(code: 'link_lost' | 'channel_broken'): void {
    this.closed('link_lost', code);
    // Closing a link that was given up concerns nobody any more.
    this.transport.close().catch(() => undefined);
  }

  private dispatch(frame: Frame): void {
    switch (frame.kind) {
      case 'response': {
        const waiting = this.waiting;
        if (waiting?.sequence === frame.sequence && waiting.command === frame.command) {
          waiting.answer(frame);
        }
        return;
      }
      case 'report': {
        const report = decodeReport(frame);
        if (report) this.reports.emit(report);
        return;
      }
      case 'stream': {
        const part = decodeStream(frame);
        if (part) this.streams.emit(part, frame.sequence);
        return;
      }
      case 'request':
      case 'acknowledgement':
      case 'data':
        // A recorder sends none of these; an echo of our own bytes would look like this.
        return;
    }
  }

  private closed(reason: CloseReason, code: 'link_lost' | 'channel_broken' = 'link_lost'): void {
    if (this.state.status === 'closed') return;
    this.state = { status: 'closed', reason, code };
    this.cancelGap?.();
    this.queue.fail(new TransportError('link_lost'));
    this.waiting?.fail(new DeviceError(code));
    this.end.emit(reason);
    this.end.clear();
  }
}

/** The link's failures, as a request sees them. */
function asDeviceError(error: unknown): DeviceError {
  if (error instanceof DeviceError) return error;
  const gone =
    error instanceof TransportError && (error.code === 'link_lost' || error.code === 'closed');
  return new DeviceError(gone ? 'link_lost' : 'bluetooth_abnormal', { cause: error });
}
