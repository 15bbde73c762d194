import type { SummaryDocument } from '@linnet/contract';
import type { OpenRecord } from '../open-record.ts';

/** A point in a recording, in seconds. */
export type WavePoint = {
  readonly key: string;
  readonly kind: 'marker' | 'mark' | 'todo' | 'event';
  readonly time: number;
};

/** Returns the points to show on the waveform: markers, highlighted paragraphs, to-dos and timeline events. */
export function wavePoints(
  { markers, content }: Pick<OpenRecord, 'markers' | 'content'>,
  document: SummaryDocument | null,
): WavePoint[] {
  const toPoints = (kind: WavePoint['kind'], items: readonly { id: string; time: number }[]) =>
    items.map(({ id, time }): WavePoint => ({ key: `${kind} ${id}`, kind, time }));
  const toItems = (items: SummaryDocument['questions'] = []) =>
    items.map(({ id, start_time }) => ({ id, time: start_time }));
  return [
    ...toPoints('event', toItems(document?.timeline)),
    ...toPoints('todo', toItems(document?.todos)),
    ...toPoints(
      'mark',
      content
        .filter(({ is_tag }) => is_tag === 1)
        .map(({ id, start_time }) => ({ id, time: start_time })),
    ),
    ...toPoints('marker', markers),
  ];
}

/**
 * Returns the time of the nearest point, or the given time if no point is close enough.
 * @param tolerance maximum distance in seconds
 */
export function snapToPoint(
  points: readonly Pick<WavePoint, 'time'>[],
  time: number,
  tolerance: number,
): number {
  let nearest = time;
  let distance = tolerance;
  for (const point of points) {
    if (Math.abs(point.time - time) > distance) continue;
    nearest = point.time;
    distance = Math.abs(point.time - time);
  }
  return nearest;
}
