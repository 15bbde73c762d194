import type { CallFailure } from '@linnet/contract/client';
import { minutesFor } from '@linnet/contract/durations';
import { transcriptionSetting } from '@linnet/contract/statuses';
import type { AudioVersion } from '@linnet/sync';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { useLanguage, useTranslation } from '../../../i18n/index.ts';
import { useLanguageName } from '../../../i18n/language-name.ts';
import { PageLink } from '../../../page-kit/navigation.tsx';
import { paths } from '../../../page-kit/paths.ts';
import { useChangeSetting, useSave, useTranscriptionSetting } from '../../../page-kit/saving.ts';
import { useServerData } from '../../../page-kit/server-data.ts';
import { useServerInfo, useServices, useStore } from '../../../page-kit/services-context.ts';
import type { Outcome } from '../../../ports/store.ts';
import { Button } from '../../../ui/button.tsx';
import { SegmentedControl } from '../../../ui/choice.tsx';
import type { OpenRecord } from '../open-record.ts';
import { costText } from './cost-text.ts';
import { RecordingWords } from './recording-words.tsx';
import './transcript-progress.css';

/**
 * Returns how many minutes a transcription of the recording's original audio costs, or null while the server computes
 * the price.
 */
function usePrice(
  { server_id: serverId, task, record_time: seconds }: OpenRecord,
  language: string,
) {
  const { retranscription } = useServices();
  const formula = minutesFor(seconds);
  const taskId = task?.id;
  // A new task changes the price. Replacing a draft is free, and only a recording with a transcript can have a draft.
  const load = useCallback(
    async (): Promise<Outcome<number, CallFailure>> =>
      taskId === undefined || !serverId || language === ''
        ? { ok: true, data: formula }
        : retranscription.price(serverId, language),
    [retranscription, serverId, taskId, language, formula],
  );
  const { data } = useServerData(load);
  if (data.status === 'waiting') return null;
  // Earlier servers don't return the price.
  return data.status === 'ready' ? data.value : formula;
}

/** Returns the most recently chosen language, which is stored as an account setting. */
function useChosenLanguage() {
  const changeSetting = useChangeSetting();
  const setting = useTranscriptionSetting();
  // Show a new choice immediately, before the setting is saved.
  const [pendingChoice, setPendingChoice] = useState<string | null>(null);
  return {
    chosen: pendingChoice,
    stored: setting?.language,
    choose(language: string): void {
      setPendingChoice(language);
      const { group, keys } = transcriptionSetting;
      changeSetting(group, keys.language, language);
    },
  };
}

/**
 * The form for requesting a transcription, with its language and cost. Renders nothing if the server supports no
 * languages.
 */
export function TranscribeForm({
  record,
  initialLanguage,
  cancel,
  onStart,
}: {
  record: OpenRecord;
  /**
   * The initially selected language, unless the recording has its own language. Defaults to the last choice, or else to
   * the interface language if the server supports it.
   */
  initialLanguage?: string;
  /** A cancel button, beside the start button. */
  cancel?: ReactNode;
  onStart?(): void;
}) {
  const { t } = useTranslation();
  const language = useLanguage();
  const languageName = useLanguageName();
  const { library, account } = useServices();
  const save = useSave();
  const serverInfo = useServerInfo();
  const membership = useStore(account.membership);
  // The balance may have changed, here or on another phone.
  useEffect(() => void account.refresh(), [account]);
  const [version, setVersion] = useState<AudioVersion>('cleaner');
  const { chosen, stored, choose } = useChosenLanguage();
  const offeredLanguages = serverInfo?.languages ?? [];
  const findOffered = (tag: string | null | undefined) =>
    offeredLanguages.find((offered) => offered.language === tag);
  const selected =
    findOffered(chosen) ??
    findOffered(record.language) ??
    findOffered(initialLanguage) ??
    findOffered(stored) ??
    findOffered(language) ??
    offeredLanguages[0];
  const price = usePrice(record, selected?.language ?? '');
  if (!serverInfo || !selected) return null;
  const hasDenoisedAudio = record.local_noise_file !== '';
  // Transcribing the denoised version is always charged by duration.
  const minutes =
    hasDenoisedAudio && version === 'cleaner' ? minutesFor(record.record_time) : price;
  const isBalanceInsufficient =
    minutes !== null && membership !== null && minutes > membership.remainingMinutes;
  return (
    <form
      className="transcribe"
      onSubmit={(event) => {
        event.preventDefault();
        if (record.language !== selected.language) {
          save(() => library.setLanguage(record.id, selected.language));
        }
        void library.transcribe(
          record.id,
          selected.language,
          hasDenoisedAudio ? version : 'original',
        );
        onStart?.();
      }}
    >
      <label>
        <span>{t('steps.transcribeIn')}</span>
        <select
          value={selected.language}
          data-testid="spoken-language"
          onChange={(event) => choose(event.currentTarget.value)}
        >
          {offeredLanguages.map((offered) => (
            <option key={offered.language} value={offered.language}>
              {offered.quality === 'draft'
                ? t('steps.draftLanguage', { language: languageName(offered.language) })
                : languageName(offered.language)}
            </option>
          ))}
        </select>
      </label>
      <RecordingWords record={record} />
      {hasDenoisedAudio && (
        <div className="transcribe-sound" data-testid="transcribe-sound">
          <SegmentedControl<AudioVersion>
            label={t('steps.whichSound')}
            value={version}
            options={[
              { value: 'original', label: t('audio.noise.original') },
              { value: 'cleaner', label: t('audio.noise.cleaner') },
            ]}
            onChange={setVersion}
          />
        </div>
      )}
      {serverInfo.billing === 'off' ? (
        <p className="transcribe-cost">{t('steps.free')}</p>
      ) : (
        <p
          className="transcribe-cost"
          data-short={isBalanceInsufficient || undefined}
          data-testid="cost"
        >
          {minutes === null && t('common.loading')}
          {minutes === 0 && t('steps.replacesDraft')}
          {minutes !== null &&
            minutes > 0 &&
            costText(t, language, minutes, membership?.remainingMinutes ?? null)}
        </p>
      )}
      <div className="transcribe-actions">
        {serverInfo.billing !== 'off' && isBalanceInsufficient && (
          <PageLink to={paths.vip} className="button" data-look="quiet">
            {t('steps.buyMinutes')}
          </PageLink>
        )}
        {cancel}
        <Button
          variant="primary"
          type="submit"
          disabled={serverInfo.billing !== 'off' && isBalanceInsufficient}
        >
          {t('steps.transcribe')}
        </Button>
      </div>
    </form>
  );
}
