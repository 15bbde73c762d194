/** Transfers new firmware to a recorder: announces it, sends paced packets and finishes the update. */
import type { Clock } from '../clock.ts';
import { OTA_BYTES_PER_SECOND, OTA_PACKET_SIZE, type ResponseOf } from '../codec/index.ts';
import { DeviceError, FirmwareError } from '../errors.ts';
import type { Link } from './link.ts';
import { BIND_CONFIRM_MS, BIND_GRACE_MS, OTA_ROUNDS } from './timing.ts';
import type { FirmwareImage, UpdateOptions } from './types.ts';

/** Maximum progress before the recorder reports the update after its restart. */
const MAX_PERCENT = 99;

/**
 * Resolves when the recorder is about to restart with the image. The result is reported on the next link.
 * @throws {FirmwareError} when the recorder rejects the firmware
 * @throws {DeviceError} `battery_low`, `link_lost`, `aborted`, `timeout`
 */
export async function updateFirmware(
  link: Link,
  clock: Clock,
  image: FirmwareImage,
  options: UpdateOptions = {},
): Promise<void> {
  const { bytes, crc16, version, signature } = image;
  let sequence = 0;
  const announced = { fileSize: bytes.length, crc16, version, signature };
  const started = await link.request('otaStart', announced, (assigned) => {
    sequence = assigned;
  });
  assertOk(started.status);
  let { nextOffset } = started;
  for (let round = 1; ; round++) {
    await sendFrom(nextOffset);
    // Last opportunity to abort: the recorder retains the received part only before `otaFinish`.
    if (options.signal?.aborted) throw new DeviceError('aborted', { cause: options.signal.reason });
    const decision = watchDecision(link, clock);
    try {
      const finished = await link.request('otaFinish', {});
      const isMissing = finished.status === 'ota_failed' && finished.nextOffset < bytes.length;
      if (isMissing && round < OTA_ROUNDS) {
        ({ nextOffset } = finished);
        continue;
      }
      assertOk(finished.status);
      if (finished.isWaiting) assertOk(await decision.promise);
      return;
    } finally {
      decision.stop();
    }
  }

  /** Sends packets at the allowed rate. Timers of a background page fire late, so each pass catches up. */
  async function sendFrom(first: number): Promise<void> {
    const { signal, onProgress } = options;
    const startedAt = clock.now();
    for (let offset = first; offset < bytes.length; ) {
      const due = first + ((clock.now() - startedAt) * OTA_BYTES_PER_SECOND) / 1000;
      while (offset <= due && offset < bytes.length) {
        if (signal?.aborted) throw new DeviceError('aborted', { cause: signal.reason });
        const data = bytes.subarray(offset, offset + OTA_PACKET_SIZE);
        await link.send('otaData', { offset, data }, sequence);
        offset += data.length;
      }
      onProgress?.(Math.min(MAX_PERCENT, Math.floor((100 * offset) / bytes.length)));
      const wait = ((offset - first) * 1000) / OTA_BYTES_PER_SECOND - (clock.now() - startedAt);
      if (wait > 0) await new Promise<void>((resolve) => clock.after(wait, resolve));
    }
  }
}

function assertOk(status: ResponseOf<'otaFinish'>['status']): void {
  if (status !== 'ok') throw new FirmwareError(status);
}

/** Watches for the owner's decision: a refusal arrives as a report, a confirmation as a restart. */
function watchDecision(link: Link, clock: Clock) {
  const answer = Promise.withResolvers<ResponseOf<'otaFinish'>['status']>();
  // Awaited only if a confirmation is needed; marks an earlier rejection as handled.
  answer.promise.catch(() => undefined);
  const stops = [
    link.onReport((report) => {
      if (report.name === 'firmwareChanged') answer.resolve(report.value.status);
    }),
    link.onClosed(() => answer.resolve('ok')),
    clock.after(BIND_CONFIRM_MS + BIND_GRACE_MS, () => answer.reject(new DeviceError('timeout'))),
  ];
  return {
    promise: answer.promise,
    stop: () => {
      for (const stop of stops) stop();
    },
  };
}
