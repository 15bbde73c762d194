/**
 * The content of an exported text, independent of format. Plain text, Markdown, Word and print all render the same
 * blocks in the same order.
 */
import { structureHeadings } from '@linnet/contract/structures';
import type { LocalRecord } from '@linnet/sync';
import type { TFunction } from 'i18next';
import { type ExportPart, exportParts } from '../../export-parts.ts';
import { formatClock, formatDay, formatLongDate } from '../../i18n/format.ts';
import { recordingName } from '../../i18n/record-name.ts';
import type { ExportChoice } from '../../ports/exports.ts';
import { summaryDocument, summarySections } from '../../summary-points.ts';
import { selectSpoken } from './spoken.ts';

export type ListItem = {
  readonly text: string;
  readonly time: string | null;
  /** Further details, such as the assignee and the due date. */
  readonly notes: readonly string[];
  /** Whether the item is checked, or null if it has no checkbox. */
  readonly done: boolean | null;
};

export type Block =
  | { readonly kind: 'heading'; readonly text: string; readonly level: 1 | 2 }
  | { readonly kind: 'text'; readonly text: string }
  /** A note in small print. */
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
  /** The recording's date, duration, location and tags. */
  readonly facts: readonly string[];
  /** The same facts in machine-readable form. */
  readonly metadata: {
    /** When the recording was made, in ISO 8601. */
    readonly date: string;
    /** Duration in seconds. */
    readonly duration: number;
    readonly tags: readonly string[];
    /** Names of the exported speakers, in the order they first speak. */
    readonly speakers: readonly string[];
  };
  /** BCP 47 tag of the spoken language; null if unknown. */
  readonly language: string | null;
  readonly blocks: readonly Block[];
};

/** The interface's translations and language. */
export type InterfaceLanguage = { readonly t: TFunction; readonly language: string };

type TextChoice = Pick<ExportChoice, 'parts' | 'speakers' | 'times' | 'marked'>;
type Point = { readonly text: string; readonly start_time: number };

type Heading = (typeof structureHeadings)[keyof typeof structureHeadings][number];
const headings: ReadonlySet<string> = new Set(Object.values(structureHeadings).flat());
const isHeading = (key: string): key is Heading => headings.has(key);

/** Formats a date from the summary document. It has no time or time zone, so treat it as local time. */
const formatDateOnly = (day: string, language: string) => formatDay(`${day}T00:00:00`, language);

/** Creates a recording's document with the selected parts in reading order. */
export function createTextDocument(
  record: LocalRecord & { readonly task: { readonly language: string } | null },
  choice: TextChoice,
  { t, language }: InterfaceLanguage,
): TextDocument {
  const document = summaryDocument(record.summary_json);
  const formatTime = (seconds: number) => (choice.times ? formatClock(seconds, language) : null);
  const toItem = ({ text, start_time }: Point): ListItem => ({
    text,
    time: formatTime(start_time),
    notes: [],
    done: null,
  });
  const list = (items: readonly ListItem[]): Block[] =>
    items.length > 0 ? [{ kind: 'list', items }] : [];
  const pointList = (key: 'knowledge_points' | 'needs' | 'questions' | 'topics') =>
    list((document?.[key] ?? []).map(toItem));

  const parts: Record<ExportPart, () => Block[]> = {
    summary() {
      const structure = document?.structure ?? 'general';
      const sections = summarySections(record, document, structure);
      const isCustom = structure === 'custom';
      const blocks: Block[] = sections.flatMap(({ heading, points }) => [
        {
          kind: 'heading' as const,
          text: !isCustom && isHeading(heading) ? t(`summary.headings.${heading}`) : heading,
          level: 2 as const,
        },
        ...list(
          points.map(({ text, time }) => ({
            text,
            time: time === null ? null : formatTime(time),
            notes: [],
            done: null,
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
          ...toItem(todo),
          notes: [
            ...(todo.who ? [todo.who] : []),
            ...(todo.due ? [formatDateOnly(todo.due, language)] : todo.when ? [todo.when] : []),
          ],
          done: record.ticks[todo.id] ?? false,
        })),
      ),
    timeline: () =>
      list(
        (document?.timeline ?? []).map((event) => ({
          ...toItem(event),
          notes: [event.date ? formatDateOnly(event.date, language) : event.when],
        })),
      ),
    topics: () => pointList('topics'),
    knowledge_points: () => pointList('knowledge_points'),
    needs: () => pointList('needs'),
    questions: () => pointList('questions'),
    finance() {
      const amounts = document?.finance ?? [];
      if (amounts.length === 0) return [];
      const formatAmount = (value: number | null, currency: string | null) =>
        value === null ? '' : `${new Intl.NumberFormat(language).format(value)} ${currency ?? ''}`;
      const head = [t('export.table.amount'), t('export.table.purpose'), t('export.table.said')];
      const rows = amounts.map(({ amount, currency, purpose, text, start_time }) => {
        const cells = [formatAmount(amount, currency).trim(), purpose ?? '', text];
        return choice.times ? [...cells, formatClock(start_time, language)] : cells;
      });
      return [
        { kind: 'table', head: choice.times ? [...head, t('export.table.time')] : head, rows },
      ];
    },
    markers: () =>
      list(
        record.markers.map(({ time, label }) => ({
          text: label || t('export.marker'),
          // A marker always shows its time, because it's meaningless without one.
          time: formatClock(time, language),
          notes: [],
          done: null,
        })),
      ),
    notes: () =>
      list(
        // A note typed before the recording started applies to the whole recording, so it has no time.
        record.notes.map(({ time, text }) => ({
          text,
          time: time === 0 ? null : formatTime(time),
          notes: [],
          done: null,
        })),
      ),
    transcript: () =>
      selectSpoken(record, choice, t).map(({ paragraph, speaker }) => ({
        kind: 'spoken',
        speaker,
        time: formatTime(paragraph.start_time),
        text: paragraph.content,
        marked: paragraph.is_tag === 1,
      })),
  };

  const blocks = exportParts
    .filter((part) => choice.parts.includes(part))
    .flatMap((part): Block[] => {
      const content = parts[part]();
      const heading = { kind: 'heading', text: t(`export.parts.${part}`), level: 1 } as const;
      return content.length > 0 ? [heading, ...content] : [];
    });
  const facts = [
    `${formatLongDate(record.create_date, language)} · ${formatClock(record.record_time, language)}`,
    ...(record.place?.name ? [record.place.name] : []),
    ...(record.tags.length > 0 ? [record.tags.join(' · ')] : []),
  ];
  return {
    title: recordingName(record, t, language),
    facts,
    metadata: {
      date: record.create_date,
      duration: record.record_time,
      tags: record.tags,
      speakers: [
        ...new Set(selectSpoken(record, choice, t).flatMap(({ speaker }) => speaker ?? [])),
      ],
    },
    language: record.task?.language ?? null,
    blocks,
  };
}

/** Returns the parts of a recording that aren't empty. */
export function availableParts(record: LocalRecord): ExportPart[] {
  const document = summaryDocument(record.summary_json);
  const hasContent: Record<ExportPart, boolean> = {
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
    notes: record.notes.length > 0,
    transcript: record.content.length > 0,
  };
  return exportParts.filter((part) => hasContent[part]);
}
