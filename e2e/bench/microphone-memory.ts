import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createLiveLevels } from '@linnet/app/live-sound';
import { PACKET_BYTES, PACKET_MS, SAMPLE_RATE } from '@linnet/audio/format';
import { demuxOgg } from '@linnet/audio/ogg';
import { loadOpus } from '@linnet/audio/opus';
import { readOpusWasm } from '@linnet/audio/opus-wasm-node';
import { createStores, migrate } from '@linnet/local-db';
import { openNodeSqlite } from '@linnet/local-db/node-sqlite';
import { MicrophoneRecorder, microphoneSerial, ProgressBoard } from '@linnet/sync';
import { encodeAsRecorder } from '../support/encode-as-recorder.ts';
import { openFileAudioStore } from '../support/file-audio-store.ts';
import { FileMicrophone } from '../support/file-microphone.ts';
import { type Measurement, roundToThousandths } from './measurement.ts';

const HOURS = 4;
/** Milliseconds of audio that the browser's worker reports at a time. */
const REPORT_MS = 200;
const REPORTS_PER_MINUTE = 60_000 / REPORT_MS;

/**
 * Measures the memory of the app during a microphone recording of four hours, which is supplied as fast as the app stores
 * it: the heap after a garbage collection at the end of each minute.
 */
export async function run(): Promise<Measurement[]> {
  const folder = await mkdtemp(join(tmpdir(), 'linnet-bench-'));
  setFlagsFromString('--expose-gc');
  const collectGarbage: () => void = runInNewContext('gc');
  const database = await openNodeSqlite(join(folder, 'phone.sqlite3'));
  try {
    await migrate(database);
    const opus = await loadOpus(readOpusWasm());
    const tone = Int16Array.from({ length: SAMPLE_RATE }, (_, at) => 9000 * Math.sin(at / 9));
    const { packets } = demuxOgg(await encodeAsRecorder(tone));
    const report = Buffer.concat(packets.slice(0, REPORT_MS / PACKET_MS));
    const microphone = new FileMicrophone(folder);
    const levels = createLiveLevels();
    let now = Date.parse('2026-03-01T08:00:00Z');
    const recorder = new MicrophoneRecorder({
      ...{ microphone, records: createStores(database).records },
      audio: openFileAudioStore(folder, opus),
      progress: new ProgressBoard(),
      clock: { now: () => now },
      serial: microphoneSerial(),
      onStored: () => {},
      onLevels: levels.add,
      log: () => {},
      onError: (error) => {
        throw error;
      },
    });
    await recorder.signedIn('owner');
    await recorder.start('meeting', null);

    const heaps: number[] = [];
    for (let minute = 0; minute < HOURS * 60; minute += 1) {
      for (let count = 0; count < REPORTS_PER_MINUTE; count += 1) {
        now += REPORT_MS;
        await microphone.hear(report);
      }
      collectGarbage();
      heaps.push(process.memoryUsage().heapUsed / 1e6);
    }
    await recorder.stop();

    const [first = 0, last = 0] = [heaps[0], heaps.at(-1)];
    return [
      {
        name: `microphone: heap after ${HOURS} hours ÷ after a minute`,
        value: roundToThousandths(last / first),
        unit: 'ratio',
        detail: {
          firstMb: roundToThousandths(first),
          maxMb: roundToThousandths(Math.max(...heaps)),
          lastMb: roundToThousandths(last),
          fileMb: (HOURS * 3600 * (1000 / PACKET_MS) * PACKET_BYTES) / 1e6,
        },
      },
    ];
  } finally {
    await database.close();
    await rm(folder, { recursive: true, force: true });
  }
}
