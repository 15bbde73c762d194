import { readdir, readFile } from 'node:fs/promises';

/** Clock ticks per second in /proc (proc(5): `sysconf(_SC_CLK_TCK)`, which is 100 on Linux). */
const ticksPerSecond = 100;

/**
 * Returns the processor time of a process, its children, and its children that have ended, in seconds (Linux only).
 * Returns 0 elsewhere.
 */
export async function processorSeconds(pid: number): Promise<number> {
  const entries = await readdir('/proc').catch(() => []);
  let ticks = 0;
  for (const entry of entries) {
    if (!/^\d+$/.test(entry)) continue;
    const stat = await readFile(`/proc/${entry}/stat`, 'utf8').catch(() => null);
    // The name in parentheses may contain spaces. Fields are numbered as in proc(5), from 3 after the name.
    const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? [];
    const field = (number: number) => Number(fields[number - 3] ?? 0);
    if (Number(entry) === pid) ticks += field(14) + field(15) + field(16) + field(17);
    else if (field(4) === pid) ticks += field(14) + field(15);
  }
  return ticks / ticksPerSecond;
}
