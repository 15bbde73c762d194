/** Defines the manifest (`model.json`) of an installed model and its files. */
import { z } from 'zod';
import { ModelFailure } from './failure.ts';

export const MANIFEST_FILE = 'model.json';

/** The files of each kind of model, by their role in the engine. */
export const modelRoles = {
  /** Speech recognition with an encoder, a decoder and a joiner (NVIDIA NeMo). */
  transducer: ['encoder', 'decoder', 'joiner', 'tokens'],
  /** Speech recognition by connectionist temporal classification (NVIDIA NeMo). */
  ctc: ['model', 'tokens'],
  'sense-voice': ['model', 'tokens'],
  qwen3: ['frontend', 'encoder', 'decoder', 'tokenizer'],
  whisper: ['encoder', 'decoder', 'tokens'],
  /** Voice activity detection. */
  voice: ['model'],
  /** Speaker segmentation. */
  segmentation: ['model'],
  /** Speaker embeddings. */
  embedding: ['model'],
  /** A language model in the format GGUF. */
  language: ['model'],
  /** A model for embeddings of texts in the format GGUF. */
  'text-embedding': ['model'],
} as const;
export type ModelKind = keyof typeof modelRoles;

/** True for roles that aren't models. */
const isText = (role: string) => role === 'tokens' || role === 'tokenizer';
/** The extension that the engine requires of a model's file. */
const getExtension = (kind: ModelKind) => (runsOnLlama(kind) ? '.gguf' : '.onnx');

/** Whether a kind of model runs on node-llama-cpp, which is installed on demand. */
export const runsOnLlama = (kind: ModelKind) => kind === 'language' || kind === 'text-embedding';

/** Kinds of models that recognize speech. */
export const recognitionKinds = ['transducer', 'ctc', 'sense-voice', 'qwen3', 'whisper'] as const;
export type RecognitionKind = (typeof recognitionKinds)[number];

/** A model name, which must work as a folder name and as a command-line argument. */
export const modelNameSchema = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,99}$/i, 'letters, digits, dots, hyphens and underscores');
/** A path within the model's folder. */
const relativePath = z
  .string()
  .regex(/^(?!.*(?:^|\/)\.{1,2}(?:\/|$))[^/\\\0][^\\\0]*[^/\\\0]$/, 'a path inside the folder');
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** Origin of a model's checksum: the catalog, the publisher's list, the first installation, or a local folder. */
const trusts = ['catalogue', 'listed', 'first-use', 'folder'] as const;
export type Trust = (typeof trusts)[number];

export const manifestSchema = z
  .object({
    format: z.literal(1),
    name: modelNameSchema,
    kind: z.enum(Object.keys(modelRoles) as [ModelKind, ...ModelKind[]]),
    /** Languages (BCP 47) that the model recognizes; empty for models that don't recognize speech. */
    languages: z
      .array(z.object({ tag: z.string().min(2), quality: z.enum(['draft', 'good']) }))
      .default([]),
    /** Whether the model detects and reports the language. */
    detects_language: z.boolean().default(false),
    /** Whether the model writes capitals and punctuation. */
    punctuated: z.boolean().default(false),
    licence: z.string().default('unknown'),
    /** Maps each role to a file or folder. */
    roles: z.record(z.string(), relativePath),
    files: z
      .array(z.object({ path: relativePath, bytes: z.int().min(0), sha256 }))
      .min(1)
      .max(1000),
    source: z
      .object({ address: z.string(), sha256: sha256.nullable(), trust: z.enum(trusts) })
      .optional(),
    installed_at: z.iso.datetime().optional(),
  })
  .refine(({ kind, roles }) => modelRoles[kind].every((role) => role in roles), 'a role is missing')
  .refine(
    ({ kind, roles }) =>
      Object.entries(roles).every(
        ([role, file]) => isText(role) || file.endsWith(getExtension(kind)),
      ),
    'a model must have the extension .onnx, or .gguf for a language or text embedding model, which the engine requires',
  )
  .refine(
    ({ roles, files }) =>
      Object.values(roles).every((role) =>
        files.some(({ path }) => path === role || path.startsWith(`${role}/`)),
      ),
    'a role names no file',
  );
export type ModelManifest = z.output<typeof manifestSchema>;

/**
 * Parses and validates a manifest.
 * @throws ModelFailure
 */
export function readManifest(text: string, location: string): ModelManifest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new ModelFailure(`${location} is not JSON`, { cause });
  }
  const result = manifestSchema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const path = issue?.path.join('.') ?? '';
  throw new ModelFailure(`${location} is not a valid manifest: ${path} ${issue?.message}`.trim());
}

/** Adds up the sizes of a model's files. */
export function modelBytes({ files }: Pick<ModelManifest, 'files'>): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}
