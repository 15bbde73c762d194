/** Finds the paragraphs of another transcript at the time of a paragraph. */
import type { Timeline, TimeRange } from './timeline.ts';
import { getLength, overlap } from './timeline.ts';
import type { TargetParagraph } from './types.ts';

/**
 * Returns the paragraphs that a source paragraph corresponds to: all that are mostly within it, or else the one that
 * overlaps it longest.
 */
export function findParagraphs(
  source: TimeRange,
  target: Timeline<TargetParagraph>,
): TargetParagraph[] {
  const within = paragraphsWithin(source, target);
  if (within.length > 0) return within;
  const [best] = target.at(source).sort((a, b) => overlap(b, source) - overlap(a, source));
  return best ? [best] : [];
}

/** Returns the paragraphs with at least half of their length within a source paragraph. */
export function paragraphsWithin(
  source: TimeRange,
  target: Timeline<TargetParagraph>,
): TargetParagraph[] {
  return target.at(source).filter((item) => overlap(item, source) >= getLength(item) / 2);
}
