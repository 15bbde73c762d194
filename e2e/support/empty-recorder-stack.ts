import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeOggToPcm } from '@linnet/audio/convert';
import { SAMPLE_RATE } from '@linnet/audio/format';
import { loadOpus } from '@linnet/audio/opus';
import { readOpusWasm } from '@linnet/audio/opus-wasm-node';
import { writeWave } from '@linnet/audio/wave';
import { Stack, type StackOptions } from './stack.ts';

const scenes = join(import.meta.dirname, '..', '..', 'apps', 'virtual-recorder', 'scenes');

/** A Linnet stack whose recorder starts without sessions, so only the test's own sessions are transferred. */
export class EmptyRecorderStack {
  readonly stack: Stack;
  readonly #scenes: string;
  readonly #speech: Int16Array;

  private constructor(stack: Stack, scenesDir: string, speech: Int16Array) {
    this.stack = stack;
    this.#scenes = scenesDir;
    this.#speech = speech;
  }

  static async start({ env = {}, ...rest }: StackOptions = {}): Promise<EmptyRecorderStack> {
    const scenesDir = await mkdtemp(join(tmpdir(), 'linnet-scenes-'));
    for (const name of ['microphone.ogg', 'microphone.json']) {
      await copyFile(join(scenes, name), join(scenesDir, name));
    }
    const opus = await loadOpus(readOpusWasm());
    const speech = decodeOggToPcm(await readFile(join(scenesDir, 'microphone.ogg')), opus);
    const options = { RECORDER_SCENES: scenesDir, RECORDER_SCENE: 'microphone', ...env };
    return new EmptyRecorderStack(await Stack.start({ ...rest, env: options }), scenesDir, speech);
  }

  /** Adds a session with the first seconds of the microphone's scene to the recorder. @returns the session's ID */
  addSpeech(seconds: number): Promise<number> {
    const samples = this.#speech.subarray(0, seconds * SAMPLE_RATE);
    return this.stack.recorder.addSession(writeWave(samples, SAMPLE_RATE));
  }

  async stop(): Promise<void> {
    await this.stack.stop();
    await rm(this.#scenes, { recursive: true });
  }
}
