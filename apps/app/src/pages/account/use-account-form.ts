import type { CallFailure } from '@linnet/contract/client';
import { codes } from '@linnet/contract/codes';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { type AccountField, type AccountForm, type Mistakes, mistakesOf } from './validation.ts';

/** The field to which a server code refers. */
const fieldOfCode: Readonly<Record<number, AccountField>> = {
  [codes.wrongCode]: 'code',
  [codes.weakPassword]: 'password',
  [codes.passwordsDiffer]: 'repassword',
  [codes.emailTaken]: 'email',
  [codes.unknownAccount]: 'email',
};

/** The field to which a failure belongs, or null. */
export function fieldOfFailure(failure: CallFailure): AccountField | null {
  return failure.kind === 'server' ? (fieldOfCode[failure.code] ?? null) : null;
}

/** State of an account form: values, mistakes and server failure. */
export function useAccountForm(
  face: 'sign-in' | 'sign-up' | 'forgot',
  first: Partial<AccountForm>,
) {
  const [form, setForm] = useState<AccountForm>({
    ...{ email: '', code: '', password: '', repassword: '', agree: false },
    ...first,
  });
  const [mistakes, setMistakes] = useState<Mistakes>({});
  const [failure, setFailure] = useState<CallFailure | null>(null);

  const set = <Field extends AccountField>(field: Field, value: AccountForm[Field]) => {
    setForm((now) => ({ ...now, [field]: value }));
    setMistakes(({ [field]: _gone, ...others }) => others);
    setFailure((now) => (now && fieldOfFailure(now) === field ? null : now));
  };

  /** Validates the form, marks the mistakes and focuses the first; true if the form is valid. */
  const check = (element: HTMLFormElement): boolean => {
    const found = mistakesOf(face, form);
    flushSync(() => {
      setMistakes(found);
      setFailure(null);
    });
    element.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
    return Object.keys(found).length === 0;
  };

  const mark = (field: AccountField, mistake: Mistakes[AccountField]) =>
    setMistakes((now) => ({ ...now, ...(mistake && { [field]: mistake }) }));

  return { form, set, mistakes, mark, check, failure, setFailure };
}
