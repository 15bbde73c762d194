/** Encrypts and authenticates a link's frames, and protects them against replay and reordering. */
import { chacha20poly1305 } from '@noble/ciphers/chacha.js';
import {
  decodeFrame,
  encodeFrame,
  encodeHeader,
  FLAG_SEALED,
  type Frame,
  VERSION_1,
  VERSION_2,
} from '../codec/index.ts';
import {
  deriveLinkKeys,
  type HandshakeTranscript,
  type KeyExchange,
  type LinkKeys,
  type Role,
} from './keys.ts';

/** Sizes of a record's sequence number and authentication tag, in bytes. */
export const NUMBER_SIZE = 4;
export const TAG_SIZE = 16;
const NONCE_SIZE = 12;
const MAX_NUMBER = 0xffffffff;

const NO_BYTES = new Uint8Array();

/** Returns a record's nonce: its sequence number in little-endian order, followed by eight zero bytes. */
function recordNonce(number: number): Uint8Array {
  const nonce = new Uint8Array(NONCE_SIZE);
  new DataView(nonce.buffer).setUint32(0, number, true);
  return nonce;
}

function recorderProof({ recorderToPhone }: LinkKeys): Uint8Array {
  return chacha20poly1305(recorderToPhone, recordNonce(0)).encrypt(NO_BYTES);
}

/** Compares two arrays in constant time. */
function constantTimeEqual(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  return a.reduce((difference, byte, index) => difference | (byte ^ (b[index] ?? 0)), 0) === 0;
}

/** One side of a sealed link. Seals outgoing frames and opens incoming frames. */
export class Channel {
  private readonly sendKey: Uint8Array;
  private readonly receiveKey: Uint8Array;
  private lastSent = 0;
  private lastReceived = 0;

  constructor(role: Role, { phoneToRecorder, recorderToPhone }: LinkKeys) {
    const isPhone = role === 'phone';
    this.sendKey = isPhone ? phoneToRecorder : recorderToPhone;
    this.receiveKey = isPhone ? recorderToPhone : phoneToRecorder;
  }

  /** True if all sequence numbers are used up. The link must then be closed, because only a new link gets new keys. */
  get isExhausted(): boolean {
    return this.lastSent >= MAX_NUMBER;
  }

  /**
   * Seals an encoded frame. Frames must be sent in the order they were sealed.
   * @throws {RangeError} if the channel {@link isExhausted}
   */
  seal(encoded: Uint8Array): Uint8Array {
    if (this.isExhausted) throw new RangeError('record numbers exhausted');
    this.lastSent += 1;
    const { payload, ...clear } = decodeFrame(encoded);
    const head = { ...clear, version: VERSION_2, flags: FLAG_SEALED };
    const record = new Uint8Array(NUMBER_SIZE + payload.length + TAG_SIZE);
    const nonce = recordNonce(this.lastSent);
    record.set(nonce.subarray(0, NUMBER_SIZE));
    const cipher = chacha20poly1305(this.sendKey, nonce, encodeHeader(head, record.length));
    record.set(cipher.encrypt(payload), NUMBER_SIZE);
    return encodeFrame({ ...head, payload: record });
  }

  /** Opens a sealed frame. @returns null if the frame is invalid; the caller must then close the link */
  open(frame: Frame): Frame | null {
    const { version, flags, payload } = frame;
    const isRecord = version === VERSION_2 && flags === FLAG_SEALED;
    if (!isRecord || payload.length < NUMBER_SIZE + TAG_SIZE) return null;
    const number = new DataView(payload.buffer, payload.byteOffset).getUint32(0, true);
    if (number <= this.lastReceived) return null;
    const cipher = chacha20poly1305(
      this.receiveKey,
      recordNonce(number),
      encodeHeader(frame, payload.length),
    );
    let opened: Uint8Array;
    try {
      opened = cipher.decrypt(payload.subarray(NUMBER_SIZE));
    } catch {
      // The library throws on an invalid authentication tag.
      return null;
    }
    this.lastReceived = number;
    return { ...frame, version: VERSION_1, flags: 0, payload: opened };
  }
}

/** Opens the recorder's side of a channel. @returns null if the phone's public key is invalid */
export function openRecorderChannel(
  exchange: Omit<KeyExchange, 'role'>,
  bindingKey: Uint8Array,
  handshake: HandshakeTranscript,
): { readonly channel: Channel; readonly proof: Uint8Array } | null {
  const keys = deriveLinkKeys({ role: 'recorder', ...exchange }, bindingKey, handshake);
  return keys && { channel: new Channel('recorder', keys), proof: recorderProof(keys) };
}

/** Opens the phone's side of a channel. @returns null if the recorder has a different binding key */
export function openPhoneChannel(
  exchange: Omit<KeyExchange, 'role'>,
  bindingKey: Uint8Array,
  handshake: HandshakeTranscript,
  proof: Uint8Array,
): Channel | null {
  const keys = deriveLinkKeys({ role: 'phone', ...exchange }, bindingKey, handshake);
  return keys && constantTimeEqual(recorderProof(keys), proof) ? new Channel('phone', keys) : null;
}
