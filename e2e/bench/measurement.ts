/** A benchmark result, printed as one line of JSON. */
export type Measurement = {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** The limits that the product promises, if any. A value outside of them fails the run. */
  readonly most?: number;
  readonly least?: number;
  /** Baselines and conditions of the measurement. */
  readonly detail?: object;
};

export const roundToThousandths = (value: number) => Math.round(value * 1000) / 1000;

/** Returns this process's CPU time in seconds, since its start or an earlier reading. */
export function cpuSeconds(since?: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1e6;
}
