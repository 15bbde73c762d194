import type { NamedRecord } from '@linnet/sync';
import LoaderCircle from 'lucide-react/icons/loader-circle';
import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import { describeFailure } from '../../i18n/failures.ts';
import { formatCount } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { joinSentences, spaceBetween } from '../../i18n/joined.ts';
import { QuoteCard } from '../../page-kit/quote-card.tsx';
import { useServices, useStore } from '../../page-kit/services-context.ts';
import type { ConversationState, ShownAnswer } from '../../ports/questions.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useConversationPlace } from './use-conversation-place.ts';

/** Number of quotes shown initially. */
const shownQuotes = 3;

type OpenConversation = Extract<ConversationState, { status: 'open' }>;

/** Shows the questions and answers, including a pending or failed question. */
export function ConversationView({ state, onRetry }: { state: OpenConversation; onRetry(): void }) {
  const { t } = useTranslation();
  const { answers, asking } = state;
  const { isKnown, findRecordings } = useQuotedRecordings(answers);
  const { list, expanded, expand, onOpen } = useConversationPlace(state, isKnown);
  const announcement = useAnnouncement(state);
  return (
    <>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard also triggers a link's click. */}
      <ol
        className="ask-turns"
        ref={list}
        data-failed={asking.status === 'failed' || undefined}
        onClick={onOpen}
      >
        {answers.map((answer, index) => (
          <li className="ask-turn" key={answer.id} data-testid="turn">
            <Question text={answer.question} />
            <AnswerView
              answer={answer}
              records={findRecordings(answer)}
              isExpanded={expanded.has(answer.id)}
              onExpand={() => expand(answer.id)}
              isLast={index === answers.length - 1}
              isLive={state.live !== null}
            />
          </li>
        ))}
        {asking.status === 'asking' && (
          <li className="ask-turn" data-testid="asking">
            <Question text={asking.question} />
            <p className="ask-progress">
              <LoaderCircle className="ask-turning" size={18} aria-hidden="true" />
              {t('ask.asking')}
            </p>
          </li>
        )}
      </ol>
      {asking.status === 'failed' && <AskFailed failure={asking.failure} onRetry={onRetry} />}
      <p className="visually-hidden" role="status" data-testid="ask-status">
        {announcement}
      </p>
    </>
  );
}

/**
 * Returns a function that returns the recordings on this device that an answer quotes, keyed by server ID, or null
 * until they have loaded. While a new answer's recordings are loading, the recordings of earlier answers remain
 * available.
 */
function useQuotedRecordings(answers: OpenConversation['answers']) {
  const { questions } = useServices();
  const serverIds = useMemo(
    () => [...new Set(answers.flatMap(({ quotes }) => quotes.map((quote) => quote.radio_file_id)))],
    [answers],
  );
  const live = useStore(useMemo(() => questions.recordings(serverIds), [questions, serverIds]));
  const [known, setKnown] = useState<{
    readonly named: ReadonlyMap<string, NamedRecord>;
    readonly ids: ReadonlySet<string>;
  } | null>(null);
  if (live.status === 'ready' && live.value !== known?.named)
    setKnown({ named: live.value, ids: new Set(serverIds) });
  return {
    isKnown: known !== null,
    findRecordings: ({ quotes }: ShownAnswer) =>
      known && quotes.every((quote) => known.ids.has(quote.radio_file_id)) ? known.named : null,
  };
}

function Question({ text }: { text: string }) {
  return (
    <h2 className="ask-question">
      <span dir="auto">{text}</span>
    </h2>
  );
}

/** Explains why a question wasn't answered. The question has been put back into the field. */
function AskFailed({
  failure,
  onRetry,
}: {
  failure: Parameters<typeof describeFailure>[1];
  onRetry(): void;
}) {
  const { t } = useTranslation();
  const { message, code } = describeFailure(t, failure);
  return (
    <Notice
      message={message}
      detail={t('ask.kept')}
      code={code}
      action={
        <Button data-testid="ask-again" onClick={onRetry}>
          {t('common.retry')}
        </Button>
      }
    />
  );
}

function AnswerView({
  answer,
  records,
  isExpanded,
  onExpand,
  isLast,
  isLive,
}: {
  answer: ShownAnswer;
  /** The recordings on this device, keyed by server ID, or null until they have loaded. */
  records: ReadonlyMap<string, NamedRecord> | null;
  /** Whether all quotes are shown. */
  isExpanded: boolean;
  onExpand(): void;
  isLast: boolean;
  /** Whether the conversation is about a recording in progress. */
  isLive: boolean;
}) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { quotes, writing, missing, indexing } = answer;
  const isNone = isEmpty(answer);
  /**
   * Whether the answer has sentences that refer to the quotes. If a language model found no answer, there are only the
   * closest quotes.
   */
  const isWritten = answer.sentences.length > 0;
  const list = useRef<HTMLUListElement>(null);
  const wasExpanded = useRef(isExpanded);
  // The focused button has disappeared, so focus the first added quote.
  useLayoutEffect(() => {
    if (isExpanded && !wasExpanded.current)
      list.current?.children[shownQuotes]?.querySelector('a')?.focus();
    wasExpanded.current = isExpanded;
  }, [isExpanded]);
  return (
    <div className="ask-answer">
      {isWritten && (
        <p className="ask-written" dir="auto">
          {answer.sentences.map(({ text, source }, index, all) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: sentences keep their places while others are added.
            <span key={index}>
              {index > 0 && spaceBetween(all[index - 1]?.text ?? '', text)}
              {text}
              <sup className="quote-number tabular">{formatCount(source + 1, language)}</sup>
            </span>
          ))}
        </p>
      )}
      {writing && (
        <p className="ask-progress" data-testid="writing">
          <LoaderCircle className="ask-turning" size={18} aria-hidden="true" />
          {t('ask.writing')}
        </p>
      )}
      {isNone && (
        <div className="ask-none" data-testid="no-answer">
          <p>{t(missing ? 'ask.sourcesDeleted' : isLive ? 'ask.noneLive' : 'ask.none')}</p>
          {!missing && quotes.length === 0 && (
            <p className="ask-hint">
              {isLive
                ? t('ask.noneHint')
                : joinSentences([t('ask.noneHint'), t('ask.noneSearched')], language)}
            </p>
          )}
        </div>
      )}
      {isWritten && <h3 className="section-title">{t('ask.sources')}</h3>}
      {quotes.length > 0 && (
        <ul className="ask-quotes" ref={list}>
          {(isExpanded ? quotes : quotes.slice(0, shownQuotes)).map((quote, index) => (
            <li key={`${quote.radio_file_id} ${quote.paragraph_id} ${quote.start_time}`}>
              <QuoteCard quote={quote} records={records} number={isWritten ? index + 1 : null} />
            </li>
          ))}
        </ul>
      )}
      {quotes.length > shownQuotes && !isExpanded && (
        <Button variant="quiet" data-testid="more-quotes" onClick={onExpand}>
          {t('ask.more')}
        </Button>
      )}
      {indexing && <p className="ask-hint">{t('ask.indexing')}</p>}
      {isLast && quotes.length > 0 && !answer.written && !writing && (
        <p className="ask-hint" data-testid="quoted">
          {t('ask.quoted')}
        </p>
      )}
    </div>
  );
}

/** Returns true if no recording contains an answer, or if the recordings that did have been deleted. */
const isEmpty = ({ answer }: ShownAnswer) => answer === '';

/** Returns the announcement for screen readers: the progress, and then the answer. */
function useAnnouncement({ answers, asking, live }: OpenConversation): string {
  const { t } = useTranslation();
  const language = useLanguage();
  const atStart = useRef(answers.length);
  if (asking.status === 'asking') return t('ask.asking');
  const answer = answers.at(-1);
  if (!answer || answers.length === atStart.current) return '';
  const count = answer.quotes.length;
  if (answer.writing) return t('ask.writing');
  if (isEmpty(answer)) {
    if (answer.missing) return t('ask.sourcesDeleted');
    return t(live === null ? 'ask.none' : 'ask.noneLive');
  }
  const foundText = t('ask.found', { count, formatted: formatCount(count, language) });
  return joinSentences(
    answer.written ? [answer.answer, foundText] : [foundText, answer.answer],
    language,
  );
}
