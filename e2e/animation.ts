/**
 * `npm run animation`: records the main workflow on a phone, from pressing the record button to playing a sentence, and
 * saves it as the README's animation `docs/screenshots/main-job.webp`. Only waiting times are shortened.
 */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type CDPSession, chromium, type Page } from '@playwright/test';
import config, { chromiumFlags } from './playwright.config.ts';
import { LinnetApp } from './support/linnet-app.ts';
import { Stack } from './support/stack.ts';
import { waitUntil } from './support/wait-until.ts';

const outputPath = join(import.meta.dirname, '..', 'docs', 'screenshots', 'main-job.webp');
const screen = { width: 390, height: 844 };
/** Width of the animation in pixels. */
const WIDTH = 300;
const FRAMES_PER_SECOND = 12;
/** Maximum duration of an unchanged frame, in seconds. */
const MAX_FRAME_SECONDS = 0.6;
/** Duration of the last frame before the animation repeats, in seconds. */
const LAST_FRAME_SECONDS = 2;

type Frame = { readonly png: Buffer; readonly timestampSeconds: number };

/** Captures a frame whenever the page changes. */
class ScreenRecorder {
  readonly frames: Frame[] = [];
  readonly #session: CDPSession;

  private constructor(session: CDPSession) {
    this.#session = session;
    session.on('Page.screencastFrame', ({ data, metadata, sessionId }) => {
      const png = Buffer.from(data, 'base64');
      this.frames.push({ png, timestampSeconds: metadata.timestamp ?? Date.now() / 1000 });
      void session.send('Page.screencastFrameAck', { sessionId });
    });
  }

  static async start(page: Page): Promise<ScreenRecorder> {
    const recorder = new ScreenRecorder(await page.context().newCDPSession(page));
    await recorder.#session.send('Page.startScreencast', { format: 'png', everyNthFrame: 1 });
    return recorder;
  }

  async stop(): Promise<void> {
    await this.#session.send('Page.stopScreencast');
  }
}

/** Shows a dot at the position of each tap. */
function showTaps(): void {
  addEventListener(
    'pointerdown',
    ({ clientX, clientY }) => {
      const dot = document.createElement('div');
      dot.style.cssText = `position:fixed;left:${clientX - 22}px;top:${clientY - 22}px;width:44px;height:44px;
        border-radius:50%;background:rgb(127 127 127/.45);z-index:9999;pointer-events:none`;
      document.body.append(dot);
      dot.animate({ opacity: [1, 0] }, 350).onfinish = () => dot.remove();
    },
    true,
  );
}

/** Makes a recording, waits for its transcript, and plays from a paragraph. */
async function performMainWorkflow(app: LinnetApp, stack: Stack, page: Page): Promise<void> {
  await delay(1200);
  await app.startRecording();
  await waitUntil(
    'the recording is almost half a minute long',
    async () => ((await stack.recorder.getStatus()).session?.elapsedMs ?? 0) > 26_000,
  );
  await app.stopRecording();
  const newest = app.rows().first();
  await waitUntil(
    'the recording is transcribed',
    async () => (await newest.getAttribute('data-state')) === 'done',
    240_000,
  );
  await delay(800);
  await newest.getByRole('link').first().click();
  const paragraph = page.getByTestId('paragraph').first();
  await paragraph.waitFor();
  await delay(1500);
  await paragraph.locator('.paragraph-text').click({ position: { x: 40, y: 12 } });
  await delay(3000);
}

/** Encodes frames as an animated WebP image. */
async function encode(frames: readonly Frame[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'linnet-animation-'));
  try {
    const concatLines: string[] = [];
    for (const [index, { png, timestampSeconds }] of frames.entries()) {
      const name = `${String(index).padStart(5, '0')}.png`;
      await writeFile(join(folder, name), png);
      const nextTimestamp = frames[index + 1]?.timestampSeconds;
      const seconds =
        nextTimestamp === undefined
          ? LAST_FRAME_SECONDS
          : Math.min(nextTimestamp - timestampSeconds, MAX_FRAME_SECONDS);
      concatLines.push(`file ${name}`, `duration ${seconds.toFixed(3)}`);
    }
    await writeFile(join(folder, 'list.txt'), `${concatLines.join('\n')}\n`);
    const filter = `fps=${FRAMES_PER_SECOND},scale=${WIDTH}:-1:flags=lanczos`;
    const inputArgs = ['-f', 'concat', '-safe', '0', '-i', join(folder, 'list.txt'), '-vf', filter];
    const outputArgs = ['-c:v', 'libwebp_anim', '-quality', '60', '-loop', '0', '-y', outputPath];
    await promisify(execFile)('ffmpeg', ['-loglevel', 'error', ...inputArgs, ...outputArgs]);
  } finally {
    await rm(folder, { recursive: true });
  }
}

await mkdir(join(outputPath, '..'), { recursive: true });
const stack = await Stack.start({ speed: 6, env: { RECORDER_SCENE: 'microphone' } });
const browser = await chromium.launch({ ...config.use?.launchOptions, args: chromiumFlags });
try {
  const page = await browser.newPage({ viewport: screen, colorScheme: 'light', locale: 'en-GB' });
  await page.addInitScript(showTaps);
  const app = new LinnetApp(page, stack, { guide: 'show' });
  await app.signUp('film@example.org');
  await app.bind('websocket');
  const count = (await stack.recorder.getStatus()).sessions.length;
  await waitUntil(
    'the existing sessions are transcribed',
    async () => (await app.rows('done').count()) === count,
    240_000,
  );
  await page.getByTestId('guide-done').click();
  await page.getByTestId('guide').waitFor({ state: 'detached' });
  const screenRecorder = await ScreenRecorder.start(page);
  await performMainWorkflow(app, stack, page);
  await screenRecorder.stop();
  await encode(screenRecorder.frames);
  console.log(`${outputPath}: ${screenRecorder.frames.length} frames`);
} finally {
  await browser.close();
  await stack.stop();
}
