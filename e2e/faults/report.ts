import type { Action } from './actions.ts';
import type { Effect, Violation } from './invariants.ts';
import { countFaults } from './world.ts';

const effects: readonly Effect[] = ['lost', 'back', 'charged', 'stuck', 'other'];
const headings = ['lost', 'back', 'charged twice or not', 'stuck', 'other'];

/** Name of the last row. */
const TOTAL = 'all';

/** Counts the faults that were injected, and the outcomes of the histories that contained them. */
export class FaultTable {
  readonly #rows = new Map<
    string,
    { faults: number; histories: number } & Record<Effect, number>
  >();

  add(actions: readonly Action[], violations: readonly Violation[]): void {
    const counts = countFaults(actions);
    const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
    for (const [name, count] of [...counts, [TOTAL, total] as const]) {
      const row = this.#rows.get(name) ?? {
        ...{ faults: 0, histories: 0, lost: 0, back: 0, charged: 0, stuck: 0, other: 0 },
      };
      this.#rows.set(name, row);
      row.faults += count;
      row.histories += 1;
      for (const { effect } of violations) row[effect] += 1;
    }
  }

  /** Returns a Markdown table. */
  toString(): string {
    const rows = [...this.#rows].toSorted(
      ([a], [b]) => Number(a === TOTAL) - Number(b === TOTAL) || a.localeCompare(b),
    );
    return [
      `| Fault | Times | Histories | ${headings.join(' | ')} |`,
      `|---|${'---|'.repeat(headings.length + 2)}`,
      ...rows.map(
        ([name, row]) =>
          `| ${name} | ${row.faults} | ${row.histories} | ${effects.map((effect) => row[effect]).join(' | ')} |`,
      ),
    ].join('\n');
  }
}
