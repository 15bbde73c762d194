import { type FormEvent, useState } from 'react';
import { useLocation } from 'react-router';
import { describeFailure } from '../../i18n/failures.ts';
import { useTranslation } from '../../i18n/index.ts';
import { PageLink } from '../../page-kit/navigation.tsx';
import { paths } from '../../page-kit/paths.ts';
import { useSignedOutServices, useStore } from '../../page-kit/services-context.ts';
import { SubmitButton } from '../../ui/button.tsx';
import { Field, PasswordField } from '../../ui/field.tsx';
import { FormFailure } from './form-failure.tsx';
import { useAccountForm } from './use-account-form.ts';

/** The sign-in form. After a successful sign-in, the route redirects. */
export function SignInForm() {
  const { t } = useTranslation();
  const { account } = useSignedOutServices();
  const state = useStore(account.state);
  const { search } = useLocation();
  const [isBusy, setBusy] = useState(false);
  const { form, set, errors, check, failure, setFailure } = useAccountForm('sign-in', {
    email: account.lastEmail(),
  });

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy || !check(event.currentTarget)) return;
    setBusy(true);
    const result = await account.signIn(form.email.trim(), form.password);
    setBusy(false);
    if (!result.ok) setFailure(result.failure);
  };

  return (
    <form className="account-form" onSubmit={submit} noValidate>
      {state.status === 'signed-out' && state.reason === 'expired' && (
        <p className="entry-lead">{t('account.expired')}</p>
      )}
      <Field
        label={t('account.email')}
        error={errors.email && t(`account.${errors.email}`)}
        value={form.email}
        onChange={(event) => set('email', event.currentTarget.value)}
        type="email"
        inputMode="email"
        autoComplete="username"
        dir="ltr"
        data-testid="email"
      />
      <PasswordField
        label={t('account.password')}
        error={errors.password && t(`account.${errors.password}`)}
        value={form.password}
        onChange={(event) => set('password', event.currentTarget.value)}
        autoComplete="current-password"
        data-testid="password"
      />
      <PageLink className="entry-forgot" to={paths.forgot + search} transition="switch">
        {t('account.forgot')}
      </PageLink>
      {failure && <FormFailure text={describeFailure(t, failure)} />}
      <SubmitButton busy={isBusy} data-testid="submit">
        {t('account.signIn')}
      </SubmitButton>
    </form>
  );
}
