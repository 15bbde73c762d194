/**
 * The phone's side of one link, for checks. Sends any bytes, including invalid ones, and stores everything received.
 */
import type { Channel } from '../channel/index.ts';
import type { Clock } from '../clock.ts';
import {
  type AnyReport,
  COMMANDS,
  type CommandName,
  type DecodedResponse,
  decodeReport,
  decodeResponse,
  encodeFrame,
  encodeRequest,
  encodeStream,
  type Frame,
  FrameDecoder,
  MIN_PAYLOAD_SIZE,
  RESULTS,
  type ReportName,
  type ReportOf,
  type RequestOf,
  type ResponseOf,
  type ResultName,
} from '../codec/index.ts';
import { TransportError } from '../errors.ts';
import type { Transport } from '../transport.ts';
import { Broken, formatResult, NotOffered } from './verdict.ts';

/** The delays and timeouts of a probe, in milliseconds. */
export interface ProbeTiming {
  readonly clock: Clock;
  /** Delay between two commands. */
  readonly paceMs: number;
  /** How long to wait for a response, a report or a frame of a stream. */
  readonly timeoutMs: number;
  /** How long to wait after a response for a frame that must not arrive. */
  readonly settleMs: number;
}

/** A request without a layout, for commands and payloads that the codec can't produce. */
export interface RawRequest {
  readonly command: number;
  readonly payload?: Uint8Array;
  /** Byte 2 of the frame: version in the high four bits, flags in the low four. */
  readonly versionAndFlags?: number;
}

const SHOWN_BYTES = 24;

function describeFrame({ kind, command, sequence, payload }: Frame): string {
  const bytes = Array.from(payload.subarray(0, SHOWN_BYTES), (byte) =>
    byte.toString(16).padStart(2, '0'),
  );
  const more = payload.length > SHOWN_BYTES ? ` … (${payload.length} bytes)` : '';
  const number = `0x${command.toString(16).padStart(2, '0')}`;
  return `${kind} ${number}, sequence ${sequence}: ${bytes.join(' ') || 'empty'}${more}`;
}

/** Describes a decoded response for a verdict. */
export function describeResponse(response: DecodedResponse<CommandName>): string {
  if (response.kind === 'ok') return formatResult(RESULTS.ok);
  if (response.kind === 'refused') return formatResult(response.result);
  return 'a malformed response';
}

export class Probe {
  /** Seals everything written and opens everything received. */
  channel: Channel | undefined;
  /** All received frames, opened, oldest first. */
  readonly received: Frame[] = [];
  /** Versions and flags of the received frames before they were opened. */
  readonly receivedVersionBytes = new Set<number>();
  /** Size of the largest notification, in bytes. */
  largestNotification = 0;
  /** True if a frame received over the channel wasn't a valid record. */
  hasInvalidRecord = false;
  isClosed = false;
  /** Maximum number of bytes per write. */
  partSize: number = MIN_PAYLOAD_SIZE;
  /** The payload size from the handshake, in bytes. */
  payloadSize: number | undefined;
  private sequence: number;
  private nextWriteAt = 0;
  private readonly decoder = new FrameDecoder();
  private readonly watchers = new Set<() => void>();
  private readonly transport: Transport;
  private readonly timing: ProbeTiming;

  constructor(transport: Transport, timing: ProbeTiming, firstSequence = 1) {
    this.transport = transport;
    this.timing = timing;
    this.sequence = firstSequence - 1;
    transport.onClosed(() => {
      this.isClosed = true;
      this.notify();
    });
    transport.onBytes((bytes) => this.handleBytes(bytes));
  }

  /** Number of received bytes that weren't part of a valid frame. */
  get skippedBytes(): number {
    return this.decoder.skippedBytes + this.decoder.pending;
  }

  /** The transport's limit for a single write, in bytes. */
  get maxWriteSize(): number {
    return this.transport.maxWriteSize;
  }

  async close(): Promise<void> {
    await this.transport.close();
  }

  /** Reserves the sequence of the next request. */
  nextSequence(): number {
    this.sequence = (this.sequence + 1) & 0xffff;
    return this.sequence;
  }

  /** Writes raw bytes in parts of at most `partSize`. Does nothing on a closed link. */
  async write(bytes: Uint8Array, partSize = this.partSize): Promise<void> {
    const waitMs = this.nextWriteAt - this.timing.clock.elapsed();
    if (waitMs > 0) await this.pause(waitMs);
    await this.writeParts(bytes, partSize, true);
    this.nextWriteAt = this.timing.clock.elapsed() + this.timing.paceMs;
  }

  /** Encodes a request, and seals it if the channel is open. */
  encode<N extends CommandName>(name: N, value: RequestOf<N>, sequence: number): Uint8Array {
    return this.seal(encodeRequest(name, value, sequence));
  }

  /** Seals an encoded frame if the channel is open. Frames must be written in the order they were sealed. */
  seal(frame: Uint8Array): Uint8Array {
    return this.channel?.seal(frame) ?? frame;
  }

  /** Sends a request and returns its response. @throws {Broken} if the response is missing or malformed */
  async request<N extends CommandName>(name: N, value: RequestOf<N>): Promise<DecodedResponse<N>> {
    const sequence = this.nextSequence();
    await this.write(this.encode(name, value, sequence));
    return this.responseTo(name, sequence);
  }

  /** Waits for the response to a request. @throws {Broken} if the response is missing or malformed */
  async responseTo<N extends CommandName>(name: N, sequence: number): Promise<DecodedResponse<N>> {
    const { number } = COMMANDS[name];
    const frame = await this.waitForResponse(number, sequence, `a response to ${name}`);
    const response = decodeResponse(name, frame);
    if (response.kind === 'malformed') {
      throw new Broken(`the fields of the response to ${name}`, describeFrame(frame));
    }
    return response;
  }

  /** Sends a request that must succeed. @throws {Broken} */
  async succeed<N extends CommandName>(name: N, value: RequestOf<N>): Promise<ResponseOf<N>> {
    const response = await this.request(name, value);
    if (response.kind === 'ok') return response.value;
    throw new Broken(`${formatResult(0)} to ${name}`, describeResponse(response));
  }

  /** Sends an optional request that must succeed if the recorder supports it. @throws {Broken | NotOffered} */
  async succeedIfOffered<N extends CommandName>(
    name: N,
    value: RequestOf<N>,
  ): Promise<ResponseOf<N>> {
    const response = await this.request(name, value);
    if (response.kind === 'ok') return response.value;
    const received = describeResponse(response);
    if (response.kind === 'refused' && response.name === 'command_unknown') {
      throw new NotOffered(`${name} is answered with ${received}`);
    }
    throw new Broken(`${formatResult(0)} to ${name}, or 32 if it isn't supported`, received);
  }

  /** Sends a request that the recorder must refuse with one of the given results. @throws {Broken} */
  async expectRefusal<N extends CommandName>(
    name: N,
    value: RequestOf<N>,
    results: readonly Exclude<ResultName, 'ok'>[],
    situation: string,
  ): Promise<void> {
    const response = await this.request(name, value);
    const isExpected =
      response.kind === 'refused' && results.some((each) => RESULTS[each] === response.result);
    if (isExpected) return;
    const expected = results.map((each) => formatResult(RESULTS[each])).join(' or ');
    throw new Broken(`${expected} to ${name} ${situation}`, describeResponse(response));
  }

  /** Sends an optional request that must be refused if the recorder knows it. @throws {Broken | NotOffered} */
  async expectRefusalIfOffered<N extends CommandName>(
    name: N,
    value: RequestOf<N>,
    expected: Exclude<ResultName, 'ok'>,
    situation: string,
  ): Promise<void> {
    const response = await this.request(name, value);
    if (response.kind === 'refused' && response.result === RESULTS[expected]) return;
    const received = describeResponse(response);
    if (response.kind === 'refused' && response.name === 'command_unknown') {
      throw new NotOffered(`${name} is answered with ${received}`);
    }
    throw new Broken(`${formatResult(RESULTS[expected])} to ${name} ${situation}`, received);
  }

  /** Sends a request without a layout. @returns the result, from −128 to 127. @throws {Broken} */
  async sendRaw(request: RawRequest, description: string): Promise<{ result: number }> {
    const { command, payload = new Uint8Array(), versionAndFlags = 0x10 } = request;
    const sequence = this.nextSequence();
    const frame = encodeFrame({
      version: versionAndFlags >> 4,
      flags: versionAndFlags & 0xf,
      kind: 'request',
      command,
      sequence,
      payload,
    });
    await this.write(this.seal(frame));
    const response = await this.waitForResponse(command, sequence, `a response to ${description}`);
    const [first] = response.payload;
    if (first === undefined) {
      throw new Broken(`a result in the response to ${description}`, describeFrame(response));
    }
    return { result: first > 127 ? first - 256 : first };
  }

  /** Sends a request without a layout that the recorder must refuse. @throws {Broken} */
  async expectRawRefusal(
    request: RawRequest,
    expected: Exclude<ResultName, 'ok'>,
    description: string,
  ): Promise<void> {
    const { result } = await this.sendRaw(request, description);
    if (result === RESULTS[expected]) return;
    throw new Broken(`${formatResult(RESULTS[expected])} to ${description}`, formatResult(result));
  }

  /** Acknowledges a stream's chunks below `nextChunk`. Not subject to the delay between commands. */
  async acknowledge(nextChunk: number, sequence: number): Promise<void> {
    await this.writeParts(
      this.seal(encodeStream('acknowledge', { nextChunk }, sequence)),
      this.partSize,
      false,
    );
  }

  /** Sends bytes of a firmware image. */
  async sendImage(offset: number, data: Uint8Array, sequence: number): Promise<void> {
    await this.writeParts(
      this.seal(encodeStream('otaData', { offset, data }, sequence)),
      this.partSize,
      false,
    );
  }

  /** Returns the reports with this name since the given position in `received`. */
  getReports<N extends ReportName>(name: N, since = 0): ReportOf<N>[] {
    return this.received.slice(since).flatMap((frame) => {
      const report = frame.kind === 'report' ? decodeReport(frame) : undefined;
      return isReport(report, name) ? [report.value] : [];
    });
  }

  /** Waits for a report. @throws {Broken} */
  async waitForReport<N extends ReportName>(
    name: N,
    since: number,
    accepts: (value: ReportOf<N>) => boolean = () => true,
    timeoutMs = this.timing.timeoutMs,
  ): Promise<ReportOf<N>> {
    return this.waitFor(
      () => this.getReports(name, since).find(accepts),
      `a report ${name}`,
      timeoutMs,
      since,
    );
  }

  /**
   * Waits until `find` returns a value. It's called after each received frame and when the link closes.
   * @param since the position in `received` from which frames are described if nothing is found
   * @throws {Broken} after the timeout
   */
  waitFor<T>(
    find: () => T | undefined,
    expected: string,
    timeoutMs = this.timing.timeoutMs,
    since = this.received.length,
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      const settle = (outcome: () => void) => {
        cancelTimeout();
        this.watchers.delete(watch);
        outcome();
      };
      const fail = (reason: string) => {
        const frames = this.received.slice(since).filter(({ kind }) => kind !== 'stream');
        const others = frames.slice(-3).map(describeFrame);
        const received = others.length === 0 ? reason : `${reason}, after ${others.join('; ')}`;
        settle(() => reject(new Broken(expected, received)));
      };
      const watch = () => {
        const found = find();
        if (found !== undefined) settle(() => resolve(found));
        else if (this.isClosed) fail('the link was closed');
      };
      const cancelTimeout = this.timing.clock.after(timeoutMs, () =>
        fail(`nothing within ${timeoutMs / 1000} s`),
      );
      this.watchers.add(watch);
      watch();
    });
  }

  /** Waits until the recorder closes the link. @throws {Broken} */
  async waitForClose(expected: string, timeoutMs = this.timing.timeoutMs): Promise<void> {
    const receivedBefore = this.received.length;
    const isClosed = await new Promise<boolean>((resolve) => {
      const settle = (value: boolean) => {
        cancelTimeout();
        this.watchers.delete(watch);
        resolve(value);
      };
      const watch = () => {
        if (this.isClosed) settle(true);
      };
      const cancelTimeout = this.timing.clock.after(timeoutMs, () => settle(false));
      this.watchers.add(watch);
      watch();
    });
    if (isClosed) return;
    const [frame] = this.received.slice(receivedBefore);
    const answer = frame ? `, and ${describeFrame(frame)}` : '';
    throw new Broken(expected, `an open link after ${timeoutMs / 1000} s${answer}`);
  }

  /** Waits long enough for any frame that must not arrive. @throws {Broken} if the recorder doesn't answer `status` */
  async settle(): Promise<void> {
    await this.succeed('status', {});
    await this.pause(this.timing.settleMs);
  }

  pause(ms: number): Promise<void> {
    return new Promise((resolve) => this.timing.clock.after(ms, resolve));
  }

  private async waitForResponse(command: number, sequence: number, expected: string) {
    const receivedBefore = this.received.length;
    return this.waitFor(
      () =>
        this.received.findLast(
          (frame) =>
            frame.kind === 'response' && frame.sequence === sequence && frame.command === command,
        ),
      expected,
      this.timing.timeoutMs,
      receivedBefore,
    );
  }

  private async writeParts(bytes: Uint8Array, partSize: number, withResponse: boolean) {
    try {
      for (let offset = 0; offset < bytes.length; offset += partSize) {
        await this.transport.write(bytes.slice(offset, offset + partSize), { withResponse });
      }
    } catch (error) {
      // The recorder closed the link, which the next wait reports.
      if (!(error instanceof TransportError)) throw error;
      if (error.code !== 'link_lost' && error.code !== 'closed') throw error;
    }
  }

  private handleBytes(bytes: Uint8Array): void {
    this.largestNotification = Math.max(this.largestNotification, bytes.length);
    for (const frame of this.decoder.push(bytes)) {
      this.receivedVersionBytes.add((frame.version << 4) | frame.flags);
      const opened = this.channel ? this.channel.open(frame) : frame;
      if (opened) this.received.push(opened);
      else this.hasInvalidRecord = true;
    }
    this.notify();
  }

  private notify(): void {
    for (const watch of [...this.watchers]) watch();
  }
}

function isReport<N extends ReportName>(
  report: AnyReport | undefined,
  name: N,
): report is AnyReport & { readonly name: N; readonly value: ReportOf<N> } {
  return report?.name === name;
}
