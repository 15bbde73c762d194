import { scenes } from '@linnet/contract/statuses';
import ArrowDown from 'lucide-react/icons/arrow-down';
import ChevronDown from 'lucide-react/icons/chevron-down';
import ListFilterPlus from 'lucide-react/icons/list-filter-plus';
import X from 'lucide-react/icons/x';
import { type ReactNode, Suspense, useMemo, useState } from 'react';
import { formatAlternatives, formatDay, formatList } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { lazyPage } from '../../ui/lazy-page.ts';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import type { DayRangeProps } from './day-range.tsx';
import {
  type DayRange,
  type FilesView,
  hasFilters,
  noCriteria,
  recordingSources,
  speakersInUse,
  tagsInUse,
} from './files-view.ts';
import type { ListedRecord } from './row-state.ts';
import type { TagFilterProps } from './tag-filter-dialog.tsx';
import './filter-bar.css';

const DayRangeDialog = lazyPage<DayRangeProps>(async () => ({
  default: (await import('./day-range.tsx')).DayRangeDialog,
}));

const TagFilterDialog = lazyPage<TagFilterProps>(async () => ({
  default: (await import('./tag-filter-dialog.tsx')).TagFilterDialog,
}));

const filterParts = [
  'time',
  'type',
  'source',
  'transcript',
  'place',
  'tag',
  'speaker',
  'archived',
] as const;
type FilterPart = (typeof filterParts)[number];
type Part = 'sort' | FilterPart;

/** A filter chip that shows its current value. */
function Chip(props: {
  part: Part;
  active: boolean;
  icon?: ReactNode;
  open: boolean;
  onOpen(part: Part, anchor: Element): void;
  children: string;
}) {
  return (
    <button
      type="button"
      className="chip"
      data-testid={`filter-${props.part}`}
      data-active={props.active || undefined}
      aria-haspopup="menu"
      aria-expanded={props.open}
      onClick={(event) => props.onOpen(props.part, event.currentTarget)}
    >
      {props.icon}
      <span className="chip-text" dir="auto">
        {props.children}
      </span>
      <ChevronDown size={16} aria-hidden="true" />
    </button>
  );
}

/** A bar of chips: the sort order, each filter, and the buttons that clear and save the filters. */
export function FilterBar({
  view,
  records,
  isSortable = true,
  onChange,
  onSave,
}: {
  view: FilesView;
  /** All records, for the tags and speakers to choose from. */
  records: readonly ListedRecord[];
  isSortable?: boolean;
  onChange(changed: Partial<FilesView>): void;
  /** Saves the filters under a name; undefined if there is nothing to save. */
  onSave?: (() => void) | undefined;
}) {
  const { t } = useTranslation();
  const language = useLanguage();
  const [menu, setMenu] = useState<{ part: Part; anchor: Element } | null>(null);
  const [dialog, setDialog] = useState<'days' | 'tags' | null>(null);
  const { tags, speakers, hasArchived } = useMemo(
    () => ({
      tags: tagsInUse(records),
      speakers: speakersInUse(records),
      hasArchived: records.some((record) => record.is_archived === 1),
    }),
    [records],
  );

  const formatRange = ({ from, to }: DayRange) => {
    const day = (text: string) => formatDay(`${text}T12:00`, language);
    if (from && to) return from === to ? day(from) : `${day(from)} – ${day(to)}`;
    return from ? t('library.since', { day: day(from) }) : t('library.until', { day: day(to) });
  };
  const labels: Record<Part, string> = {
    sort: t(`library.sorts.${view.sort}`),
    time:
      typeof view.time === 'object' && view.time !== null
        ? formatRange(view.time)
        : t(view.time ? `library.times.${view.time}` : 'library.parts.time'),
    type: t(view.type ? `library.types.${view.type}` : 'library.parts.type'),
    source: t(view.source ? `library.sources.${view.source}` : 'library.parts.source'),
    transcript: t(
      view.transcript ? `library.transcripts.${view.transcript}` : 'library.parts.transcript',
    ),
    place: t(view.place ? `library.places.${view.place}` : 'library.parts.place'),
    tag:
      view.tags.length === 0
        ? t('library.parts.tag')
        : (view.match === 'all' ? formatList : formatAlternatives)(view.tags, language),
    speaker: view.speaker ?? t('library.parts.speaker'),
    archived: t(view.archived ? 'archive.only' : 'library.parts.archived'),
  };
  const choice = <Key extends keyof FilesView>(
    key: Key,
    value: FilesView[Key],
    label: string,
  ): MenuItem => ({
    kind: 'choice',
    label,
    checked: view[key] === value,
    run: () => onChange({ [key]: value }),
  });
  const items: Record<Part, () => readonly MenuItem[]> = {
    sort: () =>
      (['created', 'changed'] as const).map((sort) =>
        choice('sort', sort, t(`library.sorts.${sort}`)),
      ),
    time: () => [
      ...([null, 'week', 'month', 'quarter'] as const).map((time) =>
        choice('time', time, t(`library.times.${time ?? 'all'}`)),
      ),
      {
        kind: 'choice',
        label: t('library.chooseDays'),
        checked: typeof view.time === 'object' && view.time !== null,
        run: () => setDialog('days'),
      },
    ],
    type: () =>
      [null, ...scenes].map((type) => choice('type', type, t(`library.types.${type ?? 'all'}`))),
    source: () =>
      [null, ...recordingSources].map((source) =>
        choice('source', source, t(`library.sources.${source ?? 'all'}`)),
      ),
    transcript: () =>
      ([null, 'translated', 'untranslated'] as const).map((transcript) =>
        choice('transcript', transcript, t(`library.transcripts.${transcript ?? 'all'}`)),
      ),
    place: () =>
      ([null, 'app', 'cloud'] as const).map((place) =>
        choice('place', place, t(`library.places.${place ?? 'all'}`)),
      ),
    tag: () => [
      {
        kind: 'choice',
        label: t('library.anyTag'),
        checked: view.tags.length === 0,
        run: () => onChange({ tags: [] }),
      },
      ...includeSelected(tags, view.tags).map(
        (tag): MenuItem => ({
          kind: 'choice',
          label: tag,
          checked: view.tags.includes(tag),
          run: () => onChange({ tags: [tag] }),
        }),
      ),
      ...(tags.length > 1
        ? [
            {
              kind: 'choice' as const,
              label: t('library.chooseTags'),
              checked: view.tags.length > 1,
              run: () => setDialog('tags'),
            },
          ]
        : []),
    ],
    speaker: () => [
      choice('speaker', null, t('library.anySpeaker')),
      ...includeSelected(speakers, view.speaker === null ? [] : [view.speaker]).map((name) =>
        choice('speaker', name, name),
      ),
    ],
    archived: () =>
      [false, true].map((archived) =>
        choice('archived', archived, t(`archive.${archived ? 'only' : 'without'}`)),
      ),
  };
  const isActive = (part: FilterPart) => {
    if (part === 'tag') return view.tags.length > 0;
    return part === 'archived' ? view.archived : view[part] !== null;
  };
  /** Returns whether a filter has any values to choose from. Other filters are hidden. */
  const isOffered = (part: FilterPart) => {
    if (part === 'tag') return tags.length > 0;
    return part === 'speaker' ? speakers.length > 0 : part !== 'archived' || hasArchived;
  };
  const shownParts = filterParts.filter((part) => isActive(part) || isOffered(part));
  const openMenu = (part: Part, anchor: Element) => setMenu({ part, anchor });

  return (
    <>
      <fieldset className="filter-bar">
        <legend className="visually-hidden">{t('library.filters')}</legend>
        {hasFilters(view) && (
          <button
            type="button"
            className="chip chip-clear"
            data-testid="filter-clear"
            onClick={() => onChange(noCriteria)}
          >
            <X size={16} aria-hidden="true" />
            {t('library.clear')}
          </button>
        )}
        {onSave && (
          <button
            type="button"
            className="chip chip-clear"
            data-testid="filter-save"
            onClick={onSave}
          >
            <ListFilterPlus size={16} aria-hidden="true" />
            {t('savedFilters.add')}
          </button>
        )}
        {isSortable && (
          <Chip
            part="sort"
            active={false}
            icon={<ArrowDown size={16} aria-hidden="true" />}
            open={menu?.part === 'sort'}
            onOpen={openMenu}
          >
            {labels.sort}
          </Chip>
        )}
        {shownParts.map((part) => (
          <Chip
            key={part}
            part={part}
            active={isActive(part)}
            open={menu?.part === part}
            onOpen={openMenu}
          >
            {labels[part]}
          </Chip>
        ))}
      </fieldset>
      <Menu
        anchor={menu?.anchor ?? null}
        label={menu ? t(`library.parts.${menu.part}`) : ''}
        onClose={() => setMenu(null)}
        items={menu ? items[menu.part]() : []}
      />
      {dialog === 'days' && (
        <Suspense fallback={null}>
          <DayRangeDialog
            range={typeof view.time === 'object' ? view.time : null}
            onApply={(time) => {
              onChange({ time });
              setDialog(null);
            }}
            onCancel={() => setDialog(null)}
          />
        </Suspense>
      )}
      {dialog === 'tags' && (
        <Suspense fallback={null}>
          <TagFilterDialog
            tags={includeSelected(tags, view.tags)}
            criteria={view}
            onApply={(criteria) => {
              onChange(criteria);
              setDialog(null);
            }}
            onCancel={() => setDialog(null)}
          />
        </Suspense>
      )}
    </>
  );
}

/** Adds the selected texts to the list, because they may no longer occur in any recording. */
function includeSelected(texts: readonly string[], selected: readonly string[]): readonly string[] {
  return [...selected.filter((text) => !texts.includes(text)), ...texts];
}
