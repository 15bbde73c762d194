import { describe, expect, it } from 'vitest';
import { createRecorderNetworks } from './networks.ts';

const network = { ssid: 'LNR1-9-1234', password: 'AB121234' };

function setUp(join: () => Promise<void>) {
  const calls: string[] = [];
  const errors: unknown[] = [];
  const networks = createRecorderNetworks((error) => errors.push(error), {
    join: ({ ssid, password }) => {
      calls.push(`join ${ssid} ${password}`);
      return join();
    },
    leave: async () => void calls.push('leave'),
  });
  return { networks, calls, errors };
}
const rejectWith = (code: string) => () => Promise.reject(Object.assign(new Error('no'), { code }));

describe('createRecorderNetworks', () => {
  it('leaves the network when the signal aborts', async () => {
    const { networks, calls } = setUp(async () => {});
    const control = new AbortController();
    expect(await networks.join(network, control.signal)).toBe(true);
    expect(calls).toEqual(['join LNR1-9-1234 AB121234']);
    control.abort();
    expect(calls).toEqual(['join LNR1-9-1234 AB121234', 'leave']);
  });

  it('leaves the network if joining is canceled during the prompt', async () => {
    const prompt = Promise.withResolvers<void>();
    const { networks, calls } = setUp(() => prompt.promise);
    const control = new AbortController();
    const joining = networks.join(network, control.signal);
    control.abort();
    prompt.resolve();
    await joining;
    expect(calls.at(-1)).toBe('leave');
  });

  it.each(['unsupported', 'declined', 'failed'])(
    'returns false after the error code %s',
    async (code) => {
      const { networks } = setUp(rejectWith(code));
      expect(await networks.join(network, new AbortController().signal)).toBe(false);
    },
  );

  it('rethrows unexpected errors', async () => {
    const { networks } = setUp(rejectWith('UNIMPLEMENTED'));
    await expect(networks.join(network, new AbortController().signal)).rejects.toThrow('no');
  });
});
