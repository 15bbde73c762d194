import { expect, it } from 'vitest';
import { createRetranscription } from './retranscription.ts';

const failure = { kind: 'network', cause: null } as const;

function create(responses: Readonly<Record<string, unknown>>) {
  let polls = 0;
  const client = {
    call: (async (name: string) =>
      name in responses ? { ok: true, data: responses[name] } : { ok: false, failure }) as never,
  };
  const service = createRetranscription(client as never, () => {
    polls += 1;
  });
  return { ...service, polls: () => polls };
}

it('counts the drafts', async () => {
  const { countDrafts } = create({ 'task/drafts': { count: 3 } });
  expect(await countDrafts()).toEqual({ ok: true, data: 3 });
  expect(await create({}).countDrafts()).toEqual({ ok: false, failure });
});

it('returns the price of a transcription', async () => {
  const { price } = create({ 'task/price': { minutes: 0 } });
  expect(await price('recording', 'en')).toEqual({ ok: true, data: 0 });
  expect(await create({}).price('recording', 'en')).toEqual({ ok: false, failure });
});

it('fetches progress only for queued transcriptions', async () => {
  const queued = create({ 'task/replace-drafts': { queued: 3, left: 0 } });
  expect(await queued.replaceDrafts()).toEqual({ ok: true, data: { queued: 3, left: 0 } });
  expect(queued.polls()).toBe(1);
  const failed = create({});
  expect(await failed.replaceDrafts()).toEqual({ ok: false, failure });
  expect(failed.polls()).toBe(0);
});
