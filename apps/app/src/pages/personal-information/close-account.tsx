import { isTrans } from '@linnet/sync';
import type { TFunction } from 'i18next';
import UserX from 'lucide-react/icons/user-x';
import { type FormEvent, useState } from 'react';
import { describeFailure, type FailureText } from '../../i18n/failures.ts';
import { formatCount } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { vibrate } from '../../page-kit/media.ts';
import { useServices, useStore } from '../../page-kit/services-context.ts';
import type { CloseFailure } from '../../ports/profile.ts';
import { Button } from '../../ui/button.tsx';
import { Field, PasswordField } from '../../ui/field.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { useToast } from '../../ui/toast.tsx';
import { FormFailure } from '../account/form-failure.tsx';

/** Returns the data that will be deleted with the account, one line per kind, or null until it has been counted. */
function useDeletedData(): ReadonlyMap<string, string> | null {
  const { t } = useTranslation();
  const language = useLanguage();
  const { account, library, recorder } = useServices();
  const records = useStore(library.records);
  const bin = useStore(library.bin);
  const membership = useStore(account.membership);
  // The list of known recorders changes when a recorder connects or disconnects.
  useStore(recorder.link);
  if (records.status === 'loading' || bin.status === 'loading') return null;
  const allRecords = [...records.value, ...bin.value];
  const countOptions = (amount: number) => ({
    count: amount,
    formatted: formatCount(amount, language),
  });
  const transcripts = allRecords.filter((record) => record.is_trans === isTrans.translated).length;
  const lines = {
    recordings: t('closing.recordings', countOptions(allRecords.length)),
    transcripts: t('closing.transcripts', countOptions(transcripts)),
    ...(membership && { minutes: t('closing.minutes', countOptions(membership.remainingMinutes)) }),
    ...(membership?.isVip && {
      membership: t('closing.membership', { plan: t(`me.plan.${membership.plan ?? 'none'}`) }),
    }),
  };
  const recorders = recorder
    .known()
    .map(({ sn, name }) => [sn, t('closing.recorder', { name })] as const);
  return new Map<string, string>([...Object.entries(lines), ...recorders]);
}

function closeFailureText(t: TFunction, failure: CloseFailure): FailureText {
  if (failure.kind !== 'not_saved') return describeFailure(t, failure);
  return { message: t('closing.notSaved'), advice: null, code: failure.kind, sticky: false };
}

/** Lists everything that will be deleted, and asks for the email and password. */
function CloseAccountDialog({ email, onClose }: { email: string; onClose(): void }) {
  const { t } = useTranslation();
  const { profile } = useServices();
  const show = useToast();
  const deletedData = useDeletedData();
  const [typedEmail, setTyped] = useState('');
  const [password, setPassword] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<FailureText | null>(null);
  const isConfirmed = typedEmail.trim().toLowerCase() === email.toLowerCase();

  const close = async (event: FormEvent) => {
    event.preventDefault();
    if (!isConfirmed || password === '' || !deletedData || isBusy) return;
    setBusy(true);
    setFailure(null);
    vibrate('delete');
    try {
      const result = await profile.close(password);
      if (result.ok) show({ message: t('closing.done') });
      else setFailure(closeFailureText(t, result.failure));
    } finally {
      setBusy(false);
    }
  };

  // The request can't be canceled, so keep the dialog open until the server responds.
  const closeUnlessBusy = () => {
    if (!isBusy) onClose();
  };

  return (
    <Sheet title={t('closing.title')} onClose={closeUnlessBusy}>
      <form className="closing" onSubmit={close}>
        <p>{t('closing.lead')}</p>
        {deletedData ? (
          <ul data-testid="losses">
            {[...deletedData].map(([kind, text]) => (
              <li key={kind}>{text}</li>
            ))}
          </ul>
        ) : (
          <p role="status">{t('closing.counting')}</p>
        )}
        <p>{t('closing.keep')}</p>
        <Field
          label={t('closing.type', { email })}
          value={typedEmail}
          onChange={(event) => setTyped(event.currentTarget.value)}
          type="email"
          inputMode="email"
          autoComplete="off"
          dir="ltr"
          data-testid="closing-email"
        />
        <PasswordField
          label={t('closing.password')}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          autoComplete="current-password"
          data-testid="closing-password"
        />
        {failure && <FormFailure text={failure} />}
        <Button
          variant="danger"
          wide
          type="submit"
          busy={isBusy}
          disabled={!isConfirmed || password === '' || !deletedData}
          data-testid="close-account"
        >
          {t('closing.go')}
        </Button>
        <Button wide disabled={isBusy} onClick={closeUnlessBusy}>
          {t('closing.stay')}
        </Button>
      </form>
    </Sheet>
  );
}

/** Deletes the account permanently. */
export function CloseAccount({ email }: { email: string }) {
  const { t } = useTranslation();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className="line"
        data-testid="cancel-account"
        onClick={() => setIsOpen(true)}
      >
        <UserX size={20} aria-hidden="true" />
        <span className="line-words">
          <span>{t('closing.go')}</span>
        </span>
      </button>
      {isOpen && <CloseAccountDialog email={email} onClose={() => setIsOpen(false)} />}
    </>
  );
}
