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
  ['waiting if the session is not yet in the database', undefined, 'waiting'],
  ['waiting if nothing was transferred', work(absent), 'waiting'],
  ['waiting if it was partly transferred', work(partial), 'waiting'],
  ['whole if the phone verified it', work(verified), 'whole'],
  [
    'stopped if its transfer is not retried automatically',
    work(partial, { trouble: stopped }),
    'stopped',
  ],
  ['cloud if this phone has deleted it', work(absent, { cloud: verified }), 'cloud'],
  ['cloud if its download failed', work(partial, { cloud: verified, trouble: stopped }), 'cloud'],
  ['waiting during a download from the cloud', work(partial, { cloud: verified }), 'waiting'],
  [
    'whole even if its upload was refused',
    work(verified, { trouble: { step: 'upload', code: 'refused' } }),
    'whole',
  ],
];
it.each(cases)('is %s', (_, known, expected) => {
  expect(restingCopy(known, false)).toBe(expected);
});

it('shows a permanently deleted session as deleted', () => {
  expect(restingCopy(work(partial, { trouble: stopped }), true)).toBe('deleted');
});
