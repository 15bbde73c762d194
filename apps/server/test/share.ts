import type { SummaryDocument } from '@linnet/contract';
import type { SharePart } from '@linnet/contract/statuses';
import type { LightMyRequestResponse } from 'fastify';
import type { Account, TestServer } from './server.ts';
import { transcribe } from './transcripts.ts';
import { toneWave, uploadRecording } from './uploads.ts';

/** A recording with different words in each part. */
export const shared = {
  spoken: ['We meet at the old mill.', 'The bridge is closed on Monday.'],
  todo: 'Ask the miller for the key',
  summary: 'It waits.',
} as const;

/** Uploads a recording with a transcript of two speakers, a summary and a to-do. */
export async function recordingToShare(
  server: TestServer,
  owner: Account,
  spoken: readonly string[] = shared.spoken,
  todoText: string = shared.todo,
) {
  const recording = await uploadRecording(server, owner, toneWave(3, 8000), { ext: 'wav' });
  const todo: SummaryDocument['todos'][number] = {
    ...{ id: 'todo-1', text: todoText, paragraph_id: '', start_time: 1 },
    ...{ who: 'Anna', when: 'by Friday', due: '2026-06-12' },
  };
  const speakers = spoken.map((_text, n) => String((n % 2) + 1));
  const transcribed = await transcribe(server, owner, recording.id, spoken, speakers, [todo]);
  return { id: recording.id, clientFlag: recording.client_flag, ...transcribed };
}

/** Creates a link and returns its page's path. */
export async function share(
  server: TestServer,
  owner: Account,
  id: string,
  parts: readonly SharePart[],
  options: { readonly expires_days?: number; readonly password?: string } = {},
): Promise<{ readonly id: string; readonly path: string }> {
  const body = { id, parts: [...parts], ...options };
  const { data, msg } = await server.call('share/create', body, { token: owner.access });
  if (!data) throw new Error(`share/create failed: ${msg}`);
  return { id: data.id, path: new URL(data.url).pathname };
}

/** The browser of a visitor without an account. Keeps cookies, as browsers do. */
export function openBrowser(server: TestServer, remoteAddress = '203.0.113.7') {
  const cookies: { readonly path: string; readonly pair: string }[] = [];
  const request = async (
    method: 'GET' | 'HEAD' | 'POST',
    url: string,
    headers: Record<string, string> = {},
    payload?: string,
  ): Promise<LightMyRequestResponse> => {
    const sentCookies = cookies.filter(({ path }) => url === path || url.startsWith(`${path}/`));
    const response = await server.app.inject({
      ...{ method, url, remoteAddress },
      headers: {
        host: 'localhost:8080',
        ...(sentCookies.length > 0 && { cookie: sentCookies.map(({ pair }) => pair).join('; ') }),
        ...(payload !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
        ...headers,
      },
      ...(payload !== undefined && { payload }),
    });
    for (const cookie of [response.headers['set-cookie'] ?? []].flat()) {
      const path = /; Path=([^;]+)/.exec(cookie)?.[1] ?? '/';
      cookies.push({ path, pair: cookie.split(';', 1)[0] ?? '' });
    }
    return response;
  };
  return {
    cookies,
    get: (url: string, headers?: Record<string, string>) => request('GET', url, headers),
    head: (url: string) => request('HEAD', url),
    /** Submits the password form. */
    enter: (url: string, password: string) =>
      request('POST', url, {}, new URLSearchParams({ password }).toString()),
  };
}
