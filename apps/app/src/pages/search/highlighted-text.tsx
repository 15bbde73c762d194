import { findSpans } from '@linnet/contract/folding';
import { Fragment } from 'react';

/**
 * Text with the search words highlighted.
 * @param terms the search words, case-folded
 */
export function HighlightedText({ text, terms }: { text: string; terms: readonly string[] }) {
  const spans = findSpans(text, terms);
  return (
    <>
      {spans.map(({ start, end }, nth) => (
        <Fragment key={start}>
          {text.slice(spans[nth - 1]?.end ?? 0, start)}
          <mark>{text.slice(start, end)}</mark>
        </Fragment>
      ))}
      {text.slice(spans.at(-1)?.end ?? 0)}
    </>
  );
}
