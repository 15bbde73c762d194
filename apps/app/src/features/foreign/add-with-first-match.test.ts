import { expect, it } from 'vitest';
import { addWithFirstMatch } from './add-with-first-match.ts';

const found = { kind: 'web-bluetooth', deviceId: 'emulated', name: 'recorder' } as const;
const fail = (code: string) => async () =>
  ({ ok: false, failure: { kind: 'device', code } }) as const;
const succeed = async () => ({ ok: true, data: 'second' }) as const;

it('tries the next manufacturer if one does not recognize the device', async () => {
  expect(await addWithFirstMatch([fail('not_a_recorder'), succeed])(found)).toEqual(
    await succeed(),
  );
});

it('returns other failures, and the last failure if no manufacturer recognizes the device', async () => {
  expect(await addWithFirstMatch([fail('link_lost'), succeed])(found)).toEqual(
    await fail('link_lost')(),
  );
  const last = await addWithFirstMatch([fail('not_a_recorder'), fail('not_a_recorder')])(found);
  expect(last).toEqual(await fail('not_a_recorder')());
});
