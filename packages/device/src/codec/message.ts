/** Converts between frames and typed messages. The tables in `messages.ts` define all messages. */
import { VERSION_1 } from './constants.ts';
import { encodeFrame, FLAGS_CLEAR, type Frame, type FrameKind } from './frame.ts';
import { LayoutError, readLayout, type ValueOf, writeLayout } from './layout.ts';
import {
  COMMANDS,
  type CommandName,
  REPORT_COMMAND,
  REPORTS,
  RESULTS,
  type ReportName,
  type ResultName,
  STREAM,
  type StreamName,
} from './messages.ts';

export type RequestOf<N extends CommandName> = ValueOf<(typeof COMMANDS)[N]['request']>;
export type ResponseOf<N extends CommandName> = ValueOf<(typeof COMMANDS)[N]['response']>;
export type ReportOf<N extends ReportName> = ValueOf<(typeof REPORTS)[N]['layout']>;
export type StreamOf<N extends StreamName> = ValueOf<(typeof STREAM)[N]['layout']>;

/** A decoded request, as a union over all commands. */
export type AnyRequest = {
  [N in CommandName]: { readonly name: N; readonly value: RequestOf<N> };
}[CommandName];
/** A decoded report, as a union over all reports. */
export type AnyReport = {
  [N in ReportName]: { readonly name: N; readonly value: ReportOf<N> };
}[ReportName];
/** A decoded stream or acknowledgement frame. */
export type AnyStream = {
  [N in StreamName]: { readonly name: N; readonly value: StreamOf<N> };
}[StreamName];

const typedKeys = <T extends object>(table: T) => Object.keys(table) as (keyof T)[];
const commandByNumber: ReadonlyMap<number, CommandName> = new Map(
  typedKeys(COMMANDS).map((name) => [COMMANDS[name].number, name]),
);
const reportByStatus: ReadonlyMap<number, ReportName> = new Map(
  typedKeys(REPORTS).map((name) => [REPORTS[name].status, name]),
);
const resultByNumber: ReadonlyMap<number, ResultName> = new Map(
  typedKeys(RESULTS).map((name) => [RESULTS[name], name]),
);

function encodeMessage(kind: FrameKind, command: number, sequence: number, payload: Uint8Array) {
  return encodeFrame({
    version: VERSION_1,
    flags: FLAGS_CLEAR,
    kind,
    command,
    sequence,
    payload,
  });
}

function join(first: Uint8Array, second: Uint8Array): Uint8Array {
  const joined = new Uint8Array(first.length + second.length);
  joined.set(first);
  joined.set(second, first.length);
  return joined;
}

/** Returns the result of `read`, or undefined if the bytes don't match the layout. */
function tryRead<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof LayoutError) return undefined;
    throw error;
  }
}

/** @throws {LayoutError} if a value doesn't fit its field */
export function encodeRequest<N extends CommandName>(
  name: N,
  value: RequestOf<N>,
  sequence: number,
): Uint8Array {
  const command = COMMANDS[name];
  return encodeMessage('request', command.number, sequence, writeLayout(command.request, value));
}

/** Decodes a request on the recorder's side, or returns the result code for a refusal. */
export function decodeRequest(
  source: Frame,
):
  | { readonly ok: true; readonly request: AnyRequest }
  | { readonly ok: false; readonly result: 'command_unknown' | 'request_malformed' } {
  const name = commandByNumber.get(source.command);
  if (!name) return { ok: false, result: 'command_unknown' };
  const value = tryRead(() => readLayout(COMMANDS[name].request, source.payload));
  if (!value) return { ok: false, result: 'request_malformed' };
  return { ok: true, request: { name, value } as AnyRequest };
}

/** Encodes a successful response. @throws {LayoutError} if a value doesn't fit its field */
export function encodeResponse<N extends CommandName>(
  name: N,
  value: ResponseOf<N>,
  sequence: number,
): Uint8Array {
  const command = COMMANDS[name];
  const body = writeLayout(command.response, value);
  return encodeMessage('response', command.number, sequence, join(Uint8Array.of(RESULTS.ok), body));
}

/** Encodes a refusal. @param command the request's command number, which may be unknown */
export function encodeRefusal(
  command: number,
  result: Exclude<ResultName, 'ok'>,
  sequence: number,
): Uint8Array {
  return encodeMessage('response', command, sequence, Uint8Array.of(RESULTS[result] & 0xff));
}

export type DecodedResponse<N extends CommandName> =
  | { readonly kind: 'ok'; readonly value: ResponseOf<N> }
  | { readonly kind: 'refused'; readonly result: number; readonly name: ResultName | undefined }
  | { readonly kind: 'malformed' };

export function decodeResponse<N extends CommandName>(name: N, source: Frame): DecodedResponse<N> {
  const first = source.payload[0];
  if (first === undefined) return { kind: 'malformed' };
  const result = first > 127 ? first - 256 : first;
  if (result !== RESULTS.ok) {
    return { kind: 'refused', result, name: resultByNumber.get(result) };
  }
  const value = tryRead(() => readLayout(COMMANDS[name].response, source.payload.subarray(1)));
  return value ? { kind: 'ok', value: value as ResponseOf<N> } : { kind: 'malformed' };
}

/** @throws {LayoutError} if a value doesn't fit its field */
export function encodeReport<N extends ReportName>(
  name: N,
  value: ReportOf<N>,
  sequence: number,
): Uint8Array {
  const { status, layout } = REPORTS[name];
  const body = writeLayout(layout, value as never);
  const head = Uint8Array.of(status & 0xff, status >> 8);
  return encodeMessage('report', REPORT_COMMAND, sequence, join(head, body));
}

/** Decodes a report. @returns undefined if it's unknown or malformed, because a report can't be refused */
export function decodeReport(source: Frame): AnyReport | undefined {
  const [low, high] = source.payload;
  if (source.command !== REPORT_COMMAND || low === undefined || high === undefined) {
    return undefined;
  }
  const name = reportByStatus.get(low | (high << 8));
  if (!name) return undefined;
  const value = tryRead(() => readLayout(REPORTS[name].layout, source.payload.subarray(2)));
  return value && ({ name, value } as AnyReport);
}

/** @throws {LayoutError} if a value doesn't fit its field */
export function encodeStream<N extends StreamName>(
  name: N,
  value: StreamOf<N>,
  sequence: number,
): Uint8Array {
  const { kind, number, layout } = STREAM[name];
  return encodeMessage(kind, number, sequence, writeLayout(layout, value as never));
}

/** Decodes a stream frame. @returns undefined if it's unknown or malformed */
export function decodeStream(source: Frame): AnyStream | undefined {
  const name = typedKeys(STREAM).find(
    (key) => STREAM[key].number === source.command && STREAM[key].kind === source.kind,
  );
  if (!name) return undefined;
  const value = tryRead(() => readLayout(STREAM[name].layout, source.payload));
  return value && ({ name, value } as AnyStream);
}
