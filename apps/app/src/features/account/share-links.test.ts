import { codes } from '@linnet/contract/codes';
import { limits } from '@linnet/contract/limits';
import { expect, it } from 'vitest';
import { createShareLinks } from './share-links.ts';

const sharing = { canShareLinks: false, shareLink: async () => 'unable' as const };

/** Creates the service with a client that records its calls and returns one result. */
function createService(result: object) {
  const requests: unknown[] = [];
  const call = async (...request: unknown[]) => {
    requests.push(request);
    return result;
  };
  return { requests, links: createShareLinks({ call: call as never }, sharing) };
}

it('requests all links of an account or a recording on one page', async () => {
  const { requests, links } = createService({ ok: true, data: { list: [], total: 0 } });
  expect(await links.list()).toEqual({ ok: true, data: [] });
  await links.list('7');
  const limit = limits.shares.count;
  expect(requests).toEqual([
    ['share/index', { limit }],
    ['share/index', { limit, id: '7' }],
  ]);
});

it('returns the failure of a server that lacks the call', async () => {
  const failure = { kind: 'server', code: codes.unknownCall, msg: '' };
  const { links } = createService({ ok: false, failure });
  expect(await links.list()).toEqual({ ok: false, failure });
  expect(await links.create({ id: '7', parts: ['todos'] })).toEqual({ ok: false, failure });
  expect(await links.revoke('7')).toEqual({ ok: false, failure });
});
