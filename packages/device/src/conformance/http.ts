/** Requests to the HTTP service of a recorder on a joined network (PROTOCOL.md, section 10). */
import { toHex } from '@linnet/base';
import { sha256 } from '@noble/hashes/sha2.js';
import { systemClock } from '../clock.ts';
import type { CheckEndpoint } from './bench.ts';
import { parseJson, property } from './json.ts';
import { Broken, expectEqual } from './verdict.ts';

/** How long the service may take for the headers of a response, in milliseconds. */
const HEADERS_MS = 10_000;
/** How long the service may take for a body, in milliseconds: an hour of audio (28.8 MB) at 240 kB a second. */
const BODY_MS = 120_000;
/** Number of characters of an invalid body in a verdict. */
const SHOWN_CHARACTERS = 80;

type HttpResponse = {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
};

/** Sends a request to the recorder's service, and reads the response. @throws {Broken} if it isn't complete */
export async function request(
  { origin }: CheckEndpoint,
  path: string,
  init: { method?: string; headers?: Record<string, string> } = {},
): Promise<HttpResponse> {
  const limit = new AbortController();
  const abortAfter = (ms: number, missing: string) =>
    systemClock.after(ms, () => limit.abort(new Error(`no ${missing} within ${ms / 1000} s`)));
  let cancelLimit = abortAfter(HEADERS_MS, 'headers');
  try {
    const response = await fetch(new URL(path, origin), { ...init, signal: limit.signal });
    cancelLimit();
    cancelLimit = abortAfter(BODY_MS, 'complete body');
    const { status, headers } = response;
    return { status, headers, bytes: new Uint8Array(await response.arrayBuffer()) };
  } catch (error) {
    const { cause, message } = error as Error;
    throw new Broken(`a response from ${origin}`, cause instanceof Error ? cause.message : message);
  } finally {
    cancelLimit();
  }
}

/** Reads a session over HTTP in two parts, and checks the headers. @throws {Broken} */
export async function readOverHttp(endpoint: CheckEndpoint, token: string, sessionId: number) {
  const Authorization = `Bearer ${token}`;
  const path = `/sessions/${sessionId}`;
  const read = async (range: string, expected: number) => {
    const response = await request(endpoint, path, { headers: { Authorization, Range: range } });
    expectEqual(`the status for ${range}`, response.status, expected);
    const { headers } = response;
    return {
      range: headers.get('content-range') ?? 'none',
      hash: headers.get('etag') ?? 'none',
      bytes: response.bytes,
    };
  };
  const completeFile = await read('bytes=0-', 206);
  const size = completeFile.bytes.length;
  expectEqual('Content-Range', completeFile.range, `bytes 0-${size - 1}/${size}`);
  expectEqual('ETag', completeFile.hash, `"${toHex(sha256(completeFile.bytes))}"`);
  const middle = Math.floor(size / 2);
  const half = await read(`bytes=${middle}-`, 206);
  expectEqual('Content-Range', half.range, `bytes ${middle}-${size - 1}/${size}`);
  expectEqual('the second half', toHex(half.bytes), toHex(completeFile.bytes.subarray(middle)));
  const end = await read(`bytes=${size}-`, 416);
  expectEqual('Content-Range beyond the end', end.range, `bytes */${size}`);
  expectEqual('ETag beyond the end', end.hash, completeFile.hash);
  return { size, hash: toHex(sha256(completeFile.bytes)) };
}

/** An entry of the list of sessions over HTTP. */
type ListedSession = {
  readonly sessionId: number;
  readonly fileSize: number;
  readonly sha256: string | null;
};

function isListed(item: unknown): item is ListedSession {
  const hash = property(item, 'sha256');
  return (
    Number.isInteger(property(item, 'sessionId')) &&
    Number.isInteger(property(item, 'fileSize')) &&
    (hash === null || typeof hash === 'string')
  );
}

/** Parses the list of sessions. @throws {Broken} */
function parseList(bytes: Uint8Array): readonly ListedSession[] {
  const text = new TextDecoder().decode(bytes);
  const list = parseJson(text);
  if (Array.isArray(list) && list.every(isListed)) return list;
  throw new Broken('a JSON list of sessions', text.slice(0, SHOWN_CHARACTERS) || 'an empty body');
}

/** Requests the list of sessions. @throws {Broken} */
export async function listOverHttp(
  endpoint: CheckEndpoint,
  token: string,
): Promise<readonly ListedSession[]> {
  const headers = { Authorization: `Bearer ${token}` };
  const response = await request(endpoint, '/sessions', { headers });
  expectEqual('the status with the token', response.status, 200);
  return parseList(response.bytes);
}
