import { similarity } from '../../transcript/alignment.ts';

/** A summary item, at any depth of the document. */
interface Item {
  readonly id: string;
  readonly text: string;
  readonly paragraph_id: string;
  readonly start_time?: number;
}

/**
 * Reuses the previous summary's item IDs in a regenerated summary, so checked items stay checked on every phone. An
 * item keeps its ID if its text is unchanged or, failing that, if it was said at about the same time in similar words, or
 * refers to the same paragraph. Any other item gets a new ID that was neither used in the previous summary nor checked.
 * @param checkedIds IDs of checked items, which may belong to earlier summaries
 */
export function reuseItemIds<Document extends object>(
  previous: unknown,
  current: Document,
  checkedIds: readonly string[] = [],
): Document {
  const unmatched = collectItems(previous);
  const reusedIds = new Map<Item, string>();
  const reuseWhere = (isSame: (a: Item, b: Item) => boolean) => {
    for (const item of collectItems(current)) {
      if (reusedIds.has(item)) continue;
      const index = unmatched.findIndex(
        (old) => listName(old) === listName(item) && isSame(old, item),
      );
      const [old] = index < 0 ? [] : unmatched.splice(index, 1);
      if (old) reusedIds.set(item, old.id);
    }
  };
  const highestNumbers = new Map<string, number>();
  for (const item of [...unmatched, ...checkedIds.map((id) => ({ id }))]) {
    highestNumbers.set(
      listName(item),
      Math.max(highestNumbers.get(listName(item)) ?? 0, itemNumber(item)),
    );
  }
  reuseWhere((old, item) => old.text === item.text && old.paragraph_id === item.paragraph_id);
  reuseWhere((old, item) => old.text === item.text);
  reuseWhere((old, item) => haveSimilarTimes(old, item) && haveSimilarTexts(old, item));
  reuseWhere((old, item) => old.paragraph_id === item.paragraph_id);
  return mapItems(current, (item) => {
    const list = listName(item);
    const reusedId = reusedIds.get(item);
    if (reusedId !== undefined) return { ...item, id: reusedId };
    const next = (highestNumbers.get(list) ?? 0) + 1;
    highestNumbers.set(list, next);
    return { ...item, id: `${list}-${next}` };
  }) as Document;
}

/** Maximum difference of an item's time between two transcripts, which may split the text differently, in seconds. */
const timeTolerance = 30;
/** Minimum share of an item's letters that must be in words common to both versions. */
const minSimilarity = 2 / 3;

const haveSimilarTexts = (a: Item, b: Item) => similarity(a.text, b.text) >= minSimilarity;

function haveSimilarTimes({ start_time: a }: Item, { start_time: b }: Item): boolean {
  return a !== undefined && b !== undefined && Math.abs(a - b) <= timeTolerance;
}

/** Matches an item ID: the name of its list, and a number or hash, as in `todos-1` or `todos-0a1b2c3d4e5f`. */
const idShape = /^(.*)-(?:(\d+)|[^-]+)$/;
const listName = ({ id }: Pick<Item, 'id'>) => idShape.exec(id)?.[1] ?? id;
const itemNumber = ({ id }: Pick<Item, 'id'>) => Number(idShape.exec(id)?.[2] ?? 0);

/** Returns the items of a summary document, at any depth. */
export function collectItems(document: unknown): Item[] {
  const items: Item[] = [];
  mapItems(document, (item) => {
    items.push(item);
    return item;
  });
  return items;
}

/** Returns a copy of the document with every item replaced by the result of `transform`. */
function mapItems(value: unknown, transform: (item: Item) => object): unknown {
  if (Array.isArray(value)) return value.map((inner) => mapItems(inner, transform));
  if (typeof value !== 'object' || value === null) return value;
  if (isItem(value)) return transform(value);
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, mapItems(inner, transform)]),
  );
}

function isItem(value: object): value is Item {
  const { id, text, paragraph_id: paragraph } = value as Partial<Record<keyof Item, unknown>>;
  return [id, text, paragraph].every((part) => typeof part === 'string');
}
