import Cloud from 'lucide-react/icons/cloud';
import CloudUpload from 'lucide-react/icons/cloud-upload';
import Ellipsis from 'lucide-react/icons/ellipsis';
import RotateCw from 'lucide-react/icons/rotate-cw';
import { type MouseEvent, memo, type ReactNode } from 'react';
import { GoLink } from '../../app-shell/navigation.tsx';
import { recordingPath } from '../../app-shell/pages.ts';
import { clock, count, shortDate, spokenDuration, timeOfDay } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { IconButton } from '../../ui/button.tsx';
import { Ring, Tick } from '../../ui/ring.tsx';
import { Trace } from '../../ui/trace.tsx';
import { nameOf, preview } from './record-words.ts';
import { filledPart, type ListedRecord, rowState } from './row-state.ts';
import { stateWords } from './state-words.ts';

/** The end of a row: one quiet state, never more. */
function RowEnd({ record, onRetry }: { record: ListedRecord; onRetry(): void }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const state = rowState(record);
  const words = stateWords(t, state, language);
  switch (state.kind) {
    case 'fetching':
    case 'uploading':
    case 'transcribing':
      return (
        <Ring
          percent={state.percent}
          paused={state.kind === 'fetching' && state.paused}
          label={words}
          testId="row-progress"
        >
          {count(Math.round(state.percent), language)}
        </Ring>
      );
    case 'done':
      return <Tick label={words} />;
    case 'on-recorder':
      return (
        <span className="row-word" title={words}>
          {t('state.onRecorder')}
        </span>
      );
    case 'local':
      return (
        <span className="row-icon" role="img" aria-label={words} title={words}>
          <CloudUpload size={20} aria-hidden="true" />
        </span>
      );
    case 'cloud':
      return (
        <span className="row-icon" role="img" aria-label={words} title={words}>
          <Cloud size={20} aria-hidden="true" />
        </span>
      );
    case 'trouble':
      return (
        <button
          type="button"
          className="row-retry"
          aria-label={`${words}. ${t('common.retry')}`}
          title={words}
          onClick={onRetry}
        >
          <RotateCw size={16} aria-hidden="true" />
          {t('state.trouble')}
        </button>
      );
  }
}

/**
 * A row that can be swiped aside to what is behind it. The browser scrolls and snaps; keyboard and
 * screen reader have the same two in the row's menu.
 */
function Swipe({
  children,
  onRename,
  onBin,
}: {
  children: ReactNode;
  onRename(): void;
  onBin(): void;
}) {
  const { t } = useTranslation();
  const back = (event: MouseEvent, action: () => void) => {
    event.currentTarget.closest('.swipe')?.scrollTo({ left: 0, behavior: 'smooth' });
    action();
  };
  return (
    <div className="swipe" tabIndex={-1}>
      {children}
      <div className="swipe-actions" aria-hidden="true">
        <button type="button" tabIndex={-1} onClick={(event) => back(event, onRename)}>
          {t('files.rename')}
        </button>
        <button
          type="button"
          tabIndex={-1}
          data-danger="true"
          onClick={(event) => back(event, onBin)}
        >
          {t('common.delete')}
        </button>
      </div>
    </div>
  );
}

export type RowProps = {
  readonly record: ListedRecord;
  /** It is the one shown beside the list. */
  readonly current: boolean;
  /** The heading above already says the day. */
  readonly sameDay: boolean;
  onMenu(record: ListedRecord, anchor: Element): void;
  onRename(record: ListedRecord): void;
  onBin(record: ListedRecord): void;
  onRetry(record: ListedRecord): void;
};

/** One recording in one row: its sound, its name, when and how long, and how it stands. */
export const RecordRow = memo(function RecordRow(props: RowProps) {
  const { record, current, sameDay } = props;
  const { t } = useTranslation();
  const language = useLanguage();
  const state = rowState(record);
  const name = nameOf(record, t, language);
  const unread = record.is_new === 0 && state.kind !== 'on-recorder';
  const summary = preview(record.brief || record.summary);
  const when = sameDay
    ? timeOfDay(record.create_date, language)
    : shortDate(record.create_date, language);
  const row = (
    <div
      className="row"
      data-testid="record-row"
      data-record-id={record.id}
      data-state={state.kind}
      data-current={current || undefined}
    >
      <GoLink
        className="row-link"
        to={recordingPath(record.id)}
        way="push"
        aria-current={current ? 'page' : undefined}
        onContextMenu={(event) => {
          event.preventDefault();
          props.onMenu(record, event.currentTarget);
        }}
      >
        <Trace peaks={record.peaks} filled={filledPart(record)} />
        <span className="row-words">
          <span className="row-title">
            {unread && <span className="row-unread" role="img" aria-label={t('files.unread')} />}
            <span className="row-name" dir="auto">
              {name}
            </span>
          </span>
          <bdi className="row-meta tabular">
            {when} · <span aria-hidden="true">{clock(record.record_time, language)}</span>
            <span className="visually-hidden">{spokenDuration(record.record_time, language)}</span>{' '}
            · {t(record.rec_source === 2 ? 'files.call' : 'files.note')}
          </bdi>
          {summary && (
            <span className="row-preview" dir="auto">
              {summary}
            </span>
          )}
        </span>
      </GoLink>
      <span className="row-end">
        <RowEnd record={record} onRetry={() => props.onRetry(record)} />
      </span>
      <IconButton
        className="row-menu"
        label={t('common.more', { title: name })}
        aria-haspopup="menu"
        onClick={(event) => props.onMenu(record, event.currentTarget)}
      >
        <Ellipsis size={20} />
      </IconButton>
    </div>
  );
  return (
    <Swipe onRename={() => props.onRename(record)} onBin={() => props.onBin(record)}>
      {row}
    </Swipe>
  );
});
