import { readdir, readFile } from 'node:fs/promises';
import { type Measurement, roundToThousandths } from '../measurement.ts';

/** Interval between readings, in milliseconds. Reading the memory of all database connections takes about 0.1 s. */
const SAMPLE_MS = 5000;
/** Clock ticks per second in /proc (proc(5): `sysconf(_SC_CLK_TCK)`, which is 100 on Linux). */
const TICKS = 100;
const KB_PER_MEGABYTE = 1024;

type Usage = {
  peakKb: number;
  /** Processor time of each process, in ticks, because a service may run in several processes. */
  readonly ticks: Map<number, number>;
  /** The processor time of each process before the measurement, in ticks. */
  readonly baseline: Map<number, number>;
};

/** Reads the memory and processor time of services and their child processes (Linux only). */
export class UsageMeter {
  readonly #usages = new Map<string, Usage>();
  readonly #services: () => ReadonlyMap<string, number>;
  #timer: NodeJS.Timeout | undefined;

  private constructor(services: () => ReadonlyMap<string, number>) {
    this.#services = services;
  }

  /**
   * @param services returns the process ID of each running service
   * @param onError called if a later reading fails
   */
  static async start(
    services: () => ReadonlyMap<string, number>,
    onError: (error: unknown) => void,
  ): Promise<UsageMeter> {
    const meter = new UsageMeter(services);
    await meter.sample();
    meter.#timer = setInterval(() => void meter.sample().catch(onError), SAMPLE_MS);
    for (const { ticks, baseline } of meter.#usages.values()) {
      for (const [pid, count] of ticks) baseline.set(pid, count);
    }
    return meter;
  }

  /** Reads all services now. A process that has just ended is left out. */
  async sample(): Promise<void> {
    const parents = await listParents();
    const services = this.#services();
    const roots = new Set(services.values());
    for (const [service, root] of services) {
      const usage = this.#usages.get(service) ?? {
        peakKb: 0,
        ticks: new Map(),
        baseline: new Map(),
      };
      this.#usages.set(service, usage);
      const pids = [
        root,
        ...[...parents]
          .filter(([pid, parent]) => parent === root && !roots.has(pid))
          .map(([pid]) => pid),
      ];
      let totalKb = 0;
      for (const pid of pids) {
        totalKb += await readKilobytes(pid);
        usage.ticks.set(pid, Math.max(usage.ticks.get(pid) ?? 0, await readTicks(pid)));
      }
      usage.peakKb = Math.max(usage.peakKb, totalKb);
    }
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /**
   * Returns the peak memory of each service, and its processor time.
   * @param seconds duration of the measurement
   */
  measurements(seconds: number): Measurement[] {
    return [...this.#usages].map(([service, { peakKb, ticks, baseline }]) => {
      const used = [...ticks].map(([pid, count]) => count - (baseline.get(pid) ?? 0));
      const cpuSeconds = used.reduce((sum, value) => sum + value, 0) / TICKS;
      return {
        name: `load: peak memory of ${service}`,
        value: Math.round(peakKb / KB_PER_MEGABYTE),
        unit: 'MB',
        detail: {
          cpuSeconds: Math.round(cpuSeconds),
          cores: roundToThousandths(cpuSeconds / seconds),
        },
      };
    });
  }
}

/** Returns the parent of each process. */
async function listParents(): Promise<Map<number, number>> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const parents = new Map<number, number>();
  for (const pid of pids) {
    const fields = await readStat(pid);
    if (fields) parents.set(pid, Number(fields[1]));
  }
  return parents;
}

/** Reads the memory of a process. Pages shared by several processes are counted proportionally. */
async function readKilobytes(pid: number): Promise<number> {
  const text = await readProc(`/proc/${pid}/smaps_rollup`);
  return Number(/^Pss:\s+(\d+) kB/m.exec(text ?? '')?.[1] ?? 0);
}

async function readTicks(pid: number): Promise<number> {
  const fields = await readStat(pid);
  // proc(5): utime and stime are fields 14 and 15, and the first field here is the third.
  return fields ? Number(fields[11]) + Number(fields[12]) : 0;
}

async function readStat(pid: number): Promise<string[] | null> {
  const text = await readProc(`/proc/${pid}/stat`);
  return text?.replace(/^.*\) /s, '').split(' ') ?? null;
}

/** Returns the content of a file in /proc, or null if the process has ended. */
async function readProc(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'ENOENT' || code === 'ESRCH') return null;
    throw error;
  }
}
