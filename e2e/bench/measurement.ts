/** A result of a benchmark, which is printed as a line of JSON. */
export type Measurement = {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** The limits that the product promises, if any. A value outside of them fails the run. */
  readonly most?: number;
  readonly least?: number;
  /** Reference values and conditions of the measurement. */
  readonly detail?: object;
};

export const roundToThousandths = (value: number) => Math.round(value * 1000) / 1000;

/** Returns the CPU time of this process in seconds, since its start or since an earlier reading. */
export function cpuSeconds(since?: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1e6;
}
