/** Checks the minimal recorder in `examples/`, which shares no code with Linnet. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { systemClock } from '@linnet/device/clock';
import { type CheckReport, checkRecorder, hasFailed } from '@linnet/device/conformance';
import { openWebSocket } from '@linnet/transports/websocket';
import { expect, test } from 'vitest';

const example = join(import.meta.dirname, '../examples/recorder.ts');

/** Checks a recorder in a new process. Enter is the recorder's button. */
async function checkExample(): Promise<CheckReport> {
  const recorder = spawn(process.execPath, [example, '0'], { stdio: ['pipe', 'pipe', 'inherit'] });
  try {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    createInterface({ input: recorder.stdout }).once('line', resolve);
    recorder.once('exit', () => reject(new Error('the recorder ended')));
    const url = (await promise).split(' ').at(-1) ?? '';
    return await checkRecorder({
      connect: () => openWebSocket(`${url.replace('http', 'ws')}/ble`),
      supportsSecondConnection: true,
      network: undefined,
      sendsInvalidFirmware: false,
      readAdvertisement: async () => (await fetch(`${url}/advertisement`)).json(),
      timing: { clock: systemClock, paceMs: 0, timeoutMs: 5000, settleMs: 100 },
      isQuick: true,
      unbinds: true,
      loadBinding: async () => undefined,
      storeBinding: async () => undefined,
      mayBind: async () => true,
      requestConfirmation: () => recorder.stdin.write('\n'),
    });
  } finally {
    recorder.kill();
  }
}

test('the minimal recorder meets the required clauses', async () => {
  const report = await checkExample();
  expect(report.recorder?.projectCode).toBe('DEMO');
  expect(hasFailed(report)).toBe(false);
  const others = report.results.filter(
    ({ clause, verdict }) => clause.requires === 'required' && verdict.status !== 'kept',
  );
  const isOfVersion1 = (id: string) => id.startsWith('version-1.');
  expect(others.map(({ clause }) => clause.id).filter((id) => !isOfVersion1(id))).toEqual([
    'frame.abandoned',
    'link.authentication-timeout',
  ]);
});
