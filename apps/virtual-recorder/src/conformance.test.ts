/** Runs the conformance kit against virtual recorders: correct ones and deliberately wrong ones. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@linnet/device/clock';
import {
  type CheckBinding,
  type CheckReport,
  checkRecorder,
  hasFailed,
  type Verdict,
} from '@linnet/device/conformance';
import type { Transport } from '@linnet/device/transport';
import { openWebSocket } from '@linnet/transports/websocket';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Config, readConfig } from './config.ts';
import { PacedClock } from './paced-clock.ts';
import { type RunningRecorder, startRecorder } from './start.ts';

/** How much faster than real time the recorders run. */
const SPEED = 20;

let dir: string;
let running: RunningRecorder;
const bindings = new Map<string, CheckBinding>();

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'linnet-conformance-'));
  bindings.clear();
});
afterEach(async () => {
  await running.stop();
  await rm(dir, { recursive: true });
});

async function start(env: Readonly<Record<string, string>> = {}): Promise<RunningRecorder> {
  const variables = { RECORDER_PORT: '0', DATA_DIR: dir, RECORDER_SCENES: dir, ...env };
  const config: Config = readConfig(variables);
  running = await startRecorder(config, new PacedClock(SPEED), []);
  const { recorder } = running;
  for (let hour = 1; hour <= 9; hour++) {
    await recorder.addSession(new Int16Array(16_000), {
      ...{ mode: 'normal', scene: 'note' },
      startTime: recorder.unixTime() - 3600 * hour,
    });
  }
  return running;
}

type Options = {
  readonly isQuick?: boolean;
  readonly unbinds?: boolean;
  readonly mayBind?: boolean;
  readonly timeoutMs?: number;
  readonly intercept?: (link: Transport) => Transport;
};

async function check(options: Options = {}): Promise<CheckReport> {
  const { isQuick = true, unbinds = true, mayBind = true, timeoutMs = 5000 } = options;
  const { intercept = (link: Transport) => link } = options;
  const { recorder, url } = running;
  return checkRecorder({
    connect: async () => intercept(await openWebSocket(`${url.replace('http', 'ws')}/ble`)),
    readAdvertisement: async () => (await fetch(`${url}/advertisement`)).json(),
    timing: { clock: systemClock, paceMs: 0, timeoutMs },
    isQuick,
    unbinds,
    loadBinding: async (sn) => bindings.get(sn),
    storeBinding: async (sn, binding) => {
      if (binding) bindings.set(sn, binding);
      else bindings.delete(sn);
    },
    mayBind: async () => mayBind,
    requestConfirmation: () => {
      void recorder.press('power', recorder.confirmMs ?? 0);
    },
  });
}

function idsOf(report: CheckReport, status: Verdict['status']): string[] {
  return report.results
    .filter(({ verdict }) => verdict.status === status)
    .map(({ clause }) => clause.id);
}

test('a recorder of both versions keeps every clause', async () => {
  await start();
  const report = await check();
  console.log(
    report.results
      .map(({ clause, verdict }) => `${clause.id} ${JSON.stringify(verdict)}`)
      .join('\n'),
  );
  expect(idsOf(report, 'broken')).toEqual([]);
});
