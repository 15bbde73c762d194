/**
 * Requests, reports and streams over one transport: encodes and decodes frames, matches responses to
 * requests, and applies timeouts. Message semantics are handled by the session.
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
      /** Error of all later requests. */
      readonly code: 'link_lost' | 'channel_broken';
    };

export class Link {
  private state: LinkState = { status: 'open' };
  private readonly decoder = new FrameDecoder();
  private readonly queue: WriteQueue;
  private pending: PendingRequest | undefined;
  private readonly requests = new Mutex();
  private lastSequence = 0;
  private cancelGap: (() => void) | undefined;
  /** Channel that seals all frames under version 2. */
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

  /** Sets the payload size reported in the handshake, bytes. */
  set payloadSize(bytes: number) {
    const maximum = Math.min(bytes, this.transport.maxWriteSize, MAX_WRITE_SIZE);
    this.queue.partSize = Math.max(MIN_PAYLOAD_SIZE, maximum);
  }

  /** Seals all further writes, and rejects frames that are not sealed. */
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
   * Sends requests one at a time; the next one waits for a response or a failure. `onSequence`
   * receives the sequence before the response can arrive.
   * @throws {DeviceError}
   */
  request<N extends CommandName>(
    name: N,
    value: RequestOf<N>,
    onSequence?: (sequence: number) => void,
  ): Promise<ResponseOf<N>> {
    return this.requests.run(() => this.performRequest(name, value, onSequence));
  }

  /** @throws {DeviceError} */
  acknowledge(nextChunk: number, sequence: number): Promise<void> {
    return this.send('acknowledge', { nextChunk }, sequence);
  }

  /**
   * Sends a message without a response, before any queued request.
   * @throws {DeviceError}
   */
  async send<N extends 'acknowledge' | 'otaData'>(
    name: N,
    value: StreamOf<N>,
    sequence: number,
  ): Promise<void> {
    this.assertOpen();
    const frame = encodeStream(name, value, sequence);
    await this.queue.writeUrgent(frame).catch((error: unknown) => {
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
    return this.closeEvents.subscribe(listener);
  }

  close(): Promise<void> {
    return this.transport.close();
  }

  private assertOpen(): void {
    if (this.state.status === 'closed') throw new DeviceError(this.state.code);
  }

  private async performRequest<N extends CommandName>(
    name: N,
    value: RequestOf<N>,
    onSequence: ((sequence: number) => void) | undefined,
  ): Promise<ResponseOf<N>> {
    this.assertOpen();
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
          if (this.pending === pending) pending.reject(asDeviceError(error));
        },
      );
    });
  }

  private handleBytes(bytes: Uint8Array): void {
    this.cancelGap?.();
    this.cancelGap = undefined;
    for (const frame of this.decoder.push(bytes)) this.handleFrame(frame);
    if (this.decoder.pending === 0 || this.state.status === 'closed') return;
    this.cancelGap = this.clock.after(FRAME_GAP_MS, () => {
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

  /** Closes the link and reports it as lost. @param code error of pending and later requests */
  private abortLink(code: 'link_lost' | 'channel_broken'): void {
    this.handleClose('link_lost', code);
    // The link is already reported as closed, so a failure to close it has no effect.
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
        // A recorder does not send these kinds; they can only be an echo of the app's frames.
        return;
    }
  }

  private handleClose(
    reason: CloseReason,
    code: 'link_lost' | 'channel_broken' = 'link_lost',
  ): void {
    if (this.state.status === 'closed') return;
    this.state = { status: 'closed', reason, code };
    this.cancelGap?.();
    this.queue.fail(new TransportError('link_lost'));
    this.pending?.reject(new DeviceError(code));
    this.closeEvents.emit(reason);
    this.closeEvents.clear();
  }
}

/** Converts transport failures to request failures. */
function asDeviceError(error: unknown): DeviceError {
  if (error instanceof DeviceError) return error;
  const isClosed =
    error instanceof TransportError && (error.code === 'link_lost' || error.code === 'closed');
  return new DeviceError(isClosed ? 'link_lost' : 'bluetooth_abnormal', { cause: error });
}
