/** What a bench prints, one line each. */
export type Figure = {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** What the value is measured against, and how. */
  readonly detail?: object;
};

export const rounded = (value: number) => Math.round(value * 1000) / 1000;

/** Seconds of CPU, this process's, since an earlier look. */
export function cpuSeconds(since?: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1e6;
}
