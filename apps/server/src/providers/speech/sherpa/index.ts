/** The recognizer that uses locally installed neural models (sherpa-onnx). */
import { WAVE_HEADER_BYTES } from '@linnet/audio/wave';
import {
  type InstalledModel,
  type ModelStore,
  modelBytes,
  type RecognitionKind,
} from '../../../models/index.ts';
import { recognizerConfig } from '../../sherpa/configs.ts';
import { isSherpaInstalled, SHERPA_PACKAGE } from '../../sherpa/installation.ts';
import type { SliceResult, TaskAudio } from '../../sherpa/protocol.ts';
import { runSherpa, type SherpaLimits, sherpaLimits } from '../../sherpa/run.ts';
import { verifyModels } from '../../sherpa/verified.ts';
import { LOADED_SECONDS, loadEngine } from '../loaded-engine.ts';
import {
  findLanguage,
  type LoadedRecognizer,
  type RecognizedWord,
  SPEECH_SAMPLE_RATE,
  SpeechFailure,
  type SpeechReadiness,
  type SpeechRecognizer,
  type TranscribeRequest,
  type TranscribeResult,
} from '../port.ts';
import { withScratch } from '../scratch.ts';
import { FRAME_SECONDS, planSlices, type Slice } from '../slices.ts';
import { measureLoudness, openAudio, type WaveFile } from '../wave-file.ts';
import {
  type ChosenModel,
  chooseModels,
  detectedLanguage,
  type PreferredModels,
  recognitionModels,
  sliceLimits,
} from './models.ts';
import { toWords } from './words.ts';

export interface SherpaOptions {
  readonly models: ModelStore;
  readonly preferred?: PreferredModels;
  /** Overrides a task's limits. */
  readonly limits?: Partial<SherpaLimits>;
}

/** Maximum real-time factor (processing time divided by audio duration), for the largest models on a busy machine. */
const MAX_REAL_TIME_FACTOR = 10;
/** Models suggested if none are installed. They cover most languages. */
const SUGGESTED_MODELS = ['parakeet-tdt-0.6b-v3-int8', 'sense-voice-int8'];
const FRAME_SAMPLES = SPEECH_SAMPLE_RATE * FRAME_SECONDS;

/** Creates a local neural recognizer. Its languages and their quality depend on the installed models. */
export function createSherpa(options: SherpaOptions): SpeechRecognizer {
  const { models, preferred = {} } = options;
  const choose = async () => chooseModels(await recognitionModels(models), preferred);
  return {
    id: 'sherpa',

    async languages() {
      if (!isSherpaInstalled()) return [];
      return (await choose()).map(({ tag, quality }) => ({ tag, quality }));
    },

    async readiness(): Promise<SpeechReadiness> {
      if (!isSherpaInstalled()) {
        return { status: 'missing', code: 'engine-missing', needs: [SHERPA_PACKAGE] };
      }
      if ((await choose()).length === 0) {
        return { status: 'missing', code: 'model-missing', needs: SUGGESTED_MODELS };
      }
      return { status: 'ready' };
    },

    async load(language, vocabulary) {
      if (!isSherpaInstalled()) throw new SpeechFailure('engine-missing', SHERPA_PACKAGE);
      const chosen = findLanguage(await choose(), language) as ChosenModel | undefined;
      if (!chosen) throw new SpeechFailure('language-unsupported', language);
      await verifyModels(models, [chosen.model]);
      return loadModel(chosen.model, chosen.tag, vocabulary, options);
    },

    async transcribe(request): Promise<TranscribeResult> {
      if (!isSherpaInstalled()) throw new SpeechFailure('engine-missing', SHERPA_PACKAGE);
      const chosen = await choose();
      const language = findLanguage(chosen, request.language) as ChosenModel | undefined;
      if (!language) throw new SpeechFailure('language-unsupported', request.language);
      if (request.signal?.aborted) throw new SpeechFailure('aborted', 'before the engine started');
      const { model } = language;
      await verifyModels(models, [model]);
      return withScratch(async (folder) => {
        const wave = await openAudio(request.audio, folder);
        const recognized = await recognize(model, language.tag, wave, request, options);
        const { name, punctuated } = model.manifest;
        return { ...recognized, engine: `sherpa/${name}`, punctuated };
      });
    },
  };
}

/** Starts a process that keeps a model loaded. */
async function loadModel(
  model: InstalledModel,
  tag: string,
  vocabulary: readonly string[] | undefined,
  options: SherpaOptions,
): Promise<LoadedRecognizer> {
  const { name, punctuated } = model.manifest;
  const engine = await loadEngine<SliceResult>(
    ({ requests, onAnswer, signal }) =>
      runSherpa({
        task: {
          kind: 'serve',
          ...recognition(model, tag, vocabulary),
          requests: requests.path,
        },
        limits: {
          memoryMiB: sherpaLimits(modelBytes(model.manifest), 0, MAX_REAL_TIME_FACTOR).memoryMiB,
          ...options.limits,
          seconds: LOADED_SECONDS,
        },
        signal,
        onEvent: (event) => {
          if (event.event === 'recognized') onAnswer(event.result);
        },
      }),
    ({ path, sampleCount }) =>
      JSON.stringify({ path, dataOffset: WAVE_HEADER_BYTES, sampleCount } satisfies TaskAudio),
  );
  return {
    async recognize(samples, signal) {
      const result = await engine.ask(samples, signal);
      const language = spokenLanguage(result, tag, model);
      const end = samples.length / SPEECH_SAMPLE_RATE;
      const words = toWords(result, { start: 0, end }, language);
      return { words, language, engine: `sherpa/${name}`, punctuated };
    },
    close: () => engine.close(),
  };
}

/** Returns a model's configuration and options for a language. */
function recognition(
  model: InstalledModel,
  tag: string,
  vocabulary: readonly string[] | undefined,
) {
  return {
    config: recognizerConfig(model, tag === 'auto' ? '' : primarySubtag(tag), vocabulary),
    options: model.manifest.kind === 'qwen3' ? { language: englishName(tag) } : {},
  };
}

/** Returns the language of a slice: the requested language, or for `auto` the language that the model detected. */
function spokenLanguage(result: SliceResult, tag: string, { manifest }: InstalledModel): string {
  return tag === 'auto' ? detectedLanguage(result.lang, manifest) : tag;
}

async function recognize(
  model: InstalledModel,
  tag: string,
  wave: WaveFile,
  request: TranscribeRequest,
  options: SherpaOptions,
): Promise<Pick<TranscribeResult, 'words' | 'language'>> {
  const kind = model.manifest.kind as RecognitionKind;
  const slices = planSlices(await measureLoudness(wave), sliceLimits[kind], request.segments);
  const total = slices.reduce((sum, slice) => sum + slice.to - slice.from, 0);
  const words: RecognizedWord[] = [];
  const votes = new Map<string, number>();
  let doneFrames = 0;
  if (slices.length > 0) {
    const seconds = total * FRAME_SECONDS;
    await runSherpa({
      task: {
        kind: 'recognize',
        ...recognition(model, tag, request.vocabulary),
        audio: wave,
        slices: slices.map((slice) => toSampleRange(slice, wave)),
      },
      limits: {
        ...sherpaLimits(modelBytes(model.manifest), seconds, MAX_REAL_TIME_FACTOR),
        ...options.limits,
      },
      signal: request.signal,
      onEvent: (event) => {
        if (event.event !== 'recognized') return;
        const slice = slices[event.slice] as Slice;
        const language = spokenLanguage(event.result, tag, model);
        const sliceWords = toWords(event.result, toSecondRange(slice, wave), language);
        words.push(...sliceWords);
        votes.set(language, (votes.get(language) ?? 0) + sliceWords.length);
        doneFrames += slice.to - slice.from;
        request.onProgress?.(doneFrames / total);
      },
    });
  }
  if (doneFrames < total) throw new SpeechFailure('engine-crashed', 'some slices were not decoded');
  if (total === 0) request.onProgress?.(1);
  const [winner] = [...votes].sort((a, b) => b[1] - a[1]);
  return {
    words,
    language: winner?.[0] ?? (tag === 'auto' ? detectedLanguage('', model.manifest) : tag),
  };
}

/** Converts a slice to a range of samples. A recording's last frame may be incomplete. */
function toSampleRange({ from, to }: Slice, { sampleCount }: WaveFile) {
  return { from: from * FRAME_SAMPLES, to: Math.min(sampleCount, to * FRAME_SAMPLES) };
}

function toSecondRange(slice: Slice, wave: WaveFile) {
  const { from, to } = toSampleRange(slice, wave);
  return { start: from / SPEECH_SAMPLE_RATE, end: to / SPEECH_SAMPLE_RATE };
}

/** Returns the language code that most models use, the primary subtag: `zh-Hans` → `zh`. */
function primarySubtag(tag: string): string {
  return tag.split('-')[0] as string;
}

/** Returns the language name that Qwen uses: `zh-Hans` → `Chinese`. */
function englishName(tag: string): string {
  return new Intl.DisplayNames('en', { type: 'language' }).of(primarySubtag(tag)) ?? '';
}
