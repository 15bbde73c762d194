import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { openRecorderSession, readSessionOverHttp } from '@linnet/device/session';
import { openWebSocket } from '@linnet/transports/websocket';
import { openWifi } from '@linnet/transports/wifi';
import { readConfig } from '@linnet/virtual-recorder/config';
import { startRecorder } from '@linnet/virtual-recorder/start';
import { addLongSession } from '../support/long-session.ts';
import { openNodePhone } from '../support/node-phone.ts';
import { RecorderControl } from '../support/recorder-control.ts';
import { cpuSeconds, type Measurement, roundToThousandths } from './measurement.ts';

const MINUTES = 60;
/** Number of downloads per client. The clients alternate, and the bench reports the median. */
const ROUNDS = 3;
/** Speed at which the network is faster than a real recorder's, but still the bottleneck. */
const SPEED = 2;
/** Speed at which the network takes almost no time, which isolates the processing time. */
const NETWORK_FREE_SPEED = 50;

const recorderScript = join(import.meta.dirname, '../../apps/virtual-recorder/src/main.ts');
const runFile = promisify(execFile);

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] as number;
}

/** Starts a recorder with one long session in a separate process. */
async function startRecorderProcess(dir: string) {
  const env = {
    RECORDER_PORT: '0',
    RECORDER_CONFIRM: 'auto',
    DATA_DIR: dir,
    RECORDER_SCENES: dir,
    RECORDER_SCENE: '',
  };
  const temporaryRecorder = await startRecorder(readConfig(env));
  const { sessionId, bytes } = await addLongSession(temporaryRecorder, MINUTES);
  await temporaryRecorder.stop();
  const child = spawn(process.execPath, [recorderScript], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  return { child, url: String(line).replace(/.* on /, ''), sessionId, bytes };
}

/** Downloads a session to a file with curl. @returns the duration in seconds, as reported by curl */
async function downloadWithCurl(url: string, token: string, file: string): Promise<number> {
  const args = ['-sSf', '-o', file, '-w', '%{time_total}', '-H', `Authorization: Bearer ${token}`];
  const { stdout } = await runFile('curl', [...args, url]);
  return Number(stdout);
}

/** Measures the app's durable transfer of one hour of audio over the recorder's network, relative to curl. */
export async function run(): Promise<Measurement[]> {
  const dir = await mkdtemp(join(tmpdir(), 'linnet-bench-'));
  const { child, url, sessionId, bytes } = await startRecorderProcess(dir);
  try {
    const control = new RecorderControl(url);
    const link = await openWebSocket(`${url.replace('http', 'ws')}/ble`);
    const bluetooth = await openRecorderSession(link);
    const hotspot = await bluetooth.openHotspot([sessionId]);
    if (hotspot.version !== 1) throw new Error('the recorder must not be bound');
    await control.joinWifi(hotspot.ssid, hotspot.password);
    const { sn } = bluetooth.info;

    /**
     * Reads the session with the app.
     * @returns the time until the last byte is durable, and the CPU time, in seconds
     */
    const readWithApp = async () => {
      const folder = await mkdtemp(join(dir, 'phone-'));
      const phone = await openNodePhone(folder);
      const session = await openRecorderSession(await openWifi(hotspot, { deviceId: sn }));
      let seconds = Number.NaN;
      let cpu = Number.NaN;
      await phone.syncOneSessionOrFail(session, {
        readComplete: async (...args) => {
          const [start, cpuStart] = [performance.now(), process.cpuUsage()];
          const digest = await readSessionOverHttp(hotspot, ...args);
          seconds = (performance.now() - start) / 1000;
          cpu = cpuSeconds(cpuStart);
          // Return to normal speed, so that the hotspot doesn't time out while the app creates its files.
          await control.setSpeed(1);
          return digest;
        },
      });
      await session.close();
      await phone.close();
      await rm(folder, { recursive: true });
      return { seconds, cpu };
    };
    const compare = async (speed: number) => {
      const rounds: { app: number; cpu: number; curl: number }[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const file = `${hotspot.origin}/sessions/${sessionId}`;
        await control.setSpeed(speed);
        const curlTime = await downloadWithCurl(file, hotspot.token, join(dir, 'plain'));
        const { seconds, cpu } = await readWithApp();
        rounds.push({ app: seconds, cpu, curl: curlTime });
      }
      const seconds = median(rounds.map((round) => round.app));
      const curlSeconds = median(rounds.map((round) => round.curl));
      return {
        value: roundToThousandths(curlSeconds / seconds),
        unit: 'ratio',
        detail: {
          bytes,
          appMbPerSecond: roundToThousandths(bytes / 1e6 / seconds),
          curlMbPerSecond: roundToThousandths(bytes / 1e6 / curlSeconds),
          appCpuSeconds: roundToThousandths(median(rounds.map(({ cpu }) => cpu))),
          rounds: ROUNDS,
        },
      };
    };
    return [
      {
        name: 'app throughput relative to curl, one hour of audio over Wi-Fi',
        ...(await compare(SPEED)),
      },
      {
        name: 'app throughput relative to curl, one hour of audio over Wi-Fi, excluding network time',
        ...(await compare(NETWORK_FREE_SPEED)),
      },
    ];
  } finally {
    child.kill();
    await once(child, 'exit');
    await rm(dir, { recursive: true });
  }
}
