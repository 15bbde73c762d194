import { describe, expect, it } from 'vitest';
import type { LlamaModel } from '../../llama/model.ts';
import type { LlamaMessage } from '../../llama/protocol.ts';
import { SpeechFailure } from '../../speech/port.ts';
import { createGenerativeAnalyzer } from '../generative/analyzer.ts';
import { toJsonSchema } from '../generative/answer.ts';
import { answerSchemas, selectStructures } from '../generative/wire.ts';
import type { AnalyzeRequest } from '../port.ts';
import { createLocalModel } from './local-model.ts';
import { grammarSchema } from './schema.ts';

const CONTEXT = 8192;
const text = 'The keeper of the lighthouse says that each heron waits for the same fish to return.';
/** An hour of talk. */
const request: AnalyzeRequest = {
  paragraphs: Array.from({ length: 600 }, (_, index) => ({
    ...{ id: `paragraph-${index}`, start: index * 6, end: index * 6 + 5 },
    text: `${index} ${text}`,
  })),
  ...{ language: 'en', structures: ['meeting'], recordedAt: new Date('2026-03-02T09:00:00Z') },
};
/** Returns a point that cites the first paragraph of a request. */
const createPoint = (messages: readonly LlamaMessage[]) => {
  const [, source = ''] = /"(p\d+)"/.exec(messages[1]?.content ?? '') ?? [];
  return { text: 'Herons wait', source };
};

type Completion = Awaited<ReturnType<LlamaModel['complete']>>;

/** Creates a scripted model, for answers that can't be provoked with a real model. */
function analyzerWith(complete: LlamaModel['complete'], seconds = 60) {
  const llama: LlamaModel = {
    describe: async () => ({ event: 'described', pid: 1, contextTokens: CONTEXT, dimensions: 1 }),
    countTokens: async (texts) => texts.map(({ length }) => Math.ceil(length / 4)),
    complete,
    embed: async () => [],
    close: async () => undefined,
  };
  return createGenerativeAnalyzer({
    id: 'local',
    open: async () =>
      createLocalModel({ name: 'local/scripted', llama, seconds, release: async () => undefined }),
    concurrency: 1,
  });
}

describe('a model that repeats itself', () => {
  const repeat = async (
    answer: (messages: readonly LlamaMessage[]) => string,
    end: Completion['end'],
  ) => {
    let requests = 0;
    const analyzer = analyzerWith(async (messages) => {
      requests += 1;
      if (messages.length > 2) return { event: 'completed', text: '', end: 'too-long' };
      return { event: 'completed', text: answer(messages), end };
    });
    const result = await analyzer.analyze(request).catch((error: unknown) => error);
    return { result, requests };
  };

  it('contributes the beginning of its first answer', async () => {
    const { result, requests } = await repeat((messages) => {
      const answer = {
        ...{ title: 'Herons', brief: 'They wait.', keywords: ['heron'] },
        sections: { overview: [createPoint(messages)] },
        todos: Array(50).fill({ ...createPoint(messages), who: null, due: null }),
      };
      return JSON.stringify(answer).slice(0, -20);
    }, 'truncated');
    expect(result).toMatchObject({ title: 'Herons', summary: 'Herons wait' });
    // One request per part, and one to merge the results.
    expect(requests).toBeLessThan(10);
  });

  it('is not asked again if its answer leaves no space for that', async () => {
    const { result, requests } = await repeat(
      () => JSON.stringify({ title: 'Herons', brief: 'They wait.', sections: {} }),
      'complete',
    );
    expect(result).toMatchObject({ title: 'Herons' });
    expect(requests).toBeLessThan(20);
  });
});

it('fails an analysis at its deadline, and doesn’t report this as an abort by the caller', async () => {
  const completeForever: LlamaModel['complete'] = (_messages, _schema, signal) =>
    new Promise((_resolve, reject) => {
      const fail = () => reject(new SpeechFailure('aborted', 'by the caller'));
      signal?.addEventListener('abort', fail, { once: true });
    });
  const failed = { code: 'engine-failed', detail: expect.stringContaining('not finished after') };
  await expect(analyzerWith(completeForever, 0.05).analyze(request)).rejects.toMatchObject(failed);
  const signal = AbortSignal.timeout(50);
  await expect(analyzerWith(completeForever).analyze({ ...request, signal })).rejects.toMatchObject(
    {
      code: 'aborted',
    },
  );
});

describe('the grammar', () => {
  const { notes } = answerSchemas(selectStructures(request));
  const sources = new Set(['p1', 'p2']);
  const todosWith = (answerTokens: number) => {
    const { properties } = grammarSchema(toJsonSchema(notes), sources, answerTokens) as {
      properties: Record<string, { maxItems?: number }>;
    };
    return properties.todos;
  };

  it('allows more entries with more tokens, and the largest answer always fits', () => {
    expect(todosWith(100)).toMatchObject({ maxItems: 4 });
    const { maxItems = 0 } = todosWith(6000) ?? {};
    expect(maxItems).toBeGreaterThan(4);
    expect(maxItems).toBeLessThan(20);
    expect(todosWith(100_000)).toMatchObject({
      maxItems: 20,
      items: {
        properties: {
          text: { type: 'string', maxLength: 200 },
          who: { oneOf: [{ type: 'string', maxLength: 60 }, { type: 'null' }] },
          source: { enum: ['p1', 'p2'] },
        },
      },
    });
  });
});
