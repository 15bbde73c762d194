/** Carries changed texts over to another transcript. A change is located first by time, then by its words. */
import { setImmediate } from 'node:timers/promises';
import type { Token } from '../alignment.ts';
import type { MayReplace } from './draft.ts';
import { Draft } from './draft.ts';
import type { Context } from './match.ts';
import type { UnplacedText } from './passage.ts';
import { Passage } from './passage.ts';
import { contextWords } from './target-words.ts';
import type { CarriedValue, SourceParagraph, TargetParagraph } from './types.ts';

export interface CarriedText {
  readonly texts: readonly CarriedValue<string>[];
  readonly unplaced: readonly UnplacedText[];
}

/** Number of passages (up to ten milliseconds of work) to process before yielding to the event loop. */
const passagesPerBatch = 50;

/**
 * Carries over changed texts. Each change is placed where the target has the words it replaced, or other words between
 * the same neighbors. If a neighbor was recognized differently, the user's text for it is carried over along with the
 * change. Where the target already has the user's words, nothing changes. Every other change is listed as unplaced.
 * @param mayReplace decides whether words of a paragraph that appear in neither the source nor the user's text may be
 *   replaced
 */
export async function carryTexts(
  source: readonly SourceParagraph[],
  target: readonly TargetParagraph[],
  mayReplace: MayReplace = () => true,
): Promise<CarriedText> {
  const draft = new Draft(target, mayReplace);
  const passages = await mapYielding(source, (paragraph) => new Passage(draft, paragraph));
  const owners = passages.map((passage) => passage.owners);
  await mapYielding(passages, (passage, index) =>
    passage.keepExistingWords(findContext(owners, index)),
  );
  const known = passages.map((passage) => passage.known);
  await mapYielding(passages, (passage, index) => passage.place(findContext(known, index)));
  const { texts, tooLong } = draft.texts();
  const unplaced = passages.flatMap((passage) => passage.listUnplaced(tooLong));
  return { texts, unplaced };
}

/** Maps the items in order, yielding to the event loop from time to time. */
async function mapYielding<Item, Result>(
  items: readonly Item[],
  run: (item: Item, index: number) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const [index, item] of items.entries()) {
    if (index % passagesPerBatch === passagesPerBatch - 1) await setImmediate();
    results.push(run(item, index));
  }
  return results;
}

function findContext(paragraphs: readonly (readonly Token[])[], index: number): Context {
  let [before, after]: Context = [[], []];
  for (let neighbor = index - 1; neighbor >= 0 && before.length < contextWords; neighbor -= 1) {
    before = [...(paragraphs[neighbor] ?? []), ...before];
  }
  for (
    let neighbor = index + 1;
    neighbor < paragraphs.length && after.length < contextWords;
    neighbor += 1
  ) {
    after = [...after, ...(paragraphs[neighbor] ?? [])];
  }
  return [before.slice(-contextWords), after.slice(0, contextWords)];
}
