/** Verifies the model's notes against the transcript, and drops unsupported items. */
import { createHash } from 'node:crypto';
import type { SummaryDocument, SummaryItem } from '@linnet/contract';
import type { AnalysisParagraph } from '../port.ts';
import { containsQuote, findTime, normalizeText } from './place.ts';
import type { Notes, Point } from './wire.ts';

/** Paragraphs by the short IDs used in requests. */
export type Sources = ReadonlyMap<string, AnalysisParagraph>;

type Lists = Pick<
  SummaryDocument,
  'todos' | 'knowledge_points' | 'needs' | 'questions' | 'finance' | 'timeline' | 'topics'
>;

/** Builds a document's lists from the notes on each part, in chronological order. */
export function toLists(parts: readonly Notes[], sources: Sources): Lists {
  const mergeLists = <Name extends keyof Lists>(name: Name): Notes[Name][number][] =>
    parts.flatMap((notes) => notes[name] as Notes[Name][number][]);
  return {
    todos: toItems('todos', mergeLists('todos'), sources, (todo, paragraph) => {
      const when = quoteIfPresent(todo.when, paragraph);
      return {
        who: todo.who === paragraph.speaker ? todo.who : quoteIfPresent(todo.who, paragraph),
        when,
        due: when === null ? null : validDate(todo.due),
      };
    }),
    knowledge_points: toPoints('knowledge_points', mergeLists('knowledge_points'), sources),
    needs: toPoints('needs', mergeLists('needs'), sources),
    questions: toPoints('questions', mergeLists('questions'), sources),
    finance: toItems('finance', mergeLists('finance'), sources, (sum, paragraph) =>
      containsQuote(sum.said, paragraph.text)
        ? {
            amount: checkAmount(sum.amount, sum.said),
            currency: checkCurrency(sum.currency),
            purpose: quoteIfPresent(sum.purpose, paragraph),
          }
        : null,
    ),
    timeline: toItems('timeline', mergeLists('timeline'), sources, ({ when, date }, paragraph) =>
      containsQuote(when, paragraph.text) ? { when, date: validDate(date) } : null,
    ),
    topics: toItems('topics', mergeLists('topics'), sources, ({ until }, paragraph) => ({
      end_time: Math.max(paragraph.end, sources.get(until)?.end ?? paragraph.end),
    })),
  };
}

/** Builds items that have only text and a source. */
export function toPoints(list: string, points: readonly Point[], sources: Sources): SummaryItem[] {
  return toItems(list, points, sources, () => ({}));
}

/**
 * Builds items from the entries whose source exists, without duplicates and in chronological order.
 * @param details returns the item's other fields, or null to drop the entry as unsupported
 */
function toItems<Entry extends Point, Details extends object>(
  list: string,
  entries: readonly Entry[],
  sources: Sources,
  details: (entry: Entry, paragraph: AnalysisParagraph) => Details | null,
): (SummaryItem & Details)[] {
  const items = new Map<string, SummaryItem & Details>();
  for (const entry of entries) {
    const paragraph = sources.get(entry.source);
    const text = entry.text.trim();
    const otherFields = paragraph && text !== '' ? details(entry, paragraph) : null;
    if (!paragraph || otherFields === null) continue;
    const id = itemId(list, paragraph, `${text} ${JSON.stringify(otherFields)}`);
    const start_time = findTime(text, paragraph);
    if (!items.has(id))
      items.set(id, { id, text, paragraph_id: paragraph.id, start_time, ...otherFields });
  }
  return [...items.values()].sort((a, b) => a.start_time - b.start_time);
}

/** Returns a deterministic ID: the same text and paragraph get the same ID in every summary. */
function itemId(list: string, paragraph: AnalysisParagraph, text: string): string {
  const hash = createHash('sha256').update(`${list}\n${paragraph.id}\n${normalizeText(text)}`);
  return `${list}-${hash.digest('hex').slice(0, 12)}`;
}

/** Returns a quotation if the paragraph contains it, otherwise null. */
function quoteIfPresent(words: string | null, paragraph: AnalysisParagraph): string | null {
  return words !== null && containsQuote(words, paragraph.text) ? words : null;
}

/** Returns the date if it is a valid ISO date, otherwise null. */
function validDate(text: string | null): string | null {
  if (text === null || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return null;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) ? text : null;
}

/** Returns the amount, or null if the quotation has other digits. Number words such as "two hundred" aren't checked. */
function checkAmount(amount: number | null, quote: string): number | null {
  if (amount === null) return null;
  const digits = quote.replace(/\D/g, '');
  const significantDigits = String(Math.abs(amount)).replace(/\D/g, '').replace(/0+$/, '');
  return digits === '' || digits.includes(significantDigits) ? amount : null;
}

const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

function checkCurrency(code: string | null): string | null {
  const upperCase = code?.toUpperCase() ?? '';
  return currencies.has(upperCase) ? upperCase : null;
}
