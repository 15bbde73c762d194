import type { QuestionThread } from '@linnet/contract';
import { limits } from '@linnet/contract/limits';
import type { LiveText } from '@linnet/sync';
import ArrowLeft from 'lucide-react/icons/arrow-left';
import SquarePen from 'lucide-react/icons/square-pen';
import Trash2 from 'lucide-react/icons/trash-2';
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useNavigate, useNavigationType, useSearchParams } from 'react-router';
import { describeFailure } from '../../i18n/failures.ts';
import { useTranslation } from '../../i18n/index.ts';
import { canAsk, type LiveNote, liveNote } from '../../page-kit/live-note.ts';
import { useIsWide } from '../../page-kit/media.ts';
import {
  useBack,
  useFocusOnArrival,
  useFocusRestore,
  useNavigateTo,
} from '../../page-kit/navigation.tsx';
import { askPath, paths } from '../../page-kit/paths.ts';
import { useServices, useStore } from '../../page-kit/services-context.ts';
import type { LiveAvailability } from '../../ports/live.ts';
import type { ConversationState } from '../../ports/questions.ts';
import type { Live } from '../../ports/store.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { EmptyState, LoadingPlaceholder, Notice } from '../../ui/notice.tsx';
import { hasTranscript, type OpenRecord } from '../file-detail/open-record.ts';
import { type AskedRecording, askedRecording, type RecordingFacts } from './asked-recording.ts';
import { Composer } from './composer.tsx';
import { ConversationView } from './conversation-view.tsx';
import { EmptyConversation } from './empty-conversation.tsx';
import { Scope } from './scope.tsx';
import { useDeleteThread } from './use-delete-thread.tsx';
import { useQuestionDraft } from './use-question-draft.ts';
import '../../page-kit/page.css';
import './ask.css';

const allRecordings: AskedRecording['start'] = { kind: 'new', recordings: [] };
const noValue = { status: 'ready', value: null } as const;
const noRecord: Live<null> = { get: () => noValue, subscribe: () => () => {} };

/** Shows the conversation in the URL: a stored thread, or a new conversation about one or all recordings. */
export default function AskPage() {
  const { t } = useTranslation();
  const { library, liveText } = useServices();
  const [parameters] = useSearchParams();
  const thread = parameters.get('thread');
  const recording = thread === null ? parameters.get('recording') : null;
  const record = useStore<ReturnType<Live<OpenRecord | null>['get']>>(
    useMemo(
      () => (recording === null ? noRecord : library.record(recording)),
      [library, recording],
    ),
  );
  const text = useStore(liveText.texts).get(recording ?? '') ?? null;
  const other = useStore(liveText.others).find(({ id }) => id === recording) ?? null;
  const availability = useStore(liveText.availability);
  const isTranscribed =
    record.status === 'ready' && record.value !== null && hasTranscript(record.value);
  const shown = text ?? other?.text ?? null;
  const askedRecord = useAskedRecording(recording, {
    isRead: record.status === 'ready',
    serverId: record.status === 'ready' ? (record.value?.server_id ?? null) : null,
    isTranscribed,
    liveText: shown === null ? 'none' : canAsk(shown) ? 'usable' : 'empty',
  });
  if (recording === null || askedRecord !== null) {
    const hasStopped = !isTranscribed && shown?.state.status === 'stopped';
    return (
      <AskView
        thread={thread}
        recording={recording}
        start={askedRecord?.start ?? allRecordings}
        note={
          askedRecord?.start.kind === 'live' && hasStopped
            ? liveNote(availability, shown, false)
            : null
        }
      />
    );
  }
  const isInProgress = record.status === 'ready' && record.value?.movement?.step === 'record';
  return (
    <Frame step="recording">
      {record.status === 'loading' ? (
        <LoadingPlaceholder />
      ) : (
        <EmptyState title={t(record.value || shown ? 'ask.notYet' : 'detail.notFound')}>
          {t(
            record.value || shown
              ? hintKey(isInProgress ? availability : 'unknown', shown)
              : 'detail.notFoundHint',
          )}
        </EmptyState>
      )}
    </Frame>
  );
}

/** Returns how to start a conversation about a recording, or null if that isn't possible yet. */
function useAskedRecording(recording: string | null, facts: RecordingFacts): AskedRecording | null {
  const [before, setBefore] = useState<AskedRecording | null>(null);
  const askedRecord = askedRecording(before, recording, facts);
  if (askedRecord !== before) setBefore(askedRecord);
  return askedRecord;
}

/** Returns the translation key of the hint that explains why questions about a recording aren't possible yet. */
function hintKey(availability: LiveAvailability, text: LiveText | null) {
  if (availability === 'off') return 'ask.liveOff';
  const note = liveNote(availability, text, false);
  return note ? (`live.${note}` as const) : 'ask.notYetHint';
}

/** The page: the conversation, and the field for the next question. */
function AskView({
  thread,
  recording,
  start,
  note,
}: {
  /** The ID of a stored thread, or null for a new one. */
  thread: string | null;
  /** The ID on this device of the recording that a new thread is about, or null for all recordings. */
  recording: string | null;
  /** How a new thread starts. */
  start: AskedRecording['start'];
  /** Why the recording's live text has stopped, or null. */
  note: LiveNote | null;
}) {
  const { t } = useTranslation();
  const { questions, drafts } = useServices();
  const navigate = useNavigate();
  const navigateTo = useNavigateTo();
  const conversation = useMemo(
    () => questions.open(thread === null ? start : { kind: 'thread', id: thread }),
    [questions, thread, start],
  );
  const state = useStore(conversation.state);
  useEffect(() => void conversation.load(), [conversation]);
  const isWide = useIsWide();
  const input = useRef<HTMLTextAreaElement>(null);
  const [draft, setDraft] = useQuestionDraft(thread ?? recording ?? '');

  const isAsking = state.status === 'open' && state.asking.status === 'asking';
  const ask = useCallback(
    async (question: string) => {
      setDraft(question);
      if (await conversation.ask(question.trim())) setDraft('');
    },
    [conversation, setDraft],
  );
  useQuestionFromUrl(thread === null && recording === null ? ask : null);

  // Once the first question has been answered, put the thread's ID into the URL.
  const storedThread = state.status === 'open' ? state.thread : null;
  useEffect(() => {
    if (storedThread !== null && storedThread !== thread)
      void navigate(askPath({ thread: storedThread }), { replace: true });
  }, [storedThread, thread, navigate]);

  /**
   * Opens a new conversation. If the current one can't take more questions, moves the typed question to the new one.
   */
  const startNew = () => {
    const isOver =
      state.status === 'deleted' ||
      (state.status === 'open' && state.answers.length >= limits.ask.questions);
    if (isOver && draft !== '') drafts.write('question', draft);
    void navigateTo(paths.ask, { transition: 'switch' });
  };
  const { confirmDelete, dialog } = useDeleteThread(() => {
    setDraft('');
    void navigateTo(paths.ask, { transition: 'switch', replace: true });
  });
  const isScoped = state.status === 'open' && (state.recordings.length > 0 || state.live !== null);
  const hasQuestions = state.status === 'open' && (state.answers.length > 0 || isAsking);
  const openThread = toThread(state);

  return (
    <Frame
      step={hasQuestions ? 'questions' : state.status}
      end={
        hasQuestions && (
          <>
            <IconButton label={t('ask.new')} data-testid="new-chat" onClick={startNew}>
              <SquarePen size={20} />
            </IconButton>
            {openThread && (
              <IconButton
                label={t('ask.delete')}
                data-testid="delete-chat"
                onClick={() => confirmDelete(openThread)}
              >
                <Trash2 size={20} />
              </IconButton>
            )}
          </>
        )
      }
      footer={
        state.status === 'open' && (
          <Composer
            inputRef={input}
            value={isAsking ? '' : draft}
            isAsking={isAsking}
            questions={state.answers.length}
            isScoped={isScoped}
            onChange={setDraft}
            onSend={() => void ask(draft)}
          />
        )
      }
    >
      {state.status === 'loading' && <LoadingPlaceholder />}
      {state.status === 'failed' && (
        <Notice
          message={t('ask.loadFailed')}
          detail={describeFailure(t, state.failure).message}
          action={<Button onClick={() => void conversation.load()}>{t('common.retry')}</Button>}
        />
      )}
      {state.status === 'deleted' && (
        <EmptyState
          title={t('ask.gone')}
          action={
            <Button variant="primary" data-testid="new-chat" onClick={startNew}>
              {t('ask.new')}
            </Button>
          }
        >
          {t('ask.goneHint')}
        </EmptyState>
      )}
      {state.status === 'open' && (
        <>
          {isScoped && <Scope serverIds={state.recordings} isLive={state.live !== null} />}
          {note && (
            <p className="ask-hint" data-testid="live-note">
              {t(`live.${note}`)}
            </p>
          )}
          {hasQuestions || state.asking.status === 'failed' ? (
            <ConversationView
              state={state}
              onRetry={() => {
                void ask(draft);
                input.current?.focus();
              }}
            />
          ) : (
            <EmptyConversation
              isScoped={isScoped}
              onAsk={(question) => {
                void ask(question);
                // On a phone, the keyboard would cover the answer.
                if (isWide) input.current?.focus();
              }}
            />
          )}
        </>
      )}
      {dialog}
    </Frame>
  );
}

/** Returns a conversation's thread with its first question, or null if it isn't stored yet. */
function toThread(state: ConversationState): Pick<QuestionThread, 'id' | 'question'> | null {
  if (state.status !== 'open' || state.thread === null) return null;
  return { id: state.thread, question: state.answers[0]?.question ?? '' };
}

/**
 * Asks the question in the URL, which the search page puts there. Doesn't ask it again after a reload or when the user
 * navigates back.
 */
function useQuestionFromUrl(ask: ((question: string) => Promise<void>) | null): void {
  const [parameters] = useSearchParams();
  const isBackNavigation = useNavigationType() === 'POP';
  const question = parameters.get('q');
  const lastQuestion = useRef<string | null>(null);
  useEffect(() => {
    if (ask === null || question === null || isBackNavigation || lastQuestion.current === question)
      return;
    lastQuestion.current = question;
    void ask(question);
  }, [ask, question, isBackNavigation]);
}

/** The screen: a bar, the scrolling conversation, and a footer. */
function Frame({
  step,
  end,
  footer,
  children,
}: {
  /** The current step. When it changes, lost focus returns to the heading. */
  step: string;
  end?: ReactNode;
  footer?: ReactNode;
  children: ReactNode;
}) {
  const { t } = useTranslation();
  const goBack = useBack(paths.files);
  const heading = useFocusOnArrival<HTMLHeadingElement>();
  useFocusRestore(heading, step);
  return (
    <main className="ask">
      <title>{`${t('ask.title')} · Linnet`}</title>
      <header className="ask-bar">
        <IconButton label={t('common.back')} data-testid="back" onClick={goBack}>
          <ArrowLeft className="turns" size={22} />
        </IconButton>
        <h1 className="ask-title display" ref={heading} tabIndex={-1}>
          {t('ask.title')}
        </h1>
        <span className="ask-bar-end">{end}</span>
      </header>
      <div className="ask-scroll" data-testid="ask-scroll">
        <div className="ask-body">{children}</div>
      </div>
      {footer}
    </main>
  );
}
