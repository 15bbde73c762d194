import { limits } from '@linnet/contract/limits';
import ArrowUp from 'lucide-react/icons/arrow-up';
import { type FormEvent, type KeyboardEvent, type RefObject, useEffect, useId } from 'react';
import { useNavigationType } from 'react-router';
import { formatCount } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { useIsWide } from '../../page-kit/media.ts';
import { IconButton } from '../../ui/button.tsx';

const { questionMaxLength, questions: maxQuestions } = limits.ask;
/** Question length in characters at which the character limit appears. */
const nearLimit = questionMaxLength * 0.8;

/** The field for the next question. Enter sends it, and Shift+Enter starts a new line. */
export function Composer({
  inputRef,
  value,
  isAsking,
  questions,
  isScoped,
  onChange,
  onSend,
}: {
  inputRef: RefObject<HTMLTextAreaElement | null>;
  value: string;
  /** Whether a question is being asked. No other question can be sent until it is answered. */
  isAsking: boolean;
  /** Number of questions in the thread. */
  questions: number;
  /** Whether the questions are limited to some recordings. */
  isScoped: boolean;
  onChange(question: string): void;
  onSend(): void;
}) {
  const { t } = useTranslation();
  const language = useLanguage();
  const limitId = useId();
  const isBackNavigation = useNavigationType() === 'POP';
  const isWide = useIsWide();
  // On a phone, the keyboard would cover the examples and the earlier threads.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only on arrival.
  useEffect(() => {
    if (isWide && !isBackNavigation) inputRef.current?.focus();
  }, []);
  const canSend = value.trim() !== '' && !isAsking;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!canSend) return;
    onSend();
    inputRef.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    // While a word is being composed, Enter accepts it.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    submit(event);
  };
  if (questions >= maxQuestions) {
    return (
      <p className="ask-composer ask-full" data-testid="ask-full">
        {t('ask.full')}
      </p>
    );
  }
  const showsLimit = value.length >= nearLimit;
  return (
    <form className="ask-composer" onSubmit={submit}>
      <div className="ask-field">
        <textarea
          ref={inputRef}
          rows={1}
          dir="auto"
          enterKeyHint="send"
          aria-label={t('ask.label')}
          aria-describedby={showsLimit ? limitId : undefined}
          placeholder={t(isScoped ? 'ask.placeholderOne' : 'ask.placeholder')}
          maxLength={questionMaxLength}
          readOnly={isAsking}
          value={value}
          data-testid="question"
          onChange={(event) => onChange(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <IconButton
          className="ask-send"
          type="submit"
          label={t('ask.send')}
          disabled={!canSend}
          data-testid="send-question"
        >
          <ArrowUp size={20} />
        </IconButton>
      </div>
      {showsLimit && (
        <p className="ask-limit tabular" id={limitId} data-testid="question-length">
          <bdi>
            {`${formatCount(value.length, language)} / ${formatCount(questionMaxLength, language)}`}
          </bdi>
        </p>
      )}
    </form>
  );
}
