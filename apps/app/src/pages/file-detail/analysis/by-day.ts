import type { SummaryDocument } from '@linnet/contract';

type Event = SummaryDocument['timeline'][number];

/** One day's events. `date` is a day such as `2026-11-21`, or null for events without a known day. */
export type Day = { readonly date: string | null; readonly events: readonly Event[] };

/** Groups events by day in calendar order, with undated events last. Events within a day stay in spoken order. */
export function groupByDay(events: readonly Event[]): Day[] {
  const days = Map.groupBy(events, ({ date }) => date);
  const order = (date: string | null) => date ?? '￿';
  return [...days]
    .toSorted(([one], [other]) => (order(one) < order(other) ? -1 : 1))
    .map(([date, group]) => ({
      date,
      events: group.toSorted((one, other) => one.start_time - other.start_time),
    }));
}
