/** Publishes firmware for a history's recorder. */
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { crc16 } from '@linnet/device/codec';
import type { FirmwareImage } from '@linnet/device/session';

/**
 * Kinds of firmware images: valid ones, and ones that recorders must reject because they are damaged or for a different
 * model.
 */
export type ImageKind = 'valid' | 'damaged' | 'other_model';

/** The recorder's model. The signature covers it. */
const MODEL = 'LNR1';
const IMAGE_BYTES = 3000;

export class FirmwarePublisher {
  readonly #keys = generateKeyPairSync('ed25519');
  /** Versions that a recorder may boot. */
  readonly #versions = new Set<string>();
  #releases = 0;

  /** Public key for verifying signatures, in base64. */
  get key(): string {
    const encoded = this.#keys.publicKey.export({ format: 'der', type: 'spki' });
    return encoded.subarray(-32).toString('base64');
  }

  /** True after the first release. */
  get hasReleased(): boolean {
    return this.#releases > 0;
  }

  /** True if the version was released as a valid image. */
  isValid(version: string): boolean {
    return this.#versions.has(version);
  }

  /** Releases an image with the next version. */
  release(kind: ImageKind): FirmwareImage {
    this.#releases += 1;
    const version = `1.${this.#releases}.0`;
    if (kind === 'valid') this.#versions.add(version);
    const bytes = randomBytes(IMAGE_BYTES);
    const model = kind === 'other_model' ? 'LNR9' : MODEL;
    const head = Buffer.from(`Linnet firmware\n${model}\n${version}\n`);
    const signature = sign(null, Buffer.concat([head, bytes]), this.#keys.privateKey);
    const sum = crc16(bytes);
    return { bytes, version, signature, crc16: kind === 'damaged' ? sum ^ 1 : sum };
  }
}
