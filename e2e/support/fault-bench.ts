import { createHash } from 'node:crypto';
import { copyFile, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeOggToPcm } from '@linnet/audio/convert';
import { SAMPLE_RATE } from '@linnet/audio/format';
import { demuxOgg } from '@linnet/audio/ogg';
import { loadOpus } from '@linnet/audio/opus';
import { readOpusWasm } from '@linnet/audio/opus-wasm-node';
import { writeWave } from '@linnet/audio/wave';
import { taskStatus } from '@linnet/contract/statuses';
import { recordingId, type ServerRow } from '@linnet/sync';
import { test as base, expect } from '@playwright/test';
import type { LinnetApp } from './linnet-app.ts';
import { Phone } from './phone.ts';
import { ServerAccount, type TranscriptionResult } from './server-account.ts';
import { Stack } from './stack.ts';
import { waitUntil } from './wait-until.ts';

const scenes = join(import.meta.dirname, '..', '..', 'apps', 'virtual-recorder', 'scenes');

const OWNER = 'wren@example.org';
/** Duration of a session's speech: several sentences, in at most two paragraphs. */
const SPEECH_SECONDS = 11;

/** Size of six seconds of packets, enough for complete sentences. */
export const SPEECH_BYTES = 48_000;

/**
 * Recorder speeds, as multiples of real time. Transferring a session takes about twenty seconds at `slow`, and about one
 * second at `fast`.
 */
export const speed = { slow: 0.12, recording: 4, fast: 20 } as const;
/** An upload rate at which a session takes about ten seconds to upload. */
export const SLOW_UPLOAD_BYTES_PER_SECOND = 8 * 1024;

/** A recording under test, on its way from the recorder to its transcript. */
export type TestSession = {
  readonly sessionId: number;
  /** The recording's ID on the phone, which the server stores as `client_flag`. */
  readonly id: string;
  /** The account's minute balance before transcription. */
  readonly initialMinutes: number;
};

/**
 * Test bench for the fault tests: a Linnet stack, a signed-in phone with a bound recorder, and a second account that
 * transcribes the same audio without faults, for comparison.
 */
export class Bench {
  readonly stack: Stack;
  readonly phone: Phone;
  readonly owner: ServerAccount;
  readonly #referenceAccount: ServerAccount;
  readonly #wave: Uint8Array<ArrayBuffer>;
  readonly #scenes: string;
  /**
   * Reference transcripts, keyed by the hash of their audio. Transcription is deterministic, so the same audio is
   * transcribed only once.
   */
  readonly #referenceResults = new Map<string, TranscriptionResult>();
  /** Partial uploads that earlier kills left on the server. */
  #oldPartialUploads: readonly string[] = [];

  private constructor(
    stack: Stack,
    phone: Phone,
    accounts: { owner: ServerAccount; reference: ServerAccount },
    wave: Uint8Array<ArrayBuffer>,
    scenesDir: string,
  ) {
    this.stack = stack;
    this.phone = phone;
    this.owner = accounts.owner;
    this.#referenceAccount = accounts.reference;
    this.#wave = wave;
    this.#scenes = scenesDir;
  }

  static async start(): Promise<Bench> {
    // Copy only the microphone's scene, so that the recorder starts without sessions, and nothing else is transferred.
    const scenesDir = await mkdtemp(join(tmpdir(), 'linnet-scenes-'));
    for (const name of ['microphone.ogg', 'microphone.json']) {
      await copyFile(join(scenes, name), join(scenesDir, name));
    }
    const microphonePcm = decodeOggToPcm(
      await readFile(join(scenesDir, 'microphone.ogg')),
      await loadOpus(readOpusWasm()),
    );
    const wave = writeWave(microphonePcm.subarray(0, SPEECH_SECONDS * SAMPLE_RATE), SAMPLE_RATE);
    const env = { RECORDER_SCENES: scenesDir, RECORDER_SCENE: 'microphone' };
    const stack = await Stack.start({ speed: speed.fast, env });
    const phone = await Phone.create(stack);
    try {
      const app = await phone.start();
      await app.signUp(OWNER);
      await app.bind('websocket');
      await phone.stop();
      const accounts = {
        owner: await ServerAccount.signIn(stack, OWNER),
        reference: await ServerAccount.register(stack, 'rook@example.org'),
      };
      // With live text, the audio is transcribed in pieces, so its transcript could differ from the reference.
      await accounts.owner.disableLiveText();
      return new Bench(stack, phone, accounts, wave, scenesDir);
    } catch (error) {
      await phone.discard();
      await stack.stop();
      await rm(scenesDir, { recursive: true });
      throw error;
    }
  }

  async stop(): Promise<void> {
    await this.phone.discard();
    await this.stack.stop();
    await rm(this.#scenes, { recursive: true });
  }

  /** Stops the phone, and clears the recorder's faults and speed after a test. */
  async reset(): Promise<void> {
    await this.phone.stop();
    await this.stack.recorder.setFaults({ refuseConnect: false, dropAfterBytes: null });
    await this.stack.recorder.setSpeed(speed.fast);
  }

  /** Adds a session with speech to the recorder while the phone is off. */
  async addSession(): Promise<TestSession> {
    await this.ignorePartialUploads();
    return this.trackSession(await this.stack.recorder.addSession(this.#wave));
  }

  /** Starts tracking an existing session on the recorder. */
  async trackSession(sessionId: number): Promise<TestSession> {
    const { sn, sessions } = await this.stack.recorder.getStatus();
    const session = sessions.find((each) => each.sessionId === sessionId);
    if (!session) throw new Error(`the recorder has no session ${sessionId}`);
    return {
      sessionId,
      id: recordingId(sn, sessionId, session.startTime),
      initialMinutes: (await this.owner.getMinutes()).left,
    };
  }

  /** Opens Files on the phone. */
  async openFiles(options?: { uploadBytes?: number }): Promise<LinnetApp> {
    const app = await this.phone.start(options);
    await app.open('/pages/files');
    return app;
  }

  /**
   * Suspends the worker in the middle of a transcription, and waits until the phone shows its progress. Suspending comes
   * first, because a fast machine could finish the transcription before the phone polls.
   * @returns the task's ID, and a handle that resumes the worker
   */
  async freezeTranscription({ id }: TestSession): Promise<{ taskId: string; thaw(): void }> {
    const taskId = await waitUntil('a task is in progress', async () => {
      const [row] = await this.owner.findRecordings(id);
      const progress = row?.task?.status === taskStatus.working ? row.task.progress : 0;
      return progress > 0 && progress < 100 ? row?.task?.id : null;
    });
    const { thaw } = await this.stack.freeze('worker');
    await this.phone.waitForStep(id, 'transcribing', 1, 99);
    return { taskId, thaw };
  }

  /** Makes {@link getPartialUploadBytes} ignore the partial uploads that earlier kills left on the server. */
  async ignorePartialUploads(): Promise<void> {
    this.#oldPartialUploads = await this.#listPartialUploads();
  }

  /** Returns how many bytes of the current upload the server has stored, or 0 if there is no upload. */
  async getPartialUploadBytes(): Promise<number> {
    const [name] = (await this.#listPartialUploads()).filter(
      (each) => !this.#oldPartialUploads.includes(each),
    );
    return name === undefined ? 0 : (await stat(join(this.#partialUploadsFolder, name))).size;
  }

  get #partialUploadsFolder(): string {
    return join(this.stack.dataDir, 'objects', '.partial');
  }

  #listPartialUploads(): Promise<string[]> {
    return readdir(this.#partialUploadsFolder);
  }

  /** Waits until the API responds after a restart. */
  async waitForApi(): Promise<void> {
    await waitUntil('the API responds', () => isResponding(`${this.stack.url}/readyz`));
  }

  /** Waits until the recorder responds after a restart, which resets its speed to real time. */
  async waitForRecorder(): Promise<void> {
    await waitUntil('the recorder responds', () =>
      isResponding(`${this.stack.recorder.url}/status`),
    );
  }

  /**
   * Waits until a recording is transcribed, and asserts that its transcript equals the reference, that the server has
   * it only once, that its minutes are charged only once, and that recorder, phone and server store the same audio.
   */
  async expectIntact(testSession: TestSession): Promise<void> {
    const { id, sessionId, initialMinutes } = testSession;
    const { app } = this.phone;
    await expect(app.row(id)).toHaveAttribute('data-state', 'done', { timeout: 180_000 });

    const storedAudio = await app.readStoredFile(id, 'ogg');
    const recorderPackets = await this.stack.recorder.readPackets(sessionId);
    expect(recorderPackets.length).toBeGreaterThan(0);
    expect(Buffer.concat(demuxOgg(storedAudio).packets).equals(recorderPackets)).toBe(true);

    const rows = await this.owner.findRecordings(id);
    expect(rows).toHaveLength(1);
    const [row] = rows as [ServerRow];
    const uploadedAudio = Buffer.from(await (await fetch(row.url ?? '')).arrayBuffer());
    expect(uploadedAudio.equals(storedAudio)).toBe(true);

    const reference = await this.#transcribeReference(id, storedAudio, recorderPackets);
    expect(reference.paragraphs.join(' ').split(' ').length).toBeGreaterThan(8);
    expect(reference.minutes).toBeGreaterThan(0);
    const task = await this.owner.getTask(row.task?.id ?? '');
    expect(task.paragraphs.map(({ content }) => content)).toEqual(reference.paragraphs);
    const minutes = await this.owner.getMinutes();
    expect(minutes).toEqual({ left: initialMinutes - reference.minutes, reserved: 0 });

    await app.openRecording(id);
    const shownParagraphs = app.page.getByTestId('paragraph').locator('.paragraph-text');
    await expect.poll(() => shownParagraphs.allTextContents()).toEqual(reference.paragraphs);
  }

  async #transcribeReference(
    id: string,
    master: Buffer,
    packets: Buffer,
  ): Promise<TranscriptionResult> {
    const audioHash = createHash('sha256').update(packets).digest('hex');
    const knownResult = this.#referenceResults.get(audioHash);
    if (knownResult) return knownResult;
    const result = await this.#referenceAccount.transcribe(id, {
      bytes: master,
      ext: 'ogg',
      type: 'audio/ogg',
    });
    this.#referenceResults.set(audioHash, result);
    return result;
  }
}

async function isResponding(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok;
  } catch (error) {
    // The server isn't listening yet.
    if (error instanceof TypeError) return false;
    throw error;
  }
}

/**
 * The Playwright `test` function for the fault tests, which share a bench. Each test starts with the phone off and the
 * recorder at speed `fast`.
 */
export const test = base.extend<{ bench: Bench }, { sharedBench: Bench }>({
  sharedBench: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from it.
    async ({}, use) => {
      const bench = await Bench.start();
      await use(bench);
      await bench.stop();
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  bench: async ({ sharedBench }, use) => {
    await use(sharedBench);
    await sharedBench.reset();
  },
});
export { expect };
