import { scenes } from '@linnet/contract/statuses';
import ArrowDown from 'lucide-react/icons/arrow-down';
import ChevronDown from 'lucide-react/icons/chevron-down';
import X from 'lucide-react/icons/x';
import { type ReactNode, Suspense, useState } from 'react';
import { formatDay } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { lazyPage } from '../../ui/lazy-page.ts';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import type { DayRangeProps } from './day-range.tsx';
import { type DayRange, defaultView, type FilesView, hasFilters } from './files-view.ts';
import './filter-bar.css';

const DayRangeDialog = lazyPage<DayRangeProps>(async () => ({
  default: (await import('./day-range.tsx')).DayRangeDialog,
}));

type Part = 'sort' | 'time' | 'type' | 'transcript' | 'place' | 'tag' | 'archived';

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
      <span className="chip-words" dir="auto">
        {props.children}
      </span>
      <ChevronDown size={16} aria-hidden="true" />
    </button>
  );
}

/** A bar with a chip for the sort order, one for each filter, and one that clears the filters. */
export function FilterBar({
  view,
  tags,
  hasArchived,
  onChange,
}: {
  view: FilesView;
  /** Tags in use. */
  tags: readonly string[];
  /** Whether there are archived recordings. */
  hasArchived: boolean;
  onChange(changed: Partial<FilesView>): void;
}) {
  const { t } = useTranslation();
  const language = useLanguage();
  const [menu, setMenu] = useState<{ part: Part; anchor: Element } | null>(null);
  const [isChoosingRange, setChoosingRange] = useState(false);

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
    transcript: t(
      view.transcript ? `library.transcripts.${view.transcript}` : 'library.parts.transcript',
    ),
    place: t(view.place ? `library.places.${view.place}` : 'library.parts.place'),
    tag: view.tag ?? t('library.parts.tag'),
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
        run: () => setChoosingRange(true),
      },
    ],
    type: () =>
      [null, ...scenes].map((type) => choice('type', type, t(`library.types.${type ?? 'all'}`))),
    transcript: () =>
      ([null, 'translated', 'untranslated'] as const).map((transcript) =>
        choice('transcript', transcript, t(`library.transcripts.${transcript ?? 'all'}`)),
      ),
    place: () =>
      ([null, 'app', 'cloud'] as const).map((place) =>
        choice('place', place, t(`library.places.${place ?? 'all'}`)),
      ),
    tag: () => [
      choice('tag', null, t('library.anyTag')),
      ...withSelectedTag(tags, view.tag).map((tag) => choice('tag', tag, tag)),
    ],
    archived: () =>
      [false, true].map((archived) =>
        choice('archived', archived, t(`archive.${archived ? 'only' : 'without'}`)),
      ),
  };
  const parts: readonly Exclude<Part, 'sort'>[] = [
    ...(['time', 'type', 'transcript', 'place'] as const),
    ...(tags.length > 0 || view.tag ? (['tag'] as const) : []),
    ...(hasArchived || view.archived ? (['archived'] as const) : []),
  ];
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
            onClick={() => onChange({ ...defaultView, sort: view.sort })}
          >
            <X size={16} aria-hidden="true" />
            {t('library.clear')}
          </button>
        )}
        <Chip
          part="sort"
          active={false}
          icon={<ArrowDown size={16} aria-hidden="true" />}
          open={menu?.part === 'sort'}
          onOpen={openMenu}
        >
          {labels.sort}
        </Chip>
        {parts.map((part) => (
          <Chip
            key={part}
            part={part}
            active={part === 'archived' ? view.archived : view[part] !== null}
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
      {isChoosingRange && (
        <Suspense fallback={null}>
          <DayRangeDialog
            range={typeof view.time === 'object' ? view.time : null}
            onApply={(time) => {
              onChange({ time });
              setChoosingRange(false);
            }}
            onCancel={() => setChoosingRange(false)}
          />
        </Suspense>
      )}
    </>
  );
}

/** Adds the selected tag to the list, even if no recording has it anymore. */
function withSelectedTag(tags: readonly string[], selectedTag: string | null): readonly string[] {
  return selectedTag === null || tags.includes(selectedTag) ? tags : [selectedTag, ...tags];
}
