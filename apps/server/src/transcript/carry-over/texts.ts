/** Carries changed texts over to another transcript. A change is placed by time, then by words. */
import { setImmediate } from 'node:timers/promises';
import type { Token } from '../alignment.ts';
import type { MayReplace } from './draft.ts';
import { Draft } from './draft.ts';
import type { Context } from './match.ts';
import type { UnplacedText } from './passage.ts';
import { Passage } from './passage.ts';
import { contextWords } from './target-words.ts';
import type { Carried, SourceParagraph, TargetParagraph } from './types.ts';

export interface CarriedText {
  readonly texts: readonly Carried<string>[];
  readonly unplaced: readonly UnplacedText[];
}

/** Number of passages (up to ten milliseconds of work) processed before other requests get a turn. */
const passagesPerTurn = 50;

/**
 * Carries over changed texts. Each change is placed where the target has the words it replaced, or other words between
 * the same neighbors. If a neighbor was recognized otherwise, the owner's text of it is carried over along with the
 * change. Where the target already has the owner's words, it isn't changed. Every other change is listed.
 * @param mayReplace whether words that neither the source nor the owner has may be replaced in a paragraph
 */
export async function carryTexts(
  source: readonly SourceParagraph[],
  target: readonly TargetParagraph[],
  mayReplace: MayReplace = () => true,
): Promise<CarriedText> {
  const draft = new Draft(target, mayReplace);
  const passages = await inTurns(source, (paragraph) => new Passage(draft, paragraph));
  const owners = passages.map((passage) => passage.owners);
  await inTurns(passages, (passage, index) => passage.keepPresent(contextOf(owners, index)));
  const known = passages.map((passage) => passage.known);
  await inTurns(passages, (passage, index) => passage.place(contextOf(known, index)));
  const { texts, tooLong } = draft.texts();
  const unplaced = passages.flatMap((passage) => passage.listUnplaced(tooLong));
  return { texts, unplaced };
}

/** Calls a function with each item, in order. Other requests run in between. */
async function inTurns<Item, Result>(
  items: readonly Item[],
  run: (item: Item, index: number) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const [index, item] of items.entries()) {
    if (index % passagesPerTurn === passagesPerTurn - 1) await setImmediate();
    results.push(run(item, index));
  }
  return results;
}

function contextOf(paragraphs: readonly (readonly Token[])[], index: number): Context {
  let [before, after]: Context = [[], []];
  for (let at = index - 1; at >= 0 && before.length < contextWords; at -= 1) {
    before = [...(paragraphs[at] ?? []), ...before];
  }
  for (let at = index + 1; at < paragraphs.length && after.length < contextWords; at += 1) {
    after = [...after, ...(paragraphs[at] ?? [])];
  }
  return [before.slice(-contextWords), after.slice(0, contextWords)];
}
