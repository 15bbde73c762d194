import type { LocalParagraph } from '@linnet/sync';
import Bookmark from 'lucide-react/icons/bookmark';
import RefreshCw from 'lucide-react/icons/refresh-cw';
import Search from 'lucide-react/icons/search';
import { useEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { formatCount } from '../../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../../i18n/index.ts';
import { useLanguageName } from '../../../i18n/language-name.ts';
import { LiveTextView } from '../../../page-kit/live-text.tsx';
import { useNoteEdits } from '../../../page-kit/note-edits.ts';
import { useServerInfo, useServices, useStore } from '../../../page-kit/services-context.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/notice.tsx';
import { AddNote } from '../notes/add-note.tsx';
import { NotesSection } from '../notes/notes-section.tsx';
import type { OpenRecord } from '../open-record.ts';
import type { TabProps } from '../tab.ts';
import { FindBar } from './find-bar.tsx';
import { RestoreOriginals } from './originals.tsx';
import { RangeFailure, RangeSheet } from './range-sheet.tsx';
import { TranscribeForm } from './transcribe-form.tsx';
import { Transcript } from './transcript.tsx';
import { TranscriptArriving } from './transcript-arriving.tsx';
import { CancelRequest, TranscriptProgress } from './transcript-progress.tsx';
import { UnplacedChanges } from './unplaced-changes.tsx';
import { useFind } from './use-find.ts';
import { useTranscriptEdits } from './use-transcript-edits.ts';

/** Shows the transcript's engine and language, or the form for requesting a new transcription. */
function TranscriptSource({
  record,
  isRequesting,
  onRequested,
}: {
  record: OpenRecord;
  isRequesting: boolean;
  /** Closes the form. */
  onRequested(): void;
}) {
  const { t } = useTranslation();
  const serverInfo = useServerInfo();
  const spokenLanguage = record.task?.language;
  const engine = serverInfo?.languages.find((supported) => supported.language === spokenLanguage);
  const isEnglishOnly =
    serverInfo?.languages.every((supported) => supported.language === 'en') ?? false;
  const languageName = useLanguageName();
  // The form replaces the pressed button, so move focus to the form's title.
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (isRequesting) title.current?.focus({ preventScroll: true });
  }, [isRequesting]);
  if (isRequesting) {
    return (
      <section className="card again" aria-label={t('again.title')}>
        <h2 ref={title} tabIndex={-1}>
          {t('again.title')}
        </h2>
        <p>{t('again.description')}</p>
        <TranscribeForm
          record={record}
          {...(spokenLanguage && { initialLanguage: spokenLanguage })}
          cancel={<Button onClick={onRequested}>{t('common.cancel')}</Button>}
          onStart={onRequested}
        />
      </section>
    );
  }
  if (record.requestedLanguage !== null) {
    return (
      <section className="card again" aria-label={t('again.title')}>
        <p role="status">{t('again.asked')}</p>
        <div className="transcribe-actions">
          <CancelRequest record={record} />
        </div>
      </section>
    );
  }
  return (
    <p className="detail-label made-by">
      {engine?.quality === 'draft'
        ? t(spokenLanguage === 'en' && isEnglishOnly ? 'detail.draft' : 'detail.draftOther')
        : spokenLanguage && languageName(spokenLanguage)}
    </p>
  );
}

/** Shows the transcript with its toolbar: search, filter, new transcription, restore. */
function Transcription({
  record,
  player,
  isSearching,
  onFind,
  onRequest,
}: TabProps & {
  /** Opens the form for requesting a new transcription; null if that isn't possible now. */
  onRequest: (() => void) | null;
}) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { content } = record;
  const [showsOnlyMarked, setShowsOnlyMarked] = useState(false);
  const markedParagraphs = useMemo(() => content.filter(({ is_tag }) => is_tag === 1), [content]);
  // Removing the last highlight also clears the filter.
  const isFiltered = showsOnlyMarked && markedParagraphs.length > 0;
  const visibleParagraphs = isFiltered ? markedParagraphs : content;
  const edits = useTranscriptEdits(record);
  const noteEdits = useNoteEdits(record.id);
  const search = useFind(visibleParagraphs, isSearching, edits.replaceTexts);
  const opener = useRef<HTMLButtonElement>(null);
  const serverInfo = useServerInfo();
  const [firstOfRange, setFirstOfRange] = useState<LocalParagraph | null>(null);
  return (
    <>
      <div className="transcript-tools" data-finding={isSearching || undefined}>
        {isSearching ? (
          <FindBar
            query={search.query}
            matchCount={search.hits.length}
            index={search.at}
            onQuery={search.search}
            onMove={search.move}
            onReplace={search.replace}
            onReplaceAll={search.replaceAll}
            onClose={() => {
              flushSync(() => onFind(false));
              opener.current?.focus();
            }}
          />
        ) : (
          <>
            <Button
              ref={opener}
              variant="quiet"
              icon={<Search size={18} />}
              data-testid="find-open"
              onClick={() => onFind(true)}
            >
              {t('find.open')}
            </Button>
            {markedParagraphs.length > 0 && (
              <Button
                variant="quiet"
                className="transcript-filter"
                icon={<Bookmark size={18} fill={isFiltered ? 'currentColor' : 'none'} />}
                aria-pressed={isFiltered}
                data-testid="only-marked"
                onClick={() => setShowsOnlyMarked(!isFiltered)}
              >
                {t('transcript.onlyMarked', {
                  formatted: formatCount(markedParagraphs.length, language),
                })}
              </Button>
            )}
            <AddNote player={player} edits={noteEdits} />
            {onRequest && (
              <Button
                variant="quiet"
                icon={<RefreshCw size={18} />}
                data-testid="transcribe-again"
                onClick={onRequest}
              >
                {t('again.ask')}
              </Button>
            )}
            <RestoreOriginals record={record} writeAll={edits.replaceTexts} />
            <UnplacedChanges record={record} player={player} />
          </>
        )}
      </div>
      <Transcript
        record={record}
        paragraphs={visibleParagraphs}
        player={player}
        edits={edits}
        hits={search.hits}
        hit={search.hit}
        onRange={serverInfo?.transcribesRanges ? onRequest && setFirstOfRange : null}
      />
      {firstOfRange && (
        <RangeSheet record={record} first={firstOfRange} onClose={() => setFirstOfRange(null)} />
      )}
    </>
  );
}

/** Shows the text recognized so far, during the recording and until the transcript is available. */
function LiveSection({ record, isListening }: { record: OpenRecord; isListening: boolean }) {
  const hasText = useStore(useServices().liveText.texts).has(record.id);
  if (!isListening && !hasText) return null;
  return <LiveTextView recordId={record.id} isListening={isListening} />;
}

/** Shows the transcript, or the progress toward it. */
export function TranscriptionTab(props: TabProps) {
  const { record, state } = props;
  const { t } = useTranslation();
  const serverInfo = useServerInfo();
  const [isRequesting, setIsRequesting] = useState(false);
  if (record.content.length === 0) {
    if (state.kind !== 'done') {
      return (
        <div className="stages-with-text">
          <LiveSection record={record} isListening={state.kind === 'recording'} />
          <TranscriptProgress record={record} state={state} />
          <NotesSection record={record} player={props.player} />
        </div>
      );
    }
    return (
      <>
        {record.transcript === 'arriving' ? (
          <TranscriptArriving />
        ) : (
          <EmptyState title={t('detail.noWords')}>{t('detail.noWordsHint')}</EmptyState>
        )}
        <NotesSection record={record} player={props.player} />
      </>
    );
  }
  const canRequest =
    state.kind === 'done' &&
    !isRequesting &&
    record.requestedLanguage === null &&
    serverInfo !== null &&
    serverInfo.languages.length > 0;
  return (
    <>
      <RangeFailure record={record} />
      {state.kind === 'done' ? (
        <TranscriptSource
          record={record}
          isRequesting={isRequesting}
          onRequested={() => setIsRequesting(false)}
        />
      ) : (
        // During a re-transcription, the current transcript stays visible.
        <TranscriptProgress record={record} state={state} />
      )}
      <Transcription {...props} onRequest={canRequest ? () => setIsRequesting(true) : null} />
    </>
  );
}
