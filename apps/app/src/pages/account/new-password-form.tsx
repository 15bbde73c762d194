import { type FormEvent, useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { describeFailure } from '../../i18n/failures.ts';
import { useTranslation } from '../../i18n/index.ts';
import { PageLink, useNavigateTo } from '../../page-kit/navigation.tsx';
import { paths } from '../../page-kit/paths.ts';
import { useSignedOutServices } from '../../page-kit/services-context.ts';
import { SubmitButton } from '../../ui/button.tsx';
import { Checkbox, Field, PasswordField } from '../../ui/field.tsx';
import { useToast } from '../../ui/toast.tsx';
import { CodeField } from './code-field.tsx';
import { FormFailure } from './form-failure.tsx';
import { fieldOfFailure, useAccountForm } from './use-account-form.ts';
import { type AccountField, type AccountForm, emailError } from './validation.ts';

/** The form's values while the user reads an agreement. They are kept in memory only. */
let savedForm: {
  readonly form: AccountForm;
  readonly sentTo: string | null;
  readonly nextAt: number;
} | null = null;

const agreementPaths: Readonly<Record<string, string>> = {
  terms: paths.userAgreement,
  privacy: paths.privacyPolicy,
};

/** The consent sentence, with a link to each agreement. */
function Agreements({ onLeave }: { onLeave(): void }) {
  const { t } = useTranslation();
  // The parts come in groups of three: plain text, agreement name, link text.
  const parts = t('account.agree').split(/<(\w+)>(.*?)<\/\1>/);
  return parts.map((part, index) => {
    if (index % 3 === 1) return null;
    const to = index % 3 === 2 && agreementPaths[parts[index - 1] ?? ''];
    if (!to) return part;
    return (
      <PageLink
        key={to}
        to={to}
        className="agreement-link"
        data-testid={`to-${to}`}
        onClick={onLeave}
      >
        {part}
      </PageLink>
    );
  });
}

/** The form for sign-up and password reset: email, code and new password. */
export function NewPasswordForm({ mode }: { mode: 'sign-up' | 'forgot' }) {
  const { t } = useTranslation();
  const { account } = useSignedOutServices();
  const { search } = useLocation();
  const navigateTo = useNavigateTo();
  const show = useToast();
  const [isBusy, setBusy] = useState(false);
  const [isSending, setSending] = useState(false);
  // Restore the values only when returning from an agreement.
  const [restoredForm] = useState(() => (mode === 'sign-up' ? savedForm : null));
  useEffect(() => {
    savedForm = null;
  }, []);
  const [sentTo, setSentTo] = useState<string | null>(restoredForm?.sentTo ?? null);
  const [nextAt, setNextAt] = useState(restoredForm?.nextAt ?? 0);
  const { form, set, errors, mark, check, failure, setFailure } = useAccountForm(
    mode,
    restoredForm?.form ?? { email: mode === 'forgot' ? account.lastEmail() : '' },
  );

  const failedField = failure && fieldOfFailure(failure);
  const failureText = failure && describeFailure(t, failure);
  const errorMessage = (field: AccountField): string | null => {
    const error = errors[field];
    if (error) return t(`account.${error}`);
    return failureText && failedField === field ? failureText.message : null;
  };

  const sendCode = async () => {
    const error = emailError(form.email);
    if (error) {
      mark('email', error);
      return;
    }
    if (isSending) return;
    setSending(true);
    setFailure(null);
    const email = form.email.trim();
    const result = await account.sendCode(email);
    setSending(false);
    if (!result.ok) {
      setFailure(result.failure);
      return;
    }
    setSentTo(email);
    setNextAt(Date.now() + result.data.retryAfter * 1000);
  };

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy || !check(event.currentTarget)) return;
    setBusy(true);
    const filledForm = { ...form, email: form.email.trim() };
    const result =
      mode === 'sign-up'
        ? await account.register(filledForm)
        : await account.resetPassword(filledForm);
    setBusy(false);
    if (!result.ok) {
      setFailure(result.failure);
      return;
    }
    // After a registration that also signed the user in, the route has already redirected.
    if (account.state.get().status === 'signed-in') return;
    show({ message: t(mode === 'forgot' ? 'account.passwordSaved' : 'account.made') });
    await navigateTo(paths.entry + search, { transition: 'switch' });
  };

  return (
    <form className="account-form" onSubmit={submit} noValidate>
      <Field
        label={t('account.email')}
        error={errorMessage('email')}
        value={form.email}
        onChange={(event) => set('email', event.currentTarget.value)}
        type="email"
        inputMode="email"
        autoComplete="email"
        dir="ltr"
        data-testid="email"
      />
      <CodeField
        value={form.code}
        error={errorMessage('code')}
        sentTo={sentTo}
        nextAt={form.email.trim() === sentTo ? nextAt : 0}
        isSending={isSending}
        onChange={(code) => set('code', code)}
        onSend={() => void sendCode()}
      />
      <PasswordField
        label={t(mode === 'forgot' ? 'account.newPassword' : 'account.password')}
        hint={t('account.passwordHint')}
        error={errorMessage('password')}
        value={form.password}
        onChange={(event) => set('password', event.currentTarget.value)}
        autoComplete="new-password"
        data-testid="password"
      />
      <PasswordField
        label={t('account.repassword')}
        error={errorMessage('repassword')}
        value={form.repassword}
        onChange={(event) => set('repassword', event.currentTarget.value)}
        autoComplete="new-password"
        data-testid="repassword"
      />
      {mode === 'sign-up' && (
        <Checkbox
          checked={form.agree}
          error={errorMessage('agree')}
          onChange={(event) => set('agree', event.currentTarget.checked)}
          data-testid="agree"
        >
          <Agreements
            onLeave={() => {
              savedForm = { form, sentTo, nextAt };
            }}
          />
        </Checkbox>
      )}
      {failureText && !failedField && <FormFailure text={failureText} />}
      <SubmitButton busy={isBusy} data-testid="submit">
        {t(mode === 'sign-up' ? 'account.create' : 'account.savePassword')}
      </SubmitButton>
    </form>
  );
}
