import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VERSION_2 } from '@linnet/device/codec';
import { readConfig } from '@linnet/virtual-recorder/config';
import { startRecorder } from '@linnet/virtual-recorder/start';
import { SteppedClock } from '@linnet/virtual-recorder/testing/stepped-clock';
import { addLongSession } from '../support/long-session.ts';
import { readInLockstep } from './lockstep/read.ts';
import { type Measurement, roundToThousandths } from './measurement.ts';

const MINUTES = 4 * 60;

/** Measures the peak memory of the app's process during the transfer of a four-hour session, relative to the start. */
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
    const payload = 495;
    const result = await readInLockstep(running, clock, {
      ...{ payload, bytes, dir },
      protocol: VERSION_2,
      memory: true,
    });
    const heldBytes = result.memory.map((sample) => sample.held);
    const memory = Object.fromEntries(
      result.memory.map(({ percent, ...sample }) => [
        `${percent}%`,
        {
          heldMb: roundToThousandths(sample.held),
          residentMb: roundToThousandths(sample.resident),
        },
      ]),
    );
    return [
      {
        name: 'memory during a transfer of four hours, maximum ÷ at 1 %',
        value: roundToThousandths(Math.max(...heldBytes) / (heldBytes[0] ?? Number.NaN)),
        unit: 'ratio',
        detail: { bytes, ...memory },
      },
    ];
  } finally {
    await running.stop();
    await rm(dir, { recursive: true });
  }
}
