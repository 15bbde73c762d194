import { isTrans } from '@linnet/sync';
import UserX from 'lucide-react/icons/user-x';
import { type FormEvent, useState } from 'react';
import { tap } from '../../app-shell/media.ts';
import { useServices, useStore } from '../../app-shell/services-context.ts';
import { callWords, type FailureWords } from '../../i18n/failures.ts';
import { count } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { useToast } from '../../ui/toast.tsx';
import { FormFailure } from '../account/form-failure.tsx';

/** What goes with an account, each as a line. */
function useLosses(): readonly string[] {
  const { t } = useTranslation();
  const language = useLanguage();
  const { account, library, recorder } = useServices();
  const [kept, bin] = [useStore(library.records), useStore(library.bin)];
  const membership = useStore(account.membership);
  const link = useStore(recorder.link);
  const all = [kept, bin].flatMap((live) => (live.status === 'ready' ? live.value : []));
  const told = (amount: number) => ({ count: amount, formatted: count(amount, language) });
  const transcripts = all.filter((record) => record.is_trans === isTrans.translated).length;
  return [
    t('closing.recordings', told(all.length)),
    t('closing.transcripts', told(transcripts)),
    ...(membership ? [t('me.minutes', told(membership.leftMinutes))] : []),
    ...(membership?.isVip
      ? [t('closing.membership', { plan: t(`me.plan.${membership.plan ?? 'none'}`) })]
      : []),
    ...(link.status === 'none' ? [] : [t('closing.recorder', { name: link.name })]),
  ];
}

/** Names what is deleted, and asks for the e-mail: nobody does this by mistake. */
function Closing({ email, onClose }: { email: string; onClose(): void }) {
  const { t } = useTranslation();
  const { profile, recorder } = useServices();
  const show = useToast();
  const losses = useLosses();
  const [typed, setTyped] = useState('');
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<FailureWords | null>(null);
  const sure = typed.trim().toLowerCase() === email.toLowerCase();

  const close = async (event: FormEvent) => {
    event.preventDefault();
    if (!sure || busy) return;
    setBusy(true);
    setFailure(null);
    tap('delete');
    try {
      // One that is here is told, too; the server frees one that is not, or that does not answer.
      if (recorder.link.get().status === 'connected') await recorder.unbind();
      const answer = await profile.close();
      if (answer.ok) show({ words: t('closing.done') });
      else setFailure(callWords(t, answer.failure));
    } finally {
      setBusy(false);
    }
  };

  return (
    <Sheet title={t('closing.title')} onClose={onClose}>
      <form className="closing" onSubmit={close}>
        <p>{t('closing.lead')}</p>
        <ul data-testid="losses">
          {losses.map((loss) => (
            <li key={loss}>{loss}</li>
          ))}
        </ul>
        <p>{t('closing.keep')}</p>
        <Field
          label={t('closing.type', { email })}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          type="email"
          inputMode="email"
          autoComplete="off"
          dir="ltr"
          data-testid="closing-email"
        />
        {failure && <FormFailure words={failure} />}
        <Button
          look="danger"
          wide
          type="submit"
          busy={busy}
          disabled={!sure}
          data-testid="close-account"
        >
          {t('closing.go')}
        </Button>
        <Button wide onClick={onClose}>
          {t('closing.stay')}
        </Button>
      </form>
    </Sheet>
  );
}

/** Ends the account for good. */
export function CloseAccount({ email }: { email: string }) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  return (
    <>
      <button
        type="button"
        className="line"
        data-testid="cancel-account"
        onClick={() => setAsking(true)}
      >
        <UserX size={20} aria-hidden="true" />
        <span className="line-words">
          <span>{t('closing.go')}</span>
        </span>
      </button>
      {asking && <Closing email={email} onClose={() => setAsking(false)} />}
    </>
  );
}
