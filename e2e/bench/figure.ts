/** One result of a benchmark, printed as one line of JSON. */
export type Measurement = {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** Reference values and conditions of the measurement. */
  readonly detail?: object;
};

export const roundToThousandths = (value: number) => Math.round(value * 1000) / 1000;

/** CPU time of this process in seconds, since an earlier reading if given. */
export function cpuSeconds(since?: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1e6;
}
