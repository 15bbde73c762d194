import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type ModelKind, runsOnLlama } from '../src/models/manifest.ts';
import { tinyLanguageModel } from './tiny-gguf.ts';
import { tinyEmbedding, tinyRecognizer, tinySegmentation, tinyVoice } from './tiny-onnx.ts';

export interface TinyModel {
  readonly name: string;
  readonly kind: ModelKind;
  readonly languages?: readonly { readonly tag: string; readonly quality: 'draft' | 'good' }[];
  /** Content of each file, by role. */
  readonly files: Readonly<Record<string, Uint8Array | string>>;
}

/** Writes a model's files and its `model.json`, ready for installation. */
export async function writeModel(parent: string, model: TinyModel): Promise<string> {
  const folder = path.join(parent, model.name);
  await mkdir(folder, { recursive: true });
  const files = [];
  const extension = runsOnLlama(model.kind) ? 'gguf' : 'onnx';
  const getFileName = (role: string) => (role === 'tokens' ? 'tokens.txt' : `${role}.${extension}`);
  for (const [role, content] of Object.entries(model.files)) {
    const bytes = Buffer.from(content as Uint8Array);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    files.push({ path: getFileName(role), bytes: bytes.length, sha256 });
    await writeFile(path.join(folder, getFileName(role)), bytes);
  }
  const { name, kind, languages = [] } = model;
  const roles = Object.fromEntries(
    Object.keys(model.files).map((role) => [role, getFileName(role)]),
  );
  const manifest = { format: 1, name, kind, languages, roles, files, licence: 'MIT' };
  await writeFile(path.join(folder, 'model.json'), JSON.stringify(manifest));
  return folder;
}

/** Creates a model that recognizes tones as English words. */
export const toneModel = (name = 'tones'): TinyModel => {
  const { model, tokens } = tinyRecognizer();
  return {
    name,
    kind: 'ctc',
    languages: [{ tag: 'en', quality: 'draft' }],
    files: { model, tokens },
  };
};

/** Creates a language model that writes the same short word into every text. */
export const noteModel = (name = 'notes'): TinyModel => ({
  name,
  kind: 'language',
  files: { model: tinyLanguageModel() },
});

/** Creates a model that computes meaningless embeddings. */
export const embeddingModel = (name = 'meanings'): TinyModel => ({
  name,
  kind: 'text-embedding',
  files: { model: tinyLanguageModel() },
});

/** Creates a model that classifies loud audio as a voice. */
export const loudModel = (): TinyModel => ({
  name: 'loud',
  kind: 'voice',
  files: { model: tinyVoice() },
});

/** Creates models that distinguish speakers by spectral brightness. */
export const speakerModels = (): readonly TinyModel[] => [
  { name: 'changes', kind: 'segmentation', files: { model: tinySegmentation() } },
  { name: 'voices', kind: 'embedding', files: { model: tinyEmbedding() } },
];
