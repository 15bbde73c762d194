/**
 * Dual-slot (A/B) firmware updates. A new image is written to the inactive slot, and the persistent state switches to
 * that slot only after the image is complete, verified and durable. The recorder can therefore always boot, no matter
 * when an update was interrupted.
 */
import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';
import { type FileHandle, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { crc16, type RequestOf, type ResponseOf } from '@linnet/device/codec';
import { PROJECT_CODE } from '../device-types.ts';
import { syncFolder } from './atomic-file.ts';
import type { Flash } from './flash.ts';

/** The factory firmware version, which has no image file. */
const FACTORY_VERSION = '1.0.0';
/** Maximum size of an image, in bytes. */
export const MAX_IMAGE_BYTES = 4 * 2 ** 20;
/** Number of consecutive rejected images after which a restart is required. */
const MAX_FAILURES = 5;

type Announcement = RequestOf<'otaStart'>;
export type FirmwareStatus = ResponseOf<'otaFinish'>['status'];

/** The persistent firmware state. */
export interface FirmwareState {
  readonly version: string;
  /** The boot slot, or null for the factory firmware. */
  readonly slot: 'a' | 'b' | null;
  /** SHA-256 of the boot image in hex, or '' for the factory firmware. */
  readonly sha256: string;
  /** The result of the last update, until it has been reported to a phone. */
  readonly untold: FirmwareStatus | null;
}

export const factoryFirmware: FirmwareState = {
  version: FACTORY_VERSION,
  slot: null,
  sha256: '',
  untold: null,
};

/** The SubjectPublicKeyInfo prefix of an Ed25519 key (RFC 8410, section 4), which is followed by its 32 bytes. */
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/** Creates a public key. @param base64 32 bytes, as printed by the server CLI */
export function firmwareKey(base64: string): KeyObject {
  const raw = Buffer.from(base64, 'base64');
  if (raw.length !== 32) throw new RangeError('a firmware key must have 32 bytes');
  return createPublicKey({ key: Buffer.concat([SPKI_PREFIX, raw]), format: 'der', type: 'spki' });
}

/** Compares dot-separated numeric versions. */
export function isOlder(version: string, other: string): boolean {
  const [a, b] = [version.split('.').map(Number), other.split('.').map(Number)];
  for (let part = 0; part < Math.max(a.length, b.length); part++) {
    const difference = (a[part] ?? 0) - (b[part] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}

export class Firmware {
  private readonly flash: Flash;
  private readonly key: KeyObject | null;
  private announcement: Announcement | null = null;
  private received = 0;
  private file: FileHandle | null = null;
  private failures = 0;
  /** Resolves when all queued packet writes have finished. */
  private writing: Promise<void> = Promise.resolve();

  private constructor(flash: Flash, key: KeyObject | null) {
    this.flash = flash;
    this.key = key;
  }

  /**
   * Boots the image selected by the state, or the factory firmware if that image is damaged.
   * @param key the key that verifies signatures, or null to reject all updates
   */
  static async boot(flash: Flash, key: KeyObject | null = null): Promise<Firmware> {
    const firmware = new Firmware(flash, key);
    const { slot, sha256 } = flash.state.firmware;
    if (slot !== null && (await firmware.hashSlot(slot)) !== sha256) {
      console.error(`firmware image in slot ${slot} is damaged, booting the factory firmware`);
      await flash.saveState({ firmware: factoryFirmware });
    }
    return firmware;
  }

  get version(): string {
    return this.flash.state.firmware.version;
  }

  /** The offset of the next expected byte. */
  get nextOffset(): number {
    return this.received;
  }

  /** Starts an update, or resumes the current one if the announcement matches. */
  async start(announcement: Announcement): Promise<FirmwareStatus> {
    if (this.failures >= MAX_FAILURES) return 'too_many_attempts';
    if (announcement.fileSize > MAX_IMAGE_BYTES) return 'too_large';
    if (announcement.fileSize === 0) return 'ota_failed';
    const previous = this.announcement;
    const isResumed =
      previous?.fileSize === announcement.fileSize &&
      previous.crc16 === announcement.crc16 &&
      previous.version === announcement.version;
    if (!isResumed) {
      await this.discard();
      this.file = await open(this.incomingPath, 'w');
    }
    this.announcement = announcement;
    return 'ok';
  }

  /** Accepts the packet at the expected offset and ignores all others. */
  receive(offset: number, data: Uint8Array): void {
    const { announcement } = this;
    if (!announcement || offset !== this.received) return;
    if (data.length === 0 || offset + data.length > announcement.fileSize) return;
    this.received += data.length;
    const { file } = this;
    const written = this.writing.then(() => file?.appendFile(data));
    this.writing = written.catch((error: unknown) => {
      console.error('failed to write firmware', error);
      this.announcement = null;
    });
  }

  /** Verifies that the image is complete and signed, and discards an invalid one. Does not install the image. */
  async check(): Promise<FirmwareStatus> {
    await this.writing;
    const { announcement } = this;
    if (!announcement) return 'flash_failed';
    if (this.received < announcement.fileSize) return 'ota_failed';
    return this.verifyImage(announcement, await readFile(this.incomingPath));
  }

  /** Whether the received image is a downgrade, which the user has to confirm. */
  get isOlder(): boolean {
    return this.announcement !== null && isOlder(this.announcement.version, this.version);
  }

  /** Installs the image. The image is verified again, because it may have changed since {@link check}. */
  async install(): Promise<FirmwareStatus> {
    const { announcement } = this;
    if (!announcement) return 'flash_failed';
    const image = await readFile(this.incomingPath);
    const status = await this.verifyImage(announcement, image);
    if (status !== 'ok') return status;
    const slot = this.flash.state.firmware.slot === 'a' ? 'b' : 'a';
    const file = await open(this.slotPath(slot), 'w');
    try {
      await file.writeFile(image);
      await file.sync();
    } finally {
      await file.close();
    }
    await syncFolder(this.flash.dir);
    const sha256 = createHash('sha256').update(image).digest('hex');
    const { version } = announcement;
    await this.flash.saveState({ firmware: { version, slot, sha256, untold: 'ok' } });
    await this.restart();
    return 'ok';
  }

  /** Rejects the received image and stores the reason. */
  async refuse(status: FirmwareStatus): Promise<void> {
    await this.discard();
    await this.flash.saveState({
      firmware: { ...this.flash.state.firmware, untold: status },
    });
  }

  /** Returns the result of the last update and clears it, so it's reported only once. */
  async takeResult(): Promise<FirmwareStatus | null> {
    const { firmware } = this.flash.state;
    if (firmware.untold !== null) {
      await this.flash.saveState({ firmware: { ...firmware, untold: null } });
    }
    return firmware.untold;
  }

  /** Verifies the image and discards an invalid one. */
  private async verifyImage(
    announcement: Announcement,
    image: Uint8Array,
  ): Promise<FirmwareStatus> {
    const status = this.checkImage(announcement, image);
    if (status !== 'ok') {
      this.failures += 1;
      await this.discard();
    }
    return status;
  }

  private checkImage(announcement: Announcement, image: Uint8Array): FirmwareStatus {
    if (crc16(image) !== announcement.crc16) return 'ota_failed';
    const head = Buffer.from(`Linnet firmware\n${PROJECT_CODE}\n${announcement.version}\n`);
    const signed =
      this.key !== null &&
      verify(null, Buffer.concat([head, image]), this.key, announcement.signature);
    return signed ? 'ok' : 'upgrade_failed';
  }

  /** Discards the received image and resets the failure count, as a restart does. */
  async restart(): Promise<void> {
    this.failures = 0;
    await this.discard();
  }

  /** Discards the received image. */
  async discard(): Promise<void> {
    this.announcement = null;
    this.received = 0;
    await this.writing;
    await this.file?.close();
    this.file = null;
    await rm(this.incomingPath, { force: true });
  }

  /** Returns the hash of a slot's image, or null if the image is missing or unreadable, which counts as damaged. */
  private async hashSlot(slot: 'a' | 'b'): Promise<string | null> {
    const image = await readFile(this.slotPath(slot)).catch(() => null);
    return image && createHash('sha256').update(image).digest('hex');
  }

  private get incomingPath(): string {
    return join(this.flash.dir, 'firmware.incoming');
  }

  private slotPath(slot: 'a' | 'b'): string {
    return join(this.flash.dir, `firmware.${slot}`);
  }
}
