/** Sends messages to webhooks and push services over HTTP. */
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { DeliveryFailure } from '@linnet/contract/webhooks';
import { withTimeout } from '../../deadline.ts';
import { type Destination, findDestination, parseUrl, type Resolve } from './destination.ts';

/** The effect of one attempt. */
export type SendResult =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** Value of `Retry-After`, in seconds from now. */
      readonly retryAfterSeconds: number | null;
    }
  | { readonly kind: 'failed'; readonly failure: DeliveryFailure }
  /** The worker is stopping. Whether the receiver got the message is unknown. */
  | { readonly kind: 'aborted' };

/** Connections to one address. */
export interface Endpoint {
  /**
   * Posts a message, and doesn't follow redirects.
   * @param headers with names in lower case. The content is JSON unless they say otherwise
   */
  post(
    headers: Readonly<Record<string, string>>,
    body: string | Uint8Array,
    signal: AbortSignal,
  ): Promise<SendResult>;
  close(): void;
}

export interface WebhookSender {
  /** Resolves and checks the host once. All connections go to the addresses that were checked. */
  open(url: string): Promise<Endpoint>;
}

export interface WebhookSenderOptions {
  readonly resolve: Resolve;
  readonly allowsPrivate: boolean;
  readonly version: string;
  /**
   * Maximum time of an attempt in milliseconds, and of resolving the name before it, which takes 10 seconds at most.
   * 15 seconds if absent, as Standard Webhooks recommends.
   */
  readonly timeoutMs?: number;
}

/** Shorter than the lease of a delivery. */
export const defaultTimeoutMs = 15_000;
const resolveTimeoutMs = 10_000;
/** Bytes of a response that are read, only to keep the connection. Only the status matters. */
const maxBodyBytes = 16 * 1024;

/** Codes of Node's and OpenSSL's errors about certificates. */
const certificateErrors = /CERT|^ERR_TLS|UNABLE_TO_(VERIFY|GET)|SELF_SIGNED/;

export function createWebhookSender(options: WebhookSenderOptions): WebhookSender {
  const { resolve, allowsPrivate, version, timeoutMs = defaultTimeoutMs } = options;

  async function destinationOf(url: URL): Promise<Destination> {
    try {
      return await withTimeout(
        Math.min(resolveTimeoutMs, timeoutMs),
        findDestination(url, resolve, allowsPrivate),
      );
    } catch {
      // `findDestination` doesn't throw, so the time limit was exceeded.
      return { failure: 'unresolved' };
    }
  }

  return {
    async open(text) {
      // The operator may have forbidden plain HTTP since the webhook was created.
      const url = parseUrl(text, allowsPrivate);
      if (!(url instanceof URL)) return failingEndpoint('forbidden');
      const destination = await destinationOf(url);
      if ('failure' in destination) return failingEndpoint(destination.failure);
      const isTls = url.protocol === 'https:';
      const agentOptions = { keepAlive: true, lookup: lookupOf(destination.addresses) };
      const agent = isTls ? new HttpsAgent(agentOptions) : new HttpAgent(agentOptions);
      const send = isTls ? httpsRequest : httpRequest;
      return {
        post: (headers, body, signal) =>
          new Promise((settle) => {
            const timeout = AbortSignal.timeout(timeoutMs);
            let answer: SendResult | null = null;
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
              answer = toAnswer(response);
              skipBody(response);
              response.on('close', () => settle(answer ?? { kind: 'aborted' }));
            });
            request.on('error', (error) => {
              // After the answer, only its body is lost.
              if (answer) settle(answer);
              else if (timeout.aborted) settle({ kind: 'failed', failure: 'timeout' });
              else if (signal.aborted) settle({ kind: 'aborted' });
              else settle({ kind: 'failed', failure: connectionFailure(error) });
            });
            // Also after an answer that Node ends without a response, such as a switch to another protocol.
            request.on('close', () => settle(answer ?? { kind: 'failed', failure: 'connection' }));
            request.end(body);
          }),
        close: () => agent.destroy(),
      };
    },
  };
}

/** Reads a short body to its end, and closes the connection of a longer one. */
function skipBody(response: IncomingMessage): void {
  let size = 0;
  response.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > maxBodyBytes) response.destroy();
  });
  // The status has been read, so an error while skipping the body has no effect.
  response.on('error', () => undefined);
}

function toAnswer({ statusCode = 0, headers }: IncomingMessage): SendResult {
  return {
    kind: 'answered',
    status: statusCode,
    retryAfterSeconds: toSeconds(headers['retry-after']),
  };
}

/** Converts the value of `Retry-After`, which is a number of seconds or a date. */
function toSeconds(retryAfter: string | undefined): number | null {
  if (retryAfter === undefined) return null;
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter);
  const time = Date.parse(retryAfter);
  return Number.isNaN(time) ? null : Math.max(0, (time - Date.now()) / 1000);
}

/** Returns why no connection was possible. */
export function connectionFailure(
  error: NodeJS.ErrnoException,
): Extract<DeliveryFailure, 'certificate' | 'connection'> {
  return certificateErrors.test(error.code ?? '') ? 'certificate' : 'connection';
}

function failingEndpoint(failure: DeliveryFailure): Endpoint {
  return { post: async () => ({ kind: 'failed', failure }), close: () => undefined };
}

/** Returns a function for `net.connect` that gives every name the same addresses. */
export function lookupOf(addresses: readonly [string, ...string[]]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }));
  const [first] = addresses;
  return (_hostname, options, callback) => {
    if (options.all) callback(null, all);
    else callback(null, first, isIP(first));
  };
}
