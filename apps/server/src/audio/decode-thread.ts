import { open, stat } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { AudioFailure } from '@linnet/audio/failure';
import { SAMPLE_RATE } from '@linnet/audio/format';
import { fewerPeaks, PeakMeter } from '@linnet/audio/peaks';
import { limits } from '@linnet/contract/limits';
import type { DecodeJob, DecodeMessage, DecodeReply } from './decode.ts';
import { samplesOf } from './samples.ts';
import { sinks } from './sinks.ts';

/** How often it says how far it is. */
const progressMs = 250;

async function decode({ input, output, format }: DecodeJob): Promise<DecodeReply> {
  const { size } = await stat(input);
  if (size === 0) return { ok: false, code: 'empty', detail: 'no bytes' };
  const file = await open(output, 'w', 0o600);
  const meter = new PeakMeter();
  let count = 0;
  try {
    const sink = await sinks[format](file);
    let told = 0;
    const tell = (bytes: number) => {
      if (Date.now() - told < progressMs) return;
      told = Date.now();
      say({ fraction: bytes / size });
    };
    for await (const samples of samplesOf(input, tell)) {
      if (samples.length === 0) continue;
      meter.push(samples);
      await sink.write(samples);
      count += samples.length;
    }
    await sink.end();
  } catch (error) {
    if (!(error instanceof AudioFailure)) throw error;
    return { ok: false, code: 'unreadable', detail: error.code };
  } finally {
    await file.close();
  }
  if (count === 0) return { ok: false, code: 'empty', detail: 'no samples' };
  const peaks = fewerPeaks(meter.peaks(), limits.recording.peaks);
  return { ok: true, seconds: count / SAMPLE_RATE, peaks };
}

function say(message: DecodeMessage): void {
  parentPort?.postMessage(message);
}

say({ reply: await decode(workerData) });
