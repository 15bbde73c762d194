import type { CallFailure } from '@linnet/contract/client';
import { codes } from '@linnet/contract/codes';
import { type FormEvent, useState } from 'react';
import { flushSync } from 'react-dom';
import { describeFailure } from '../../i18n/failures.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useBack } from '../../page-kit/navigation.tsx';
import { Page } from '../../page-kit/page.tsx';
import { paths } from '../../page-kit/paths.ts';
import { useServices } from '../../page-kit/services-context.ts';
import { SubmitButton } from '../../ui/button.tsx';
import { PasswordField } from '../../ui/field.tsx';
import { useToast } from '../../ui/toast.tsx';
import { useMounted } from '../../ui/use-mounted.ts';
import { FormFailure } from './form-failure.tsx';
import {
  type PasswordField as Name,
  type PasswordErrors,
  validatePasswords,
} from './password-validation.ts';
import './entry.css';

/** Maps server error codes to form fields. */
const fieldOfCode: Readonly<Record<number, Name>> = {
  [codes.wrongOldPassword]: 'old_password',
  [codes.weakPassword]: 'password',
  [codes.passwordsDiffer]: 'repassword',
};

const emptyForm = { old_password: '', password: '', repassword: '' };

/** The form for changing the password: old password, new password and confirmation. */
export default function ChangePasswordPage() {
  const { t } = useTranslation();
  const { profile } = useServices();
  const goBack = useBack(paths.personalInformation);
  const show = useToast();
  const [form, setForm] = useState(emptyForm);
  const [errors, setErrors] = useState<PasswordErrors>({});
  const [failure, setFailure] = useState<CallFailure | null>(null);
  const [isBusy, setBusy] = useState(false);
  const mounted = useMounted();
  const failedField = failure?.kind === 'server' ? fieldOfCode[failure.code] : undefined;

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    const element = event.currentTarget;
    const focusFirstError = () =>
      element.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
    const invalid = validatePasswords(form);
    flushSync(() => {
      setErrors(invalid);
      setFailure(null);
    });
    focusFirstError();
    if (Object.keys(invalid).length > 0) return;
    setBusy(true);
    const result = await profile.changePassword(form);
    flushSync(() => {
      setBusy(false);
      if (!result.ok) setFailure(result.failure);
    });
    if (!result.ok) return focusFirstError();
    show({ message: t('password.saved') });
    if (mounted.current) goBack();
  };

  const field = (name: Name, label: string, autoComplete: string, hint?: string) => {
    const error = errors[name];
    const serverError =
      failure && failedField === name ? describeFailure(t, failure).message : null;
    return (
      <PasswordField
        label={label}
        {...(hint && { hint })}
        error={error ? t(error) : serverError}
        value={form[name]}
        onChange={(event) => {
          const { value } = event.currentTarget;
          setForm((previous) => ({ ...previous, [name]: value }));
          setErrors(({ [name]: _gone, ...others }) => others);
          if (failedField === name) setFailure(null);
        }}
        autoComplete={autoComplete}
        data-testid={name}
      />
    );
  };

  return (
    <Page title={t('password.title')} parent={paths.personalInformation}>
      <form className="account-form" onSubmit={submit} noValidate>
        <p className="entry-lead">{t('password.lead')}</p>
        {field('old_password', t('password.old'), 'current-password')}
        {field('password', t('account.newPassword'), 'new-password', t('account.passwordHint'))}
        {field('repassword', t('password.confirm'), 'new-password')}
        {failure && !failedField && <FormFailure text={describeFailure(t, failure)} />}
        <SubmitButton busy={isBusy} data-testid="submit">
          {t('account.savePassword')}
        </SubmitButton>
      </form>
    </Page>
  );
}
