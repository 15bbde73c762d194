import path from 'node:path';
import { z } from 'zod';
import { knownModels } from '../models/catalog.ts';
import { modelSets } from '../models/recommended.ts';
import { ConfigFailure } from './failure.ts';
import type { ValuesOf } from './variable.ts';
import { apiKey, baseUrl, choice, count, text, variable } from './variable.ts';

/** Variables for speech recognition, transcript analysis, and the services behind them. */
export const engineVariables = {
  ASR: variable(
    'auto, openai, sherpa, pocketsphinx',
    'auto',
    'Speech recognition engine. `auto` uses the best available engine for each language, `openai` first if it has a key. `openai` is a service that receives the audio; `sherpa` is neural and needs models; `pocketsphinx` produces rough English drafts.',
    choice(['auto', 'openai', 'sherpa', 'pocketsphinx']).default('auto'),
  ),
  ASR_MODELS: variable(
    'language=model, comma-separated',
    'installed models',
    'Installed model for a language, such as `en=parakeet-tdt-0.6b-v3-int8, auto=sense-voice-int8`. Other languages use the first model that supports them.',
    z
      .string()
      .default('')
      .transform((list, context) => {
        const pairs = list.split(',').filter((item) => item.trim() !== '');
        const models = pairs.map((pair) => /^\s*([\w-]+)\s*=\s*([\w.-]+)\s*$/.exec(pair)?.slice(1));
        if (models.every((pair) => pair !== undefined)) {
          return Object.fromEntries(models) as Readonly<Record<string, string>>;
        }
        context.addIssue('pairs such as en=parakeet-tdt-0.6b-v3-int8');
        return z.NEVER;
      }),
  ),
  MODELS_DIR: variable(
    'folder',
    'DATA_DIR/models',
    'Folder for models installed by `npm run cli -- models install`.',
    z.string().min(1).optional(),
  ),
  MODELS: variable(
    'auto, off, or names, comma-separated',
    'auto',
    "Models that the worker downloads in the background. `auto` is the recommended set for the machine's memory and locale. Other values are names from `npm run cli -- models list`, or the sets `european`, `east-asian` and `all`.",
    z
      .string()
      .default('auto')
      .transform((list, context): 'auto' | 'off' | readonly string[] => {
        const value = list.trim();
        if (value === 'auto' || value === 'off') return value;
        const names = value.split(',').map((name) => name.trim());
        const known: readonly string[] = [...modelSets, ...knownModels.map(({ name }) => name)];
        const unknownName = names.find((name) => !known.includes(name));
        if (unknownName === undefined) return names;
        context.addIssue(
          `auto, off or names of models and sets; ${unknownName ? `there is no ${unknownName}` : 'a name is empty'}`,
        );
        return z.NEVER;
      }),
  ),
  MODELS_URL: variable(
    'http(s)://…',
    'publishers',
    'Base URL of a mirror with the files of the model catalog, under their original names. Their SHA-256 must match the catalog.',
    baseUrl.optional(),
  ),
  ENGINES_DIR: variable(
    'folder',
    'none',
    'Folder with unpacked engines that are not installed on the system; it contains a `usr` folder. `npm start` sets it.',
    z.string().min(1).optional(),
  ),
  FFMPEG: variable(
    'path, none',
    '`ffmpeg` in PATH',
    'Program that decodes MP3, M4A, AAC, FLAC, Ogg Vorbis and WebM. Without it, or with `none`, the app uploads its own conversion of such files.',
    z.string().min(1).optional(),
  ),
  LLM: variable(
    'builtin, openai, local',
    'builtin',
    'Analysis engine. `builtin` extracts sentences and invents nothing; `openai` is a language model service that receives the transcripts; `local` is a language model on this machine, which `npm run cli -- models install` installs.',
    choice(['builtin', 'openai', 'local']).default('builtin'),
  ),
  OPENAI_BASE_URL: variable(
    'http(s)://…',
    'https://api.openai.com/v1',
    'Base URL of an OpenAI-compatible service, including `/v1`.',
    baseUrl.default('https://api.openai.com/v1'),
  ),
  OPENAI_API_KEY: variable(
    'text',
    'none',
    'API key, required by `ASR=openai`, `LLM=openai` and `EMBEDDINGS=openai`. If the service needs no key, set this to any value without spaces.',
    apiKey.optional(),
  ),
  ASR_BASE_URL: variable(
    'http(s)://…',
    'OPENAI_BASE_URL',
    'Base URL for speech recognition only.',
    baseUrl.optional(),
  ),
  ASR_API_KEY: variable(
    'text',
    'OPENAI_API_KEY',
    'API key for speech recognition only.',
    apiKey.optional(),
  ),
  ASR_MODEL: variable(
    'name',
    'whisper-1',
    'Speech recognition model of the service. Models that return no timestamps (`gpt-4o-transcribe`) work, but word timestamps are then estimated.',
    text.default('whisper-1'),
  ),
  ASR_FORMAT: variable(
    'ogg, wav',
    'ogg',
    'Audio format of requests. `wav` is four times as large, but some services accept nothing else.',
    choice(['ogg', 'wav']).default('ogg'),
  ),
  ASR_MAX_BYTES: variable(
    'bytes',
    '25000000',
    'Maximum request size that the service accepts.',
    count(1_000_000, 2_000_000_000).default(25_000_000),
  ),
  ASR_MAX_SECONDS: variable(
    'seconds',
    '300',
    'Maximum audio length of one request. Progress updates once per request, so shorter requests update it more often.',
    count(30, 7200).default(300),
  ),
  ASR_REQUESTS: variable(
    'number',
    '2',
    'Concurrent recognition requests per recording.',
    count(1, 32).default(2),
  ),
  VOICE_DETECTION: variable(
    'auto, off',
    'auto',
    'Detects speech before recognition. With `off`, all audio is recognized, including singing, and text recognized in music is also charged for.',
    z.enum(['auto', 'off']).default('auto'),
  ),
  LLM_BASE_URL: variable(
    'http(s)://…',
    'OPENAI_BASE_URL',
    'Base URL for analysis only.',
    baseUrl.optional(),
  ),
  LLM_API_KEY: variable('text', 'OPENAI_API_KEY', 'API key for analysis only.', apiKey.optional()),
  LLM_MODEL: variable(
    'name',
    'gpt-4o-mini',
    'Language model of the service. With `LLM=local`, the name of an installed language model, by default the first of `npm run cli -- models list`.',
    text.optional(),
  ),
  LLM_CONTEXT: variable(
    'tokens',
    '16000',
    'Context size of the model, prompt and response together. Longer transcripts are processed in parts. With `LLM=local`, the default is 8192, and the maximum is what the model was trained for.',
    count(2000, 10_000_000).optional(),
  ),
  LLM_REQUESTS: variable(
    'number',
    '2',
    'Concurrent analysis requests per transcript. Ignored with `LLM=local`, which processes one request at a time.',
    count(1, 32).default(2),
  ),
  EMBEDDINGS: variable(
    'off, openai, local',
    'off',
    'Engine for semantic search, in questions and *Related*. `openai` is a service that receives the transcripts and the questions; `local` is an embedding model on this machine. With `off`, paragraphs are found by keyword search only.',
    choice(['off', 'openai', 'local']).default('off'),
  ),
  EMBEDDINGS_URL: variable(
    'http(s)://…',
    'OPENAI_BASE_URL',
    'Base URL for embeddings only, including `/v1`.',
    baseUrl.optional(),
  ),
  EMBEDDINGS_API_KEY: variable(
    'text',
    'OPENAI_API_KEY',
    'API key for embeddings only.',
    apiKey.optional(),
  ),
  EMBEDDINGS_MODEL: variable(
    'name',
    'text-embedding-3-small',
    'Embedding model of the service. With `EMBEDDINGS=local`, the name of an installed embedding model, by default the first of `npm run cli -- models list`. After a change, all vectors are recomputed in the background.',
    text.optional(),
  ),
  EMBEDDINGS_DIMENSIONS: variable(
    'number',
    'the model’s own',
    'Length of the vectors, requested from a service whose models support several.',
    count(8, 8192).optional(),
  ),
  EMBEDDINGS_PASSAGE_PREFIX: variable(
    'text',
    'none',
    'Prefix of each passage, if the model was trained with one, such as `passage:` for the E5 models. A space is added.',
    text.optional(),
  ),
  EMBEDDINGS_QUESTION_PREFIX: variable(
    'text',
    'none',
    'Prefix of each question, such as `query:` for the E5 models. A space is added.',
    text.optional(),
  ),
} as const;

type EngineValues = ValuesOf<typeof engineVariables>;

/** Address and key of an OpenAI-compatible service. */
export interface ServiceAddress {
  /** Base URL, including `/v1`. */
  readonly baseUrl: string;
  readonly apiKey: string;
}

/** OpenAI-compatible services by role, or null for a service without a key. */
export interface Services {
  readonly ASR: ServiceAddress | null;
  readonly LLM: ServiceAddress | null;
  readonly EMBEDDINGS: ServiceAddress | null;
}

/** The variables with each role's own base URL. */
const addressVariables = {
  ASR: 'ASR_BASE_URL',
  LLM: 'LLM_BASE_URL',
  EMBEDDINGS: 'EMBEDDINGS_URL',
} as const satisfies Record<keyof Services, keyof EngineValues>;

/**
 * Returns the base URL and key of each service.
 * @throws ConfigFailure if a service without a key is selected
 */
export function createServices(values: EngineValues): Services {
  return {
    ASR: createService(values, 'ASR'),
    LLM: createService(values, 'LLM'),
    EMBEDDINGS: createService(values, 'EMBEDDINGS'),
  };
}

function createService(values: EngineValues, role: keyof Services): ServiceAddress | null {
  const apiKey = values[`${role}_API_KEY`] ?? values.OPENAI_API_KEY;
  if (apiKey !== undefined) {
    return { baseUrl: values[addressVariables[role]] ?? values.OPENAI_BASE_URL, apiKey };
  }
  if (values[role] !== 'openai') return null;
  throw new ConfigFailure(
    'OPENAI_API_KEY',
    `OPENAI_API_KEY is required when ${role} is openai, unless ${role}_API_KEY is set.`,
  );
}

/** Returns the folder for installed models. */
export function resolveModelsDir(modelsDir: string | undefined, dataDir: string): string {
  return path.resolve(modelsDir ?? path.join(dataDir, 'models'));
}

/** Returns the folder for automatic model downloads, or null if they are off. */
export function downloadFolder(config: {
  readonly MODELS: EngineValues['MODELS'];
  readonly modelsDir: string;
}): string | null {
  return config.MODELS === 'off' ? null : config.modelsDir;
}
