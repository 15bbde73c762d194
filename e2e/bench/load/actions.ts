import type { CallFailure, CallResult } from '@linnet/contract/client';
import type { CallName } from '@linnet/contract/routes';
import { type Measurement, roundToThousandths } from '../measurement.ts';

/** A kind of request. The first request for changes returns the whole library, so it is counted separately. */
export type Action = CallName | 'sync/changes (first)' | 'store/upload' | 'store/download';

type Samples = {
  /** Number of successful requests. */
  count: number;
  /** Response times in milliseconds, of the successful requests that are timed. */
  readonly durations: number[];
  /** Number of failed requests that the client repeats without the user noticing. */
  retries: number;
  /** Number of failures that a user would notice, by reason. */
  readonly failures: Map<string, number>;
};

/**
 * Number of consecutive failed requests of each action. Requests that are repeated for the same purpose share a count.
 * Requests that run at the same time for different purposes don't.
 */
export type Streaks = Map<Action, number>;

/** Collects the response times and failures of all clients' requests. */
export class Actions {
  readonly #samples = new Map<Action, Samples>();

  /**
   * Sends a request and records its outcome. A request without a response counts as a retry. A second consecutive one,
   * or an error code from the server, counts as a failure.
   * @param waitMs how long the server may wait for changes before it responds (long polling). This isn't part of the
   *   response time. An earlier response isn't timed, because it is unknown when the change occurred
   */
  async measure<T>(
    action: Action,
    streaks: Streaks,
    request: () => Promise<CallResult<T>>,
    waitMs = 0,
  ): Promise<CallResult<T>> {
    const startedAt = performance.now();
    const result = await request();
    const durationMs = performance.now() - startedAt;
    const samples = this.#of(action);
    if (result.ok) {
      streaks.delete(action);
      samples.count += 1;
      if (durationMs >= waitMs) samples.durations.push(durationMs - waitMs);
      return result;
    }
    const { failure } = result;
    if (failure.kind === 'aborted') return result;
    const streak = (streaks.get(action) ?? 0) + 1;
    streaks.set(action, streak);
    if (failure.kind !== 'server' && streak === 1) samples.retries += 1;
    else {
      const reason = describeFailure(failure);
      samples.failures.set(reason, (samples.failures.get(reason) ?? 0) + 1);
    }
    return result;
  }

  /** Returns the number of requests that succeeded, were repeated, or failed. */
  totals(): { readonly count: number; readonly retries: number; readonly failures: number } {
    const all = [...this.#samples.values()];
    return {
      count: sum(all.map(({ count }) => count)),
      retries: sum(all.map(({ retries }) => retries)),
      failures: sum(all.map(({ failures }) => sum(failures.values()))),
    };
  }

  /** Returns the 99th percentile of the response time of each action, and 0 if none of its requests was timed. */
  measurements(): Measurement[] {
    return [...this.#samples].map(([action, { count, durations, retries, failures }]) => ({
      name: `load: ${action}, p99`,
      value: quantile(durations, 0.99),
      unit: 'ms',
      detail: {
        count,
        timed: durations.length,
        p50: quantile(durations, 0.5),
        max: quantile(durations, 1),
        retries,
        failures: sum(failures.values()),
        ...(failures.size > 0 && { reasons: Object.fromEntries(failures) }),
      },
    }));
  }

  #of(action: Action): Samples {
    const existing = this.#samples.get(action);
    if (existing) return existing;
    const samples: Samples = { count: 0, durations: [], retries: 0, failures: new Map() };
    this.#samples.set(action, samples);
    return samples;
  }
}

/** Returns a quantile of measured values, or 0 if there are none. */
export function quantile(values: readonly number[], fraction: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const index = Math.min(sorted.length - 1, Math.floor(sorted.length * fraction));
  return roundToThousandths(sorted[index] ?? 0);
}

const sum = (values: Iterable<number>) => [...values].reduce((total, value) => total + value, 0);

/** Returns the kind of a failure, with its code or status. */
export function describeFailure(failure: CallFailure): string {
  if (failure.kind === 'server') return `code ${failure.code}`;
  return failure.kind === 'http' ? `status ${failure.status}` : failure.kind;
}
