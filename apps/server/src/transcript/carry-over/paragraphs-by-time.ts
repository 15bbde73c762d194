/** Finds the paragraphs of another transcript that have the time of a paragraph. */
import type { Stretch, Timeline } from './timeline.ts';
import { lengthOf, overlap } from './timeline.ts';
import type { TargetParagraph } from './types.ts';

/** Returns the paragraphs that a paragraph became: those mostly within it or else the one with most of its time. */
export function paragraphsOf(
  source: Stretch,
  target: Timeline<TargetParagraph>,
): TargetParagraph[] {
  const within = paragraphsWithin(source, target);
  if (within.length > 0) return within;
  const [best] = target.at(source).sort((a, b) => overlap(b, source) - overlap(a, source));
  return best ? [best] : [];
}

/** Returns the paragraphs that are mostly within a paragraph. */
export function paragraphsWithin(
  source: Stretch,
  target: Timeline<TargetParagraph>,
): TargetParagraph[] {
  return target.at(source).filter((one) => overlap(one, source) >= lengthOf(one) / 2);
}
