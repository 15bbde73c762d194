/** The recorder's side of a connection: frames in and out, request order, reports and streams. */
import { Mutex } from '@linnet/base';
import { systemClock } from '@linnet/device/clock';
import {
  type AnyReport,
  type AnyRequest,
  COMMANDS,
  decodeRequest,
  decodeStream,
  encodeFrame,
  encodeRefusal,
  encodeReport,
  encodeResponse,
  type Frame,
  FrameDecoder,
  RESULTS,
  type ResponseOf,
  VERSION_1,
} from '@linnet/device/codec';
import { FRAME_GAP_MS } from '@linnet/device/session';
import type { Outcome, Refusal } from '../outcome.ts';
import type { Recorder } from '../recorder.ts';
import { type AuthenticatedLink, Authentication } from './authentication.ts';
import { type CommandHandlers, type CommandLink, createCommandHandlers } from './commands.ts';
import type { ConnectedPhone, FrameLink } from './radio.ts';
import type { SessionStream } from './stream.ts';

export class Peripheral implements AuthenticatedLink, CommandLink {
  stream: SessionStream | undefined;
  updateSequence: number | undefined;
  private isClosed = false;
  private readonly decoder = new FrameDecoder();
  /** Serializes request handling. */
  private readonly requestMutex = new Mutex();
  /** Cancels the incomplete-frame timeout. */
  private cancelGapTimer: (() => void) | undefined;
  private lastReport = 0;
  private readonly unregister: () => void;
  private readonly recorder: Recorder;
  private readonly radio: FrameLink;
  private readonly authentication: Authentication;
  private readonly handlers: CommandHandlers;
  private readonly onReport = (report: AnyReport) => {
    if (this.authentication.isTrusted) this.sendReport(report);
  };
  private readonly onSilent = (medium?: FrameLink['medium']) => {
    if (medium === undefined || medium === this.medium) this.disconnect();
  };
  private readonly onRebound = (by: ConnectedPhone | null) => {
    if (by !== this) this.disconnect();
  };
  private readonly onSession = (sessionId: number) => {
    if (this.stream?.sessionId === sessionId) this.wake();
  };

  constructor(recorder: Recorder, radio: FrameLink) {
    this.recorder = recorder;
    this.radio = radio;
    this.authentication = new Authentication(recorder, this);
    this.handlers = createCommandHandlers(recorder, this, this.authentication);
    radio.source = () => {
      const frame = this.authentication.isTrusted ? this.stream?.next() : undefined;
      return frame && this.seal(frame);
    };
    radio.onWrite = (bytes) => this.handleBytes(bytes);
    recorder.on('report', this.onReport);
    recorder.on('session', this.onSession);
    recorder.on('silent', this.onSilent);
    recorder.on('rebound', this.onRebound);
    this.unregister = recorder.register(this);
  }

  close(): void {
    this.isClosed = true;
    this.cancelGapTimer?.();
    this.stream = undefined;
    this.authentication.close();
    this.recorder.off('report', this.onReport);
    this.recorder.off('session', this.onSession);
    this.recorder.off('silent', this.onSilent);
    this.recorder.off('rebound', this.onRebound);
    this.unregister();
    this.radio.close();
  }

  get medium(): FrameLink['medium'] {
    return this.radio.medium;
  }

  get payload(): number {
    return this.radio.payload;
  }

  get isTransferring(): boolean {
    return this.stream?.isOpen === true;
  }

  disconnect(): void {
    this.isClosed = true;
    this.radio.disconnect();
  }

  wake(): void {
    this.radio.wake();
  }

  sendReport({ name, value }: AnyReport): void {
    this.lastReport = (this.lastReport + 1) & 0xffff;
    this.send(encodeReport(name, value as never, this.lastReport));
  }

  private send(frame: Uint8Array): void {
    const sealed = this.seal(frame);
    if (sealed) this.radio.send(sealed);
  }

  /**
   * Seals an outgoing frame. Must be called in sending order.
   * @returns undefined if the channel is exhausted, after closing the link
   */
  private seal(frame: Uint8Array): Uint8Array | undefined {
    const sealed = this.authentication.seal(frame);
    if (!sealed) this.disconnect();
    return sealed ?? undefined;
  }

  private handleBytes(bytes: Uint8Array): void {
    this.cancelGapTimer?.();
    this.cancelGapTimer = undefined;
    for (const frame of this.decoder.push(bytes)) this.handleFrame(frame);
    if (this.decoder.pending === 0 || this.isClosed) return;
    // Phones run in real time regardless of the recorder's clock speed.
    this.cancelGapTimer = systemClock.after(FRAME_GAP_MS, () => {
      for (const frame of this.decoder.abandon()) this.handleFrame(frame);
    });
  }

  private handleFrame(frame: Frame): void {
    if (this.isClosed) return;
    const opened = this.authentication.open(frame);
    if (opened) this.dispatch(opened);
    else this.disconnect();
  }

  private dispatch(frame: Frame): void {
    if (frame.kind === 'request') {
      this.handleRequest(frame);
      return;
    }
    // Ignore frames without a response from untrusted phones. They belong to a transfer, which only a trusted phone can
    // start.
    if (!this.authentication.isTrusted) return;
    const part = decodeStream(frame);
    if (part?.name === 'acknowledge' && this.stream?.sequence === frame.sequence) {
      this.stream.acknowledge(part.value.nextChunk);
      this.wake();
    }
    if (part?.name === 'otaData' && this.updateSequence === frame.sequence) {
      this.recorder.firmware.receive(part.value.offset, part.value.data);
    }
  }

  private handleRequest(frame: Frame): void {
    const { faults } = this.recorder;
    if (faults.silentTo && COMMANDS[faults.silentTo].number === frame.command) return;
    if (faults.silence > 0) {
      faults.silence -= 1;
      return;
    }
    const refuse = (result: Refusal) =>
      this.send(encodeRefusal(frame.command, result, frame.sequence));
    const decoded = decodeRequest(frame);
    if (frame.version !== VERSION_1) refuse('version_unsupported');
    else if (faults.unknownCommands.some((name) => COMMANDS[name].number === frame.command)) {
      refuse('command_unknown');
    } else if (!decoded.ok) refuse(decoded.result);
    else {
      const { request } = decoded;
      this.requestMutex
        .run(() => this.respond(request, frame.sequence, refuse))
        .catch((error: unknown) => {
          console.error(`request ${request.name} failed`, error);
          refuse('hardware_abnormal');
        });
    }
  }

  private async respond(
    request: AnyRequest,
    sequence: number,
    refuse: (result: Refusal) => void,
  ): Promise<void> {
    const { name } = request;
    // The link closed while the request was queued.
    if (this.isClosed) return;
    if (!this.authentication.allows(name)) return refuse('out_of_order');
    const handle = this.handlers[name] as (
      value: unknown,
      sequence: number,
    ) => Outcome<ResponseOf<typeof name>> | Promise<Outcome<ResponseOf<typeof name>>>;
    const outcome = await handle(request.value, sequence);
    if (!outcome.ok) return refuse(outcome.result);
    if (name === 'sessionList' && this.recorder.faults.listMalformed) {
      // A malformed list, which announces three items but contains none.
      const payload = Uint8Array.of(RESULTS.ok, 0, 3);
      const command = COMMANDS.sessionList.number;
      const head = { version: VERSION_1, flags: 0, kind: 'response' } as const;
      return this.send(encodeFrame({ ...head, command, sequence, payload }));
    }
    this.send(encodeResponse(name, outcome.value as never, sequence));
  }
}
