import { type CopyState, type RecordWork, sha256From } from '@linnet/sync';
import { expect, it } from 'vitest';
import { type RestingCopy, restingCopy } from './phone-copy.ts';

const absent: CopyState = { status: 'absent' };
const partial: CopyState = { status: 'partial', bytes: 10 };
const verified: CopyState = { status: 'verified', bytes: 20, sha256: sha256From('ab'.repeat(32)) };
const stopped = { step: 'fetch', code: 'not_sent' } as const;

const work = (
  phone: CopyState,
  { cloud = absent, trouble = null }: { cloud?: CopyState; trouble?: RecordWork['trouble'] } = {},
) => ({ copies: { recorder: verified, phone, cloud }, trouble });

const cases: readonly (readonly [string, ReturnType<typeof work> | undefined, RestingCopy])[] = [
  ['that the database does not know yet waits', undefined, 'waiting'],
  ['of which nothing came waits', work(absent), 'waiting'],
  ['of which a part came waits', work(partial), 'waiting'],
  ['that is checked here is whole', work(verified), 'whole'],
  [
    'whose transfer stopped is not retried automatically',
    work(partial, { trouble: stopped }),
    'stopped',
  ],
  ['that left this phone is in the cloud', work(absent, { cloud: verified }), 'cloud'],
  [
    'whose download failed is still in the cloud',
    work(partial, { cloud: verified, trouble: stopped }),
    'cloud',
  ],
  ['that comes back from the cloud waits', work(partial, { cloud: verified }), 'waiting'],
  [
    'is complete here even if its upload was refused',
    work(verified, { trouble: { step: 'upload', code: 'refused' } }),
    'whole',
  ],
];
it.each(cases)('derives the state of a session %s', (_, known, expected) => {
  expect(restingCopy(known, false)).toBe(expected);
});

it('shows a permanently deleted session as deleted', () => {
  expect(restingCopy(work(partial, { trouble: stopped }), true)).toBe('deleted');
});
