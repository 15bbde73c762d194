import { randomUUID } from 'node:crypto';
import { toneWave } from '../test/uploads.ts';

/** An account that sends as many requests as possible until it is killed. */
interface Flood {
  readonly kind: 'sync' | 'uploads' | 'tasks' | 'login';
  readonly address: string;
  readonly token: string;
  readonly email: string;
  readonly recordings: readonly string[];
}

/** Number of concurrent requests. */
const concurrency = 20;

const { kind, address, token, email, recordings }: Flood = JSON.parse(process.argv[2] ?? '');
const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
const post = (path: string, body: unknown) =>
  fetch(`${address}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });

const makers: Record<Flood['kind'], (n: number) => Promise<Response>> = {
  sync: () =>
    post('/api/sync/apply', {
      ops: Array.from({ length: 500 }, (_, n) => ({
        ...{ op_id: randomUUID(), base_rev: 0, at: new Date().toISOString() },
        ...{ type: 'setting.set', group_name: 'flood', config_key: `key ${n % 100}` },
        config_value: String(n),
      })),
    }),
  uploads: () => {
    const form = new FormData();
    form.append('radio', new Blob([wave]), 'sound.wav');
    const { authorization } = headers;
    return fetch(`${address}/api/upload/radioFile`, {
      method: 'POST',
      headers: { authorization },
      body: form,
    });
  },
  tasks: (n) => {
    const id = recordings[n % recordings.length];
    return n % 2 === 0
      ? post('/api/task/create', { id, language: 'en' })
      : post('/api/task/cancel', { id });
  },
  login: () => post('/alien-user/api/user/login', { email, password: 'not the right one' }),
};

const wave = toneWave(30);
let sentCount = 0;
async function sendForever(): Promise<never> {
  for (;;) {
    const response = await makers[kind](sentCount++);
    await response.arrayBuffer();
    if (sentCount === concurrency) process.send?.('running');
  }
}
await Promise.all(Array.from({ length: concurrency }, sendForever));
