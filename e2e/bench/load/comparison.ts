/** Compares reads of the API with those of the bare server, while both run under the same load. */
import { setTimeout as delay } from 'node:timers/promises';
import { type Client, createClient } from '@linnet/contract/client';
import { limits } from '@linnet/contract/limits';
import { type Measurement, roundToThousandths } from '../measurement.ts';
import type { SeededAccount } from './accounts.ts';
import { quantile } from './actions.ts';
import type { LoadServer } from './server.ts';
import { Tokens } from './tokens.ts';

/** Delay between pairs of requests, in milliseconds. */
const PAIR_MS = 100;

type ReadCase = {
  readonly name: string;
  readonly api: (client: Client) => Promise<{ readonly ok: boolean }>;
  /** Path on the bare server, which runs the same queries (`apps/server/bench/bare-server.ts`). */
  readonly bare: string;
};

const limit = limits.page.defaultLimit;

/** Sends each read to both servers in turn until `stop` aborts. */
export async function compareReads(
  { addresses, url }: LoadServer,
  account: SeededAccount,
  stop: AbortSignal,
): Promise<Measurement[]> {
  const tokens = new Tokens(url, account.refreshToken, {}, (client) => client);
  const client = createClient({ baseUrl: addresses.api, tokens });
  const first = await client.call('sync/changes', {});
  if (!first.ok) throw new Error(`sync/changes failed: ${JSON.stringify(first.failure)}`);
  const { cursor } = first.data;
  const reads: readonly ReadCase[] = [
    {
      name: 'sync/changes with no changes',
      api: (api) => api.call('sync/changes', { cursor }),
      bare: '/changes',
    },
    {
      name: `task/index, ${limit} rows`,
      api: (api) => api.call('task/index', { page: 1, limit }),
      bare: '/list',
    },
    {
      name: 'live/watch without waiting',
      api: (api) => api.call('live/watch', {}),
      bare: '/watch',
    },
  ];
  const durations = reads.map(() => ({ api: [] as number[], bare: [] as number[] }));
  const body = JSON.stringify({ account: account.id, session: account.session, limit });
  const request = (path: string) =>
    fetch(`${addresses.bare}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    }).then(async (response) => {
      await response.text();
      return response;
    });
  for (let round = 0; !stop.aborted; round += 1) {
    const index = round % reads.length;
    const read = reads[index] as ReadCase;
    const target = durations[index] as (typeof durations)[number];
    target.bare.push(await time(() => request(read.bare)));
    target.api.push(await time(() => read.api(client)));
    await delay(PAIR_MS, undefined, { signal: stop }).catch(() => undefined);
  }
  return reads.map(({ name }, index) => {
    const { api, bare } = durations[index] as (typeof durations)[number];
    return {
      name: `load: ${name}, p50 ÷ bare Fastify + pg`,
      value: roundToThousandths(quantile(api, 0.5) / quantile(bare, 0.5)),
      unit: 'ratio',
      detail: {
        count: api.length,
        p50: quantile(api, 0.5),
        bareP50: quantile(bare, 0.5),
        p99: quantile(api, 0.99),
        bareP99: quantile(bare, 0.99),
      },
    };
  });
}

/** Returns the duration of a successful request in milliseconds. */
async function time(request: () => Promise<{ readonly ok: boolean }>): Promise<number> {
  const startedAt = performance.now();
  const { ok } = await request();
  if (!ok) throw new Error('a compared request failed');
  return performance.now() - startedAt;
}
