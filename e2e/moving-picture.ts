/**
 * `npm run moving-picture`: films the main job on a phone, from the button to a sentence that plays, and writes
 * `docs/screenshots/main-job.webp`, which the README shows. Waiting is shortened; everything else is as it happened.
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
import { until } from './support/until.ts';

const picture = join(import.meta.dirname, '..', 'docs', 'screenshots', 'main-job.webp');
const screen = { width: 390, height: 844 };
/** Pixels of the picture across. */
const WIDTH = 300;
const FRAMES_PER_SECOND = 12;
/** Seconds after which a picture that does not change is cut. */
const LONGEST_STILL = 0.6;
/** Seconds that the last picture stays before the film begins again. */
const LAST_STILL = 2;

type Frame = { readonly png: Buffer /** Seconds. */; readonly at: number };

/** Takes a picture at each change of the page. */
class Film {
  readonly frames: Frame[] = [];
  readonly #session: CDPSession;

  private constructor(session: CDPSession) {
    this.#session = session;
    session.on('Page.screencastFrame', ({ data, metadata, sessionId }) => {
      const png = Buffer.from(data, 'base64');
      this.frames.push({ png, at: metadata.timestamp ?? Date.now() / 1000 });
      void session.send('Page.screencastFrameAck', { sessionId });
    });
  }

  static async start(page: Page): Promise<Film> {
    const film = new Film(await page.context().newCDPSession(page));
    await film.#session.send('Page.startScreencast', { format: 'png', everyNthFrame: 1 });
    return film;
  }

  async stop(): Promise<void> {
    await this.#session.send('Page.stopScreencast');
  }
}

/** Shows a dot where the page is tapped. */
function showTaps(): void {
  addEventListener(
    'pointerdown',
    ({ clientX, clientY }) => {
      const dot = document.createElement('div');
      dot.style.cssText = `position:fixed;left:${clientX - 22}px;top:${clientY - 22}px;width:44px;height:44px;
        border-radius:50%;background:rgb(127 127 127/.45);z-index:9999;pointer-events:none`;
      document.body.append(dot);
      setTimeout(() => dot.remove(), 350);
    },
    true,
  );
}

/** Records, puts the recorder down, reads and plays. */
async function walk(app: LinnetApp, stack: Stack, page: Page): Promise<void> {
  await delay(1200);
  await app.startRecording();
  await until(
    'half a minute is recorded',
    async () => ((await stack.recorder.status()).session?.elapsedMs ?? 0) > 26_000,
  );
  await app.stopRecording();
  const newest = app.rows().first();
  await until(
    'it is readable',
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

/** Makes an animated picture of frames. */
async function develop(frames: readonly Frame[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'linnet-film-'));
  try {
    const list: string[] = [];
    for (const [index, { png, at }] of frames.entries()) {
      const name = `${String(index).padStart(5, '0')}.png`;
      await writeFile(join(folder, name), png);
      const next = frames[index + 1]?.at ?? at + LAST_STILL;
      const still = index === frames.length - 1 ? LAST_STILL : Math.min(next - at, LONGEST_STILL);
      list.push(`file ${name}`, `duration ${still.toFixed(3)}`);
    }
    await writeFile(join(folder, 'list.txt'), `${list.join('\n')}\n`);
    const filter = `fps=${FRAMES_PER_SECOND},scale=${WIDTH}:-1:flags=lanczos`;
    const film = ['-f', 'concat', '-safe', '0', '-i', join(folder, 'list.txt'), '-vf', filter];
    const webp = ['-c:v', 'libwebp_anim', '-quality', '60', '-loop', '0', '-y', picture];
    await promisify(execFile)('ffmpeg', ['-loglevel', 'error', ...film, ...webp]);
  } finally {
    await rm(folder, { recursive: true });
  }
}

await mkdir(join(picture, '..'), { recursive: true });
const stack = await Stack.start({ speed: 6, env: { RECORDER_SCENE: 'microphone' } });
const browser = await chromium.launch({ ...config.use?.launchOptions, args: chromiumFlags });
try {
  const page = await browser.newPage({ viewport: screen, colorScheme: 'light', locale: 'en-GB' });
  await page.addInitScript(showTaps);
  const app = new LinnetApp(page, stack, 'read');
  await app.signUp('film@example.org');
  await app.bind('websocket');
  const count = (await stack.recorder.status()).sessions.length;
  await until(
    'what was on the recorder is readable',
    async () => (await app.rows('done').count()) === count,
    240_000,
  );
  await page.getByTestId('guide-done').click();
  await page.getByTestId('guide').waitFor({ state: 'detached' });
  const film = await Film.start(page);
  await walk(app, stack, page);
  await film.stop();
  await develop(film.frames);
  console.log(`${picture}: ${film.frames.length} frames`);
} finally {
  await browser.close();
  await stack.stop();
}
