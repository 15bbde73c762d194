import type { CallData } from '@linnet/contract';
import type { CallFailure } from '@linnet/contract/client';
import { codes } from '@linnet/contract/codes';
import type { KeyScope } from '@linnet/contract/key-scopes';
import { limits } from '@linnet/contract/limits';
import { type FormEvent, useId, useState } from 'react';
import { describeFailure } from '../../i18n/failures.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useServices } from '../../page-kit/services-context.ts';
import { SubmitButton } from '../../ui/button.tsx';
import { SegmentedControl } from '../../ui/choice.tsx';
import { Field, PasswordField } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Sheet } from '../../ui/sheet.tsx';

const accessScopes = {
  read: ['read'],
  all: ['read', 'write'],
} as const satisfies Record<string, readonly KeyScope[]>;
type Access = keyof typeof accessScopes;

/** Number of days until a key expires, or null if it never expires. */
const lifetimes = { month: 30, year: 365, never: null } as const;
type Lifetime = keyof typeof lifetimes;

/** The form that creates an API key. */
export function CreateKeySheet({
  onCreated,
  onClose,
}: {
  onCreated(key: CallData<'user/createKey'>): void;
  onClose(): void;
}) {
  const { t } = useTranslation();
  const { apiKeys } = useServices();
  const [name, setName] = useState('');
  const [access, setAccess] = useState<Access>('read');
  const [lifetime, setLifetime] = useState<Lifetime>('year');
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<CallFailure | null>(null);
  const [password, setPassword] = useState('');
  const [needsPassword, setNeedsPassword] = useState(false);
  const lifetimeId = useId();
  const isWrongPassword = failure?.kind === 'server' && failure.code === codes.wrongPassword;

  const isComplete = name.trim() !== '' && (!needsPassword || password !== '');
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy || !isComplete) return;
    setBusy(true);
    setFailure(null);
    const days = lifetimes[lifetime];
    const result = await apiKeys.create({
      name: name.trim(),
      scopes: [...accessScopes[access]],
      ...(days !== null && { expires_days: days }),
      ...(needsPassword && { password }),
    });
    setBusy(false);
    if (result.ok) return onCreated(result.data);
    const { failure: refusal } = result;
    // The server asks for the password if it wasn't entered recently.
    if (refusal.kind === 'server' && refusal.code === codes.passwordNeeded) setNeedsPassword(true);
    else setFailure(refusal);
  };

  return (
    <Sheet title={t('keys.createTitle')} onClose={onClose}>
      <form className="key-form" onSubmit={submit}>
        <Field
          label={t('keys.name')}
          hint={t('keys.nameHint')}
          value={name}
          maxLength={limits.keys.nameMaxLength}
          data-testid="key-name"
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <SegmentedControl<Access>
          label={t('keys.access.title')}
          value={access}
          options={[
            { value: 'read', label: t('keys.access.read') },
            { value: 'all', label: t('keys.access.all') },
          ]}
          onChange={setAccess}
        />
        <div className="key-lifetime">
          <label htmlFor={lifetimeId}>{t('keys.lifetime.title')}</label>
          <select
            id={lifetimeId}
            value={lifetime}
            data-testid="key-lifetime"
            onChange={(event) => setLifetime(event.currentTarget.value as Lifetime)}
          >
            {(['month', 'year', 'never'] as const).map((lifetimeOption) => (
              <option key={lifetimeOption} value={lifetimeOption}>
                {t(`keys.lifetime.${lifetimeOption}`)}
              </option>
            ))}
          </select>
        </div>
        {needsPassword && (
          <PasswordField
            label={t('closing.password')}
            value={password}
            autoComplete="current-password"
            error={isWrongPassword ? describeFailure(t, failure).message : null}
            data-testid="key-password"
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
        )}
        {failure && !isWrongPassword && <Notice message={describeFailure(t, failure).message} />}
        <SubmitButton busy={isBusy} disabled={!isComplete} data-testid="submit-key">
          {t('keys.create')}
        </SubmitButton>
      </form>
    </Sheet>
  );
}
