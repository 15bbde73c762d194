import { useEffect, useState } from 'react';
import { formatClock } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { useServerInfo } from '../../page-kit/services-context.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { codeDigits } from './validation.ts';

/**
 * Returns the seconds left until a deadline, counting down.
 * @param deadline in milliseconds since 1970
 */
function useCountdown(deadline: number): number {
  const [now, setNow] = useState(() => Date.now());
  const secondsLeft = Math.max(0, Math.ceil((deadline - now) / 1000));
  const isCountingDown = secondsLeft > 0;
  useEffect(() => {
    if (!isCountingDown) return;
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, [isCountingDown]);
  // Update immediately when a new deadline is set between two ticks.
  useEffect(() => {
    if (deadline > 0) setNow(Date.now());
  }, [deadline]);
  return secondsLeft;
}

/** The field for the six-digit code, with a button that sends one. */
export function CodeField({
  value,
  error,
  sentTo,
  nextAt,
  isSending,
  onChange,
  onSend,
}: {
  value: string;
  error: string | null;
  /** The address that the last code was sent to. */
  sentTo: string | null;
  /** When the next code may be requested, in milliseconds since 1970; 0 means immediately. */
  nextAt: number;
  isSending: boolean;
  onChange(code: string): void;
  onSend(): void;
}) {
  const { t } = useTranslation();
  const language = useLanguage();
  const secondsLeft = useCountdown(nextAt);
  const serverInfo = useServerInfo();
  const sentText = serverInfo?.sendsMail === false ? 'account.codeInOutbox' : 'account.codeSent';
  return (
    <Field
      className="code-field"
      label={t('account.code')}
      hint={sentTo ? t(sentText, { email: sentTo }) : t('account.codeHint')}
      error={error}
      value={value}
      onChange={(event) => onChange(codeDigits(event.currentTarget.value))}
      inputMode="numeric"
      autoComplete="one-time-code"
      dir="ltr"
      data-testid="code"
      end={
        <Button
          className="send-code"
          busy={isSending}
          disabled={secondsLeft > 0}
          onClick={onSend}
          data-testid="send-code"
        >
          <span className="tabular">
            {secondsLeft > 0
              ? t('account.sendAgainIn', { time: formatClock(secondsLeft, language) })
              : t(sentTo ? 'account.sendAgain' : 'account.sendCode')}
          </span>
        </Button>
      }
    />
  );
}
