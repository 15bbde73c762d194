import type { CallData } from '@linnet/contract';
import type { CallFailure } from '@linnet/contract/client';
import { codes } from '@linnet/contract/codes';
import { limits } from '@linnet/contract/limits';
import { type SharePart, shareParts } from '@linnet/contract/statuses';
import { type FormEvent, useId, useState } from 'react';
import { describeFailure } from '../../i18n/failures.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useServices } from '../../page-kit/services-context.ts';
import { SubmitButton } from '../../ui/button.tsx';
import { PasswordField } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SwitchLine } from '../../ui/switch-line.tsx';

/** Number of days until a link expires, or null if it never expires. */
const lifetimes = { day: 1, week: 7, month: 30, never: null } as const;
type Lifetime = keyof typeof lifetimes;

/** The form that creates a link to a recording. */
export function CreateLinkForm({
  recordingId,
  hasAudio,
  onCreated,
}: {
  /** The recording's ID on the server. */
  recordingId: string;
  /** Whether the audio is in the cloud. */
  hasAudio: boolean;
  onCreated(link: CallData<'share/create'>): void;
}) {
  const { t } = useTranslation();
  const { shareLinks } = useServices();
  const [parts, setParts] = useState<readonly SharePart[]>(['transcript', 'summary']);
  const [lifetime, setLifetime] = useState<Lifetime>('week');
  const [password, setPassword] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<CallFailure | null>(null);
  const lifetimeId = useId();
  const isWeakPassword = failure?.kind === 'server' && failure.code === codes.weakPassword;

  const isComplete = parts.length > 0;
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy || !isComplete) return;
    setBusy(true);
    setFailure(null);
    const days = lifetimes[lifetime];
    const result = await shareLinks.create({
      id: recordingId,
      parts: [...parts],
      ...(days !== null && { expires_days: days }),
      ...(password !== '' && { password }),
    });
    setBusy(false);
    if (result.ok) onCreated(result.data);
    else setFailure(result.failure);
  };

  return (
    <form className="share-form" onSubmit={submit}>
      <fieldset className="card" aria-label={t('shareLinks.parts')}>
        {shareParts.map((part) => {
          const isMissing = part === 'audio' && !hasAudio;
          return (
            <SwitchLine
              key={part}
              label={part === 'audio' ? t('export.whats.sound') : t(`export.parts.${part}`)}
              hint={isMissing ? t('shareLinks.noAudio') : ''}
              checked={parts.includes(part)}
              disabled={isMissing}
              testId={`share-${part}`}
              onChange={(isOn) =>
                setParts(shareParts.filter((each) => (each === part ? isOn : parts.includes(each))))
              }
            />
          );
        })}
      </fieldset>
      <div className="share-lifetime">
        <label htmlFor={lifetimeId}>{t('keys.lifetime.title')}</label>
        <select
          id={lifetimeId}
          value={lifetime}
          data-testid="share-lifetime"
          onChange={(event) => setLifetime(event.currentTarget.value as Lifetime)}
        >
          <option value="day">{t('shareLinks.day')}</option>
          <option value="week">{t('shareLinks.week')}</option>
          <option value="month">{t('keys.lifetime.month')}</option>
          <option value="never">{t('keys.lifetime.never')}</option>
        </select>
      </div>
      <PasswordField
        label={t('shareLinks.password')}
        hint={t('shareLinks.passwordHint')}
        value={password}
        maxLength={limits.password.maxLength}
        autoComplete="new-password"
        error={isWeakPassword ? describeFailure(t, failure).message : null}
        data-testid="share-password"
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      {failure && !isWeakPassword && <Notice message={describeFailure(t, failure).message} />}
      <SubmitButton busy={isBusy} disabled={!isComplete} data-testid="create-share-link">
        {t('shareLinks.create')}
      </SubmitButton>
    </form>
  );
}
