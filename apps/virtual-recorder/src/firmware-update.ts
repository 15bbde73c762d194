/** Updates the firmware: checks the preconditions, asks the user to confirm a downgrade, and restarts the recorder. */
import { EventEmitter } from 'node:events';
import type { ReportOf, RequestOf, ResponseOf } from '@linnet/device/codec';
import { CONFIRM_TIMEOUT_MS } from './buttons.ts';
import type { Faults } from './faults.ts';
import type { Firmware, FirmwareStatus } from './flash/firmware.ts';
import { type Outcome, refused, succeeded } from './outcome.ts';
import type { PacedClock } from './paced-clock.ts';
import { LAST_RESPONSE_MS } from './radio/radio.ts';

/** Minimum battery level for an update while not charging, in percent (PROTOCOL.md, result 38). */
const MIN_BATTERY = 20;

/** Callbacks that connect the update to the rest of the recorder. */
export interface UpdateDependencies {
  readonly isIdle: () => boolean;
  /** The battery level in percent. */
  readonly batteryLevel: () => number;
  /** The free storage in bytes. */
  readonly freeBytes: () => number;
  /** Restarts the recorder, which must then call {@link FirmwareUpdate.reset}. */
  readonly restart: () => Promise<void>;
}

interface FirmwareUpdateEvents {
  installed: [];
  /** The result of an update, emitted once. */
  report: [ReportOf<'firmwareChanged'>];
}

export class FirmwareUpdate extends EventEmitter<FirmwareUpdateEvents> {
  private readonly firmware: Firmware;
  private readonly clock: PacedClock;
  private readonly faults: Faults;
  private readonly dependencies: UpdateDependencies;
  /** Cancels the pending confirmation of a downgrade, or null if none is pending. */
  private cancelConfirmation: (() => void) | null = null;
  /** Cancels the scheduled restart, if any. */
  private cancelScheduledRestart = () => {};

  constructor(
    firmware: Firmware,
    clock: PacedClock,
    faults: Faults,
    dependencies: UpdateDependencies,
  ) {
    super();
    this.firmware = firmware;
    this.clock = clock;
    this.faults = faults;
    this.dependencies = dependencies;
  }

  /** Whether a downgrade is waiting for confirmation. */
  get isPending(): boolean {
    return this.cancelConfirmation !== null;
  }

  /** Handles the announcement of an image. The phone then sends the image, starting at `nextOffset`. */
  async announce(announced: RequestOf<'otaStart'>): Promise<Outcome<ResponseOf<'otaStart'>>> {
    if (this.isPending) return refused('busy');
    const isLow = this.dependencies.batteryLevel() < MIN_BATTERY && !this.faults.charging;
    if (isLow) return refused('battery_low');
    const status = this.findRefusal(announced.fileSize) ?? (await this.firmware.start(announced));
    return succeeded({ status, nextOffset: this.firmware.nextOffset });
  }

  /** Checks the preconditions. @param fileSize the size of the image in bytes */
  private findRefusal(fileSize: number) {
    if (this.faults.usbDisk) return 'usb_disk_mode';
    if (!this.dependencies.isIdle()) return 'recording';
    return fileSize > this.dependencies.freeBytes() ? 'no_space' : null;
  }

  /** Installs the received image and restarts. A downgrade first requires the user's confirmation. */
  async finish(): Promise<Outcome<ResponseOf<'otaFinish'>>> {
    if (this.isPending) return refused('busy');
    // Read the offset before the check, because the check resets it if it rejects the image. The phone doesn't need to
    // resend a complete image.
    const { nextOffset } = this.firmware;
    let status = this.dependencies.isIdle() ? await this.firmware.check() : 'recording';
    const refusal = this.faults.updateRefusal;
    if (refusal) {
      await this.firmware.discard();
      status = refusal;
    }
    const isWaiting = status === 'ok' && this.firmware.isOlder;
    if (isWaiting) {
      this.cancelConfirmation?.();
      this.cancelConfirmation = this.clock.after(
        CONFIRM_TIMEOUT_MS,
        () => void this.reject('version_mismatch'),
      );
    } else if (status === 'ok') {
      status = await this.firmware.install();
      if (status === 'ok') {
        this.emit('installed');
        // Delay the restart, so the response is sent before the radio is turned off.
        this.cancelScheduledRestart = this.clock.after(LAST_RESPONSE_MS, () => {
          this.dependencies
            .restart()
            .catch((error: unknown) => console.error('restart failed', error));
        });
      }
    }
    return succeeded({ status, isWaiting, nextOffset });
  }

  /** Confirms the pending downgrade. */
  async confirm(): Promise<void> {
    this.stopConfirmation();
    const status = await this.firmware.install();
    if (status !== 'ok') return this.reject(status);
    this.emit('installed');
    return this.dependencies.restart();
  }

  /** Reports the result of an update, once. */
  async report(): Promise<void> {
    const status = await this.firmware.takeResult();
    if (status === null) return;
    this.emit('report', { status, version: this.firmware.version });
  }

  /** Clears volatile state: the pending confirmation and the incoming image. */
  async reset(): Promise<void> {
    this.stopConfirmation();
    await this.firmware.restart();
  }

  /** Cancels the scheduled restart. */
  cancelRestart(): void {
    this.cancelScheduledRestart();
  }

  private async reject(status: FirmwareStatus): Promise<void> {
    this.cancelConfirmation = null;
    await this.firmware.refuse(status);
    await this.report();
  }

  private stopConfirmation(): void {
    this.cancelConfirmation?.();
    this.cancelConfirmation = null;
  }
}
