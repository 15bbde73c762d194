import { open, stat } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { AudioFailure } from '@linnet/audio/failure';
import { SAMPLE_RATE } from '@linnet/audio/format';
import type { DecodeJob, DecodeReply } from './decode.ts';
import { samplesOf } from './samples.ts';
import { sinks } from './sinks.ts';

async function decode({ input, output, format }: DecodeJob): Promise<DecodeReply> {
  if ((await stat(input)).size === 0) return { ok: false, code: 'empty', detail: 'no bytes' };
  const file = await open(output, 'w', 0o600);
  let count = 0;
  try {
    const sink = await sinks[format](file);
    for await (const samples of samplesOf(input)) {
      if (samples.length === 0) continue;
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
  return { ok: true, seconds: count / SAMPLE_RATE };
}

parentPort?.postMessage(await decode(workerData));
