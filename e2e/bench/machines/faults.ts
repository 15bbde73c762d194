import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '@linnet/server/testing/random';
import type { Host } from './cluster.ts';

/**
 * The faults of a machine: its process is killed and starts again, its network cable is pulled and plugged in, or its
 * power fails and returns.
 */
export const faultKinds = ['kill', 'cut', 'power failure'] as const;
export type FaultKind = (typeof faultKinds)[number];

/** Delay before a fault, and duration of a cut or of a power failure, in milliseconds. */
const GAP_MS = { least: 3000, most: 9000 };
/** Longer and shorter than the ten seconds after which a worker is presumed dead (`apps/server/src/jobs/queue.ts`). */
const DURATION_MS = { least: 3000, most: 15_000 };

/**
 * Causes each fault once, in random order and at random times, and waits until the machine has recovered from it.
 * @param onFault called when a fault begins
 */
export async function causeFaults(
  { machine, service }: Host,
  random: Random,
  signal: AbortSignal,
  onFault: (kind: FaultKind, host: string) => void,
): Promise<void> {
  const randomBetween = ({ least, most }: { readonly least: number; readonly most: number }) =>
    least + random.below(most - least);
  for (const kind of shuffle(faultKinds, random)) {
    await delay(randomBetween(GAP_MS), undefined, { signal });
    const durationMs = randomBetween(DURATION_MS);
    onFault(kind, machine.name);
    switch (kind) {
      case 'kill':
        await service.killAndRestart();
        break;
      case 'cut':
        await machine.unplug();
        await delay(durationMs, undefined, { signal });
        await machine.plugIn();
        break;
      case 'power failure':
        await machine.powerOff();
        await delay(durationMs, undefined, { signal });
        await machine.powerOn();
        break;
    }
    await service.ready();
  }
}

function shuffle<T>(values: readonly T[], random: Random): T[] {
  const rest = [...values];
  const shuffled: T[] = [];
  while (rest.length > 0) shuffled.push(...rest.splice(random.below(rest.length), 1));
  return shuffled;
}
