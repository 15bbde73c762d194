import { createHash } from 'node:crypto';
import { PACKET_BYTES, PACKET_MS } from '@linnet/audio/format';
import { CHUNK_SIZE } from '@linnet/device/codec';
import {
  DeviceError,
  type RecorderEvent,
  type RecorderSession,
  type SessionItem,
} from '@linnet/device/session';
import { type RecorderSyncOptions, recordingId, type Sha256, sha256From } from '@linnet/sync';

type Bytes = Uint8Array<ArrayBuffer>;
type StoredSession = { readonly item: SessionItem; readonly id: string; readonly packets: Bytes };

const RECORDER_INFO: RecorderSession['info'] = {
  sn: 'SN-COPIES',
  projectCode: 'copies',
  firmwareVersion: '1.0.0',
  mac: '00:00:00:00:00:00',
  isBind: true,
  protocolVersion: 2,
  tranVersion: 2,
  payloadSize: 244,
};

/** Returns the SHA-256 digest of `bytes`. */
export const computeDigest = (bytes: Uint8Array): Sha256 =>
  sha256From(createHash('sha256').update(bytes).digest('hex'));

/** An in-memory recorder. Doesn't use the protocol, which is tested elsewhere. */
export class MemoryRecorder {
  readonly #sessions = new Map<number, StoredSession>();
  readonly #beforeDelete: (id: string) => Promise<void>;
  #last = 0;
  #notify: (event: RecorderEvent) => void = () => {};

  /** @param beforeDelete called with the ID of the recording whose session is about to be deleted */
  constructor(beforeDelete: (id: string) => Promise<void>) {
    this.#beforeDelete = beforeDelete;
  }

  /** Returns the digest of a recording's session, or null if the session isn't on the recorder. */
  digest(id: string): Sha256 | null {
    const recording = this.#stored.find((each) => each.id === id);
    return recording ? computeDigest(recording.packets) : null;
  }

  /**
   * Records a session.
   * @returns the recording's ID
   */
  record(packets: Bytes, startTime: number): string {
    const sessionId = ++this.#last;
    const id = recordingId(RECORDER_INFO.sn, sessionId, startTime);
    const durationMs = (packets.length / PACKET_BYTES) * PACKET_MS;
    const item: SessionItem = {
      ...{ sessionId, startTime, durationMs, fileSize: packets.length },
      ...{ mode: 'normal', scene: 'note', hasMarkers: false, stillRecording: false },
    };
    this.#sessions.set(sessionId, { item, id, packets });
    this.#notify({ type: 'session_changed', ...item });
    return id;
  }

  /** Opens a connection to a phone, replacing any earlier one. */
  connect(): { readonly session: RecorderSyncOptions['session']; disconnect(): void } {
    let isOpen = true;
    let sendEvent: (event: RecorderEvent) => void = () => {};
    this.#notify = (event) => isOpen && sendEvent(event);
    const assertConnected = () => {
      if (!isOpen) throw new DeviceError('link_lost');
    };
    const session: RecorderSyncOptions['session'] = {
      info: RECORDER_INFO,
      listSessions: async () => {
        assertConnected();
        return this.#stored.map(({ item }) => item);
      },
      readSession: async (sessionId, fromChunk, { onChunk, signal }) => {
        assertConnected();
        const { packets } = this.#find(sessionId);
        for (let offset = fromChunk * CHUNK_SIZE; offset < packets.length; offset += CHUNK_SIZE) {
          signal?.throwIfAborted();
          await onChunk(offset / CHUNK_SIZE, packets.slice(offset, offset + CHUNK_SIZE));
          assertConnected();
        }
        const sha256 = createHash('sha256').update(packets).digest();
        return { fileSize: packets.length, sha256: new Uint8Array(sha256) };
      },
      deleteSession: async (sessionId) => {
        assertConnected();
        await this.#beforeDelete(this.#find(sessionId).id);
        assertConnected();
        this.#sessions.delete(sessionId);
      },
      onEvent: (listener) => {
        sendEvent = listener;
        return () => {
          sendEvent = () => {};
        };
      },
    };
    return {
      session,
      disconnect: () => {
        isOpen = false;
      },
    };
  }

  get #stored(): readonly StoredSession[] {
    return [...this.#sessions.values()];
  }

  #find(sessionId: number): StoredSession {
    const foundSession = this.#sessions.get(sessionId);
    if (!foundSession) throw new DeviceError('session_unknown');
    return foundSession;
  }
}
