/** A sealed link: frames become records that nobody else can read, change, repeat or reorder. */
import { chacha20poly1305 } from '@noble/ciphers/chacha.js';
import {
  decodeFrame,
  encodeFrame,
  FLAG_SEALED,
  type Frame,
  headerOf,
  VERSION_1,
  VERSION_2,
} from '../codec/index.ts';
import { type Agreed, type Exchange, type LinkKeys, linkKeysOf, type Role } from './keys.ts';

/** Bytes of a record's number, and of its tag. */
export const NUMBER_SIZE = 4;
export const TAG_SIZE = 16;
const NONCE_SIZE = 12;
const LAST_NUMBER = 0xffffffff;

const nothing = new Uint8Array();

/** The record's number, little-endian, and eight zero bytes. */
function nonceOf(number: number): Uint8Array {
  const nonce = new Uint8Array(NONCE_SIZE);
  new DataView(nonce.buffer).setUint32(0, number, true);
  return nonce;
}

function proofOf({ recorderToPhone }: LinkKeys): Uint8Array {
  return chacha20poly1305(recorderToPhone, nonceOf(0)).encrypt(nothing);
}

/** Equal or not, in a time that does not tell where they differ. */
function areEqual(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  return a.reduce((difference, byte, at) => difference | (byte ^ (b[at] ?? 0)), 0) === 0;
}

export class Channel {
  private readonly sending: Uint8Array;
  private readonly receiving: Uint8Array;
  private sent = 0;
  private received = 0;

  constructor(role: Role, { phoneToRecorder, recorderToPhone }: LinkKeys) {
    const isPhone = role === 'phone';
    this.sending = isPhone ? phoneToRecorder : recorderToPhone;
    this.receiving = isPhone ? recorderToPhone : phoneToRecorder;
  }

  /** Whether its numbers are used up: the link is to end, and the next one has keys of its own. */
  get isSpent(): boolean {
    return this.sent >= LAST_NUMBER;
  }

  /**
   * Seals an encoded frame. Frames must leave in the order in which they were sealed.
   * @throws {RangeError} when it {@link isSpent}
   */
  seal(encoded: Uint8Array): Uint8Array {
    if (this.isSpent) throw new RangeError('the numbers of this link are used up');
    this.sent += 1;
    const { payload, ...clear } = decodeFrame(encoded);
    const head = { ...clear, version: VERSION_2, flags: FLAG_SEALED };
    const record = new Uint8Array(NUMBER_SIZE + payload.length + TAG_SIZE);
    const nonce = nonceOf(this.sent);
    record.set(nonce.subarray(0, NUMBER_SIZE));
    const cipher = chacha20poly1305(this.sending, nonce, headerOf(head, record.length));
    record.set(cipher.encrypt(payload), NUMBER_SIZE);
    return encodeFrame({ ...head, payload: record });
  }

  /** What a sealed frame says; null for one that does not hold, which ends the link. */
  open(frame: Frame): Frame | null {
    const { version, flags, payload } = frame;
    const isRecord = version === VERSION_2 && flags === FLAG_SEALED;
    if (!isRecord || payload.length < NUMBER_SIZE + TAG_SIZE) return null;
    const number = new DataView(payload.buffer, payload.byteOffset).getUint32(0, true);
    if (number <= this.received) return null;
    const cipher = chacha20poly1305(
      this.receiving,
      nonceOf(number),
      headerOf(frame, payload.length),
    );
    let opened: Uint8Array;
    try {
      opened = cipher.decrypt(payload.subarray(NUMBER_SIZE));
    } catch {
      // The library's one way to say that the tag does not hold.
      return null;
    }
    this.received = number;
    return { ...frame, version: VERSION_1, flags: 0, payload: opened };
  }
}

/** The recorder's side of `openChannel`. @returns null when the phone's public key is none */
export function answerChannel(
  exchange: Omit<Exchange, 'role'>,
  bindingKey: Uint8Array,
  agreed: Agreed,
): { readonly channel: Channel; readonly proof: Uint8Array } | null {
  const keys = linkKeysOf({ role: 'recorder', ...exchange }, bindingKey, agreed);
  return keys && { channel: new Channel('recorder', keys), proof: proofOf(keys) };
}

/** The phone's side of `openChannel`. @returns null when the recorder has another binding key */
export function acceptChannel(
  exchange: Omit<Exchange, 'role'>,
  bindingKey: Uint8Array,
  agreed: Agreed,
  proof: Uint8Array,
): Channel | null {
  const keys = linkKeysOf({ role: 'phone', ...exchange }, bindingKey, agreed);
  return keys && areEqual(proofOf(keys), proof) ? new Channel('phone', keys) : null;
}
