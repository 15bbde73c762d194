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
import { RecorderControl } from '../support/recorder.ts';
import { cpuSeconds, type Figure, rounded } from './figure.ts';

const MINUTES = 60;
/** How often each side downloads, in turns; the median counts. */
const ROUNDS = 3;
/** Times real: the air is faster than any such recorder's, and this machine's own work still weighs less. */
const SPEED = 2;
/** At which hardly the air takes time: what is left is how fast this machine moves bytes. */
const HARDLY_AIR = 50;

const main = join(import.meta.dirname, '../../apps/virtual-recorder/src/main.ts');
const runFile = promisify(execFile);

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] as number;
}

/** A recorder with one long session, as a process of its own. */
async function startFull(dir: string) {
  const env = {
    RECORDER_PORT: '0',
    RECORDER_CONFIRM: 'auto',
    DATA_DIR: dir,
    RECORDER_SCENES: dir,
    RECORDER_SCENE: '',
  };
  const filling = await startRecorder(readConfig(env));
  const { sessionId, bytes } = await addLongSession(filling, MINUTES);
  await filling.stop();
  const child = spawn(process.execPath, [main], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  return { child, url: String(line).replace(/.* on /, ''), sessionId, bytes };
}

/** Seconds that curl takes to put a session into a file, as it says itself. */
async function curl(url: string, token: string, file: string): Promise<number> {
  const args = ['-sSf', '-o', file, '-w', '%{time_total}', '-H', `Authorization: Bearer ${token}`];
  const { stdout } = await runFile('curl', [...args, url]);
  return Number(stdout);
}

/** An hour of sound over the recorder's own network, read and made durable by the app ÷ curl of the same file. */
export async function run(): Promise<Figure[]> {
  const dir = await mkdtemp(join(tmpdir(), 'linnet-bench-'));
  const { child, url, sessionId, bytes } = await startFull(dir);
  try {
    const control = new RecorderControl(url);
    const link = await openWebSocket(`${url.replace('http', 'ws')}/ble`);
    const bluetooth = await openRecorderSession(link);
    const hotspot = await bluetooth.openHotspot([sessionId]);
    if (hotspot.version !== 1) throw new Error('the recorder of this bench is bound by nobody');
    await control.joinWifi(hotspot.ssid, hotspot.password);
    const { sn } = bluetooth.info;

    /** Seconds until the app has made the last byte durable, and of CPU meanwhile. */
    const app = async () => {
      const folder = await mkdtemp(join(dir, 'phone-'));
      const phone = await openNodePhone(folder);
      const session = await openRecorderSession(await openWifi(hotspot, { deviceId: sn }));
      let seconds = Number.NaN;
      let cpu = Number.NaN;
      await phone.readOne(session, {
        readComplete: async (...asked) => {
          const [begun, cpuBegun] = [performance.now(), process.cpuUsage()];
          const digest = await readSessionOverHttp(hotspot, ...asked);
          seconds = (performance.now() - begun) / 1000;
          cpu = cpuSeconds(cpuBegun);
          // While files are made of it, nobody asks for anything: the hotspot shall not lose patience.
          await control.clock(1);
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
        await control.clock(speed);
        const plain = await curl(file, hotspot.token, join(dir, 'plain'));
        const { seconds, cpu } = await app();
        rounds.push({ app: seconds, cpu, curl: plain });
      }
      const seconds = median(rounds.map((round) => round.app));
      const plain = median(rounds.map(({ curl: taken }) => taken));
      return {
        value: rounded(plain / seconds),
        unit: 'ratio',
        detail: {
          bytes,
          appMbPerSecond: rounded(bytes / 1e6 / seconds),
          curlMbPerSecond: rounded(bytes / 1e6 / plain),
          appCpuSeconds: rounded(median(rounds.map(({ cpu }) => cpu))),
          rounds: ROUNDS,
        },
      };
    };
    return [
      { name: 'an hour over WiFi, read by the app ÷ curl', ...(await compare(SPEED)) },
      { name: 'the same where the air hardly takes time', ...(await compare(HARDLY_AIR)) },
    ];
  } finally {
    child.kill();
    await once(child, 'exit');
    await rm(dir, { recursive: true });
  }
}
