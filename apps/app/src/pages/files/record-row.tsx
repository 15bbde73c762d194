import type { TFunction } from 'i18next';
import Check from 'lucide-react/icons/check';
import Cloud from 'lucide-react/icons/cloud';
import CloudUpload from 'lucide-react/icons/cloud-upload';
import Ellipsis from 'lucide-react/icons/ellipsis';
import RotateCw from 'lucide-react/icons/rotate-cw';
import { type MouseEvent, memo, useState } from 'react';
import {
  formatClock,
  formatCount,
  formatShortDate,
  formatSpokenDuration,
  formatTimeOfDay,
} from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { joinSentences } from '../../i18n/joined.ts';
import { useLongPress } from '../../page-kit/long-press.ts';
import { vibrate } from '../../page-kit/media.ts';
import { PageLink } from '../../page-kit/navigation.tsx';
import { recordingPath } from '../../page-kit/paths.ts';
import { IconButton } from '../../ui/button.tsx';
import { ProgressRing, Tick } from '../../ui/ring.tsx';
import { Waveform } from '../../ui/trace.tsx';
import { getName, preview } from './record-text.ts';
import type { Placeholder } from './row-list.tsx';
import { type ListedRecord, rowState, transferredShare } from './row-state.ts';
import { describeState } from './state-descriptions.ts';
import type { PickMode } from './use-selection.ts';

/** The translation function and the language, looked up once per row. */
type RowLocale = { readonly t: TFunction; readonly language: string };

/** Shows the status icon or text at the end of a row. */
function RowEnd({
  record,
  onRetry,
  t,
  language,
}: RowLocale & { record: ListedRecord; onRetry(): void }) {
  const state = rowState(record);
  const text = describeState(t, state, language);
  switch (state.kind) {
    case 'fetching':
    case 'uploading':
    case 'transcribing':
      return (
        <ProgressRing
          percent={state.percent}
          paused={state.kind === 'fetching' && state.paused}
          label={text}
          testId="row-progress"
        >
          {formatCount(Math.round(state.percent), language)}
        </ProgressRing>
      );
    case 'done':
      return <Tick label={text} />;
    case 'recording':
    case 'interrupted':
      return (
        <span className="row-word row-recording">
          <span
            className="recording-dot"
            data-still={state.kind === 'interrupted' || undefined}
            aria-hidden="true"
          />
          {text}
        </span>
      );
    case 'on-recorder':
      return (
        <span className="row-word" title={text}>
          {t('state.onRecorder')}
        </span>
      );
    case 'local':
      return (
        <span className="row-icon" role="img" aria-label={text} title={text}>
          <CloudUpload size={20} aria-hidden="true" />
        </span>
      );
    case 'cloud':
      return (
        <span className="row-icon" role="img" aria-label={text} title={text}>
          <Cloud size={20} aria-hidden="true" />
        </span>
      );
    case 'trouble':
      return (
        <button
          type="button"
          className="row-retry"
          aria-label={joinSentences([text, t('common.retry')], language)}
          title={text}
          onClick={onRetry}
        >
          <RotateCw size={16} aria-hidden="true" />
          {t('state.trouble')}
        </button>
      );
  }
}

/**
 * The actions revealed by swiping a row. The browser handles scrolling and snapping. Keyboard and screen reader users
 * have the same actions in the row's menu.
 */
function SwipeActions({
  t,
  onRename,
  onMoveToBin,
}: {
  t: TFunction;
  onRename(): void;
  onMoveToBin(): void;
}) {
  const scrollBack = (event: MouseEvent, action: () => void) => {
    event.currentTarget.closest('.swipe')?.scrollTo({ left: 0, behavior: 'smooth' });
    action();
  };
  return (
    <div className="swipe-actions" aria-hidden="true">
      <button type="button" tabIndex={-1} onClick={(event) => scrollBack(event, onRename)}>
        {t('files.rename')}
      </button>
      <button
        type="button"
        tabIndex={-1}
        data-danger="true"
        onClick={(event) => scrollBack(event, onMoveToBin)}
      >
        {t('files.toBin')}
      </button>
    </div>
  );
}

/** Returns a recording's time as shown in its row. */
function recordingTime(record: ListedRecord, sameDay: boolean, language: string): string {
  return (sameDay ? formatTimeOfDay : formatShortDate)(record.create_date, language);
}

/** Returns the placeholder shown during fast scrolling. */
export function rowPlaceholder(
  record: ListedRecord,
  sameDay: boolean,
  t: TFunction,
  language: string,
): Placeholder {
  const length = formatClock(record.record_time, language);
  return {
    name: getName(record, t, language),
    meta: `${recordingTime(record, sameDay, language)} · ${length} · ${t(`files.types.${record.scene}`)}`,
  };
}

/**
 * Shows a row's content.
 * @param when the recording's time, or other text to show in its place
 */
export function RowBody({
  record,
  when,
  t,
  language,
}: RowLocale & { record: ListedRecord; when: string }) {
  const { kind } = rowState(record);
  const isUnread = record.is_new === 0 && kind !== 'on-recorder' && kind !== 'recording';
  const summaryPreview = preview(record.opening);
  return (
    <>
      <Waveform peaks={record.peaks} filled={transferredShare(record)} />
      <span className="row-words">
        {isUnread && <span className="row-unread" role="img" aria-label={t('files.unread')} />}
        <span className="row-name" dir="auto">
          {getName(record, t, language)}
        </span>
        <bdi className="row-meta tabular">
          {`${when} · `}
          {kind !== 'recording' && (
            <>
              <span aria-hidden="true">{formatClock(record.record_time, language)}</span>
              <span className="visually-hidden">
                {formatSpokenDuration(record.record_time, language)}
              </span>
              {' · '}
            </>
          )}
          {t(`files.types.${record.scene}`)}
          {record.tags.map((tag) => (
            <span key={tag}>
              {' '}
              <bdi className="row-tag">{tag}</bdi>
            </span>
          ))}
        </bdi>
        {summaryPreview && (
          <span className="row-preview" dir="auto">
            {summaryPreview}
          </span>
        )}
      </span>
    </>
  );
}

/** A row in selection mode. */
export function SelectableRow({
  record,
  when,
  picked,
  onPick,
  ...locale
}: RowLocale & Pick<RowProps, 'record' | 'onPick'> & { when: string; picked: boolean }) {
  return (
    <div className="row" data-testid="record-row" data-record-id={record.id} data-picked={picked}>
      {/* biome-ignore lint/a11y/useSemanticElements: only a click reports whether Shift was held. */}
      <button
        type="button"
        role="checkbox"
        aria-checked={picked}
        className="row-link"
        onClick={(event) => onPick(record, event.shiftKey ? 'range' : 'toggle')}
      >
        <span className="row-pick" aria-hidden="true">
          {picked && <Check size={16} />}
        </span>
        <RowBody record={record} when={when} {...locale} />
      </button>
    </div>
  );
}

export type RowProps = {
  readonly record: ListedRecord;
  /** Whether the recording is open beside the list. */
  readonly current: boolean;
  /** Whether the heading above already shows the day. */
  readonly sameDay: boolean;
  /** Whether the recording is selected; null outside selection mode. */
  readonly picked: boolean | null;
  /** Whether scrolling has stopped with this row in view. Its menu and swipe actions are rendered only then. */
  readonly settled: boolean;
  onMenu(record: ListedRecord, anchor: Element): void;
  onRename(record: ListedRecord): void;
  onMoveToBin(record: ListedRecord): void;
  onRetry(record: ListedRecord): void;
  /** Selects the recording, entering selection mode if necessary. */
  onPick(record: ListedRecord, how: PickMode): void;
};

/** A row that opens its recording. Its controls are rendered once scrolling stops or the row is touched. */
function OpenableRow(props: RowProps & RowLocale & { when: string }) {
  const { record, current, when, settled, onPick, t, language } = props;
  const [isTouched, setTouched] = useState(false);
  const press = useLongPress(() => {
    vibrate('hold');
    onPick(record, 'toggle');
  });
  const isReady = settled || isTouched;
  const touch = () => setTouched(true);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the interactive elements are inside.
    <div
      className="swipe"
      tabIndex={-1}
      data-ready={isReady || undefined}
      onFocus={touch}
      onPointerEnter={touch}
    >
      <div
        className="row"
        data-testid="record-row"
        data-record-id={record.id}
        data-state={rowState(record).kind}
        data-current={current || undefined}
      >
        <PageLink
          className="row-link"
          to={recordingPath(record.id)}
          transition="push"
          draggable={false}
          aria-current={current ? 'page' : undefined}
          {...press.handlers}
          onClick={(event) => {
            const hasModifierKey = event.shiftKey || event.ctrlKey || event.metaKey;
            if (!hasModifierKey && !press.isLongPress()) return;
            event.preventDefault();
            if (hasModifierKey) onPick(record, event.shiftKey ? 'range' : 'toggle');
          }}
          onContextMenu={(event) => {
            event.preventDefault();
            if (!press.isLongPress()) props.onMenu(record, event.currentTarget);
          }}
        >
          <RowBody record={record} when={when} t={t} language={language} />
        </PageLink>
        <span className="row-end">
          <RowEnd record={record} t={t} language={language} onRetry={() => props.onRetry(record)} />
        </span>
        {isReady && (
          <IconButton
            className="row-menu"
            label={t('common.more', { title: getName(record, t, language) })}
            aria-haspopup="menu"
            onClick={(event) => props.onMenu(record, event.currentTarget)}
          >
            <Ellipsis size={20} />
          </IconButton>
        )}
      </div>
      {isReady && (
        <SwipeActions
          t={t}
          onRename={() => props.onRename(record)}
          onMoveToBin={() => props.onMoveToBin(record)}
        />
      )}
    </div>
  );
}

/** Shows a recording as a row: waveform, name, time, duration and status. */
export const RecordRow = memo(function RecordRow(props: RowProps) {
  const { record, sameDay, picked, onPick } = props;
  const { t } = useTranslation();
  const language = useLanguage();
  const rowText = { t, language, when: recordingTime(record, sameDay, language) };
  return picked === null ? (
    <OpenableRow {...props} {...rowText} />
  ) : (
    <SelectableRow record={record} picked={picked} onPick={onPick} {...rowText} />
  );
});
