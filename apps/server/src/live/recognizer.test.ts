import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { recognizedText } from '../../test/transcription.ts';
import { createSpeechEngines } from '../providers/speech/engines.ts';
import {
  type LoadedRecognizer,
  SPEECH_SAMPLE_RATE,
  SpeechFailure,
} from '../providers/speech/port.ts';
import type { VoiceDetector } from '../providers/voice/port.ts';
import { createSliceRecognizer, LiveEnd } from './recognizer.ts';

const { signal } = new AbortController();
const slice = new Int16Array(SPEECH_SAMPLE_RATE);

/** Creates a recognizer whose engine answers each slice as scripted, and counts its processes. */
function createScripted(
  recognize: LoadedRecognizer['recognize'],
  { detector = null }: { detector?: VoiceDetector | null } = {},
) {
  const processes = { started: 0, stopped: 0 };
  const vocabularies: (readonly string[])[] = [];
  const engines = createSpeechEngines([
    {
      id: 'scripted',
      languages: async () => [{ tag: 'en', quality: 'good' }],
      readiness: async () => ({ status: 'ready' }),
      transcribe: async () => {
        throw new Error('starts a process for each slice');
      },
      async load(_language, vocabulary = []) {
        processes.started += 1;
        vocabularies.push(vocabulary);
        return {
          recognize,
          async close() {
            processes.stopped += 1;
          },
        };
      },
    },
  ]);
  const parts = { engines, detector, log: pino({ level: 'silent' }) };
  return { processes, vocabularies, recognizer: createSliceRecognizer(parts, 'en', []) };
}

describe('the recognizer of slices', () => {
  it('keeps one process for all slices, and stops it at the end', async () => {
    const { processes, recognizer } = createScripted(async () => recognizedText('one two'));
    const first = await recognizer.recognize(slice, 0, signal);
    const secondResult = await recognizer.recognize(slice, 9, signal);
    const starts = [first, secondResult].map((result) => result?.words.map(({ start }) => start));
    expect(starts).toEqual([
      [0, 0.5],
      [9, 9.5],
    ]);
    expect(processes).toEqual({ started: 1, stopped: 0 });
    await recognizer.close();
    expect(processes).toEqual({ started: 1, stopped: 1 });
  });

  it('starts another process after a failure', async () => {
    let failures = 1;
    const { processes, recognizer } = createScripted(async () => {
      if (failures-- > 0) throw new SpeechFailure('engine-crashed', 'scripted');
      return recognizedText('one');
    });
    expect((await recognizer.recognize(slice, 0, signal))?.words).toHaveLength(1);
    expect(processes).toEqual({ started: 2, stopped: 1 });
  });

  it('starts another process with a changed vocabulary', async () => {
    const { processes, vocabularies, recognizer } = createScripted(async () =>
      recognizedText('one'),
    );
    await recognizer.recognize(slice, 0, signal);
    recognizer.setVocabulary(['Brambling']);
    await recognizer.recognize(slice, 9, signal);
    await recognizer.recognize(slice, 18, signal);
    expect(vocabularies).toEqual([[], ['Brambling']]);
    expect(processes).toEqual({ started: 2, stopped: 1 });
  });

  it('gives up immediately if the failure would recur', async () => {
    const { processes, recognizer } = createScripted(async () => {
      throw new SpeechFailure('model-corrupt', 'scripted');
    });
    await expect(recognizer.recognize(slice, 0, signal)).rejects.toThrow(LiveEnd);
    expect(processes).toEqual({ started: 1, stopped: 1 });
  });

  it('gives the engine only the audio from the first to the last speech', async () => {
    const lengths: number[] = [];
    const segments = [
      { start: 0.25, end: 0.375 },
      { start: 0.5, end: 0.75 },
    ];
    const { recognizer } = createScripted(
      async ({ length }) => {
        lengths.push(length);
        return recognizedText('one');
      },
      { detector: { id: 'scripted', detect: async () => segments } },
    );
    const result = await recognizer.recognize(slice, 10, signal);
    expect(lengths).toEqual([SPEECH_SAMPLE_RATE / 2]);
    expect(result?.words[0]?.start).toBe(10.25);
  });

  it('gives the engine no audio without speech', async () => {
    const detector = { id: 'scripted', detect: async () => [] };
    const { processes, recognizer } = createScripted(
      async () => recognizedText('invented from noise'),
      { detector },
    );
    expect(await recognizer.recognize(slice, 0, signal)).toBeNull();
    expect(processes.started).toBe(0);
  });
});
