/** Tests recorded calls: the transcript says who spoke, based on the levels of the two inputs, without a model. */
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CallMeter, type CallSpeaker, mixCall } from '@linnet/audio/call';
import { SAMPLE_RATE } from '@linnet/audio/format';
import { parseWave, writeWave } from '@linnet/audio/wave';
import { codes } from '@linnet/contract/codes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Account, TestServer } from '../../test/server.ts';
import { startTestServer } from '../../test/server.ts';
import {
  createTranscriptionDependencies,
  recognizedText,
  scriptedEngines,
} from '../../test/transcription.ts';
import { grantFor, postObject } from '../../test/uploads.ts';
import type { TranscribeDependencies } from '../jobs/transcribe.ts';
import { transcribeJob } from '../jobs/transcribe.ts';

let server: TestServer;
let account: Account;
let folder: string;
beforeAll(async () => {
  server = await startTestServer();
  account = await server.register();
  folder = await mkdtemp(path.join(tmpdir(), 'linnet-call-'));
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const token = () => ({ token: account.access });

async function uploadCall(wave: Uint8Array<ArrayBuffer>, levels: Uint8Array) {
  const grant = await grantFor(server, account, 'wav');
  await postObject(server, grant, wave);
  const body = {
    ...{ url: grant.url, file_size: wave.length, client_flag: crypto.randomUUID() },
    call_levels: Buffer.from(levels).toString('base64'),
  };
  const { data, code } = await server.call('upload/ossFile', body, token());
  expect(code).toBe(codes.ok);
  return data.id;
}

async function transcribe(recordingId: string, deps: Partial<TranscribeDependencies> = {}) {
  const created = await server.call('task/create', { id: recordingId, language: 'en' }, token());
  const { id } = created.data;
  await transcribeJob(createTranscriptionDependencies(server, deps))(
    { taskId: id },
    new AbortController().signal,
  );
  return (await server.call('task/detail', { id }, token())).data.paragraphs;
}

interface Line {
  readonly speaker: CallSpeaker;
  readonly text: string;
}
const dialogue: readonly Line[] = [
  { speaker: 'others', text: 'Good morning, can you hear me now?' },
  { speaker: 'me', text: 'Yes, I can hear you very well.' },
  { speaker: 'others', text: 'We have to talk about the new garden behind the house.' },
  { speaker: 'me', text: 'I think the trees should be near the water.' },
  { speaker: 'others', text: 'How much money do we need for the first year?' },
  { speaker: 'me', text: 'About five hundred dollars for the work and the stones.' },
  { speaker: 'others', text: 'That is a good plan, and I will send you the letter today.' },
  { speaker: 'me', text: 'Thank you. I will call the company tomorrow morning.' },
];

/** Synthesizes a line in its speaker's voice. */
async function speak({ speaker, text }: Line): Promise<Int16Array> {
  const file = path.join(folder, 'line.wav');
  execFileSync('flite', ['-voice', speaker === 'me' ? 'rms' : 'slt', '-t', text, '-o', file]);
  const { samples, sampleRate } = parseWave(new Uint8Array(await readFile(file)));
  expect(sampleRate).toBe(SAMPLE_RATE);
  return samples;
}

/** Samples of silence between two lines: 0.4 s. */
const GAP_SAMPLES = 6400;
/** Delay, in samples, of the meeting's audio in the microphone signal, caused by the room: 60 ms. */
const ECHO_DELAY = 960;

/** Creates a call whose microphone also picks up the loudspeakers and a fan. */
async function makeCall({ gain, echo }: { gain: number; echo: number }) {
  const lines: Int16Array[] = [];
  for (const line of dialogue) lines.push(await speak(line));
  const length = lines.reduce((sum, line) => sum + line.length + GAP_SAMPLES, GAP_SAMPLES);
  const [mine, others] = [new Int16Array(length), new Int16Array(length)];
  const intervals: { start: number; end: number; speaker: CallSpeaker }[] = [];
  let start = GAP_SAMPLES;
  for (const [index, samples] of lines.entries()) {
    const { speaker } = dialogue[index] as Line;
    (speaker === 'me' ? mine : others).set(samples, start);
    const end = start + samples.length;
    intervals.push({ start: start / SAMPLE_RATE, end: end / SAMPLE_RATE, speaker });
    start = end + GAP_SAMPLES;
  }
  const microphone = mine.map((sample, n) => {
    const fan = 30 * Math.sin(n / 3) + 20 * Math.sin(n / 17);
    return Math.round(gain * sample + echo * (others[n - ECHO_DELAY] ?? 0) + fan);
  });
  return { microphone, others, intervals };
}

describe('a recorded call', () => {
  it.each([
    ['a headset', { gain: 1, echo: 0 }],
    ['a quiet microphone beside loudspeakers', { gain: 0.4, echo: 0.2 }],
  ])(
    'with %s has the right speaker for nine out of ten words',
    { timeout: 180_000 },
    async (_, voices) => {
      const { microphone, others, intervals } = await makeCall(voices);
      const levels = new CallMeter().push(microphone, others);
      const wave = writeWave(mixCall(microphone, others), SAMPLE_RATE);
      const paragraphs = await transcribe(await uploadCall(wave, levels));

      const words = paragraphs.flatMap(({ words: list, speaker }) =>
        (list ?? []).map(({ start, end }) => ({ middle: (start + end) / 2, speaker })),
      );
      expect(words.length).toBeGreaterThan(50);
      const right = words.filter(({ middle, speaker }) => {
        const distance = ({ start, end }: (typeof intervals)[number]) =>
          Math.max(0, start - middle, middle - end);
        const [nearest] = intervals.toSorted((a, b) => distance(a) - distance(b));
        return nearest?.speaker === speaker;
      });
      expect(right.length / words.length).toBeGreaterThanOrEqual(0.9);
      expect(paragraphs.length).toBeGreaterThanOrEqual(dialogue.length);
    },
  );

  const silentWave = () => writeWave(new Int16Array(5 * SAMPLE_RATE), SAMPLE_RATE);
  const engines = scriptedEngines(async () => recognizedText('one two three four'));

  it('gives a word without levels the speaker of the previous word', async () => {
    // One second of the microphone, then one second of the other participants. There are no levels for the words after
    // that.
    const levels = Uint8Array.from({ length: 40 }, (_, n) =>
      (n < 20 ? n % 2 === 0 : n % 2) ? 200 : 0,
    );
    const id = await uploadCall(silentWave(), levels);
    expect(await transcribe(id, { engines })).toMatchObject([
      { speaker: 'me', content: 'one two' },
      { speaker: 'others', content: 'three four' },
    ]);
  });

  it('has no speakers if its levels were lost', async () => {
    const id = await uploadCall(silentWave(), new Uint8Array(20));
    const [paragraph] = await transcribe(id, { engines });
    expect(paragraph).not.toHaveProperty('speaker');
  });

  it('loses its levels with the recording', async () => {
    const id = await uploadCall(silentWave(), Uint8Array.of(1, 2));
    const count = () =>
      server.db.selectFrom('call_levels').where('recording_id', '=', id).selectAll().execute();
    expect(await count()).toEqual([{ recording_id: id, levels: Buffer.of(1, 2) }]);
    await server.db.deleteFrom('recordings').where('id', '=', id).execute();
    expect(await count()).toEqual([]);
  });

  it('is rejected if its levels are not base64', async () => {
    const body = { url: 'x', file_size: 1, client_flag: 'flag', call_levels: 'one, two' };
    expect((await server.call('upload/ossFile', body, token())).code).toBe(codes.badRequest);
  });
});
