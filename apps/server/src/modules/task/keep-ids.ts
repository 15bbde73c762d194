/** A summary item, at any depth of the document. */
interface Item {
  readonly id: string;
  readonly text: string;
  readonly paragraph_id: string;
}

/**
 * Carries item ids over to a regenerated summary: an item with the same text or, failing that, from the same paragraph
 * keeps its id, so that it stays ticked on every phone. A new item gets an id that was neither used in the previous
 * summary nor ticked.
 * @param ticked ids of ticked items, in any summary
 */
export function keepIds<Document extends object>(
  before: unknown,
  after: Document,
  ticked: readonly string[] = [],
): Document {
  const left = itemsOf(before);
  const kept = new Map<Item, string>();
  const match = (isSame: (one: Item, other: Item) => boolean) => {
    for (const item of itemsOf(after)) {
      if (kept.has(item)) continue;
      const at = left.findIndex((old) => listOf(old) === listOf(item) && isSame(old, item));
      const [old] = at < 0 ? [] : left.splice(at, 1);
      if (old) kept.set(item, old.id);
    }
  };
  const highest = new Map<string, number>();
  for (const item of [...left, ...ticked.map((id) => ({ id }))]) {
    highest.set(listOf(item), Math.max(highest.get(listOf(item)) ?? 0, numberOf(item)));
  }
  match((old, item) => old.text === item.text && old.paragraph_id === item.paragraph_id);
  match((old, item) => old.text === item.text);
  match((old, item) => old.paragraph_id === item.paragraph_id);
  return mapItems(after, (item) => {
    const list = listOf(item);
    const same = kept.get(item);
    if (same !== undefined) return { ...item, id: same };
    const next = (highest.get(list) ?? 0) + 1;
    highest.set(list, next);
    return { ...item, id: `${list}-${next}` };
  }) as Document;
}

/** Ids are the list's name and a number, or a hash: `todos-1`, `todos-0a1b2c3d4e5f`. */
const idShape = /^(.*)-(?:(\d+)|[^-]+)$/;
const listOf = ({ id }: Pick<Item, 'id'>) => idShape.exec(id)?.[1] ?? id;
const numberOf = ({ id }: Pick<Item, 'id'>) => Number(idShape.exec(id)?.[2] ?? 0);

function itemsOf(document: unknown): Item[] {
  const items: Item[] = [];
  mapItems(document, (item) => {
    items.push(item);
    return item;
  });
  return items;
}

/** Returns a copy of the document with every item mapped by `replace`. */
function mapItems(value: unknown, replace: (item: Item) => object): unknown {
  if (Array.isArray(value)) return value.map((inner) => mapItems(inner, replace));
  if (typeof value !== 'object' || value === null) return value;
  if (isItem(value)) return replace(value);
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, mapItems(inner, replace)]),
  );
}

function isItem(value: object): value is Item {
  const { id, text, paragraph_id: paragraph } = value as Partial<Record<keyof Item, unknown>>;
  return [id, text, paragraph].every((part) => typeof part === 'string');
}
