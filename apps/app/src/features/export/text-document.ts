/**
 * The content of an exported text, independent of its format: TXT, Markdown, Word and print show the same
 * blocks in the same order.
 */

import { structureHeadings } from '@linnet/contract/structures';
import type { LocalRecord } from '@linnet/sync';
import type { TFunction } from 'i18next';
import { type ExportPart, exportParts } from '../../export-parts.ts';
import { clock, dayName, longDate } from '../../i18n/format.ts';
import { nameOf } from '../../i18n/record-name.ts';
import type { ExportChoice } from '../../ports/exports.ts';
import { summaryDocument, summarySections } from '../../summary-points.ts';
import { spokenIn } from './spoken.ts';

/** An item of a list. `done`: whether it is ticked, null if it cannot be. */
export type ListItem = {
  readonly text: string;
  readonly time: string | null;
  /** Further details, such as who and until when. */
  readonly notes: readonly string[];
  readonly done: boolean | null;
};

export type Block =
  | { readonly kind: 'heading'; readonly text: string; readonly level: 1 | 2 }
  | { readonly kind: 'text'; readonly text: string }
  /** Small print. */
  | { readonly kind: 'label'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly ListItem[] }
  | {
      readonly kind: 'table';
      readonly head: readonly string[];
      readonly rows: readonly (readonly string[])[];
    }
  | {
      readonly kind: 'spoken';
      readonly speaker: string | null;
      readonly time: string | null;
      readonly text: string;
      readonly marked: boolean;
    };

export type TextDocument = {
  readonly title: string;
  /** Time, duration and location. */
  readonly facts: readonly string[];
  /** Language of the speech, BCP-47; null if unknown. */
  readonly language: string | null;
  readonly blocks: readonly Block[];
};

/** The interface's translations and language. */
export type Interface = { readonly t: TFunction; readonly language: string };

type Choice = Pick<ExportChoice, 'parts' | 'speakers' | 'times' | 'marked'>;
type Point = { readonly text: string; readonly start_time: number };

type Heading = (typeof structureHeadings)[keyof typeof structureHeadings][number];
const headings: ReadonlySet<string> = new Set(Object.values(structureHeadings).flat());
const isHeading = (key: string): key is Heading => headings.has(key);

/** Formats a day of the summary document, which has no time or time zone. */
const dayWords = (day: string, language: string) => dayName(`${day}T00:00:00`, language);

/** The selected parts of a recording, in reading order. */
export function textDocument(
  record: LocalRecord & { readonly task: { readonly language: string } | null },
  choice: Choice,
  { t, language }: Interface,
): TextDocument {
  const document = summaryDocument(record.summary_json);
  const time = (seconds: number) => (choice.times ? clock(seconds, language) : null);
  const item = ({ text, start_time }: Point): ListItem => ({
    ...{ text, time: time(start_time), notes: [], done: null },
  });
  const list = (items: readonly ListItem[]): Block[] =>
    items.length > 0 ? [{ kind: 'list', items }] : [];
  const plain = (key: 'knowledge_points' | 'needs' | 'questions' | 'topics') =>
    list((document?.[key] ?? []).map(item));

  const parts: Record<ExportPart, () => Block[]> = {
    summary() {
      const structure = document?.structure ?? 'general';
      const sections = summarySections(record, document, structure);
      const own = structure === 'custom';
      const blocks: Block[] = sections.flatMap(({ heading, points }) => [
        {
          kind: 'heading' as const,
          text: !own && isHeading(heading) ? t(`summary.headings.${heading}`) : heading,
          level: 2 as const,
        },
        ...list(
          points.map(({ text, time: at }) => ({
            ...{ text, time: at === null ? null : time(at), notes: [], done: null },
          })),
        ),
      ]);
      if (record.brief) blocks.unshift({ kind: 'text', text: record.brief });
      if (document && blocks.length > 0) {
        blocks.unshift({ kind: 'label', text: t(`detail.${document.kind}`) });
      }
      return blocks;
    },
    keywords: () =>
      record.keywords.length > 0 ? [{ kind: 'text', text: record.keywords.join(' · ') }] : [],
    todos: () =>
      list(
        (document?.todos ?? []).map((todo) => ({
          ...item(todo),
          notes: [
            ...(todo.who ? [todo.who] : []),
            ...(todo.due ? [dayWords(todo.due, language)] : todo.when ? [todo.when] : []),
          ],
          done: record.ticks[todo.id] ?? false,
        })),
      ),
    timeline: () =>
      list(
        (document?.timeline ?? []).map((event) => ({
          ...item(event),
          notes: [event.date ? dayWords(event.date, language) : event.when],
        })),
      ),
    topics: () => plain('topics'),
    knowledge_points: () => plain('knowledge_points'),
    needs: () => plain('needs'),
    questions: () => plain('questions'),
    finance() {
      const sums = document?.finance ?? [];
      if (sums.length === 0) return [];
      const amount = (value: number | null, currency: string | null) =>
        value === null ? '' : `${new Intl.NumberFormat(language).format(value)} ${currency ?? ''}`;
      const head = [t('export.table.amount'), t('export.table.purpose'), t('export.table.said')];
      const rows = sums.map(({ amount: value, currency, purpose, text, start_time }) => [
        ...[amount(value, currency).trim(), purpose ?? '', text],
        ...(choice.times ? [clock(start_time, language)] : []),
      ]);
      return [
        { kind: 'table', head: choice.times ? [...head, t('export.table.time')] : head, rows },
      ];
    },
    markers: () =>
      list(
        record.markers.map(({ time: at, label }) => ({
          text: label || t('export.marker'),
          // A marker without its time would be meaningless.
          ...{ time: clock(at, language), notes: [], done: null },
        })),
      ),
    transcript: () =>
      spokenIn(record, choice, t).map(({ paragraph, speaker }) => ({
        kind: 'spoken',
        speaker,
        time: time(paragraph.start_time),
        text: paragraph.content,
        marked: paragraph.is_tag === 1,
      })),
  };

  const blocks = exportParts
    .filter((part) => choice.parts.includes(part))
    .flatMap((part): Block[] => {
      const found = parts[part]();
      const heading = { kind: 'heading', text: t(`export.parts.${part}`), level: 1 } as const;
      return found.length > 0 ? [heading, ...found] : [];
    });
  const facts = [
    `${longDate(record.create_date, language)} · ${clock(record.record_time, language)}`,
    ...(record.place?.name ? [record.place.name] : []),
    ...(record.tags.length > 0 ? [record.tags.join(' · ')] : []),
  ];
  return {
    ...{ title: nameOf(record, t, language), facts, blocks },
    language: record.task?.language ?? null,
  };
}

/** The parts of a recording that have content. */
export function partsOf(record: LocalRecord): ExportPart[] {
  const document = summaryDocument(record.summary_json);
  const there: Record<ExportPart, boolean> = {
    summary:
      record.brief !== '' ||
      summarySections(record, document, document?.structure ?? 'general').length > 0,
    keywords: record.keywords.length > 0,
    todos: (document?.todos ?? []).length > 0,
    topics: (document?.topics ?? []).length > 0,
    timeline: (document?.timeline ?? []).length > 0,
    knowledge_points: (document?.knowledge_points ?? []).length > 0,
    needs: (document?.needs ?? []).length > 0,
    questions: (document?.questions ?? []).length > 0,
    finance: (document?.finance ?? []).length > 0,
    markers: record.markers.length > 0,
    transcript: record.content.length > 0,
  };
  return exportParts.filter((part) => there[part]);
}
