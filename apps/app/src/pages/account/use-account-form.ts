import type { CallFailure } from '@linnet/contract/client';
import { codes } from '@linnet/contract/codes';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { type AccountField, type AccountForm, type Mistakes, mistakesOf } from './validation.ts';

/** The field a server's answer speaks of. */
const fieldOfCode: Readonly<Record<number, AccountField>> = {
  [codes.wrongCode]: 'code',
  [codes.weakPassword]: 'password',
  [codes.passwordsDiffer]: 'repassword',
  [codes.emailTaken]: 'email',
  [codes.unknownAccount]: 'email',
};

/** The field that a failure belongs to, or null when it belongs to none. */
export function fieldOfFailure(failure: CallFailure): AccountField | null {
  return failure.kind === 'server' ? (fieldOfCode[failure.code] ?? null) : null;
}

/** The state of an account form: values, mistakes, and what the server said. */
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

  /** Marks what is wrong and goes there; true when the form may be sent. */
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
