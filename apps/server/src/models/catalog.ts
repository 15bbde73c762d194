/**
 * Lists the models that can be installed by name from their publishers. At least two independent projects that pin the
 * same file confirm the size and SHA-256 of each download. docs/decisions/0036-local-language-models.md explains the
 * choice of language models.
 */
import type { ModelKind, ModelManifest } from './manifest.ts';

export interface KnownModel {
  readonly name: string;
  readonly kind: ModelKind;
  readonly description: string;
  /** The license, spelled as in manifests and the API. */
  readonly licence: string;
  readonly languages: ModelManifest['languages'];
  readonly detectsLanguage: boolean;
  readonly punctuated: boolean;
  readonly download: {
    readonly address: string;
    readonly bytes: number;
    readonly sha256: string;
  };
  /**
   * Maps each role to its path within the archive, or to the name of the installed file if the download isn't an
   * archive.
   */
  readonly roles: Readonly<Record<string, string>>;
  /** Top-level folder in the archive. Omitted if the download is the model itself. */
  readonly archiveFolder?: string;
}

const releases = 'https://github.com/k2-fsa/sherpa-onnx/releases/download';
const goodLanguages = (...tags: string[]) => tags.map((tag) => ({ tag, quality: 'good' as const }));
const allLanguages = goodLanguages('en', 'zh-Hans', 'ar', 'ja', 'ko', 'th', 'ru', 'es', 'pt', 'fr');
const huggingFace = 'https://huggingface.co';
const notSpeech = { languages: [], detectsLanguage: false, punctuated: false };

/** Known models. Models for the same purpose are ordered by accuracy, then by speed. */
export const knownModels: readonly KnownModel[] = [
  {
    name: 'parakeet-tdt-0.6b-v3-int8',
    kind: 'transducer',
    description:
      'English, Spanish, Portuguese, French, Russian; fast, with timestamps and punctuation',
    licence: 'CC-BY-4.0',
    languages: goodLanguages('en', 'es', 'pt', 'fr', 'ru'),
    detectsLanguage: false,
    punctuated: true,
    download: {
      address: `${releases}/asr-models/sherpa-onnx-nemo-parakeet-tdt-0.6b-v3-int8.tar.bz2`,
      bytes: 487_170_055,
      sha256: '5793d0fd397c5778d2cf2126994d58e9d56b1be7c04d13c7a15bb1b4eafb16bf',
    },
    archiveFolder: 'sherpa-onnx-nemo-parakeet-tdt-0.6b-v3-int8',
    roles: {
      encoder: 'encoder.int8.onnx',
      decoder: 'decoder.int8.onnx',
      joiner: 'joiner.int8.onnx',
      tokens: 'tokens.txt',
    },
  },
  {
    name: 'sense-voice-int8',
    kind: 'sense-voice',
    description: 'Chinese, Japanese, Korean, English; fast, with language detection',
    licence: 'FunASR Model Licence 1.1',
    languages: goodLanguages('zh-Hans', 'ja', 'ko', 'en'),
    detectsLanguage: true,
    punctuated: true,
    download: {
      address: `${releases}/asr-models/sherpa-onnx-sense-voice-zh-en-ja-ko-yue-int8-2024-07-17.tar.bz2`,
      bytes: 163_002_883,
      sha256: '7d1efa2138a65b0b488df37f8b89e3d91a60676e416f515b952358d83dfd347e',
    },
    archiveFolder: 'sherpa-onnx-sense-voice-zh-en-ja-ko-yue-int8-2024-07-17',
    roles: { model: 'model.int8.onnx', tokens: 'tokens.txt' },
  },
  {
    name: 'qwen3-asr-0.6b-int8',
    kind: 'qwen3',
    description: 'all ten languages; slower, with estimated word timestamps',
    licence: 'Apache-2.0',
    languages: allLanguages,
    detectsLanguage: false,
    punctuated: true,
    download: {
      address: `${releases}/asr-models/sherpa-onnx-qwen3-asr-0.6B-int8-2026-03-25.tar.bz2`,
      bytes: 878_702_423,
      sha256: '393f8a14e2f5fb96746aaab342997a40641001fbd5bf9592a080a8329178ee96',
    },
    archiveFolder: 'sherpa-onnx-qwen3-asr-0.6B-int8-2026-03-25',
    roles: {
      frontend: 'conv_frontend.onnx',
      encoder: 'encoder.int8.onnx',
      decoder: 'decoder.int8.onnx',
      tokenizer: 'tokenizer',
    },
  },
  {
    name: 'whisper-small-int8',
    kind: 'whisper',
    description: 'all ten languages, with language detection and estimated word timestamps',
    licence: 'MIT',
    languages: allLanguages,
    detectsLanguage: true,
    punctuated: true,
    download: {
      address: `${releases}/asr-models/sherpa-onnx-whisper-small.tar.bz2`,
      bytes: 639_387_718,
      sha256: '486a46afbb7ba798507190ffe02fea2dd726049af212e774537efac6afb210a6',
    },
    archiveFolder: 'sherpa-onnx-whisper-small',
    roles: {
      encoder: 'small-encoder.int8.onnx',
      decoder: 'small-decoder.int8.onnx',
      tokens: 'small-tokens.txt',
    },
  },
  {
    name: 'silero-vad',
    kind: 'voice',
    description: 'voice activity detection',
    licence: 'MIT',
    ...notSpeech,
    download: {
      address:
        'https://github.com/snakers4/silero-vad/raw/v6.2.1/src/silero_vad/data/silero_vad.onnx',
      bytes: 2_327_524,
      sha256: '1a153a22f4509e292a94e67d6f9b85e8deb25b4988682b7e174c65279d8788e3',
    },
    roles: { model: 'silero_vad.onnx' },
  },
  {
    name: 'pyannote-segmentation-3-0',
    kind: 'segmentation',
    description: 'speaker segmentation; with eres2net-base it separates speakers',
    licence: 'MIT',
    ...notSpeech,
    download: {
      address: `${releases}/speaker-segmentation-models/sherpa-onnx-pyannote-segmentation-3-0.tar.bz2`,
      bytes: 6_958_444,
      sha256: '24615ee884c897d9d2ba09bb4d30da6bb1b15e685065962db5b02e76e4996488',
    },
    archiveFolder: 'sherpa-onnx-pyannote-segmentation-3-0',
    roles: { model: 'model.onnx' },
  },
  {
    name: 'eres2net-base',
    kind: 'embedding',
    description: 'speaker embeddings; with pyannote-segmentation-3-0 it separates speakers',
    licence: 'Apache-2.0',
    ...notSpeech,
    download: {
      // The misspelling is the publisher's.
      address: `${releases}/speaker-recongition-models/3dspeaker_speech_eres2net_base_sv_zh-cn_3dspeaker_16k.onnx`,
      bytes: 39_593_761,
      sha256: '1a331345f04805badbb495c775a6ddffcdd1a732567d5ec8b3d5749e3c7a5e4b',
    },
    roles: { model: 'eres2net_base.onnx' },
  },
  {
    name: 'qwen3-4b',
    kind: 'language',
    description: 'summaries; the largest of three language models, for 8 GB of memory',
    licence: 'Apache-2.0',
    ...notSpeech,
    download: {
      address: `${huggingFace}/Qwen/Qwen3-4B-GGUF/resolve/bc640142c66e1fdd12af0bd68f40445458f3869b/Qwen3-4B-Q4_K_M.gguf`,
      bytes: 2_497_280_256,
      sha256: '7485fe6f11af29433bc51cab58009521f205840f5b4ae3a32fa7f92e8534fdf5',
    },
    roles: { model: 'Qwen3-4B-Q4_K_M.gguf' },
  },
  {
    name: 'qwen3-1.7b',
    kind: 'language',
    description: 'summaries; a smaller language model, for 4 GB of memory',
    licence: 'Apache-2.0',
    ...notSpeech,
    download: {
      // Qwen publishes this size only at 8 bits.
      address: `${huggingFace}/unsloth/Qwen3-1.7B-GGUF/resolve/d7f544eead698dbd1f15126ef60b45a1e1933222/Qwen3-1.7B-Q4_K_M.gguf`,
      bytes: 1_107_409_472,
      sha256: 'b139949c5bd74937ad8ed8c8cf3d9ffb1e99c866c823204dc42c0d91fa181897',
    },
    roles: { model: 'Qwen3-1.7B-Q4_K_M.gguf' },
  },
  {
    name: 'qwen3-0.6b',
    kind: 'language',
    description: 'summaries; the smallest language model, for short recordings',
    licence: 'Apache-2.0',
    ...notSpeech,
    download: {
      address: `${huggingFace}/Qwen/Qwen3-0.6B-GGUF/resolve/23749fefcc72300e3a2ad315e1317431b06b590a/Qwen3-0.6B-Q8_0.gguf`,
      bytes: 639_446_688,
      sha256: '9465e63a22add5354d9bb4b99e90117043c7124007664907259bd16d043bb031',
    },
    roles: { model: 'Qwen3-0.6B-Q8_0.gguf' },
  },
];
