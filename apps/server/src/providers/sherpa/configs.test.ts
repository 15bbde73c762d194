import { expect, it } from 'vitest';
import type { InstalledModel } from '../../models/index.ts';
import { recognizerConfig } from './configs.ts';

const qwen = {
  folder: '/models/qwen',
  manifest: {
    ...{ name: 'qwen', kind: 'qwen3' },
    roles: { frontend: 'a.onnx', encoder: 'b.onnx', decoder: 'c.onnx', tokenizer: 'tokens' },
  },
} as unknown as InstalledModel;

it.each([
  ['no entries without a vocabulary', [], ''],
  ['the entries, separated by commas', ['Anna Kovács', '田中'], 'Anna Kovács,田中'],
  ['the first entries, as many as fit', ['Okafor', 'x'.repeat(160), 'Marchetti'], 'Okafor'],
])('gives Qwen %s as hotwords', (_, vocabulary, hotwords) => {
  expect(recognizerConfig(qwen, 'English', vocabulary)).toMatchObject({
    modelConfig: { qwen3Asr: { hotwords, tokenizer: '/models/qwen/tokens' } },
  });
});
