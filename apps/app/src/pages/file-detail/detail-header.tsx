import { limits } from '@linnet/contract/limits';
import ArrowLeft from 'lucide-react/icons/arrow-left';
import Pencil from 'lucide-react/icons/pencil';
import { type ReactNode, useRef } from 'react';
import { formatClock, formatLongDate, formatSpokenDuration } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { recordingName } from '../../i18n/record-name.ts';
import { useDraft } from '../../page-kit/drafts.ts';
import { useEditInPlace } from '../../page-kit/edit-in-place.ts';
import { useBack, useFocusOnArrival } from '../../page-kit/navigation.tsx';
import { paths } from '../../page-kit/paths.ts';
import { useSave } from '../../page-kit/saving.ts';
import { useServices } from '../../page-kit/services-context.ts';
import { IconButton } from '../../ui/button.tsx';
import type { OpenRecord } from './open-record.ts';
import { PlaceLine } from './place-line.tsx';

/** Names longer than this many characters are shown in a smaller font, to leave room for the content. */
const longNameLength = 44;

/**
 * The top bar. Shows the back button when the list is hidden, the name once the heading scrolls away, and `children` as
 * actions.
 */
export function DetailBar({
  name,
  parent = paths.files,
  children,
}: {
  name?: string;
  /** The back button's target when there is no history. */
  parent?: string;
  children?: ReactNode;
}) {
  const { t } = useTranslation();
  const goBack = useBack(parent);
  return (
    <div className="detail-bar">
      <span className="detail-back">
        <IconButton label={t('common.back')} data-testid="back" onClick={goBack}>
          <ArrowLeft className="turns" size={22} />
        </IconButton>
      </span>
      {name && (
        <span className="detail-bar-name" aria-hidden="true" dir="auto">
          {name}
        </span>
      )}
      {children && <span className="detail-bar-end">{children}</span>}
    </div>
  );
}

/** The field for editing the title. Enter or leaving the field saves; Escape cancels. */
function TitleEditor({
  title,
  onChange,
  onSave,
  onCancel,
}: {
  title: string;
  onChange(title: string): void;
  onSave(): void;
  onCancel(): void;
}) {
  const { t } = useTranslation();
  const endOnce = useEditInPlace(onSave);
  return (
    <textarea
      className="detail-title-input display"
      aria-label={t('files.renameTitle')}
      dir="auto"
      rows={1}
      maxLength={limits.recording.nameMaxLength}
      value={title}
      // The user has just chosen to edit the name.
      // biome-ignore lint/a11y/noAutofocus: see above
      autoFocus
      onFocus={(event) => event.currentTarget.select()}
      onChange={(event) => onChange(event.currentTarget.value.replace(/\n/g, ' '))}
      onBlur={() => endOnce(onSave)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') {
          event.preventDefault();
          endOnce(onSave);
        } else if (event.key === 'Escape') {
          endOnce(onCancel);
        }
      }}
    />
  );
}

/** Shows the name, which can be edited in place. */
function Title({ record }: { record: OpenRecord }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { library } = useServices();
  const save = useSave();
  const heading = useFocusOnArrival<HTMLHeadingElement>();
  const name = recordingName(record, t, language);
  const [draft, setDraft] = useDraft('title', record.id);
  const button = useRef<HTMLButtonElement>(null);

  if (draft !== null) {
    return (
      <TitleEditor
        title={draft}
        onChange={setDraft}
        onSave={() => {
          const title = draft.trim();
          setDraft(null);
          if (title && title !== name) save(() => library.rename(record.id, title));
        }}
        onCancel={() => setDraft(null)}
      />
    );
  }
  return (
    <div className="detail-title" data-long={name.length > longNameLength || undefined}>
      <h1 className="display" ref={heading} tabIndex={-1} dir="auto">
        {/* Clicking the text starts editing. Keyboard users can use the pencil button. */}
        {/* biome-ignore lint/a11y/noStaticElementInteractions: see above */}
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: see above */}
        <span onClick={() => setDraft(name)}>{name}</span>
      </h1>
      <IconButton ref={button} label={t('detail.editTitle')} onClick={() => setDraft(name)}>
        <Pencil size={18} />
      </IconButton>
    </div>
  );
}

/** Shows a recording's name, time, location and duration. */
export function DetailHeader({ record }: { record: OpenRecord }) {
  const { t } = useTranslation();
  const language = useLanguage();
  return (
    <header className="detail-head">
      <title>{`${recordingName(record, t, language)} · Linnet`}</title>
      <Title record={record} />
      <p className="detail-meta">
        <bdi>
          <time dateTime={record.create_date}>{formatLongDate(record.create_date, language)}</time>
        </bdi>
        <bdi className="tabular">
          <span title={formatSpokenDuration(record.record_time, language)}>
            {formatClock(record.record_time, language)}
          </span>{' '}
          · <span data-testid="record-type">{t(`files.types.${record.scene}`)}</span>
        </bdi>
        <PlaceLine record={record} />
      </p>
    </header>
  );
}
