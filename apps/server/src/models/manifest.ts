/** `model.json`: what an installed model is, and every file of it. */
import { z } from 'zod';
import { ModelFailure } from './failure.ts';

export const MANIFEST_FILE = 'model.json';

/** Which files each kind of model consists of, by what the engine does with them. */
export const modelRoles = {
  /** Speech to words by an encoder, a decoder and a joiner, as NVIDIA trains them. */
  transducer: ['encoder', 'decoder', 'joiner', 'tokens'],
  /** Speech to words by connectionist temporal classification, as NVIDIA trains them. */
  ctc: ['model', 'tokens'],
  'sense-voice': ['model', 'tokens'],
  qwen3: ['frontend', 'encoder', 'decoder', 'tokenizer'],
  whisper: ['encoder', 'decoder', 'tokens'],
  /** Where somebody speaks. */
  voice: ['model'],
  /** Where speakers change. */
  segmentation: ['model'],
  /** What a voice is like. */
  embedding: ['model'],
} as const;
export type ModelKind = keyof typeof modelRoles;

/** What is no ONNX model. */
const isText = (role: string) => role === 'tokens' || role === 'tokenizer';

/** The kinds that hear words. */
export const recognitionKinds = ['transducer', 'ctc', 'sense-voice', 'qwen3', 'whisper'] as const;
export type RecognitionKind = (typeof recognitionKinds)[number];

/** A name that can be a folder's, and a word on a command line. */
export const modelNameSchema = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,99}$/i, 'letters, digits, dots, hyphens and underscores');
/** A path below the model's folder, and nowhere else. */
const relativePath = z
  .string()
  .regex(/^(?!.*(?:^|\/)\.{1,2}(?:\/|$))[^/\\\0][^\\\0]*[^/\\\0]$/, 'a path below the folder');
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** Where its checksum is from: ours, the publisher's list, or what was seen at the first install. */
const trusts = ['catalogue', 'listed', 'first-use', 'folder'] as const;
export type Trust = (typeof trusts)[number];

export const manifestSchema = z
  .object({
    format: z.literal(1),
    name: modelNameSchema,
    kind: z.enum(Object.keys(modelRoles) as [ModelKind, ...ModelKind[]]),
    /** BCP-47; none for models that hear no words. */
    languages: z
      .array(z.object({ tag: z.string().min(2), quality: z.enum(['draft', 'good']) }))
      .default([]),
    /** Whether it finds out the language by itself, and says which it is. */
    detects_language: z.boolean().default(false),
    /** Whether it writes capitals and punctuation. */
    punctuated: z.boolean().default(false),
    licence: z.string().default('unknown'),
    /** Role → file or folder. */
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
    ({ roles }) =>
      Object.entries(roles).every(([role, file]) => isText(role) || file.endsWith('.onnx')),
    "a model's name ends in .onnx: the engine goes by it",
  )
  .refine(
    ({ roles, files }) =>
      Object.values(roles).every((role) =>
        files.some(({ path }) => path === role || path.startsWith(`${role}/`)),
      ),
    'a role names no file',
  );
export type ModelManifest = z.output<typeof manifestSchema>;

/** @throws ModelFailure */
export function readManifest(text: string, where: string): ModelManifest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new ModelFailure(`${where} is not JSON`, { cause });
  }
  const result = manifestSchema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const path = issue?.path.join('.') ?? '';
  throw new ModelFailure(`${where} describes no model: ${path} ${issue?.message}`.trim());
}

/** Size of all its files. */
export function modelBytes({ files }: Pick<ModelManifest, 'files'>): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}
