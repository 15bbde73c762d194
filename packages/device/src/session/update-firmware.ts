/**
 * Transfers new firmware to a recorder: announces the image, sends its packets at a limited rate, and starts the
 * update.
 */
import type { Clock } from '../clock.ts';
import { OTA_BYTES_PER_SECOND, OTA_PACKET_SIZE, type ResponseOf } from '../codec/index.ts';
import { DeviceError, FirmwareError } from '../errors.ts';
import type { Link } from './link.ts';
import { BIND_CONFIRM_MS, BIND_GRACE_MS, OTA_ROUNDS } from './timing.ts';
import type { FirmwareImage, UpdateOptions } from './types.ts';

/** The highest progress shown until the recorder has restarted and reported the result. */
const MAX_PERCENT = 99;

/**
 * Updates the firmware. Resolves once the recorder is about to restart with the new image. The recorder reports the
 * result over the next link.
 * @throws {FirmwareError} if the recorder rejects the firmware
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
    // This is the last chance to abort: a partial image is kept for resuming only until `otaFinish`.
    if (options.signal?.aborted) throw new DeviceError('aborted', { cause: options.signal.reason });
    const decision = waitForDecision(link, clock);
    try {
      const finished = await link.request('otaFinish', {});
      const isIncomplete = finished.status === 'ota_failed' && finished.nextOffset < bytes.length;
      if (isIncomplete && round < OTA_ROUNDS) {
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

  /** Sends packets at the allowed rate. Timers run late in background pages, so each iteration catches up. */
  async function sendFrom(first: number): Promise<void> {
    const { signal, onProgress } = options;
    const startedAt = clock.elapsed();
    for (let offset = first; offset < bytes.length; ) {
      const dueOffset = first + ((clock.elapsed() - startedAt) * OTA_BYTES_PER_SECOND) / 1000;
      while (offset <= dueOffset && offset < bytes.length) {
        if (signal?.aborted) throw new DeviceError('aborted', { cause: signal.reason });
        const data = bytes.subarray(offset, offset + OTA_PACKET_SIZE);
        await link.send('otaData', { offset, data }, sequence);
        offset += data.length;
      }
      onProgress?.(Math.min(MAX_PERCENT, Math.floor((100 * offset) / bytes.length)));
      const waitMs =
        ((offset - first) * 1000) / OTA_BYTES_PER_SECOND - (clock.elapsed() - startedAt);
      if (waitMs > 0) await new Promise<void>((resolve) => clock.after(waitMs, resolve));
    }
  }
}

function assertOk(status: ResponseOf<'otaFinish'>['status']): void {
  if (status !== 'ok') throw new FirmwareError(status);
}

/** Waits for the user's decision. The recorder reports a refusal, or restarts after a confirmation. */
function waitForDecision(link: Link, clock: Clock) {
  const outcome = Promise.withResolvers<ResponseOf<'otaFinish'>['status']>();
  // The promise is awaited only if a confirmation is needed, so mark an earlier rejection as handled.
  outcome.promise.catch(() => undefined);
  const cleanups = [
    link.onReport((report) => {
      if (report.name === 'firmwareChanged') outcome.resolve(report.value.status);
    }),
    link.onClosed(() => outcome.resolve('ok')),
    clock.after(BIND_CONFIRM_MS + BIND_GRACE_MS, () => outcome.reject(new DeviceError('timeout'))),
  ];
  return {
    promise: outcome.promise,
    stop: () => {
      for (const stop of cleanups) stop();
    },
  };
}
