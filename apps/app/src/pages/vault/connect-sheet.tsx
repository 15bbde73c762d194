import type { CallFailure } from '@linnet/contract/client';
import { codes } from '@linnet/contract/codes';
import { limits } from '@linnet/contract/limits';
import type { VaultFailureCode } from '@linnet/contract/vaults';
import { type FormEvent, useState } from 'react';
import { describeFailure } from '../../i18n/failures.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useServices } from '../../page-kit/services-context.ts';
import { SubmitButton } from '../../ui/button.tsx';
import { Field, PasswordField } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { describeVaultFailure } from './failure-text.ts';

/** Why the folder was not connected: it can't be used, or the call failed. */
type Problem = { readonly folder: VaultFailureCode } | { readonly call: CallFailure };

/** The form that connects a WebDAV folder. The server tests the folder first. */
export function ConnectSheet({ onConnected, onClose }: { onConnected(): void; onClose(): void }) {
  const { t } = useTranslation();
  const { vaults } = useServices();
  const [url, setUrl] = useState('');
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  // The other fields are always valid, so the server can only reject the URL.
  const isRefused =
    problem !== null &&
    'call' in problem &&
    problem.call.kind === 'server' &&
    problem.call.code === codes.badRequest;
  const isComplete = url.trim() !== '' && username.trim() !== '' && password !== '';

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy || !isComplete) return;
    setBusy(true);
    setProblem(null);
    const result = await vaults.connect({
      url: url.trim(),
      username: username.trim(),
      password,
    });
    setBusy(false);
    if (!result.ok) setProblem({ call: result.failure });
    else if (result.data.failure !== null) setProblem({ folder: result.data.failure });
    else onConnected();
  };

  return (
    <Sheet title={t('vault.connect')} onClose={onClose}>
      <form className="vault-form" onSubmit={submit} noValidate>
        <Field
          label={t('vault.url')}
          hint={t('vault.urlHint')}
          error={isRefused ? t('vault.urlRefused') : null}
          type="url"
          inputMode="url"
          dir="ltr"
          autoCapitalize="none"
          spellCheck={false}
          value={url}
          maxLength={limits.webhooks.urlMaxLength}
          data-testid="vault-url"
          onChange={(event) => setUrl(event.currentTarget.value)}
        />
        <Field
          label={t('vault.username')}
          dir="ltr"
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          value={username}
          maxLength={limits.vaults.usernameMaxLength}
          data-testid="vault-username"
          onChange={(event) => setUsername(event.currentTarget.value)}
        />
        <PasswordField
          label={t('account.password')}
          hint={t('vault.passwordHint')}
          autoComplete="off"
          value={password}
          maxLength={limits.vaults.passwordMaxLength}
          data-testid="vault-password"
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        {problem && 'folder' in problem && (
          <Notice message={describeVaultFailure(t, problem.folder)} />
        )}
        {problem && 'call' in problem && !isRefused && (
          <Notice message={describeFailure(t, problem.call).message} />
        )}
        <SubmitButton busy={isBusy} disabled={!isComplete} data-testid="submit-vault">
          {t('vault.connect')}
        </SubmitButton>
      </form>
    </Sheet>
  );
}
