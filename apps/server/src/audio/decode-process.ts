import { readFileSync, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { AudioFailure } from '@linnet/audio/failure';
import { SAMPLE_RATE } from '@linnet/audio/format';
import { fewerPeaks, PeakMeter } from '@linnet/audio/peaks';
import { limits } from '@linnet/contract/limits';
import { type DecodeEnd, type DecodeJob, type DecodeLine, maxResidentBytes } from './decode.ts';
import { decodeSamples } from './samples.ts';
import { sinks } from './sinks.ts';

/** Interval of progress reports and memory checks, in milliseconds. */
const reportMs = 250;

/** Decodes standard input into the job's output file. Reports on standard output, as one JSON object per line. */
async function decode({ output, format, maxSeconds }: DecodeJob): Promise<DecodeEnd> {
  const file = await open(output, 'w', 0o600);
  const meter = new PeakMeter();
  let count = 0;
  let bytes = 0;
  try {
    const sink = await sinks[format](file);
    let reported = 0;
    const onRead = (read: number) => {
      bytes = read;
      if (Date.now() - reported < reportMs) return;
      reported = Date.now();
      // Replaces the address space limit on systems that don't support one.
      if (process.memoryUsage.rss() > maxResidentBytes)
        throw new AudioFailure('too-long', 'memory');
      report({ kind: 'read', bytes: read });
    };
    const maxSamples = Math.floor(maxSeconds * SAMPLE_RATE);
    for await (const samples of decodeSamples(process.stdin, maxSamples, onRead)) {
      if (samples.length === 0) continue;
      meter.push(samples);
      await sink.write(samples);
      count += samples.length;
    }
    await sink.end();
  } catch (error) {
    if (!(error instanceof AudioFailure)) throw error;
    const code = error.code === 'too-long' ? 'too-long' : 'unreadable';
    return { kind: 'failed', code, detail: error.code };
  } finally {
    await file.close();
  }
  if (count === 0) {
    return { kind: 'failed', code: 'empty', detail: bytes === 0 ? 'no bytes' : 'no samples' };
  }
  const peaks = Buffer.from(fewerPeaks(meter.peaks(), limits.recording.peaks)).toString('base64');
  return { kind: 'decoded', seconds: count / SAMPLE_RATE, peaks };
}

/** Returns the maximum memory that this process has used, in mebibytes. */
function peakMiB(): number {
  // On Linux, `maxRSS` starts at the parent's peak, unlike `VmHWM` (proc(5)).
  const peak =
    process.platform === 'linux'
      ? /VmHWM:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))
      : null;
  return Number(peak?.[1] ?? process.resourceUsage().maxRSS) / 1024;
}

function report(line: DecodeLine): void {
  writeSync(1, `${JSON.stringify(line)}\n`);
}

const end = await decode(JSON.parse(process.argv[2] ?? ''));
const { userCPUTime, systemCPUTime } = process.resourceUsage();
// Node reports these in microseconds.
const usage = { peakMiB: peakMiB(), cpuSeconds: (userCPUTime + systemCPUTime) / 1e6 };
report({ ...end, usage });
// Exit without reading the rest of the input.
process.exit(0);
