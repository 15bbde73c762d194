import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CDPSession, Page } from '@playwright/test';
import { LinnetApp } from '../support/linnet-app.ts';
import { beeps, openProfile } from '../support/open-profile.ts';
import { Stack } from '../support/stack.ts';
import { type Measurement, roundToThousandths } from './measurement.ts';

const HOURS = 4;
/** How much faster than real time the audio arrives. */
const SPEED = 20;
/**
 * Minutes of audio between measurements. During the first hour, the browser still compiles code and fills its caches.
 */
const INTERVAL_MINUTES = 60;

/**
 * Replaces the page's audio worklet, whose speed is fixed, with a fake one that sends a tone in messages of the same
 * size.
 */
function installFastMicrophone(speed: number): void {
  const messageSamples = 1024;
  const tickMs = 64;
  const createMessage = () =>
    Float32Array.from({ length: messageSamples }, (_, index) => 0.3 * Math.sin(index / 9));

  class FastTap extends GainNode {
    readonly port: Pick<MessagePort, 'postMessage'>;

    constructor(context: BaseAudioContext) {
      super(context);
      let timer = 0;
      let sink: MessagePort | undefined;
      this.port = {
        postMessage(command: unknown, ports: unknown) {
          if (command === 'start') {
            [sink] = ports as MessagePort[];
            timer = window.setInterval(() => {
              for (let count = 0; count < speed; count += 1) {
                const samples = createMessage();
                sink?.postMessage([samples], [samples.buffer]);
              }
            }, tickMs);
          } else {
            clearInterval(timer);
            sink?.postMessage('end');
          }
        },
      };
    }
  }
  Object.assign(window, { AudioWorkletNode: FastTap });
}

/** A browser process, as returned by the protocol's `SystemInfo.getProcessInfo`. */
type BrowserProcess = { readonly type: string; readonly id: number; readonly cpuTime: number };

/** Returns a process's anonymous memory (memory not backed by a file), in MB. */
async function anonymousMb(pid: number): Promise<number> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8');
  return Number(/^Anonymous:\s+(\d+) kB$/m.exec(rollup)?.[1]) / 1000;
}

/**
 * Measures the memory of the page and its workers during a four-hour microphone recording in the browser, with audio
 * arriving at 20 times real time: the heap and the process memory, each after garbage collection.
 */
export async function run(): Promise<Measurement[]> {
  const folder = await mkdtemp(join(tmpdir(), 'linnet-bench-'));
  const stack = await Stack.start();
  const context = await openProfile(folder, { microphone: beeps });
  try {
    const page = context.pages()[0] ?? (await context.newPage());
    await page.addInitScript(installFastMicrophone, SPEED);
    const app = new LinnetApp(page, stack);
    await app.signUp('microphone@example.org');
    const browser = await context.browser()?.newBrowserCDPSession();
    if (!browser) throw new Error('the browser has no debugging session');
    const session = await context.newCDPSession(page);

    await app.startRecording();
    const samples: { readonly heapMb: number; readonly processMb: number }[] = [];
    for (let minutes = INTERVAL_MINUTES; minutes <= HOURS * 60; minutes += INTERVAL_MINUTES) {
      await waitForAudio(page, minutes);
      samples.push(await measure(browser, session));
    }
    await app.stopRecording();
    const ratio = (key: 'heapMb' | 'processMb') => {
      const [first, last] = [samples[0]?.[key] ?? 0, samples.at(-1)?.[key] ?? 0];
      return {
        value: roundToThousandths(last / first),
        unit: 'ratio' as const,
        detail: {
          firstMb: roundToThousandths(first),
          maxMb: roundToThousandths(Math.max(...samples.map((sample) => sample[key]))),
          lastMb: roundToThousandths(last),
        },
      };
    };
    return [
      {
        name: `microphone: heap after ${HOURS} hours ÷ after an hour`,
        ...ratio('heapMb'),
      },
      {
        name: `microphone: memory of the page's process after ${HOURS} hours ÷ after an hour`,
        ...ratio('processMb'),
      },
    ];
  } finally {
    await context.close();
    await stack.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Waits until the live waveform covers this many minutes of audio. */
async function waitForAudio(page: Page, minutes: number): Promise<void> {
  await page.waitForFunction(
    (tenths) =>
      Number(document.querySelector<SVGPathElement>('[data-heard]')?.dataset.heard) >= tenths,
    minutes * 600,
    { timeout: 0, polling: 1000 },
  );
}

async function measure(browser: CDPSession, session: CDPSession) {
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  const { processInfo } = await browser.send('SystemInfo.getProcessInfo');
  const renderers = processInfo.filter(({ type }: BrowserProcess) => type === 'renderer');
  // The browser keeps spare renderers without a page.
  const busiest = renderers.reduce((most, each) => (each.cpuTime > most.cpuTime ? each : most));
  return { heapMb: usedSize / 1e6, processMb: await anonymousMb(busiest.id) };
}
