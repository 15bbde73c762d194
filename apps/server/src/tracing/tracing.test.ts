import { writeWave } from '@linnet/audio/wave';
import { codes } from '@linnet/contract/codes';
import { taskSteps } from '@linnet/contract/structures';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { freePort } from '../../test/free-port.ts';
import { start } from '../../test/process.ts';
import type { Receiver } from '../../test/receiver.ts';
import { startReceiver } from '../../test/receiver.ts';
import type { CallResponse, TestServer } from '../../test/server.ts';
import { startTestServer } from '../../test/server.ts';
import { startWorker, stopWorker, waitForTask } from '../../test/worker.ts';
import { SPEECH_SAMPLE_RATE } from '../providers/speech/port.ts';
import { readScene } from '../providers/speech/scene-audio.ts';

let server: TestServer;
let receiver: Receiver;
beforeAll(async () => {
  [server, receiver] = await Promise.all([startTestServer(), startReceiver()]);
  receiver.respond = () => 200;
});
afterAll(async () => {
  await server.close();
  await receiver.close();
});

const endpointUrl = (port: number) => `http://127.0.0.1:${port}`;

/** Starts a real API process that uses the test server's database and sends its traces to `endpoint`. */
async function startApi(endpoint: string) {
  const port = await freePort();
  const { DATA_DIR } = server.config;
  const process = start('api.ts', [], {
    DATABASE_URL: server.databaseUrl,
    DATA_DIR,
    PORT: String(port),
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
  });
  const call = async (name: string, body: FormData | string, headers: Record<string, string>) => {
    const url = `http://127.0.0.1:${port}/api/${name}`;
    const response = await fetch(url, { method: 'POST', body, headers });
    const { code, data } = (await response.json()) as CallResponse<{ id: string }>;
    expect(code).toBe(codes.ok);
    return data;
  };
  await vi.waitUntil(() => fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null), 60_000);
  return { ...process, call };
}

/** A span in OTLP's JSON encoding. Enumerations are numbers. */
interface Span {
  readonly service: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly status: { readonly code?: number; readonly message?: string };
  readonly events?: readonly unknown[];
  readonly attributes: Readonly<Record<string, string | number>>;
}
const kinds = { internal: 1, server: 2, producer: 4, consumer: 5 } as const;

/** Converts OTLP's list of keys and values. */
function toAttributes(list: { key: string; value: Record<string, string | number> }[]) {
  return Object.fromEntries(list.map(({ key, value }) => [key, Object.values(value)[0]]));
}

/** Returns all received spans. */
function receivedSpans(): Span[] {
  return receiver.received.flatMap(({ body }) =>
    JSON.parse(body).resourceSpans.flatMap(
      ({ resource, scopeSpans }: { resource: never; scopeSpans: { spans: never[] }[] }) => {
        const service = toAttributes((resource as { attributes: [] }).attributes)['service.name'];
        return scopeSpans.flatMap(({ spans }) =>
          spans.map((span: { attributes: [] }) => ({
            ...span,
            service,
            attributes: toAttributes(span.attributes),
          })),
        );
      },
    ),
  );
}

describe('tracing', () => {
  it("connects a phone's request to a worker's steps, without personal data", async () => {
    const account = await server.register('a-private-name@example.com');
    const { samples } = await readScene('hotel-call');
    const speech = writeWave(samples.subarray(0, 3 * SPEECH_SAMPLE_RATE), SPEECH_SAMPLE_RATE);
    const endpoint = endpointUrl(receiver.port);
    const api = await startApi(endpoint);
    const worker = await startWorker(server, { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const phoneSpan = 'b7ad6b7169203331';
    const headers = {
      authorization: `Bearer ${account.access}`,
      // The trace isn't sampled, but the client doesn't decide whether the server records its requests.
      traceparent: `00-${traceId}-${phoneSpan}-00`,
      tracestate: 'a=a-private-state',
    };

    const form = new FormData();
    form.append('name', 'a-private-title');
    form.append('radio', new File([speech], 'a-private-file.wav', { type: 'audio/wav' }));
    const recording = await api.call('upload/radioFile', form, headers);
    const task = await api.call(
      'task/create',
      JSON.stringify({ id: recording.id, language: 'en' }),
      { ...headers, 'content-type': 'application/json' },
    );
    const { paragraphs } = await waitForTask(server, account, task.id);
    // Processes send their remaining spans when they stop.
    await stopWorker(worker);
    api.child.kill('SIGTERM');
    expect(await api.exited).toBe(0);

    const spans = receivedSpans().filter((span) => span.traceId === traceId);
    const findSpan = (name: string) => {
      const found = spans.filter((span) => span.name === name);
      expect(found, name).toHaveLength(1);
      return found[0] as Span;
    };
    const upload = findSpan('POST /api/upload/radioFile');
    const create = findSpan('POST /api/task/create');
    for (const request of [upload, create]) {
      expect(request).toMatchObject({
        ...{ service: 'linnet-api', kind: kinds.server, parentSpanId: phoneSpan },
        attributes: { 'http.response.status_code': 200, 'linnet.code': codes.ok },
      });
    }
    const send = findSpan('send transcribe');
    expect(send).toMatchObject({ kind: kinds.producer, parentSpanId: create.spanId });
    const run = findSpan('process transcribe');
    expect(run).toMatchObject({
      ...{ service: 'linnet-worker', kind: kinds.consumer, parentSpanId: send.spanId },
    });
    for (const step of taskSteps) {
      expect(findSpan(`step ${step}`)).toMatchObject({
        ...{ service: 'linnet-worker', parentSpanId: run.spanId },
        attributes: { 'linnet.step': step },
      });
    }

    const { rows: jobs } = await sql<{ trace_context: unknown }>`
      select trace_context from pgboss.job where trace_context is not null`.execute(server.db);
    expect(JSON.stringify(jobs)).toContain(traceId);
    expect(JSON.stringify(jobs)).not.toContain('a-private');
    const sent = receiver.received.map(({ body }) => body).join('\n');
    expect(paragraphs.length).toBeGreaterThan(0);
    const texts = paragraphs.map(({ content }) => content);
    for (const secret of ['a-private', account.id, account.access, recording.id, ...texts]) {
      expect(sent).not.toContain(secret);
    }
    for (const { name } of receivedSpans()) expect(name).not.toMatch(/healthz|readyz|^settle/);
  });

  it('logs a failed export once, without affecting requests', async () => {
    const api = await startApi(endpointUrl(await freePort()));
    const failures = () => api.output.out.split('trace export failed').length - 1;
    const account = await server.register();
    const headers = { authorization: `Bearer ${account.access}` };
    const info = () =>
      api.call('user/info', '{}', { ...headers, 'content-type': 'application/json' });
    await info();
    await vi.waitUntil(() => failures() > 0, 60_000);
    await info();
    api.child.kill('SIGTERM');
    expect(await api.exited).toBe(0);
    expect(failures()).toBe(1);
  });

  it('neither creates traces nor stores them with jobs if no receiver is configured', async () => {
    await server.db
      .transaction()
      .execute((trx) => server.queue.enqueue(trx, 'mail-feedback', { feedbackId: 'untraced' }));
    const { rows } = await sql<{ trace_context: unknown }>`
      select trace_context from pgboss.job where data->>'feedbackId' = 'untraced'`.execute(
      server.db,
    );
    expect(rows).toEqual([{ trace_context: null }]);
  });
});
