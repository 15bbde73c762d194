import { describe, expect, it } from 'vitest';
import { createRecorderNetworks } from './networks.ts';

const network = { ssid: 'LNR1-9-1234', password: 'AB121234' };

function phone(join: () => Promise<void>) {
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
const refused = (code: string) => () => Promise.reject(Object.assign(new Error('no'), { code }));

describe("a recorder's network, joined by the phone", () => {
  it('is left when the signal aborts', async () => {
    const { networks, calls } = phone(async () => {});
    const use = new AbortController();
    expect(await networks.join(network, use.signal)).toBe(true);
    expect(calls).toEqual(['join LNR1-9-1234 AB121234']);
    use.abort();
    expect(calls).toEqual(['join LNR1-9-1234 AB121234', 'leave']);
  });

  it('is left if the join is canceled during the prompt', async () => {
    const prompt = Promise.withResolvers<void>();
    const { networks, calls } = phone(() => prompt.promise);
    const use = new AbortController();
    const joining = networks.join(network, use.signal);
    use.abort();
    prompt.resolve();
    await joining;
    expect(calls.at(-1)).toBe('leave');
  });

  it.each(['unsupported', 'declined', 'failed'])(
    'must be joined manually after the code %s',
    async (code) => {
      const { networks } = phone(refused(code));
      expect(await networks.join(network, new AbortController().signal)).toBe(false);
    },
  );

  it('rethrows unexpected errors', async () => {
    const { networks } = phone(refused('UNIMPLEMENTED'));
    await expect(networks.join(network, new AbortController().signal)).rejects.toThrow('no');
  });
});
