import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { announcedSeconds, mostSecondsOf } from '@linnet/audio/samples';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Bomb } from '../../test/bombs.ts';
import { bombs, oggOf } from '../../test/bombs.ts';
import { type DecodeLine, decodeLimits, decodeToWave, nodeFlags, startDecoder } from './decode.ts';
import { limitedCommand } from './limits.ts';

const never = new AbortController().signal;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'linnet-bombs-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** What the decoding process made of a file, and took for it. */
async function explode({ bytes }: Bomb) {
  const output = path.join(folder, crypto.randomUUID());
  const read = async (start: number, length: number) => bytes.slice(start, start + length);
  const announced = (await announcedSeconds(read, bytes.length)) ?? 0;
  const child = startDecoder({ output, format: 'wav', mostSeconds: mostSecondsOf(announced) });
  const lines = linesOf(child);
  child.stdin?.on('error', () => undefined).end(bytes);
  const last = (await lines).at(-1);
  const written = await stat(output).then(({ size }) => size);
  await rm(output);
  if (last?.kind !== 'failed') throw new Error(`ended with ${JSON.stringify(last)}`);
  return { code: last.code, ...last.usage, written, announced };
}

async function linesOf(child: ChildProcess): Promise<DecodeLine[]> {
  const lines: DecodeLine[] = [];
  for await (const line of createInterface({ input: child.stdout as Readable })) {
    lines.push(JSON.parse(line));
  }
  return lines;
}

describe('fifty crafted files of five containers', () => {
  it('end in their code, with bounded memory, processor time and scratch', async () => {
    const all = bombs();
    expect(all).toHaveLength(50);
    const waiting = [...all];
    const beyond: object[] = [];
    const work = async () => {
      for (let bomb = waiting.shift(); bomb; bomb = waiting.shift()) {
        const end = await explode(bomb);
        const isBound =
          ['unreadable', 'too-long', 'empty'].includes(end.code) &&
          end.peakMiB < 300 &&
          end.cpuSeconds < 10 &&
          // Twice what is announced, and what is tolerated of any file.
          end.written <= 2 * 32_000 * end.announced + 30 * 32_000 + 1024;
        if (!isBound) beyond.push({ what: bomb.what, ...end });
      }
    };
    await Promise.all(Array.from({ length: availableParallelism() }, work));
    expect(beyond).toEqual([]);
  });
});

describe('the limits of the decoding process', () => {
  const runLimited = async (script: string, limits = decodeLimits(1)) => {
    const flags = [...nodeFlags, '-e', script];
    const { program, args } = limitedCommand(limits, process.execPath, flags);
    const child = spawn(program, args, { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] });
    let said = '';
    child.stdout.on('data', (chunk) => {
      said += chunk;
    });
    const [code, signal] = await new Promise<[number | null, string | null]>((resolve) => {
      child.once('close', (...end) => resolve(end));
    });
    return { code, signal, said };
  };

  it.runIf(process.platform === 'linux')('hold memory below 600 MB, outside V8 too', async () => {
    const hog = `const all = [];
      try { for (;;) all.push(Buffer.alloc(4 * 1024 ** 2, 1)); }
      catch { console.log(process.resourceUsage().maxRSS / 1024); }`;
    const { said } = await runLimited(hog);
    expect(Number(said)).toBeGreaterThan(50);
    expect(Number(said)).toBeLessThan(600);
  });

  it('end a process that uses up its processor time', async () => {
    const { signal } = await runLimited('for (;;);', { ...decodeLimits(1), cpuSeconds: 1 });
    expect(signal).toBe('SIGXCPU');
  });

  it('end a process that writes more than it may', async () => {
    const script = `require('fs').writeFileSync('large', Buffer.alloc(1e6))`;
    const { code, signal } = await runLimited(script, { ...decodeLimits(1), fileBytes: 1e5 });
    expect([code, signal]).not.toEqual([0, null]);
    expect((await stat(path.join(folder, 'large'))).size).toBeLessThan(2e5);
  });
});

it('a budget below what a file holds ends decoding with its own code', async () => {
  const bytes = oggOf(Array(500).fill(Uint8Array.of((3 << 3) | 3, 2)), 60);
  const source = Readable.from([Buffer.from(bytes)]);
  const output = path.join(folder, 'short');
  await expect(
    decodeToWave({ source, size: bytes.length, output, mostSeconds: 10 }, never),
  ).rejects.toMatchObject({ code: 'too-long' });
});
