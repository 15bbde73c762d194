/**
 * Connects to virtual recorders, whose radio is a WebSocket, from browsers and Node. Each binary message is one write
 * or one notification. Text messages belong to the link layer.
 */
import {
  type Advertisement,
  type Availability,
  type RecorderCandidate,
  type RecorderFinder,
  type RememberedRecorder,
  type Transport,
  TransportError,
  throwIfAborted,
  type Unsubscribe,
} from '@linnet/device/transport';
import { openSocket } from '../socket-link.ts';

export { RADIO_CLOSE } from '../socket-link.ts';

const ADVERTISEMENT_TIMEOUT_MS = 3000;

/**
 * Opens a link to a virtual recorder.
 * @param url `ws://host:port/ble?payload=N`
 * @throws {TransportError} `recorder_busy`, `connect_failed`, `aborted`
 */
export function openWebSocket(
  url: string,
  options: { deviceId?: string; name?: string; signal?: AbortSignal } = {},
): Promise<Transport> {
  const { deviceId = url, name = '', signal } = options;
  return openSocket({ kind: 'websocket', url, deviceId, name, signal });
}

/** Where to find virtual recorders, and how to configure their radio. */
export interface WebSocketFinderOptions {
  /** The base URLs of the recorders' control APIs, such as `http://127.0.0.1:8090`. */
  readonly recorders: readonly string[];
  /** The maximum size of a notification: 20, 182, 244 or 495 bytes. Defaults to the recorder's own setting (244). */
  readonly payload?: number;
}

/** Returns the base address of a software recorder as typed, or null if it isn't an address. */
function parseAddress(typed: string): string | null {
  const text = typed.trim();
  const address = /^[a-z]+:\/\//i.test(text) ? text : `http://${text}`;
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  const schemes: Readonly<Record<string, string>> = {
    'http:': 'http:',
    'https:': 'https:',
    'ws:': 'http:',
    'wss:': 'https:',
  };
  const scheme = schemes[url.protocol];
  return scheme && url.host ? new URL(`${scheme}//${url.host}`).origin : null;
}

/** Finds virtual recorders by requesting an advertisement from each address. */
export function createWebSocketFinder(options: WebSocketFinderOptions): RecorderFinder {
  return new WebSocketFinder(options);
}

class WebSocketFinder implements RecorderFinder {
  readonly kind = 'websocket';
  readonly discovery = 'list';
  private readonly options: WebSocketFinderOptions;

  constructor(options: WebSocketFinderOptions) {
    this.options = options;
  }

  async availability(): Promise<Availability> {
    // Wait only for the first response, because an unused address may take seconds to fail.
    const requests = this.options.recorders.map((base) => this.requestCandidate(base, undefined));
    return Promise.any(requests).then(
      () => ({ status: 'ready' }),
      () => ({ status: 'unavailable', code: 'not_found' }),
    );
  }

  /** Never calls the listener, because a local process has no radio. */
  onAvailabilityChange(): Unsubscribe {
    return () => undefined;
  }

  async find(options: { signal?: AbortSignal } = {}): Promise<readonly RecorderCandidate[]> {
    throwIfAborted(options.signal);
    const candidates = await this.search(options.signal);
    throwIfAborted(options.signal);
    if (candidates.length === 0) throw new TransportError('not_found');
    return candidates;
  }

  /** Accepts only the finder's own addresses, because the server's content security policy allows no others. */
  async findAt(typed: string, options: { signal?: AbortSignal } = {}): Promise<RecorderCandidate> {
    throwIfAborted(options.signal);
    const address = parseAddress(typed);
    if (address === null) throw new TransportError('address_silent');
    const allowed = this.options.recorders.find((base) => new URL(base).origin === address);
    if (allowed === undefined) throw new TransportError('address_not_allowed');
    try {
      return await this.requestCandidate(allowed, options.signal);
    } catch (cause) {
      throwIfAborted(options.signal);
      throw new TransportError('address_silent', { cause });
    }
  }

  async reopen(
    remembered: RememberedRecorder,
    options: { signal?: AbortSignal } = {},
  ): Promise<Transport> {
    throwIfAborted(options.signal);
    const requests = this.options.recorders.map(async (base) => {
      const candidate = await this.requestCandidate(base, options.signal);
      if (candidate.deviceId !== remembered.deviceId) throw new TransportError('not_found');
      return candidate;
    });
    const candidate = await Promise.any(requests).catch((cause: unknown) => {
      throwIfAborted(options.signal);
      throw new TransportError('not_found', { cause });
    });
    return candidate.connect(options);
  }

  /** Requests an advertisement from every address. Skips addresses that don't respond like a recorder. */
  private async search(signal: AbortSignal | undefined): Promise<RecorderCandidate[]> {
    const requests = this.options.recorders.map((base) => this.requestCandidate(base, signal));
    const results = await Promise.allSettled(requests);
    return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  }

  private async requestCandidate(
    base: string,
    signal: AbortSignal | undefined,
  ): Promise<RecorderCandidate> {
    const timeout = AbortSignal.timeout(ADVERTISEMENT_TIMEOUT_MS);
    const response = await fetch(new URL('/advertisement', base), {
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    if (!response.ok) throw new TransportError('not_found', { cause: response.status });
    const advertisement = readAdvertisement(await response.json());
    const url = new URL('/ble', base);
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
    if (this.options.payload) url.searchParams.set('payload', String(this.options.payload));
    const { name, sn = base } = advertisement;
    return {
      kind: this.kind,
      deviceId: sn,
      advertisement,
      controls: base,
      connect: (options = {}) => openWebSocket(url.href, { deviceId: sn, name, ...options }),
    };
  }
}

/** Validates the response to an advertisement request. @throws {TransportError} `not_a_recorder` */
function readAdvertisement(json: unknown): Advertisement {
  const candidate = json as Partial<Advertisement> | null;
  if (typeof candidate?.name !== 'string' || typeof candidate.sn !== 'string') {
    throw new TransportError('not_a_recorder');
  }
  return candidate as Advertisement;
}
