import { type CopyState, type RecordWork, sha256From } from '@linnet/sync';
import { expect, it } from 'vitest';
import { type PhoneCopyStatus, phoneCopyStatus } from './phone-copy.ts';

const absent: CopyState = { status: 'absent' };
const partial: CopyState = { status: 'partial', bytes: 10 };
const verified: CopyState = { status: 'verified', bytes: 20, sha256: sha256From('ab'.repeat(32)) };
const stopped = { step: 'fetch', code: 'not_sent' } as const;

const work = (
  phone: CopyState,
  { cloud = absent, problem = null }: { cloud?: CopyState; problem?: RecordWork['problem'] } = {},
) => ({ copies: { recorder: verified, phone, cloud }, problem });

const cases: readonly (readonly [string, ReturnType<typeof work> | undefined, PhoneCopyStatus])[] =
  [
    ['waiting if the session is not yet in the database', undefined, 'waiting'],
    ['waiting before its transfer', work(absent), 'waiting'],
    ['waiting after a partial transfer', work(partial), 'waiting'],
    ['complete once the phone has verified the copy', work(verified), 'complete'],
    ['stopped if its transfer failed', work(partial, { problem: stopped }), 'stopped'],
    [
      'stored in the cloud if only the cloud has a copy',
      work(absent, { cloud: verified }),
      'cloud',
    ],
    [
      'stored in the cloud if its download failed',
      work(partial, { cloud: verified, problem: stopped }),
      'cloud',
    ],
    ['waiting during a download from the cloud', work(partial, { cloud: verified }), 'waiting'],
    [
      'complete even if its upload failed',
      work(verified, { problem: { step: 'upload', code: 'refused' } }),
      'complete',
    ],
  ];
it.each(cases)('the phone’s copy is reported as %s', (_, recordWork, expected) => {
  expect(phoneCopyStatus(recordWork, false)).toBe(expected);
});

it('the phone’s copy is reported as deleted if the user has permanently deleted the recording', () => {
  expect(phoneCopyStatus(work(partial, { problem: stopped }), true)).toBe('deleted');
});
