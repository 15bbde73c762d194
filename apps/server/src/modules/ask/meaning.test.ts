import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type FakeOpenAi,
  fakeOpenAiKey,
  refusals,
  startOpenAi,
} from '../../../test/openai/service.ts';
import { type Account, startTestServer, type TestServer } from '../../../test/server.ts';
import { createPhone } from '../../../test/sync.ts';
import { transcribe } from '../../../test/transcripts.ts';
import { toneWave, uploadRecording } from '../../../test/uploads.ts';
import { selectEmbedder } from '../../providers/embedding/index.ts';
import { createVectorIndex } from '../../retrieval/embeddings/vector-index.ts';

let service: FakeOpenAi;
let server: TestServer;
let owner: Account;
beforeAll(async () => {
  service = await startOpenAi();
  server = await startTestServer({
    EMBEDDINGS: 'openai',
    EMBEDDINGS_URL: service.url,
    EMBEDDINGS_API_KEY: fakeOpenAiKey,
  });
});
afterAll(async () => {
  await server.close();
  await service.close();
});
beforeEach(async () => {
  service.faults.length = 0;
  owner = await server.register();
});

const others = Array.from(
  { length: 12 },
  (_, number) => `Good morning everybody, number ${number}.`,
);
async function addRecording(
  texts: readonly string[],
  { recordedAt, speakers }: { recordedAt?: string; speakers?: readonly string[] } = {},
) {
  const details = { ext: 'wav' as const, ...(recordedAt && { recordedAt }) };
  const recording = await uploadRecording(server, owner, toneWave(3, 8000), details);
  return {
    id: recording.id,
    flag: recording.client_flag,
    ...(await transcribe(server, owner, recording.id, texts, speakers)),
  };
}
/** Computes embeddings, as a worker would. */
async function embed() {
  const embedder = selectEmbedder(server.config);
  if (embedder === null) throw new Error('no embedder');
  await createVectorIndex(server.db, embedder).update(
    Number.POSITIVE_INFINITY,
    new AbortController().signal,
  );
}
const ask = async (question: string, body: object = {}) =>
  (await server.call('ask/question', { question, ...body }, { token: owner.access })).data;
const getTexts = ({ quotes }: { quotes: readonly { text: string }[] }) =>
  quotes.map(({ text }) => text);

describe('a question', () => {
  it('is answered by a paragraph that contains none of its words', async () => {
    const answer = 'Mowerrepair costs ninety.';
    await addRecording([...others, answer]);
    expect(getTexts(await ask('lawnmowerrepairman'))).toEqual([]);
    await embed();
    expect(getTexts(await ask('lawnmowerrepairman'))).toEqual([answer]);
    const { data } = await server.call(
      'ask/passages',
      { question: 'lawnmowerrepairman' },
      { token: owner.access },
    );
    expect(getTexts(data)).toEqual([answer]);
  });

  it('is answered first by a paragraph that matches both its words and its meaning', async () => {
    const bestSentence = 'The lawnmower was repaired.';
    await addRecording([
      ...others,
      'A lawnmowing contest, lawnmowed.',
      bestSentence,
      'The lawnmower is red.',
    ]);
    await embed();
    expect(getTexts(await ask('Who repaired the lawnmower?'))[0]).toBe(bestSentence);
  });

  it('is answered first by paragraphs from the period or by the speaker that it mentions', async () => {
    const createSentence = (month: string) => `Mowerrepair in ${month}.`;
    await addRecording([...others, createSentence('x')], { recordedAt: '2026-05-04T10:00:00Z' });
    await addRecording([...others, createSentence('y')], { recordedAt: '2026-03-04T10:00:00Z' });
    const { flag } = await addRecording([...others, createSentence('z'), createSentence('z')], {
      recordedAt: '2026-07-04T10:00:00Z',
      speakers: [...others.map(() => 'A'), 'A', 'B'],
    });
    await createPhone(server, owner).applyOne({
      type: 'recording.speaker',
      recording: flag,
      speaker: 'B',
      name: 'Zoë',
    });
    await embed();
    expect(getTexts(await ask('lawnmowerrepairman in March 2026'))[0]).toBe(createSentence('y'));
    const { quotes } = await ask('Zoë lawnmowerrepairman');
    expect(quotes[0]).toMatchObject({ speaker: 'Zoë' });
  });

  it('is answered by keyword search if the service fails', async () => {
    const answer = 'The lawnmower was repaired.';
    await addRecording([...others, answer]);
    await embed();
    server.logged.length = 0;
    service.faults.push(refusals.wrongKey);
    expect(getTexts(await ask('Who repaired the lawnmower?'))[0]).toBe(answer);
    expect(server.logged.join()).toContain('access-refused');
    expect(server.logged.join()).toContain('answering by keyword search only');
  });
});
