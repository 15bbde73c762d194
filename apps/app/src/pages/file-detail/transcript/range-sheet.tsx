import type { CallFailure } from '@linnet/contract/client';
import { audioForRange, minutesFor } from '@linnet/contract/durations';
import { limits } from '@linnet/contract/limits';
import type { LocalParagraph } from '@linnet/sync';
import { useEffect, useState } from 'react';
import { describeFailure } from '../../../i18n/failures.ts';
import { formatClock } from '../../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../../i18n/index.ts';
import { useLanguageName } from '../../../i18n/language-name.ts';
import { useServerInfo, useServices, useStore } from '../../../page-kit/services-context.ts';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Sheet } from '../../../ui/sheet.tsx';
import type { OpenRecord } from '../open-record.ts';
import { costText } from './cost-text.ts';
import './transcript-progress.css';

/** Maximum number of paragraphs offered as the end of the range. */
const maxChoices = 200;
/** Maximum number of characters to show from each paragraph. */
const maxCharacters = 48;

/** A form for retranscribing a range of paragraphs that starts at a given paragraph. */
export function RangeSheet({
  record,
  first,
  onClose,
}: {
  record: OpenRecord;
  first: LocalParagraph;
  onClose(): void;
}) {
  const { t } = useTranslation();
  const language = useLanguage();
  const languageName = useLanguageName();
  const { library, account } = useServices();
  const serverInfo = useServerInfo();
  const membership = useStore(account.membership);
  // The balance may have changed, here or on another phone.
  useEffect(() => void account.refresh(), [account]);
  const { content, task } = record;
  const firstIndex = Math.max(
    0,
    content.findIndex(({ id }) => id === first.id),
  );
  const choices = content.slice(firstIndex, firstIndex + maxChoices);
  const [lastId, setLastId] = useState(first.id);
  const [chosenLanguage, setChosenLanguage] = useState<string | null>(null);
  const [isSending, setIsSending] = useState(false);
  const [failure, setFailure] = useState<CallFailure | null>(null);
  const offered = serverInfo?.languages ?? [];
  const preferred = [chosenLanguage, record.language, task?.language].find((tag) =>
    offered.some((each) => each.language === tag),
  );
  const requested = preferred ?? offered[0]?.language;
  const lastIndex = Math.max(
    firstIndex,
    content.findIndex(({ id }) => id === lastId),
  );
  const last = content[lastIndex] ?? first;
  const audio = audioForRange(content[firstIndex - 1], first, last, content[lastIndex + 1]);
  const seconds = audio.end - audio.start;
  const minutes = minutesFor(seconds);
  const isTooShort = seconds < limits.transcription.minSeconds;
  const isPaid = serverInfo?.billing !== 'off';
  const isBalanceInsufficient =
    isPaid && membership !== null && minutes > membership.remainingMinutes;
  const start = async () => {
    if (requested === undefined) return;
    setIsSending(true);
    const range = { from: first.id, to: last.id, language: requested };
    const result = await library.transcribeRange(record.id, range);
    setIsSending(false);
    if (result.ok) onClose();
    else setFailure(result.failure);
  };
  return (
    <Sheet title={t('range.title')} onClose={onClose}>
      <p>{t('range.description')}</p>
      <form
        className="transcribe"
        onSubmit={(event) => {
          event.preventDefault();
          void start();
        }}
      >
        <label className="transcribe-last">
          <span>{t('range.last')}</span>
          <select
            value={last.id}
            data-testid="range-last"
            onChange={(event) => setLastId(event.currentTarget.value)}
          >
            {choices.map(({ id, start_time, content: text }) => (
              <option key={id} value={id}>
                {/* The text may have a different direction from the interface. */}
                {`${formatClock(start_time, language)} · \u2068${shorten(text)}\u2069`}
              </option>
            ))}
          </select>
        </label>
        <label>
          <span>{t('steps.transcribeIn')}</span>
          <select
            value={requested}
            data-testid="range-language"
            onChange={(event) => setChosenLanguage(event.currentTarget.value)}
          >
            {offered.map((offer) => (
              <option key={offer.language} value={offer.language}>
                {offer.quality === 'draft'
                  ? t('steps.draftLanguage', { language: languageName(offer.language) })
                  : languageName(offer.language)}
              </option>
            ))}
          </select>
        </label>
        <p
          className="transcribe-cost"
          data-short={isBalanceInsufficient || isTooShort || undefined}
        >
          {isTooShort
            ? t('range.tooShort')
            : isPaid
              ? costText(t, language, minutes, membership?.remainingMinutes ?? null)
              : t('steps.free')}
        </p>
        {failure && <p role="alert">{describeFailure(t, failure).message}</p>}
        <div className="transcribe-actions">
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button
            variant="primary"
            type="submit"
            busy={isSending}
            data-testid="range-start"
            disabled={isBalanceInsufficient || isTooShort}
          >
            {t('steps.transcribe')}
          </Button>
        </div>
      </form>
    </Sheet>
  );
}

/** Reports that a range couldn't be transcribed again. Renders nothing otherwise. */
export function RangeFailure({ record: { id, problem } }: { record: OpenRecord }) {
  const { t } = useTranslation();
  const { library } = useServices();
  if (problem?.code !== 'range_failed') return null;
  const reason = problem.failure && describeFailure(t, problem.failure);
  return (
    <div className="range-failure">
      <Notice
        message={t('trouble.transcribe.range_failed.what')}
        detail={t('trouble.transcribe.range_failed.means')}
        code={reason?.code ?? problem.code}
        action={
          <Button data-testid="range-dismiss" onClick={() => void library.cancelRequest(id)}>
            {t('edits.dismiss')}
          </Button>
        }
      >
        {reason && <p>{reason.message}</p>}
      </Notice>
    </div>
  );
}

/** Truncates text to `maxCharacters`, with an ellipsis. */
function shorten(text: string): string {
  return text.length > maxCharacters ? `${text.slice(0, maxCharacters).trimEnd()}…` : text;
}
