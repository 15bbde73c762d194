import { type FormEvent, useState } from 'react';
import { describeRecorderFailure } from '../../i18n/failures.ts';
import { useTranslation } from '../../i18n/index.ts';
import type { RecorderFailure } from '../../ports/recorder.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';

/** Finds a software recorder at an address that the server allows. */
export function RecorderAddress({
  failure,
  isBusy,
  onFind,
  onOther,
}: {
  failure: RecorderFailure | null;
  isBusy: boolean;
  onFind(address: string): void;
  onOther(): void;
}) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const text = failure && describeRecorderFailure(t, failure);
  const find = (event: FormEvent) => {
    event.preventDefault();
    if (!isBusy) onFind(typed);
  };
  return (
    <>
      <h2 className="display">{t('connect.address')}</h2>
      <form className="connect-address" onSubmit={find} noValidate>
        <Field
          label={t('connect.addressLabel')}
          hint={t('connect.addressExample')}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          type="url"
          inputMode="url"
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          dir="ltr"
          data-testid="recorder-address"
        />
        <Button
          type="submit"
          busy={isBusy}
          disabled={typed.trim() === ''}
          data-testid="find-at-address"
        >
          {t('address.ask')}
        </Button>
      </form>
      {text && <Notice message={text.message} detail={text.advice} code={text.code} />}
      <div className="connect-actions">
        <Button variant="quiet" onClick={onOther}>
          {t('connect.otherWay')}
        </Button>
      </div>
    </>
  );
}
