import { expect, it } from 'vitest';
import type { Embedder } from './port.ts';

const passages = [
  'The heron waits.',
  'We pay the landlord on the first.',
  'ぶどうの収穫は九月です。',
];

/** Registers the tests that every embedder must pass. */
export function embedderContract(createEmbedder: () => Embedder): void {
  it('returns one unit vector per text, in order, of the same length', async () => {
    const embedder = createEmbedder();
    const { model, vectors } = await embedder.embed({ kind: 'passage', texts: passages });
    expect(model).toContain(`${embedder.id}/`);
    expect(vectors).toHaveLength(passages.length);
    for (const vector of vectors) {
      expect(vector).toHaveLength(vectors[0]?.length ?? 0);
      expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
    }
    const reversed = await embedder.embed({ kind: 'passage', texts: passages.toReversed() });
    for (const [index, vector] of reversed.vectors.toReversed().entries()) {
      expect(dot(vector, vectors[index] ?? vector)).toBeCloseTo(1, 4);
    }
    expect(vectors[1]).not.toEqual(vectors[0]);
  });

  it('has the same model for passages and questions, and for any number of texts', async () => {
    const embedder = createEmbedder();
    const { model } = await embedder.embed({ kind: 'passage', texts: passages });
    const [text = ''] = passages;
    const question = await embedder.embed({ kind: 'question', texts: [text] });
    expect(question.model).toBe(model);
    const many = Array.from({ length: 70 }, (_, index) => `${text} ${index}`);
    const answer = await embedder.embed({ kind: 'passage', texts: many });
    expect(answer).toMatchObject({ model });
    expect(answer.vectors).toHaveLength(70);
  });

  it('accepts texts longer than the model reads', async () => {
    const texts = ['a longer text, '.repeat(2000), '長い文章です。'.repeat(1000)];
    const { vectors } = await createEmbedder().embed({ kind: 'passage', texts });
    expect(vectors).toHaveLength(2);
  });

  it('fails with `aborted` when aborted by the caller, before and during a request', async () => {
    const embedder = createEmbedder();
    const aborted = { code: 'aborted' };
    const request = { kind: 'passage', texts: passages } as const;
    await expect(embedder.embed({ ...request, signal: AbortSignal.abort() })).rejects.toMatchObject(
      aborted,
    );
    const controller = new AbortController();
    const answer = embedder.embed({ ...request, signal: controller.signal });
    controller.abort();
    await expect(answer).rejects.toMatchObject(aborted);
    expect((await embedder.embed(request)).vectors).toHaveLength(passages.length);
  });
}

const dot = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  Array.from(a).reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
