import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createPocketSphinx } from '../src/providers/speech/pocketsphinx/index.ts';
import type { SpeechRecognizer } from '../src/providers/speech/port.ts';
import { NAMES_SCENE, readScene, sceneNames } from '../src/providers/speech/scene-audio.ts';
import { align } from '../src/transcript/alignment.ts';
import { carryHighlights } from '../src/transcript/carry-over/highlights.ts';
import { carryTexts } from '../src/transcript/carry-over/texts.ts';
import type { SourceParagraph, TargetParagraph } from '../src/transcript/carry-over/types.ts';
import { type TranscriptParagraph, toParagraphs } from '../src/transcript/paragraphs.ts';
import { normalizeWords } from '../src/transcript/word-error-rate.ts';
import { makeSmallEngine } from '../test/small-engine.ts';
import { readEnglish } from './real-speech.ts';
import type { Measurement } from './speech.ts';

/** Recorded speech with its true transcript. Samples at 16 kHz, mono. */
interface Speech {
  readonly transcript: string;
  readonly samples: Int16Array;
}

/** Numbers of the user's changes, by outcome. */
interface Counts {
  /** Corrected words, which the user's changes contain and the first transcript doesn't. */
  readonly corrections: number;
  /** Corrections that the new transcript has in the right place. */
  readonly placed: number;
  /** Corrections that are listed as unplaced. */
  readonly listed: number;
  /** Words that the second engine recognized and that are still there. */
  readonly kept: number;
  readonly recognized: number;
  readonly highlights: number;
  /** Highlights that cover the same time as before. */
  readonly placedHighlights: number;
}

/** Every paragraph whose index is divisible by this number is highlighted. */
const highlightInterval = 2;
/** Minimum share of the shorter of two paragraphs that a highlight has to cover. */
const minSharedTime = 0.45;

/**
 * Transcribes recordings with PocketSphinx and a small dictionary, corrects every word to what was said, highlights every
 * second paragraph, and transcribes them again with the full dictionary. Measures how many changes are in the right place
 * in the second transcript. The recordings are the scenes of the virtual recorder, and those in `SPEECH_DIR`.
 */
export async function run(): Promise<Measurement[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'linnet-bench-'));
  try {
    const privateRoot = await makeSmallEngine(folder);
    if (privateRoot === null) throw new Error('PocketSphinx is not installed');
    const [first, second] = [createPocketSphinx({ privateRoot }), createPocketSphinx()];
    const recordings = await readRecordings();
    const counts: Counts[] = [];
    for (const speech of recordings) counts.push(await measure(speech, first, second));
    const total = (key: keyof Counts) => counts.reduce((sum, each) => sum + each[key], 0);
    const share = (part: number, all: number) => Math.round((part / all) * 1000) / 1000;
    return [
      {
        name: 'corrections in the right place after transcribing again, of those that were made',
        value: share(total('placed'), total('corrections')),
        unit: 'ratio',
        least: 0.95,
        detail: {
          recordings: recordings.length,
          corrections: total('corrections'),
          listed: total('listed'),
          lost: total('corrections') - total('placed') - total('listed'),
        },
      },
      {
        name: 'words of the second engine that the corrections left in place',
        value: share(total('kept'), total('recognized')),
        unit: 'ratio',
        detail: { words: total('recognized') },
      },
      {
        name: 'highlights in the right place after transcribing again',
        value: share(total('placedHighlights'), total('highlights')),
        unit: 'ratio',
        least: 0.95,
        detail: { highlights: total('highlights') },
      },
    ];
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function readRecordings(): Promise<Speech[]> {
  const scenes = await Promise.all([...(await sceneNames()), NAMES_SCENE].map(readScene));
  const folder = process.env.SPEECH_DIR;
  return [...scenes, ...(folder ? await readEnglish(folder) : [])];
}

async function measure(
  { transcript, samples }: Speech,
  first: SpeechRecognizer,
  second: SpeechRecognizer,
): Promise<Counts> {
  const said = normalizeWords(transcript);
  const [drafted, again] = [await transcribe(first, samples), await transcribe(second, samples)];
  const from = correct(drafted, said, again);
  const to = again.map(
    (paragraph, index): TargetParagraph => ({ ...paragraph, id: `b${index}`, speaker: null }),
  );
  const { texts, unplaced } = await carryTexts(from, to);
  const after = to.map(
    ({ id, content }) => texts.find(({ paragraph }) => paragraph === id)?.value ?? content,
  );
  const heardFirst = findSaid(
    said,
    drafted.map(({ content }) => content),
  );
  const heardSecond = findSaid(
    said,
    to.map(({ content }) => content),
  );
  const afterwards = findSaid(said, after);
  const list = new Set(unplaced.flatMap(({ text }) => normalizeWords(text)));
  const corrections = [...said.keys()].filter((index) => !heardFirst.has(index));
  const recognized = [...heardSecond];
  const highlights = from.filter(({ isHighlighted }) => isHighlighted);
  return {
    corrections: corrections.length,
    placed: corrections.filter((index) => afterwards.has(index)).length,
    listed: corrections.filter((index) => !afterwards.has(index) && list.has(said[index] ?? ''))
      .length,
    recognized: recognized.length,
    kept: recognized.filter((index) => afterwards.has(index)).length,
    highlights: highlights.length,
    placedHighlights: countPlacedHighlights(from, to),
  };
}

async function transcribe(
  engine: SpeechRecognizer,
  samples: Int16Array,
): Promise<TranscriptParagraph[]> {
  const audio = { kind: 'pcm', samples } as const;
  const { words, language, punctuated } = await engine.transcribe({ audio, language: 'en' });
  return toParagraphs(words, { language, punctuated });
}

/** Returns the indexes of the spoken words that a transcript contains in the right place. */
function findSaid(said: readonly string[], contents: readonly string[]): ReadonlySet<number> {
  const words = normalizeWords(contents.join(' '));
  return new Set(
    align(said, words).flatMap((at, index) => (words[at] === said[index] ? index : [])),
  );
}

/**
 * Returns the paragraphs as the user corrects them after hearing each: words that were said keep their spelling, all others
 * are replaced.
 * @param timed a transcript with the times of words that the engine of `paragraphs` missed
 */
function correct(
  paragraphs: readonly TranscriptParagraph[],
  said: readonly string[],
  timed: readonly TranscriptParagraph[],
): SourceParagraph[] {
  const words = paragraphs.flatMap(listWords);
  const places = align(
    said,
    words.map(({ key }) => key),
  );
  const timedWords = timed.flatMap(listWords);
  const times = align(
    said,
    timedWords.map(({ key }) => key),
  ).map((at) => timedWords[at]?.start);
  let current = 0;
  const contents = paragraphs.map((): string[] => []);
  for (const [index, spoken] of said.entries()) {
    const word = words[places[index] ?? -1];
    const isKept = word?.key === spoken;
    const time = isKept ? word.start : times[index];
    // A word without a time follows the word before it.
    if (time !== undefined) {
      const next = paragraphs.findIndex(({ end }) => time <= end);
      current = Math.max(current, next < 0 ? paragraphs.length - 1 : next);
    }
    contents[current]?.push(isKept ? word.text : spoken);
  }
  return paragraphs.map(({ start, end, content }, index) => ({
    ...{ id: `a${index}`, start, end, before: content },
    content: contents[index]?.join(' ') ?? '',
    isHighlighted: index % highlightInterval === 0,
    ...{ speaker: null, isAssigned: false },
  }));
}

const listWords = ({ words }: TranscriptParagraph) =>
  words.map(({ text, start }) => ({ text, start, key: normalizeWords(text).join('') }));

function countPlacedHighlights(
  from: readonly SourceParagraph[],
  to: readonly TargetParagraph[],
): number {
  const { highlights } = carryHighlights(from, to);
  return from.filter(({ id, isHighlighted, start, end }) => {
    if (!isHighlighted) return false;
    const targets = highlights.flatMap(({ paragraph, sources }) =>
      sources.includes(id) ? to.filter((each) => each.id === paragraph) : [],
    );
    return (
      targets.length > 0 &&
      targets.every((target) => {
        const shared = Math.min(target.end, end) - Math.max(target.start, start);
        return shared / Math.min(target.end - target.start, end - start) > minSharedTime;
      })
    );
  }).length;
}
