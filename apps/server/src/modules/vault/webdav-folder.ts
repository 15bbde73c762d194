/** A vault's folder on a WebDAV server (RFC 4918), such as Nextcloud. */
import { createHash } from 'node:crypto';
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { VaultFailureCode } from '@linnet/contract/vaults';
import { type FoundFile, VaultFailure, type VaultFolder } from '@linnet/vault/folder';
import { withTimeout } from '../../deadline.ts';
import {
  type Destinations,
  findDestination,
  parseUrl,
  type UrlProblem,
} from '../webhook/destination.ts';
import { connectionFailure, createLookup } from '../webhook/sender.ts';
import type { GetSignal } from './signal.ts';

export interface WebdavAccess {
  /** URL of the folder, as returned by {@link parseFolderUrl}. */
  readonly url: URL;
  readonly username: string;
  readonly password: string;
}

export interface WebdavOptions extends Destinations {
  readonly version: string;
  /** Timeout of a request, including its body, in milliseconds. Defaults to 30 seconds. */
  readonly timeoutMs?: number;
  readonly getSignal?: GetSignal | undefined;
}

const defaultTimeoutMs = 30_000;
const resolveTimeoutMs = 10_000;
/** Maximum size of a file list (enough for about 20,000 files), and of the folder's properties. */
const maxListBytes = 8 * 1024 * 1024;
const maxPropertiesBytes = 64 * 1024;
/** Maximum size of files to read. Linnet's files are far smaller, but the user may have edited them. */
const maxFileBytes = 64 * 1024 * 1024;
/** Maximum number of bytes to read from other responses. Reading to the end keeps the connection reusable. */
const maxSkippedBytes = 64 * 1024;

const propfind =
  '<?xml version="1.0" encoding="utf-8"?><propfind xmlns="DAV:"><prop><resourcetype/></prop></propfind>';

/** Parses the URL of a WebDAV folder, and adds a trailing slash. */
export function parseFolderUrl(text: string, allowsPrivate: boolean): URL | UrlProblem {
  const url = parseUrl(text, allowsPrivate);
  if (!(url instanceof URL)) return url;
  if (url.search !== '') return 'invalid';
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return url;
}

/** Maps an unexpected HTTP status to a failure. */
function failureOfStatus(status: number): VaultFailureCode {
  if (status >= 300 && status < 400) return 'redirect';
  const codes: Readonly<Record<number, VaultFailureCode>> = {
    401: 'unauthorized',
    403: 'denied',
    404: 'missing',
    // Conflict: the parent folder is missing.
    409: 'missing',
    405: 'unsupported',
    501: 'unsupported',
    423: 'busy',
    429: 'busy',
    502: 'busy',
    503: 'busy',
    504: 'busy',
    507: 'full',
  };
  const code = codes[status];
  if (code !== undefined) return code;
  return status >= 400 && status < 500 ? 'refused' : 'failed';
}

interface WebDavRequest {
  readonly method: string;
  /** Name of a file. If absent, the request is for the folder itself. */
  readonly name?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

/**
 * Opens a WebDAV folder. Resolves and checks the host once: all connections go to the checked IP addresses, and
 * redirects aren't followed, so the password is never sent to another server.
 * @throws VaultFailure unresolved, forbidden
 */
export async function createWebdavFolder(
  { url: base, username, password }: WebdavAccess,
  { resolve, allowsPrivate, version, getSignal, timeoutMs = defaultTimeoutMs }: WebdavOptions,
): Promise<VaultFolder> {
  const destination = await withTimeout(
    resolveTimeoutMs,
    findDestination(base, resolve, allowsPrivate),
  ).catch(() => ({ failure: 'unresolved' as const }));
  if ('failure' in destination) throw new VaultFailure(destination.failure);
  const isTls = base.protocol === 'https:';
  const agentOptions = { keepAlive: true, lookup: createLookup(destination.addresses) };
  const agent = isTls ? new HttpsAgent(agentOptions) : new HttpAgent(agentOptions);
  const send = isTls ? httpsRequest : httpRequest;
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  const toUrl = (name = '') => new URL(encodeURIComponent(name), base);

  /** Sends a request, and reads the response with `read` before the timeout. */
  async function run<Result>(
    { method, name, headers, body }: WebDavRequest,
    read: (response: IncomingMessage, status: number) => Promise<Result>,
  ): Promise<Result> {
    const limit = AbortSignal.timeout(timeoutMs);
    const timeout = getSignal ? AbortSignal.any([limit, getSignal()]) : limit;
    try {
      const response = await new Promise<IncomingMessage>((settle, fail) => {
        const request = send(toUrl(name), {
          method,
          agent,
          signal: timeout,
          headers: {
            authorization,
            'user-agent': `Linnet/${version}`,
            // Compression would change the entity tag.
            'accept-encoding': 'identity',
            'content-length': body?.length ?? 0,
            ...headers,
          },
        });
        request.on('response', settle);
        request.on('error', fail);
        // Also fail if Node closes the connection without a response event, for example after a protocol switch.
        request.on('close', () => fail(new Error('the connection was closed')));
        request.end(body);
      });
      return await read(response, response.statusCode ?? 0);
    } catch (error) {
      if (error instanceof VaultFailure) throw error;
      if (timeout.aborted) throw new VaultFailure('timeout', { cause: error });
      const cause = error instanceof Error ? error : new Error(String(error));
      throw new VaultFailure(connectionFailure(cause), { cause });
    }
  }

  /** Sends a request, and ignores the body of its response. Returns the value for the response's status, or throws. */
  const send204 = <Result>(
    sent: WebDavRequest,
    results: Readonly<Record<number, Result>>,
  ): Promise<Result> =>
    run(sent, async (response, status) => {
      await skipBody(response);
      const result = results[status];
      if (result === undefined) throw new VaultFailure(failureOfStatus(status));
      return result;
    });

  const readFile = (name: string): Promise<FoundFile | null> =>
    run({ method: 'GET', name }, async (response, status) => {
      if (status !== 200) {
        await skipBody(response);
        if (status === 404) return null;
        throw new VaultFailure(failureOfStatus(status));
      }
      const hash = createHash('sha256');
      let size = 0;
      for await (const chunk of response) {
        size += chunk.length;
        if (size > maxFileBytes) throw new VaultFailure('refused');
        hash.update(chunk);
      }
      return { digest: hash.digest('hex'), version: strongTag(response.headers.etag) };
    });

  /**
   * Returns the header that makes a change conditional on the expected file (null: no file may exist). Some servers
   * ignore these headers, so the file is also read again immediately before the change.
   */
  async function createCondition(
    name: string,
    expected: FoundFile | null,
  ): Promise<Record<string, string> | 'conflict'> {
    const found = await readFile(name);
    if (found?.digest !== expected?.digest) return 'conflict';
    if (expected === null) return { 'if-none-match': '*' };
    return expected.version === null ? {} : { 'if-match': expected.version };
  }

  const propfindFolder = (depth: 0 | 1) =>
    run(
      {
        method: 'PROPFIND',
        headers: { depth: String(depth), 'content-type': 'application/xml; charset=utf-8' },
        body: Buffer.from(propfind),
      },
      async (response, status) => {
        if (status === 207)
          return readText(response, depth === 0 ? maxPropertiesBytes : maxListBytes);
        await skipBody(response);
        // A web server without WebDAV may respond with a page.
        throw new VaultFailure(status < 300 ? 'unsupported' : failureOfStatus(status));
      },
    );

  const makeFolder = () => send204({ method: 'MKCOL' }, { 201: 'made', 405: 'exists' });

  return {
    async open(create) {
      const find = () => propfindFolder(0);
      const properties = await find().catch(async (error: unknown) => {
        const code = error instanceof VaultFailure ? error.code : null;
        // For example, the URL of a file with a trailing slash.
        if (code === 'refused') throw new VaultFailure('unsupported', { cause: error });
        if (!create || code !== 'missing') throw error;
        await makeFolder();
        return find();
      });
      if (!parseResponses(properties).some(({ isFolder }) => isFolder)) {
        throw new VaultFailure('unsupported');
      }
    },

    async list() {
      return parseResponses(await propfindFolder(1)).flatMap(({ href, isFolder }) => {
        const name = isFolder ? '' : parseName(href, base);
        return name === '' || name.startsWith('.') ? [] : [name];
      });
    },

    read: readFile,

    async write(name, content, expected) {
      const condition = await createCondition(name, expected);
      if (condition === 'conflict') return 'conflict';
      const headers = { ...condition, 'content-type': 'text/markdown; charset=utf-8' };
      return send204(
        { method: 'PUT', name, headers, body: content },
        { 200: 'done', 201: 'done', 204: 'done', 412: 'conflict' },
      );
    },

    move: (from, to) =>
      send204(
        { method: 'MOVE', name: from, headers: { destination: toUrl(to).href, overwrite: 'F' } },
        { 201: 'done', 204: 'done', 412: 'exists', 404: 'missing' },
      ),

    async delete(name, expected) {
      const condition = await createCondition(name, expected);
      if (condition === 'conflict') return (await readFile(name)) === null ? 'done' : 'conflict';
      const deleted = await send204(
        { method: 'DELETE', name, headers: condition },
        { 200: 'done', 204: 'done', 404: 'done', 412: 'conflict' },
      );
      if (deleted === 'done') return 'done';
      // Because of the header, a missing file is reported as a conflict too.
      return (await readFile(name)) === null ? 'done' : 'conflict';
    },

    close: () => agent.destroy(),
  };
}

/** Returns an entity tag that can be used in conditional requests, or null if the tag is weak. */
function strongTag(tag: string | undefined): string | null {
  return tag?.startsWith('"') ? tag : null;
}

/** Reads a short body to its end, so the connection can be reused. Closes the connection of a longer body. */
async function skipBody(response: IncomingMessage): Promise<void> {
  let size = 0;
  for await (const chunk of response) {
    size += chunk.length;
    if (size > maxSkippedBytes) break;
  }
}

/**
 * Reads a body as text.
 * @throws VaultFailure failed if the body is too large
 */
async function readText(response: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    size += chunk.length;
    if (size > maxBytes) throw new VaultFailure('failed');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

interface FoundResource {
  readonly href: string;
  readonly isFolder: boolean;
}

/** Returns the resources in a multistatus response. The element names may have any namespace prefix. */
function parseResponses(xml: string): FoundResource[] {
  const [, ...responses] = xml.split(/<(?:[\w.-]+:)?response(?=[\s>])/);
  return responses.flatMap((response) => {
    const href = /<(?:[\w.-]+:)?href(?:\s[^<>]*)?>([^<]*)</.exec(response)?.[1];
    if (href === undefined) return [];
    return [
      {
        href: decodeEntities(href.trim()),
        isFolder: /<(?:[\w.-]+:)?collection(?=[\s/>])/.test(response),
      },
    ];
  });
}

const entities: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  amp: '&',
};

function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w+));/gi, (entity, ...groups) => {
    const [decimal, hex, name] = groups;
    if (typeof name === 'string') return entities[name] ?? entity;
    const point = typeof decimal === 'string' ? Number(decimal) : Number.parseInt(hex, 16);
    return point <= 0x10ffff ? String.fromCodePoint(point) : entity;
  });
}

/** Returns a file's name in the folder, or '' for any other resource. */
function parseName(href: string, base: URL): string {
  if (!URL.canParse(href, base.href)) return '';
  const { pathname } = new URL(href, base);
  const parent = pathname.slice(0, pathname.lastIndexOf('/') + 1);
  const decode = (path: string) => {
    try {
      return decodeURIComponent(path);
    } catch {
      // The name isn't valid UTF-8, so the file isn't one of ours.
      return '';
    }
  };
  if (decode(parent) !== decode(base.pathname)) return '';
  return decode(pathname.slice(parent.length));
}
