/** Sends requests to webhooks and push services over HTTP. */
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { DeliveryFailure } from '@linnet/contract/webhooks';
import { withTimeout } from '../../deadline.ts';
import { type Destination, findDestination, parseUrl, type Resolve } from './destination.ts';

/** The result of an attempt. */
export type SendResult =
  | {
      readonly kind: 'responded';
      readonly status: number;
      /** The delay requested by `Retry-After`, in seconds. */
      readonly retryAfterSeconds: number | null;
    }
  | { readonly kind: 'failed'; readonly failure: DeliveryFailure }
  /** The worker is stopping. It's unknown whether the receiver got the request. */
  | { readonly kind: 'aborted' };

/** Connections to one URL. */
export interface Endpoint {
  /**
   * Sends a POST request. Doesn't follow redirects.
   * @param headers with lowercase names. The content type defaults to JSON
   */
  post(
    headers: Readonly<Record<string, string>>,
    body: string | Uint8Array,
    signal: AbortSignal,
  ): Promise<SendResult>;
  close(): void;
}

export interface WebhookSender {
  /** Resolves and checks the host once. All connections go to the checked IP addresses. */
  open(url: string): Promise<Endpoint>;
}

export interface WebhookSenderOptions {
  readonly resolve: Resolve;
  readonly allowsPrivate: boolean;
  readonly version: string;
  /**
   * Timeout of an attempt, in milliseconds. Also limits the preceding DNS lookup, whose own timeout is 10 seconds.
   * Defaults to 15 seconds, as recommended by Standard Webhooks.
   */
  readonly timeoutMs?: number;
}

/** Must be shorter than the lease of a delivery. */
export const defaultTimeoutMs = 15_000;
const resolveTimeoutMs = 10_000;
/** Maximum number of bytes to read from a response. Only the status matters; reading keeps the connection reusable. */
const maxBodyBytes = 16 * 1024;

/** Matches the codes of Node's and OpenSSL's certificate errors. */
const certificateErrors = /CERT|^ERR_TLS|UNABLE_TO_(VERIFY|GET)|SELF_SIGNED/;

export function createWebhookSender(options: WebhookSenderOptions): WebhookSender {
  const { resolve, allowsPrivate, version, timeoutMs = defaultTimeoutMs } = options;

  async function resolveDestination(url: URL): Promise<Destination> {
    try {
      return await withTimeout(
        Math.min(resolveTimeoutMs, timeoutMs),
        findDestination(url, resolve, allowsPrivate),
      );
    } catch {
      // `findDestination` doesn't throw, so this is a timeout.
      return { failure: 'unresolved' };
    }
  }

  return {
    async open(text) {
      // Check again, because the operator may have forbidden plain HTTP since the webhook was created.
      const url = parseUrl(text, allowsPrivate);
      if (!(url instanceof URL)) return failingEndpoint('forbidden');
      const destination = await resolveDestination(url);
      if ('failure' in destination) return failingEndpoint(destination.failure);
      const isTls = url.protocol === 'https:';
      const agentOptions = { keepAlive: true, lookup: createLookup(destination.addresses) };
      const agent = isTls ? new HttpsAgent(agentOptions) : new HttpAgent(agentOptions);
      const send = isTls ? httpsRequest : httpRequest;
      return {
        post: (headers, body, signal) =>
          new Promise((settle) => {
            const timeout = AbortSignal.timeout(timeoutMs);
            let result: SendResult | null = null;
            const request = send(url, {
              method: 'POST',
              agent,
              signal: AbortSignal.any([signal, timeout]),
              headers: {
                'content-type': 'application/json',
                ...headers,
                'content-length': Buffer.byteLength(body),
                'user-agent': `Linnet/${version}`,
              },
            });
            request.on('response', (response) => {
              result = toResult(response);
              skipBody(response);
              response.on('close', () => settle(result ?? { kind: 'aborted' }));
            });
            request.on('error', (error) => {
              // After the response headers, an error only affects the body, which is ignored.
              if (result) settle(result);
              else if (timeout.aborted) settle({ kind: 'failed', failure: 'timeout' });
              else if (signal.aborted) settle({ kind: 'aborted' });
              else settle({ kind: 'failed', failure: connectionFailure(error) });
            });
            // Also settle if Node closes the connection without a response event, for example after a protocol switch.
            request.on('close', () => settle(result ?? { kind: 'failed', failure: 'connection' }));
            request.end(body);
          }),
        close: () => agent.destroy(),
      };
    },
  };
}

/** Reads a short body to its end, so the connection can be reused. Closes the connection of a longer body. */
function skipBody(response: IncomingMessage): void {
  let size = 0;
  response.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > maxBodyBytes) response.destroy();
  });
  // The status is already known, so ignore errors while skipping the body.
  response.on('error', () => undefined);
}

function toResult({ statusCode = 0, headers }: IncomingMessage): SendResult {
  return {
    kind: 'responded',
    status: statusCode,
    retryAfterSeconds: toSeconds(headers['retry-after']),
  };
}

/** Converts a `Retry-After` header, which is a number of seconds or a date, to seconds from now. */
function toSeconds(retryAfter: string | undefined): number | null {
  if (retryAfter === undefined) return null;
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter);
  const time = Date.parse(retryAfter);
  return Number.isNaN(time) ? null : Math.max(0, (time - Date.now()) / 1000);
}

/** Maps a connection error to a failure. */
export function connectionFailure(
  error: NodeJS.ErrnoException,
): Extract<DeliveryFailure, 'certificate' | 'connection'> {
  return certificateErrors.test(error.code ?? '') ? 'certificate' : 'connection';
}

function failingEndpoint(failure: DeliveryFailure): Endpoint {
  return { post: async () => ({ kind: 'failed', failure }), close: () => undefined };
}

/** Returns a `lookup` function for `net.connect` that resolves every name to the given IP addresses. */
export function createLookup(addresses: readonly [string, ...string[]]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }));
  const [first] = addresses;
  return (_hostname, options, callback) => {
    if (options.all) callback(null, all);
    else callback(null, first, isIP(first));
  };
}
