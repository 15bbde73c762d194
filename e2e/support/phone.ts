import { mkdtemp, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext } from '@playwright/test';
import { LinnetApp } from './linnet-app.ts';
import { openProfile, type ProfileOptions } from './open-profile.ts';
import type { Stack } from './stack.ts';
import { waitUntil } from './wait-until.ts';

/** A snapshot of a row's state in Files. */
export type RowState = {
  /** The row's `data-state`. */
  readonly state: string;
  /** The progress from 0 to 100, or null if the row shows none. */
  readonly percent: number | null;
  readonly paused: boolean;
};

/** The steps on a recording's way to its transcript, as in `data-state`. */
export type Step = 'fetching' | 'uploading' | 'transcribing';

type RunningBrowser = { readonly context: BrowserContext; readonly app: LinnetApp };

/** A phone, simulated by a browser with a profile on disk. Like a phone's storage, the profile survives kills. */
export class Phone {
  readonly #profile: string;
  readonly #stack: Stack;
  #running: RunningBrowser | null = null;

  readonly #options: ProfileOptions;

  private constructor(profile: string, stack: Stack, options: ProfileOptions) {
    this.#profile = profile;
    this.#stack = stack;
    this.#options = options;
  }

  static async create(stack: Stack, options: ProfileOptions = {}): Promise<Phone> {
    return new Phone(await mkdtemp(join(tmpdir(), 'linnet-phone-')), stack, options);
  }

  get app(): LinnetApp {
    if (!this.#running) throw new Error('the browser is not running');
    return this.#running.app;
  }

  /**
   * Starts the browser.
   * @param uploadBytes the upload rate limit in bytes per second; unlimited by default
   */
  async start({ uploadBytes = -1 } = {}): Promise<LinnetApp> {
    const context = await openProfile(this.#profile, this.#options);
    const page = context.pages()[0] ?? (await context.newPage());
    this.#running = { context, app: new LinnetApp(page, this.#stack) };
    if (uploadBytes >= 0) await this.#limitUpload(uploadBytes);
    return this.#running.app;
  }

  /** Limits the upload rate, in bytes per second. */
  async #limitUpload(bytesPerSecond: number): Promise<void> {
    const session = await this.app.page.context().newCDPSession(this.app.page);
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: bytesPerSecond,
    });
  }

  /** Kills all browser processes, to simulate a power failure. */
  async kill(): Promise<void> {
    const context = this.#running?.context;
    if (!context) throw new Error('the browser is not running');
    const closed = new Promise<void>((resolve) => context.once('close', () => resolve()));
    // This symbolic link's target identifies the browser that has the profile open, as `<host>-<pid>`.
    const hostAndPid = await readlink(join(this.#profile, 'SingletonLock'));
    const pid = Number(hostAndPid.slice(hostAndPid.lastIndexOf('-') + 1));
    process.kill(pid, 'SIGKILL');
    this.#running = null;
    await closed;
    await waitUntil('the browser is gone', () => !isAlive(pid));
  }

  /** Closes the browser cleanly if it is running. */
  async stop(): Promise<void> {
    const running = this.#running;
    this.#running = null;
    await running?.context.close();
  }

  /** Closes the browser and deletes its profile. */
  async discard(): Promise<void> {
    await this.stop();
    await rm(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }

  /** Returns the state of a recording's row, or null if the recording has no row yet. */
  getRowState(id: string): Promise<RowState | null> {
    return this.app.page.evaluate((recordId) => {
      const row = document.querySelector<HTMLElement>(`[data-record-id="${recordId}"]`);
      if (!row) return null;
      const ring = row.querySelector('[role="progressbar"]');
      return {
        state: row.dataset.state ?? '',
        percent: ring ? Number(ring.getAttribute('aria-valuenow')) : null,
        paused: ring?.hasAttribute('data-paused') ?? false,
      };
    }, id);
  }

  /** Waits until a row shows a step with a progress between two percentages. */
  waitForStep(id: string, step: Step, minPercent: number, maxPercent: number): Promise<RowState> {
    return waitUntil(
      `${step} between ${minPercent} and ${maxPercent}%`,
      async () => {
        const row = await this.getRowState(id);
        if (row?.state !== step || row.paused || row.percent === null) return null;
        return row.percent >= minPercent && row.percent <= maxPercent ? row : null;
      },
      120_000,
    );
  }

  /** Returns how many bytes of a session in transfer are on the phone. */
  getStoredBytes(id: string): Promise<number> {
    return this.app.page.evaluate(async (name) => {
      let folder = await navigator.storage.getDirectory();
      for (const part of ['linnet', 'audio']) folder = await folder.getDirectoryHandle(part);
      return (await (await folder.getFileHandle(name)).getFile()).size;
    }, `${id}.packets`);
  }
}

/** Returns whether a process is running. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}
