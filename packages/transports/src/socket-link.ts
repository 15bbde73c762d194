/**
 * Opens a link over a WebSocket, for the virtual recorder's radio and for all recorders over Wi-Fi. Each binary message
 * is one write or one notification. Text messages belong to the link layer.
 */
import { MAX_WRITE_SIZE } from '@linnet/device/codec';
import {
  type CloseReason,
  type Transport,
  TransportError,
  throwIfAborted,
  type Unsubscribe,
} from '@linnet/device/transport';
import { LinkEvents } from './link-events.ts';

/** The virtual radio's close codes, from the private range of RFC 6455. */
export const RADIO_CLOSE = {
  /** The recorder isn't accepting connections. */
  refused: 4000,
  /** Another phone is connected. */
  busy: 4001,
  /** The link broke. */
  lost: 4002,
  /** The query asks for a payload size that the radio doesn't support. */
  badPayload: 4003,
} as const;

/** Connection timeout in milliseconds. A loopback connection takes only a few. */
const CONNECT_TIMEOUT_MS = 10_000;

export type SocketOptions = {
  readonly kind: Transport['kind'];
  readonly url: string;
  /** The offered subprotocols. They include the token, because the URL might be logged. */
  readonly protocols?: readonly string[];
  /**
   * Returns the proof to send in response to the recorder's first text message, or null to reject the recorder. The
   * second message then confirms the link. Without this function, the first message confirms it.
   */
  readonly createProof?: (greeting: string) => string | null;
  readonly deviceId: string;
  readonly name: string;
  readonly signal: AbortSignal | undefined;
};

class SocketTransport implements Transport {
  readonly kind: Transport['kind'];
  readonly deviceId: string;
  readonly name: string;
  readonly maxWriteSize = MAX_WRITE_SIZE;
  private readonly events = new LinkEvents();
  private readonly socket: WebSocket;
  private readonly closePromise: Promise<void>;

  constructor(socket: WebSocket, { kind, deviceId, name }: SocketOptions) {
    this.socket = socket;
    this.kind = kind;
    this.deviceId = deviceId;
    this.name = name;
    socket.addEventListener('message', ({ data }) => {
      if (data instanceof ArrayBuffer) this.events.emitBytes(new Uint8Array(data));
    });
    this.closePromise = new Promise((resolve) => {
      socket.addEventListener('close', () => {
        this.events.emitClosed('link_lost');
        resolve();
      });
    });
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.events.checkWritable(this, bytes);
    // The socket may be closing even though its close event hasn't fired yet.
    if (this.socket.readyState !== WebSocket.OPEN) throw new TransportError('link_lost');
    this.socket.send(bytes.slice());
  }

  onBytes(listener: (bytes: Uint8Array) => void): Unsubscribe {
    return this.events.onBytes(listener);
  }

  onClosed(listener: (reason: CloseReason) => void): Unsubscribe {
    return this.events.onClosed(listener);
  }

  async close(): Promise<void> {
    this.events.emitClosed('closed_by_us');
    this.socket.close();
    await this.closePromise;
  }
}

/** Opens a link. @throws {TransportError} `recorder_busy`, `connect_failed`, `aborted` */
export function openSocket(options: SocketOptions): Promise<Transport> {
  const { url, protocols = [], createProof, signal } = options;
  return new Promise((resolve, reject) => {
    throwIfAborted(signal);
    const socket = new WebSocket(url, [...protocols]);
    socket.binaryType = 'arraybuffer';
    const settle = (outcome: () => void) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      socket.removeEventListener('message', onMessage);
      socket.removeEventListener('close', onClose);
      outcome();
    };
    const fail = (error: TransportError) =>
      settle(() => {
        socket.close();
        reject(error);
      });
    const onAbort = () => fail(new TransportError('aborted', { cause: signal?.reason }));
    const timer = setTimeout(() => fail(new TransportError('connect_failed')), CONNECT_TIMEOUT_MS);
    const onClose = (event: CloseEvent) =>
      fail(
        new TransportError(event.code === RADIO_CLOSE.busy ? 'recorder_busy' : 'connect_failed', {
          cause: event,
        }),
      );
    let isProofPending = createProof !== undefined;
    // The recorder confirms the connection with a text message, or closes the socket to refuse it.
    const onMessage = ({ data }: MessageEvent) => {
      if (typeof data !== 'string') return;
      if (createProof && isProofPending) {
        isProofPending = false;
        const proof = createProof(data);
        if (proof === null) fail(new TransportError('connect_failed'));
        else socket.send(proof);
        return;
      }
      settle(() => resolve(new SocketTransport(socket, options)));
    };
    socket.addEventListener('message', onMessage);
    socket.addEventListener('close', onClose);
    signal?.addEventListener('abort', onAbort);
  });
}
