/**
 * The virtual recorder's radio over a WebSocket, in any browser and in Node. One binary message is
 * one write or one notification; text messages are the link layer's.
 */
import { MAX_WRITE_SIZE } from '@linnet/device/codec';
import {
  type Advertisement,
  type Availability,
  type CloseReason,
  type RecorderCandidate,
  type RecorderFinder,
  type RememberedRecorder,
  type Transport,
  TransportError,
  throwIfAborted,
  type Unsubscribe,
} from '@linnet/device/transport';
import { LinkEvents } from '../link-events.ts';

/** Close codes of the virtual radio, from the range that RFC 6455 leaves to applications. */
export const RADIO_CLOSE = {
  /** The recorder does not take connections now. */
  refused: 4000,
  /** Another phone is connected. */
  busy: 4001,
  /** The link broke. */
  lost: 4002,
  /** The query asks for a payload size that the radio does not have. */
  badPayload: 4003,
} as const;

/** A connection that is not up by then will not come; a loopback connection takes milliseconds. */
const CONNECT_TIMEOUT_MS = 10_000;
const ADVERTISEMENT_TIMEOUT_MS = 3000;

class WebSocketTransport implements Transport {
  readonly kind = 'websocket';
  readonly deviceId: string;
  readonly name: string;
  readonly maxWriteSize = MAX_WRITE_SIZE;
  private readonly events = new LinkEvents();
  private readonly socket: WebSocket;
  private readonly gone: Promise<void>;

  constructor(socket: WebSocket, deviceId: string, name: string) {
    this.socket = socket;
    this.deviceId = deviceId;
    this.name = name;
    socket.addEventListener('message', ({ data }) => {
      if (data instanceof ArrayBuffer) this.events.received(new Uint8Array(data));
    });
    this.gone = new Promise((resolve) => {
      socket.addEventListener('close', () => {
        this.events.closed('link_lost');
        resolve();
      });
    });
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.events.mustTake(this, bytes);
    this.socket.send(bytes.slice());
  }

  onBytes(listener: (bytes: Uint8Array) => void): Unsubscribe {
    return this.events.onBytes(listener);
  }

  onClosed(listener: (reason: CloseReason) => void): Unsubscribe {
    return this.events.onClosed(listener);
  }

  async close(): Promise<void> {
    this.events.closed('closed_by_us');
    this.socket.close();
    await this.gone;
  }
}

/**
 * Opens a link to a virtual recorder.
 * @param url `ws://host:port/ble?payload=N`
 * @throws {TransportError} `recorder_busy`, `connect_failed`, `aborted`
 */
export function openWebSocket(
  url: string,
  options: { deviceId?: string; name?: string; signal?: AbortSignal } = {},
): Promise<Transport> {
  const { signal } = options;
  return new Promise((resolve, reject) => {
    throwIfAborted(signal);
    const socket = new WebSocket(url);
    socket.binaryType = 'arraybuffer';
    const give = (outcome: () => void) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      socket.removeEventListener('message', onMessage);
      socket.removeEventListener('close', onClose);
      outcome();
    };
    const refuse = (error: TransportError) =>
      give(() => {
        socket.close();
        reject(error);
      });
    const onAbort = () => refuse(new TransportError('aborted', { cause: signal?.reason }));
    const timer = setTimeout(
      () => refuse(new TransportError('connect_failed')),
      CONNECT_TIMEOUT_MS,
    );
    const onClose = (event: CloseEvent) =>
      refuse(
        new TransportError(event.code === RADIO_CLOSE.busy ? 'recorder_busy' : 'connect_failed', {
          cause: event,
        }),
      );
    // The radio greets with a text message; before that it may still refuse.
    const onMessage = ({ data }: MessageEvent) => {
      if (typeof data !== 'string') return;
      give(() =>
        resolve(new WebSocketTransport(socket, options.deviceId ?? url, options.name ?? '')),
      );
    };
    socket.addEventListener('message', onMessage);
    socket.addEventListener('close', onClose);
    signal?.addEventListener('abort', onAbort);
  });
}

/** Where virtual recorders may be, and how their radio shall be. */
export interface WebSocketFinderOptions {
  /** Base addresses of control APIs, such as `http://127.0.0.1:8090`. */
  readonly recorders: readonly string[];
  /** Bytes of one notification: 20, 182, 244 or 495. Default: the recorder's (244). */
  readonly payload?: number;
}

/** Finds virtual recorders by asking each address for its advertisement. */
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
    const found = await this.search(undefined);
    return found.length > 0 ? { status: 'ready' } : { status: 'unavailable', code: 'not_found' };
  }

  /** A local process has no radio switch; whether it is there, `availability` asks. */
  onAvailabilityChange(): Unsubscribe {
    return () => undefined;
  }

  async find(options: { signal?: AbortSignal } = {}): Promise<readonly RecorderCandidate[]> {
    throwIfAborted(options.signal);
    const found = await this.search(options.signal);
    throwIfAborted(options.signal);
    if (found.length === 0) throw new TransportError('not_found');
    return found;
  }

  async reopen(
    remembered: RememberedRecorder,
    options: { signal?: AbortSignal } = {},
  ): Promise<Transport> {
    throwIfAborted(options.signal);
    const found = await this.search(options.signal);
    throwIfAborted(options.signal);
    const candidate = found.find(({ deviceId }) => deviceId === remembered.deviceId);
    if (!candidate) throw new TransportError('not_found');
    return candidate.connect(options);
  }

  /** Addresses that do not answer, or not as a recorder would, hold no recorder. */
  private async search(signal: AbortSignal | undefined): Promise<RecorderCandidate[]> {
    const asked = this.options.recorders.map((base) => this.ask(base, signal));
    const answers = await Promise.allSettled(asked);
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  }

  private async ask(base: string, signal: AbortSignal | undefined): Promise<RecorderCandidate> {
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
      connect: (options = {}) => openWebSocket(url.href, { deviceId: sn, name, ...options }),
    };
  }
}

/** @throws {TransportError} `not_a_recorder` */
function readAdvertisement(json: unknown): Advertisement {
  const candidate = json as Partial<Advertisement> | null;
  if (typeof candidate?.name !== 'string' || typeof candidate.sn !== 'string') {
    throw new TransportError('not_a_recorder');
  }
  return candidate as Advertisement;
}
