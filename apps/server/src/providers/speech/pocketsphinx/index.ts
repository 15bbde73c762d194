/** The recognizer based on CMU PocketSphinx, which processes slices of the audio in several processes. */
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { WAVE_HEADER_BYTES } from '@linnet/audio/wave';
import { runEngine } from '../child.ts';
import { LOADED_SECONDS, loadEngine } from '../loaded-engine.ts';
import {
  findLanguage,
  type LoadedRecognizer,
  SPEECH_SAMPLE_RATE,
  type SpeechAudio,
  SpeechFailure,
  type SpeechReadiness,
  type SpeechRecognizer,
  type TranscribeRequest,
  type TranscribeResult,
} from '../port.ts';
import { withScratch } from '../scratch.ts';
import { distributeSlices, FRAME_SECONDS, planSlices, type Slice } from '../slices.ts';
import { AUDIO_FILE, measureLoudness, openAudio, openWave, type WaveFile } from '../wave-file.ts';
import { parseCtm, parseSegments, sliceName } from './ctm.ts';
import {
  findPocketSphinx,
  POCKETSPHINX_PACKAGES,
  type PocketSphinxInstallation,
} from './installation.ts';
import { createSliceProgress, type SliceProgress } from './progress.ts';
import { extendDictionary } from './vocabulary.ts';

export interface PocketSphinxOptions {
  /** Folder of unpacked Debian packages, if any. */
  readonly privateRoot?: string | undefined;
  /** Prefixes to search. Defaults to the usual system prefixes. */
  readonly systemPrefixes?: readonly string[];
  /** Number of concurrent engine processes. Defaults to one per core. */
  readonly processes?: number;
  /** Overrides the limits of each engine process. */
  readonly limits?: { readonly memoryMiB?: number; readonly seconds?: number };
}

/**
 * Wider beams for both passes than the engine's defaults, and no removal of noise and silence, which loses words. On
 * real speech, this reduced the word error rate from 25% to 21%, and doubled the time.
 */
export const DECODER_FLAGS: readonly string[] = [
  ...['-remove_noise', 'no', '-remove_silence', 'no'],
  ...['-beam', '1e-60', '-wbeam', '1e-40', '-pbeam', '1e-60'],
  ...['-fwdflatbeam', '1e-80', '-fwdflatwbeam', '1e-40'],
];

/**
 * Limits of a slice's length in seconds: long enough for the engine to adapt to the channel, and short enough to limit
 * memory and distribute work evenly.
 */
const SLICE_LIMITS = { shortest: 8, longest: 20 };

/** Minimum length of audio, in seconds, that makes it worthwhile to load the model in another process. */
const SECONDS_PER_PROCESS = 8;

/** Memory limit in MiB, about four times what the engine needs with this model. */
const MEMORY_MIB = 800;

/** Timeout for loading the model from a busy disk, in seconds. */
const STARTUP_SECONDS = 60;
/** Maximum real-time factor (processing time divided by audio duration). */
const MAX_REAL_TIME_FACTOR = 10;

/** Name of the audio file in the temporary folder, without its extension. */
const AUDIO = basename(AUDIO_FILE, '.wav');

/** Matches the line logged when an utterance is done: "batch.c(760): f123: 3.02 seconds speech". */
const DONE_LINE = /batch\.c\(\d+\): f(\d+): [\d.]+ seconds speech/;

/**
 * Creates an English recognizer based on CMU PocketSphinx. It is small and works offline, but its transcripts are rough
 * drafts.
 */
export function createPocketSphinx(options: PocketSphinxOptions = {}): SpeechRecognizer {
  const find = () => findPocketSphinx(options.privateRoot, options.systemPrefixes);
  const supportedLanguages = [{ tag: 'en', quality: 'draft' }] as const;
  return {
    id: 'pocketsphinx',
    languages: async () => ((await find()).status === 'found' ? supportedLanguages : []),

    async readiness(): Promise<SpeechReadiness> {
      const search = await find();
      if (search.status === 'found') return { status: 'ready' };
      return { status: 'missing', code: search.code, needs: POCKETSPHINX_PACKAGES };
    },

    async transcribe(request): Promise<TranscribeResult> {
      if (!findLanguage(supportedLanguages, request.language)) {
        throw new SpeechFailure('language-unsupported', request.language);
      }
      const search = await find();
      if (search.status === 'missing') {
        throw new SpeechFailure(search.code, POCKETSPHINX_PACKAGES.join(', '));
      }
      return withScratch(async (folder) => {
        const wave = await toWave(request.audio, folder);
        const slices = planSlices(await measureLoudness(wave), SLICE_LIMITS, request.segments);
        const dictionary = await prepareDictionary(
          search.installation,
          folder,
          request.vocabulary ?? [],
        );
        const words = await decode(
          { ...search.installation, dictionary: dictionary.path },
          ...([wave, slices, folder, dictionary.entries, request, options] as const),
        );
        if (slices.length === 0) request.onProgress?.(1);
        return { words, language: 'en', ...TRAITS };
      });
    },

    async load(language, vocabulary = []) {
      if (!findLanguage(supportedLanguages, language)) {
        throw new SpeechFailure('language-unsupported', language);
      }
      const search = await find();
      if (search.status === 'missing') {
        throw new SpeechFailure(search.code, POCKETSPHINX_PACKAGES.join(', '));
      }
      return loadPocketSphinx(search.installation, vocabulary);
    },
  };
}

/** Engine and model, and whether the words have punctuation. */
const TRAITS = { engine: 'pocketsphinx/en-us', punctuated: false } as const;

/** Matches the last line logged for an utterance, after its words have been written. */
const ANSWERED_LINE = /^f\d+ done -/;

/** Starts a process that reads the slices to decode from a pipe. */
async function loadPocketSphinx(
  installation: PocketSphinxInstallation,
  vocabulary: readonly string[],
): Promise<LoadedRecognizer> {
  let dictionary: Dictionary = { path: installation.dictionary, entries: new Map() };
  const output = { ctm: '', segments: '' };
  const engine = await loadEngine<null>(
    async ({ folder, requests, onAnswer, signal }) => {
      dictionary = await prepareDictionary(installation, folder, vocabulary);
      output.ctm = join(folder, 'words.ctm');
      output.segments = join(folder, 'words.seg');
      await runEngine({
        program: installation.program,
        args: decoderArgs(
          { ...installation, dictionary: dictionary.path },
          {
            folder,
            control: requests.path,
            output: output.ctm,
            segments: output.segments,
            headerBytes: WAVE_HEADER_BYTES,
          },
        ),
        cwd: folder,
        env: installation.env,
        limits: { memoryMiB: MEMORY_MIB, seconds: LOADED_SECONDS },
        signal,
        onLogLine: (line) => {
          if (ANSWERED_LINE.test(line)) onAnswer(null);
        },
      });
    },
    ({ name, sampleCount }) => {
      const frames = Math.floor(sampleCount / (SPEECH_SAMPLE_RATE * FRAME_SECONDS));
      return `${name} 0 ${frames} ${sliceName(0)}`;
    },
  );
  /** Lengths of the already parsed output of earlier slices. */
  const parsed = { ctm: 0, segments: 0 };
  return {
    async recognize(samples, signal) {
      await engine.ask(samples, signal);
      const ctm = await readFile(output.ctm, 'utf8');
      const segments = await readFile(output.segments, 'utf8');
      const entries = parseSegments(segments.slice(parsed.segments), dictionary.entries);
      const words = parseCtm(ctm.slice(parsed.ctm), entries);
      parsed.ctm = ctm.length;
      parsed.segments = segments.length;
      return { words, language: 'en', ...TRAITS };
    },
    close: () => engine.close(),
  };
}

/** Links or writes the audio under a name without spaces, because control files separate fields with spaces. */
async function toWave(audio: SpeechAudio, folder: string): Promise<WaveFile> {
  if (audio.kind === 'pcm') return openAudio(audio, folder);
  const path = join(folder, AUDIO_FILE);
  try {
    await symlink(resolve(audio.path), path);
  } catch (cause) {
    throw new SpeechFailure('scratch-failed', 'audio', cause);
  }
  return openWave(path);
}

interface Dictionary {
  readonly path: string;
  /** Entries of the vocabulary by the engine's name for their pronunciation. */
  readonly entries: ReadonlyMap<string, string>;
}

/** Writes a dictionary with the vocabulary to the temporary folder, if the vocabulary isn't empty. */
async function prepareDictionary(
  installation: PocketSphinxInstallation,
  folder: string,
  vocabulary: readonly string[],
): Promise<Dictionary> {
  if (vocabulary.length === 0) return { path: installation.dictionary, entries: new Map() };
  const { text, entries } = extendDictionary(
    await readFile(installation.dictionary, 'utf8'),
    vocabulary,
  );
  const path = join(folder, 'vocabulary.dict');
  try {
    await writeFile(path, text);
  } catch (cause) {
    throw new SpeechFailure('scratch-failed', 'dictionary', cause);
  }
  return { path, entries };
}

async function decode(
  installation: PocketSphinxInstallation,
  wave: WaveFile,
  slices: readonly Slice[],
  folder: string,
  entries: ReadonlyMap<string, string>,
  request: TranscribeRequest,
  options: PocketSphinxOptions,
) {
  const totalFrames = slices.reduce((sum, slice) => sum + slice.to - slice.from, 0);
  const seconds = totalFrames * FRAME_SECONDS;
  const maxUseful = Math.max(1, Math.floor(seconds / SECONDS_PER_PROCESS));
  const shares = distributeSlices(
    slices,
    Math.min(options.processes ?? availableParallelism(), maxUseful),
  );
  const progress = createSliceProgress(totalFrames, (fraction) => request.onProgress?.(fraction));
  // If one process fails, abort the other processes.
  const failure = new AbortController();
  const signal = request.signal
    ? AbortSignal.any([request.signal, failure.signal])
    : failure.signal;
  const limits = {
    memoryMiB: options.limits?.memoryMiB ?? MEMORY_MIB,
    seconds: options.limits?.seconds ?? STARTUP_SECONDS + seconds * MAX_REAL_TIME_FACTOR,
  };
  const runs = shares.map(async (share, index) => {
    try {
      return await decodeShare({
        installation,
        wave,
        share,
        folder,
        entries,
        index,
        limits,
        signal,
        progress,
      });
    } catch (cause) {
      failure.abort();
      throw cause;
    }
  });
  const results = await Promise.allSettled(runs);
  progress.stop();
  const errors = results.flatMap((result) =>
    result.status === 'rejected' ? [result.reason as unknown] : [],
  );
  if (errors.length > 0) {
    // Ignore the `aborted` failures of processes that were aborted because another process failed.
    throw errors.find((error) => !isAbort(error)) ?? errors[0];
  }
  return results
    .flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
    .sort((a, b) => a.start - b.start);
}

function isAbort(error: unknown): boolean {
  return error instanceof SpeechFailure && error.code === 'aborted';
}

interface Share {
  readonly installation: PocketSphinxInstallation;
  readonly wave: WaveFile;
  readonly share: readonly Slice[];
  readonly folder: string;
  readonly entries: ReadonlyMap<string, string>;
  readonly index: number;
  readonly limits: { readonly memoryMiB: number; readonly seconds: number };
  readonly signal: AbortSignal;
  readonly progress: SliceProgress;
}

/** The files of an engine process. */
interface DecoderFiles {
  readonly folder: string;
  /** The utterances to decode, one per line. */
  readonly control: string;
  /** The output file with the words. */
  readonly output: string;
  /** The output file with the recognized pronunciations. */
  readonly segments: string;
  /** Size of an audio file's header. */
  readonly headerBytes: number;
}

function decoderArgs(
  installation: PocketSphinxInstallation,
  { folder, control, output, segments, headerBytes }: DecoderFiles,
): string[] {
  return [
    ...['-hmm', installation.acousticModel],
    ...['-dict', installation.dictionary],
    ...['-lm', installation.languageModel],
    ...['-adcin', 'yes', '-adchdr', String(headerBytes)],
    ...['-cepdir', folder, '-cepext', '.wav'],
    ...['-ctl', control, '-ctm', output, '-hypseg', segments],
    ...DECODER_FLAGS,
  ];
}

/** Decodes a share of the slices in one engine process. */
async function decodeShare(share: Share) {
  const { installation, wave, folder, entries, index } = share;
  const control = join(folder, `${index}.ctl`);
  const output = join(folder, `${index}.ctm`);
  const segments = join(folder, `${index}.seg`);
  const lines = share.share.map(({ from, to }) => `${AUDIO} ${from} ${to} ${sliceName(from)}\n`);
  try {
    await writeFile(control, lines.join(''));
  } catch (cause) {
    throw new SpeechFailure('scratch-failed', 'control file', cause);
  }
  const pendingSlices = new Map(share.share.map((slice) => [slice.from, slice]));
  const startNext = () => {
    const [next] = pendingSlices.values();
    if (next) share.progress.startSlice(index, next);
  };
  startNext();
  await runEngine({
    program: installation.program,
    args: decoderArgs(installation, {
      ...{ folder, control, output, segments },
      headerBytes: wave.dataOffset,
    }),
    cwd: folder,
    env: installation.env,
    limits: share.limits,
    signal: share.signal,
    onLogLine: (line) => {
      const slice = pendingSlices.get(Number(DONE_LINE.exec(line)?.[1]));
      if (!slice) return;
      pendingSlices.delete(slice.from);
      share.progress.end(index);
      startNext();
    },
  });
  // The engine exits with 0 even if it can't read the audio.
  if (pendingSlices.size > 0) {
    throw new SpeechFailure('engine-crashed', `${pendingSlices.size} slices were not decoded`);
  }
  const recognized = parseSegments(await readFile(segments, 'utf8'), entries);
  return parseCtm(await readFile(output, 'utf8'), recognized);
}
