/**
 * Firmware: the image that runs, and the one that comes. What comes is written beside what runs, and the
 * recorder's state names which of the two boots: it does so only once the other is whole, signed and
 * durable. So wherever an update is cut, an image boots.
 */
import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';
import { type FileHandle, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { crc16, type RequestOf, type ResponseOf } from '@linnet/device/codec';
import { PROJECT_CODE } from '../device-types.ts';
import { syncFolder } from './atomic-file.ts';
import type { Flash } from './flash.ts';

/** What runs in a recorder that was never updated; it has no image of its own. */
const FACTORY_VERSION = '1.0.0';
/** Room for an image, bytes. */
export const MAX_IMAGE_BYTES = 4 * 2 ** 20;
/** Images in a row that did not hold, until the recorder is restarted. */
const MAX_FAILURES = 5;

type Announcement = RequestOf<'otaStart'>;
export type FirmwareStatus = ResponseOf<'otaFinish'>['status'];

/** What the recorder's state keeps of its firmware. */
export interface FirmwareState {
  readonly version: string;
  /** Which of the two places boots; null for the factory's image. */
  readonly slot: 'a' | 'b' | null;
  /** SHA-256 of the image that boots, hex; '' for the factory's. */
  readonly sha256: string;
  /** What a phone was not told yet of the last update. */
  readonly untold: FirmwareStatus | null;
}

export const factoryFirmware: FirmwareState = {
  version: FACTORY_VERSION,
  slot: null,
  sha256: '',
  untold: null,
};

/** Ed25519 keys as SubjectPublicKeyInfo (RFC 8410, 4) up to their 32 bytes. */
const SPKI_HEAD = Buffer.from('302a300506032b6570032100', 'hex');

/** @param base64 32 bytes, as the command line of the server prints them */
export function firmwareKey(base64: string): KeyObject {
  const raw = Buffer.from(base64, 'base64');
  if (raw.length !== 32) throw new RangeError('a firmware key has 32 bytes');
  return createPublicKey({ key: Buffer.concat([SPKI_HEAD, raw]), format: 'der', type: 'spki' });
}

/** Whether a version is older than another; both are numbers apart by dots. */
export function isOlder(version: string, than: string): boolean {
  const [a, b] = [version.split('.').map(Number), than.split('.').map(Number)];
  for (let part = 0; part < Math.max(a.length, b.length); part++) {
    const difference = (a[part] ?? 0) - (b[part] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}

export class Firmware {
  private readonly flash: Flash;
  private readonly key: KeyObject | null;
  private announced: Announcement | null = null;
  private received = 0;
  private file: FileHandle | null = null;
  private failures = 0;
  /** Packets being written, strictly one after the other. */
  private writing: Promise<void> = Promise.resolve();

  private constructor(flash: Flash, key: KeyObject | null) {
    this.flash = flash;
    this.key = key;
  }

  /**
   * Boots: what the state names, if it is there as it was written.
   * @param key checks signatures; without one no update is taken
   */
  static async boot(flash: Flash, key: KeyObject | null = null): Promise<Firmware> {
    const firmware = new Firmware(flash, key);
    const { slot, sha256 } = flash.state.firmware;
    if (slot !== null && (await firmware.hashOf(slot)) !== sha256) {
      console.error(`the image in ${slot} is damaged: the factory's boots`);
      await flash.saveState({ firmware: factoryFirmware });
    }
    return firmware;
  }

  get version(): string {
    return this.flash.state.firmware.version;
  }

  /** The byte that is wanted next. */
  get nextOffset(): number {
    return this.received;
  }

  /** Makes room for an image, or goes on with the one that was announced before. */
  async start(announced: Announcement): Promise<FirmwareStatus> {
    if (this.failures >= MAX_FAILURES) return 'too_many_attempts';
    if (announced.fileSize > MAX_IMAGE_BYTES) return 'too_large';
    if (announced.fileSize === 0) return 'ota_failed';
    const before = this.announced;
    const same =
      before?.fileSize === announced.fileSize &&
      before.crc16 === announced.crc16 &&
      before.version === announced.version;
    if (!same) {
      await this.drop();
      this.file = await open(this.incoming, 'w');
    }
    this.announced = announced;
    return 'ok';
  }

  /** Takes the packet that comes next; any other is ignored. */
  receive(offset: number, data: Uint8Array): void {
    const { announced } = this;
    if (!announced || offset !== this.received) return;
    if (data.length === 0 || offset + data.length > announced.fileSize) return;
    this.received += data.length;
    const { file } = this;
    const written = this.writing.then(() => file?.appendFile(data));
    this.writing = written.catch((error: unknown) => {
      console.error('firmware cannot be written', error);
      this.announced = null;
    });
  }

  /** Whether what came is whole and signed; a wrong image is dropped. Nothing boots yet. */
  async check(): Promise<FirmwareStatus> {
    await this.writing;
    const { announced } = this;
    if (!announced) return 'flash_failed';
    if (this.received < announced.fileSize) return 'ota_failed';
    return this.judge(announced, await readFile(this.incoming));
  }

  /** Whether only the owner may have what came installed. */
  get isOlder(): boolean {
    return this.announced !== null && isOlder(this.announced.version, this.version);
  }

  /** Lets what came boot from now on, if it is signed: what was checked before may be something else. */
  async install(): Promise<FirmwareStatus> {
    const { announced } = this;
    if (!announced) return 'flash_failed';
    const image = await readFile(this.incoming);
    const status = await this.judge(announced, image);
    if (status !== 'ok') return status;
    const slot = this.flash.state.firmware.slot === 'a' ? 'b' : 'a';
    const file = await open(this.path(slot), 'w');
    try {
      await file.writeFile(image);
      await file.sync();
    } finally {
      await file.close();
    }
    await syncFolder(this.flash.dir);
    const sha256 = createHash('sha256').update(image).digest('hex');
    const { version } = announced;
    await this.flash.saveState({ firmware: { version, slot, sha256, untold: 'ok' } });
    await this.restart();
    return 'ok';
  }

  /** What came is not installed after all. */
  async refuse(because: FirmwareStatus): Promise<void> {
    await this.drop();
    await this.flash.saveState({
      firmware: { ...this.flash.state.firmware, untold: because },
    });
  }

  /** What a phone is to be told of the last update, once. */
  async tell(): Promise<FirmwareStatus | null> {
    const { firmware } = this.flash.state;
    if (firmware.untold !== null) {
      await this.flash.saveState({ firmware: { ...firmware, untold: null } });
    }
    return firmware.untold;
  }

  /** Drops a wrong image. */
  private async judge(announced: Announcement, image: Uint8Array): Promise<FirmwareStatus> {
    const status = this.verdict(announced, image);
    if (status !== 'ok') {
      this.failures += 1;
      await this.drop();
    }
    return status;
  }

  private verdict(announced: Announcement, image: Uint8Array): FirmwareStatus {
    if (crc16(image) !== announced.crc16) return 'ota_failed';
    const head = Buffer.from(`Linnet firmware\n${PROJECT_CODE}\n${announced.version}\n`);
    const signed =
      this.key !== null &&
      verify(null, Buffer.concat([head, image]), this.key, announced.signature);
    return signed ? 'ok' : 'upgrade_failed';
  }

  /** What came, and what failed, does not outlive the power. */
  async restart(): Promise<void> {
    this.failures = 0;
    await this.drop();
  }

  /** Forgets what came. */
  async drop(): Promise<void> {
    this.announced = null;
    this.received = 0;
    await this.writing;
    await this.file?.close();
    this.file = null;
    await rm(this.incoming, { force: true });
  }

  private async hashOf(slot: 'a' | 'b'): Promise<string | null> {
    const image = await readFile(this.path(slot)).catch(() => null);
    return image && createHash('sha256').update(image).digest('hex');
  }

  private get incoming(): string {
    return join(this.flash.dir, 'firmware.incoming');
  }

  private path(slot: 'a' | 'b'): string {
    return join(this.flash.dir, `firmware.${slot}`);
  }
}
