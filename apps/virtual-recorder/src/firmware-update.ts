/** An update of the firmware: when it may come, who is asked about it, and the restart that ends it. */
import { EventEmitter } from 'node:events';
import type { ReportOf, RequestOf, ResponseOf } from '@linnet/device/codec';
import { CONFIRM_PATIENCE_MS } from './buttons.ts';
import type { Faults } from './faults.ts';
import type { Firmware, FirmwareStatus } from './flash/firmware.ts';
import { done, type Outcome, refused } from './outcome.ts';
import type { PacedClock } from './paced-clock.ts';
import { LAST_ANSWER_MS } from './radio/radio.ts';

/** Percent below which no firmware is taken unless it charges (PROTOCOL.md, result 38). */
const LEAST_BATTERY = 20;

/** What an update depends on. */
export interface UpdateNeeds {
  readonly isIdle: () => boolean;
  /** Percent. */
  readonly batteryLevel: () => number;
  /** Bytes of the storage that are left. */
  readonly free: () => number;
  /** Restarts the recorder, which is to {@link FirmwareUpdate.forget} then. */
  readonly restart: () => Promise<void>;
}

interface FirmwareUpdateEvents {
  installed: [];
  /** What became of an update, once. */
  told: [ReportOf<'firmwareChanged'>];
}

export class FirmwareUpdate extends EventEmitter<FirmwareUpdateEvents> {
  private readonly firmware: Firmware;
  private readonly clock: PacedClock;
  private readonly faults: Faults;
  private readonly needs: UpdateNeeds;
  /** Gives up asking the owner about an older firmware; null while nobody is asked. */
  private cancelAsking: (() => void) | null = null;
  /** Calls off the restart with what was installed; nothing when none is due. */
  private cancelRestart = () => {};

  constructor(firmware: Firmware, clock: PacedClock, faults: Faults, needs: UpdateNeeds) {
    super();
    this.firmware = firmware;
    this.clock = clock;
    this.faults = faults;
    this.needs = needs;
  }

  /** Whether the owner is being asked about an older firmware. */
  get isAsking(): boolean {
    return this.cancelAsking !== null;
  }

  /** Announces an image. A phone goes on from `nextOffset`. */
  async announce(announced: RequestOf<'otaStart'>): Promise<Outcome<ResponseOf<'otaStart'>>> {
    if (this.isAsking) return refused('busy');
    const isLow = this.needs.batteryLevel() < LEAST_BATTERY && !this.faults.charging;
    if (isLow) return refused('battery_low');
    const status = this.obstacleTo(announced.fileSize) ?? (await this.firmware.start(announced));
    return done({ status, nextOffset: this.firmware.nextOffset });
  }

  /** @param fileSize of the image, bytes */
  private obstacleTo(fileSize: number) {
    if (this.faults.usbDisk) return 'usb_disk_mode';
    if (!this.needs.isIdle()) return 'recording';
    return fileSize > this.needs.free() ? 'no_space' : null;
  }

  /** Installs what came and restarts, at once or when the owner confirms that it is older. */
  async finish(): Promise<Outcome<ResponseOf<'otaFinish'>>> {
    if (this.isAsking) return refused('busy');
    // Of an image that came whole it is the end, whatever becomes of it: nothing is to be sent again.
    const { nextOffset } = this.firmware;
    let status = this.needs.isIdle() ? await this.firmware.check() : 'recording';
    const refusal = this.faults.updateRefusal;
    if (refusal) {
      await this.firmware.drop();
      status = refusal;
    }
    const isWaiting = status === 'ok' && this.firmware.isOlder;
    if (isWaiting) {
      this.cancelAsking?.();
      this.cancelAsking = this.clock.after(
        CONFIRM_PATIENCE_MS,
        () => void this.refuse('version_mismatch'),
      );
    } else if (status === 'ok') {
      status = await this.firmware.install();
      if (status === 'ok') {
        this.emit('installed');
        // The answer is on its way before the radio falls silent.
        this.cancelRestart = this.clock.after(LAST_ANSWER_MS, () => {
          this.needs
            .restart()
            .catch((error: unknown) => console.error('the restart failed', error));
        });
      }
    }
    return done({ status, isWaiting, nextOffset });
  }

  /** The owner wants the older firmware that was asked about. */
  async confirm(): Promise<void> {
    this.stopAsking();
    const status = await this.firmware.install();
    if (status !== 'ok') return this.refuse(status);
    this.emit('installed');
    return this.needs.restart();
  }

  /** Tells what became of an update, once. */
  async tell(): Promise<void> {
    const status = await this.firmware.tell();
    if (status === null) return;
    this.emit('told', { status, version: this.firmware.version });
  }

  /** What does not outlive the power: nobody is asked any more, and no image is on its way. */
  async forget(): Promise<void> {
    this.stopAsking();
    await this.firmware.restart();
  }

  /** Restarts no more by itself. */
  callOffRestart(): void {
    this.cancelRestart();
  }

  private async refuse(because: FirmwareStatus): Promise<void> {
    this.cancelAsking = null;
    await this.firmware.refuse(because);
    await this.tell();
  }

  private stopAsking(): void {
    this.cancelAsking?.();
    this.cancelAsking = null;
  }
}
