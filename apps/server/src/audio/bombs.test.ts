import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { declaredSeconds, maxSecondsFor } from '@linnet/audio/samples';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Bomb } from '../../test/bombs.ts';
import { bombs, createOgg } from '../../test/bombs.ts';
import { type DecodeLine, decodeLimits, decodeToWave, nodeFlags, startDecoder } from './decode.ts';
import { limitedCommand } from './limits.ts';

const neverAborted = new AbortController().signal;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'linnet-bombs-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Decodes a file in the child process. Returns the failure code, resource usage and output size. */
async function decodeBomb({ bytes }: Bomb) {
  const output = path.join(folder, crypto.randomUUID());
  const read = async (start: number, length: number) => bytes.slice(start, start + length);
  const declaredLength = (await declaredSeconds(read, bytes.length)) ?? 0;
  const child = startDecoder({ output, format: 'wav', maxSeconds: maxSecondsFor(declaredLength) });
  const lines = readLines(child);
  child.stdin?.on('error', () => undefined).end(bytes);
  const last = (await lines).at(-1);
  const written = await stat(output).then(({ size }) => size);
  await rm(output);
  if (last?.kind !== 'failed') throw new Error(`expected a failure, got ${JSON.stringify(last)}`);
  return { code: last.code, ...last.usage, written, declared: declaredLength };
}

async function readLines(child: ChildProcess): Promise<DecodeLine[]> {
  const lines: DecodeLine[] = [];
  for await (const line of createInterface({ input: child.stdout as Readable })) {
    lines.push(JSON.parse(line));
  }
  return lines;
}

describe('fifty malicious files in five container formats', () => {
  it('fail with an expected code and stay within the memory, CPU time and disk space limits', async () => {
    const all = bombs();
    expect(all).toHaveLength(50);
    const queue = [...all];
    const violations: object[] = [];
    const decodeQueued = async () => {
      for (let bomb = queue.shift(); bomb; bomb = queue.shift()) {
        const end = await decodeBomb(bomb);
        const isWithinLimits =
          ['unreadable', 'too-long', 'empty'].includes(end.code) &&
          end.peakMiB < 300 &&
          end.cpuSeconds < 10 &&
          // Twice the declared length, plus the tolerance for every file.
          end.written <= 2 * 32_000 * end.declared + 30 * 32_000 + 1024;
        if (!isWithinLimits) violations.push({ what: bomb.description, ...end });
      }
    };
    await Promise.all(Array.from({ length: availableParallelism() }, decodeQueued));
    expect(violations).toEqual([]);
  });
});

describe('limits of the decoding process', () => {
  const runLimited = async (script: string, limits = decodeLimits(1)) => {
    const flags = [...nodeFlags, '-e', script];
    const { program, args } = limitedCommand(limits, process.execPath, flags);
    const child = spawn(program, args, { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    const [code, signal] = await new Promise<[number | null, string | null]>((resolve) => {
      child.once('close', (...end) => resolve(end));
    });
    return { code, signal, output };
  };

  it.runIf(process.platform === 'linux')(
    'keep memory below 600 MB, including memory outside V8',
    async () => {
      const memoryHog = `const { readFileSync } = require('node:fs');
      const all = [];
      try { for (;;) all.push(Buffer.alloc(4 * 1024 ** 2, 1)); }
      catch { console.log(/VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status'))[1] / 1024); }`;
      const { output } = await runLimited(memoryHog);
      expect(Number(output)).toBeGreaterThan(50);
      expect(Number(output)).toBeLessThan(600);
    },
  );

  it('kill a process that exceeds its CPU time limit', async () => {
    const { signal } = await runLimited('for (;;);', { ...decodeLimits(1), cpuSeconds: 1 });
    expect(signal).toBe('SIGXCPU');
  });

  it('stop a process that exceeds its file size limit', async () => {
    const script = `require('fs').writeFileSync('large', Buffer.alloc(1e6))`;
    const { code, signal } = await runLimited(script, { ...decodeLimits(1), fileBytes: 1e5 });
    expect([code, signal]).not.toEqual([0, null]);
    expect((await stat(path.join(folder, 'large'))).size).toBeLessThan(2e5);
  });
});

it('rejects a file with more audio than the budget as too-long', async () => {
  const bytes = createOgg(Array(500).fill(Uint8Array.of((3 << 3) | 3, 2)), 60);
  const source = Readable.from([Buffer.from(bytes)]);
  const output = path.join(folder, 'short');
  await expect(
    decodeToWave(
      { kind: null, source, size: bytes.length, output, maxSeconds: 10 },
      null,
      neverAborted,
    ),
  ).rejects.toMatchObject({ code: 'too-long' });
});
