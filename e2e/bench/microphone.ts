import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { CDPSession, Page } from '@playwright/test';
import { LinnetApp } from '../support/linnet-app.ts';
import { beeps, openProfile } from '../support/open-profile.ts';
import { Stack } from '../support/stack.ts';
import { type Measurement, roundToThousandths } from './measurement.ts';

/** Duration of each phase in milliseconds. */
const PHASE_MS = 60_000;

/** Milliseconds from sign-up until the app is idle. During this time, it downloads its offline files. */
const SETTLE_MS = 20_000;

/** Returns the CPU time of all browser processes, in seconds. */
async function cpuTime(browser: CDPSession): Promise<number> {
  const { processInfo } = await browser.send('SystemInfo.getProcessInfo');
  return processInfo.reduce((sum, each) => sum + each.cpuTime, 0);
}

/**
 * Measures the CPU time of recording one minute with the microphone. The baseline is the browser's `MediaRecorder` with
 * the same microphone, constraints and bit rate. The CPU time of the idle app is subtracted from both. Also measures
 * how much the page's memory grows during the recording.
 */
export async function run(): Promise<Measurement[]> {
  const folder = await mkdtemp(join(tmpdir(), 'linnet-bench-'));
  const stack = await Stack.start();
  const context = await openProfile(folder, { microphone: beeps });
  try {
    const page = context.pages()[0] ?? (await context.newPage());
    const app = new LinnetApp(page, stack);
    await app.signUp('microphone@example.org');
    const browser = await context.browser()?.newBrowserCDPSession();
    if (!browser) throw new Error('the browser has no debugging session');
    const phase = async () => {
      const cpuTimeBefore = await cpuTime(browser);
      await delay(PHASE_MS);
      return (await cpuTime(browser)) - cpuTimeBefore;
    };

    await delay(SETTLE_MS);
    const idleCpuTime = await phase();

    const recorder = await page.evaluateHandle(async () => {
      // The app's constraints, except for the device.
      const audio = {
        channelCount: 1,
        echoCancellation: false,
        noiseSuppression: false,
        autoGainControl: true,
      };
      const stream = await navigator.mediaDevices.getUserMedia({ audio });
      const started = new MediaRecorder(stream, { audioBitsPerSecond: 64_000 });
      started.start(200);
      return started;
    });
    const mediaRecorder = await phase();
    await recorder.evaluate((started) => {
      started.stop();
      for (const track of started.stream.getTracks()) track.stop();
    });

    await app.startRecording();
    const heapBefore = await heapMb(page);
    const linnet = await phase();
    const heapAfter = await heapMb(page);
    await app.stopRecording();
    return [
      {
        name: 'microphone: CPU time of a minute, Linnet ÷ MediaRecorder',
        value: roundToThousandths((linnet - idleCpuTime) / (mediaRecorder - idleCpuTime)),
        unit: 'ratio',
        detail: {
          idleSeconds: roundToThousandths(idleCpuTime),
          linnetSeconds: roundToThousandths(linnet),
          mediaRecorderSeconds: roundToThousandths(mediaRecorder),
        },
      },
      {
        name: 'microphone: heap of the page after a minute ÷ before',
        value: roundToThousandths(heapAfter / heapBefore),
        unit: 'ratio',
        detail: {
          beforeMb: roundToThousandths(heapBefore),
          afterMb: roundToThousandths(heapAfter),
        },
      },
    ];
  } finally {
    await context.close();
    await stack.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns the size of a page's JavaScript heap after garbage collection, in MB. */
async function heapMb(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize / 1e6;
}
