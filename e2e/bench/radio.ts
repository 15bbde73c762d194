import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VERSION_1, VERSION_2 } from '@linnet/device/codec';
import { readConfig } from '@linnet/virtual-recorder/config';
import { maxBytesPerSecond, PAYLOADS } from '@linnet/virtual-recorder/radio-model';
import { startRecorder } from '@linnet/virtual-recorder/start';
import { SteppedClock } from '@linnet/virtual-recorder/testing/stepped-clock';
import { addLongSession } from '../support/long-session.ts';
import { readInLockstep } from './lockstep/read.ts';
import { type Measurement, roundToThousandths } from './measurement.ts';

const MINUTES = 60;

/**
 * Measures the throughput of an hour of audio over Bluetooth, from the open link to the verified session, relative to
 * the radio model's capacity. Recorder and app run in separate processes with a shared simulated clock. Measures
 * encrypted links with every payload size, and an unencrypted link with one.
 */
export async function run(): Promise<Measurement[]> {
  const dir = await mkdtemp(join(tmpdir(), 'linnet-bench-'));
  const clock = new SteppedClock();
  const env = {
    RECORDER_PORT: '0',
    RECORDER_CONFIRM: 'auto',
    DATA_DIR: dir,
    RECORDER_SCENES: dir,
    RECORDER_SCENE: '',
  };
  const running = await startRecorder(readConfig(env), clock);
  try {
    const { bytes } = await addLongSession(running, MINUTES);
    const measurements: Measurement[] = [];
    // Measure version 1 first, because a recorder bound with version 2 rejects version 1.
    const links = [
      { payload: 244, protocol: VERSION_1 } as const,
      ...PAYLOADS.map((payload) => ({ payload, protocol: VERSION_2 }) as const),
    ];
    for (const { payload, protocol } of links) {
      const result = await readInLockstep(running, clock, { payload, protocol, bytes, dir });
      const goodput = bytes / result.seconds;
      measurements.push({
        name: `an hour over Bluetooth ÷ capacity of the radio, payload ${payload}, version ${protocol}`,
        value: roundToThousandths(goodput / maxBytesPerSecond(payload)),
        unit: 'ratio',
        detail: {
          bytes,
          radioSeconds: roundToThousandths(result.seconds),
          bytesPerSecond: Math.round(goodput),
          cpuSeconds: {
            recorder: roundToThousandths(result.recorderSeconds),
            appReading: roundToThousandths(result.readingSeconds),
            appMakingFiles: roundToThousandths(result.finishingSeconds),
          },
        },
      });
    }
    return measurements;
  } finally {
    await running.stop();
    await rm(dir, { recursive: true });
  }
}
