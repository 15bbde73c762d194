/**
 * Sends requests and receives responses, reports and streams over one transport. Encodes and decodes frames, matches
 * responses to requests, and enforces timeouts. The session interprets the messages.
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

interface PendingRequest {
  readonly command: number;
  readonly sequence: number;
  readonly resolve: (frame: Frame) => void;
  readonly reject: (error: DeviceError) => void;
}

type LinkState =
  | { readonly status: 'open' }
  | {
      readonly status: 'closed';
      readonly reason: CloseReason;
      /** The error code with which all later requests fail. */
      readonly code: 'link_lost' | 'channel_broken';
    };

export class Link {
  private state: LinkState = { status: 'open' };
  private readonly decoder = new FrameDecoder();
  private readonly queue: WriteQueue;
  private pending: PendingRequest | undefined;
  private readonly requestMutex = new Mutex();
  private lastSequence = 0;
  private cancelGapTimer: (() => void) | undefined;
  /** Seals all frames under version 2. */
  private channel: Channel | undefined;
  private readonly reports = new Emitter<[report: AnyReport]>();
  private readonly streams = new Emitter<[stream: AnyStream, sequence: number]>();
  private readonly closeEvents = new Emitter<[reason: CloseReason]>();
  private readonly transport: Transport;
  private readonly clock: Clock;

  constructor(transport: Transport, clock: Clock) {
    this.transport = transport;
    this.clock = clock;
    this.queue = new WriteQueue(transport, clock);
    transport.onClosed((reason) => this.handleClose(reason));
    transport.onBytes((bytes) => this.handleBytes(bytes));
  }

  /** Sets the payload size in bytes that the recorder reported in the handshake. */
  set payloadSize(bytes: number) {
    const maximum = Math.min(bytes, this.transport.maxWriteSize, MAX_WRITE_SIZE);
    this.queue.partSize = Math.max(MIN_PAYLOAD_SIZE, maximum);
  }

  /** Seals all writes from now on. The link is then closed if an unsealed frame arrives. */
  secure(channel: Channel): void {
    this.channel = channel;
    this.queue.seal = (frame) => {
      if (channel.isExhausted) {
        this.abortLink('link_lost');
        throw new TransportError('link_lost');
      }
      return channel.seal(frame);
    };
  }

  /**
   * Sends a request and returns the response. Each request waits until the previous one has been answered or has
   * failed. `onSequence` receives the request's sequence before the response can arrive.
   * @throws {DeviceError}
   */
  request<N extends CommandName>(
    name: N,
    value: RequestOf<N>,
    onSequence?: (sequence: number) => void,
  ): Promise<ResponseOf<N>> {
    return this.requestMutex.run(() => this.performRequest(name, value, onSequence));
  }

  /** Acknowledges a stream's chunks up to but not including `nextChunk`. @throws {DeviceError} */
  acknowledge(nextChunk: number, sequence: number): Promise<void> {
    return this.send('acknowledge', { nextChunk }, sequence);
  }

  /**
   * Sends a message that has no response, ahead of all queued requests.
   * @throws {DeviceError}
   */
  async send<N extends 'acknowledge' | 'otaData'>(
    name: N,
    value: StreamOf<N>,
    sequence: number,
  ): Promise<void> {
    this.throwIfClosed();
    const frame = encodeStream(name, value, sequence);
    await this.queue.writeUrgent(frame).catch((error: unknown) => {
      throw toDeviceError(error);
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
    return this.closeEvents.subscribe(listener);
  }

  close(): Promise<void> {
    return this.transport.close();
  }

  private throwIfClosed(): void {
    if (this.state.status === 'closed') throw new DeviceError(this.state.code);
  }

  private async performRequest<N extends CommandName>(
    name: N,
    value: RequestOf<N>,
    onSequence: ((sequence: number) => void) | undefined,
  ): Promise<ResponseOf<N>> {
    this.throwIfClosed();
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
      const cleanUp = () => {
        cancelTimeout();
        this.pending = undefined;
      };
      const pending: PendingRequest = {
        command,
        sequence,
        resolve: (frame) => {
          cleanUp();
          resolve(frame);
        },
        reject: (error) => {
          cleanUp();
          reject(error);
        },
      };
      this.pending = pending;
      this.queue.writeCommand(request).then(
        () => {
          if (this.pending !== pending) return;
          cancelTimeout = this.clock.after(REQUEST_TIMEOUT_MS, () =>
            pending.reject(new DeviceError('timeout')),
          );
        },
        (error: unknown) => {
          if (this.pending === pending) pending.reject(toDeviceError(error));
        },
      );
    });
  }

  private handleBytes(bytes: Uint8Array): void {
    this.cancelGapTimer?.();
    this.cancelGapTimer = undefined;
    for (const frame of this.decoder.push(bytes)) this.handleFrame(frame);
    if (this.decoder.pending === 0 || this.state.status === 'closed') return;
    this.cancelGapTimer = this.clock.after(FRAME_GAP_MS, () => {
      for (const frame of this.decoder.abandon()) this.handleFrame(frame);
    });
  }

  private handleFrame(frame: Frame): void {
    if (this.state.status === 'closed') return;
    const opened = this.channel ? this.channel.open(frame) : frame;
    if (opened && opened.version === VERSION_1) this.dispatch(opened);
    // The frame was modified, replayed or reordered.
    else if (this.channel) this.abortLink('channel_broken');
  }

  /** Closes the link and reports it as lost. @param code the error with which pending and later requests fail */
  private abortLink(code: 'link_lost' | 'channel_broken'): void {
    this.handleClose('link_lost', code);
    // The link has already been reported as closed, so ignore a failure to close it.
    this.transport.close().catch(() => undefined);
  }

  private dispatch(frame: Frame): void {
    switch (frame.kind) {
      case 'response': {
        const { pending } = this;
        if (pending?.sequence === frame.sequence && pending.command === frame.command) {
          pending.resolve(frame);
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
        // Recorders never send these kinds, so this can only be an echo of the app's own frames.
        return;
    }
  }

  private handleClose(
    reason: CloseReason,
    code: 'link_lost' | 'channel_broken' = 'link_lost',
  ): void {
    if (this.state.status === 'closed') return;
    this.state = { status: 'closed', reason, code };
    this.cancelGapTimer?.();
    this.queue.fail(new TransportError('link_lost'));
    this.pending?.reject(new DeviceError(code));
    this.closeEvents.emit(reason);
    this.closeEvents.clear();
  }
}

/** Converts a transport failure to a request failure. */
function toDeviceError(error: unknown): DeviceError {
  if (error instanceof DeviceError) return error;
  const isClosed =
    error instanceof TransportError && (error.code === 'link_lost' || error.code === 'closed');
  return new DeviceError(isClosed ? 'link_lost' : 'bluetooth_abnormal', { cause: error });
}
