import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { runModelProcess } from './model-process.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'linnet-process-'));
});
afterAll(() => rm(folder, { recursive: true }));

const events = z.object({ event: z.string(), reason: z.string() });

/** Runs a script that can call `emit`, and returns the events after loading. */
async function run(script: string) {
  const file = path.join(folder, 'script.mjs');
  await writeFile(
    file,
    `import { readFileSync, writeSync } from 'node:fs';
    const emit = (event, reason) => writeSync(3, JSON.stringify({ event, reason: reason ?? '' }) + '\\n');
    ${script}`,
  );
  const received: z.output<typeof events>[] = [];
  await runModelProcess({
    ...{ engine: 'test', script: file, task: {}, events },
    limits: { memoryMiB: 65_536, seconds: 30 },
    onEvent: (event) => {
      received.push(event);
    },
  });
  return received;
}

const exit = 'process.exit(1);';
const kill = "process.kill(process.pid, 'SIGKILL'); setInterval(() => {}, 1000);";
const log = (line: string) => `console.error(${JSON.stringify(line)});`;

const cases: (readonly [what: string, script: string, code: string])[] = [
  ['crashes before the engine is loaded', exit, 'engine-crashed'],
  ['lacks an engine', `emit('absent', 'no binary'); ${exit}`, 'engine-missing'],
  [
    'lacks memory for the engine',
    `emit('absent', 'bad_alloc: Cannot allocate memory'); ${exit}`,
    'engine-crashed',
  ],
  ['crashes while the model is loaded', `emit('begun'); ${exit}`, 'model-corrupt'],
  ['is killed while the model is loaded', `emit('begun'); ${kill}`, 'engine-crashed'],
  ['crashes afterwards', `emit('begun'); emit('loaded'); ${exit}`, 'engine-crashed'],
];
for (const line of [
  'llama_model_load: failed to allocate buffer of size 4294967296',
  'InsufficientMemoryError: The model is too large',
  'pthread_create: Resource temporarily unavailable',
  '# Fatal process out of memory: Zone',
]) {
  // The line comes after more output than is kept.
  const script = `emit('begun'); ${log('error '.repeat(100))} ${log(line)} ${exit}`;
  cases.push([`reports "${line}" while the model is loaded`, script, 'engine-crashed']);
}
it.each(cases)('a process that %s', async (_, script, code) => {
  await expect(run(script)).rejects.toMatchObject({ name: 'SpeechFailure', code });
});

it.runIf(process.platform === 'linux')(
  'a model process is the first to be killed when memory runs out',
  async () => {
    const received = await run(`emit('score', readFileSync('/proc/self/oom_score_adj', 'utf8'));`);
    expect(received).toEqual([{ event: 'score', reason: '1000\n' }]);
  },
);
