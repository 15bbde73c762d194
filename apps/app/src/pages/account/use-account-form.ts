import type { CallFailure } from '@linnet/contract/client';
import { codes } from '@linnet/contract/codes';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import {
  type AccountField,
  type AccountForm,
  type FormErrors,
  type FormMode,
  validateForm,
} from './validation.ts';

/** Maps server error codes to form fields. */
const fieldOfCode: Readonly<Record<number, AccountField>> = {
  [codes.wrongCode]: 'code',
  [codes.weakPassword]: 'password',
  [codes.passwordsDiffer]: 'repassword',
  [codes.emailTaken]: 'email',
  [codes.unknownAccount]: 'email',
};

/** Returns the field that a failure belongs to, or null. */
export function fieldOfFailure(failure: CallFailure): AccountField | null {
  return failure.kind === 'server' ? (fieldOfCode[failure.code] ?? null) : null;
}

/** Manages an account form's state: values, validation errors and server failure. */
export function useAccountForm(mode: FormMode, initialForm: Partial<AccountForm>) {
  const [form, setForm] = useState<AccountForm>({
    email: '',
    code: '',
    password: '',
    repassword: '',
    agree: false,
    ...initialForm,
  });
  const [errors, setErrors] = useState<FormErrors>({});
  const [failure, setFailure] = useState<CallFailure | null>(null);

  const setField = <Field extends AccountField>(field: Field, value: AccountForm[Field]) => {
    setForm((previous) => ({ ...previous, [field]: value }));
    setErrors(({ [field]: _gone, ...others }) => others);
    setFailure((previous) => (previous && fieldOfFailure(previous) === field ? null : previous));
  };

  /**
   * Validates the form and focuses the first invalid field.
   * @returns whether the form is valid
   */
  const validate = (element: HTMLFormElement): boolean => {
    const invalid = validateForm(mode, form);
    flushSync(() => {
      setErrors(invalid);
      setFailure(null);
    });
    element.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
    return Object.keys(invalid).length === 0;
  };

  const mark = (field: AccountField, error: FormErrors[AccountField]) =>
    setErrors((previous) => ({ ...previous, ...(error && { [field]: error }) }));

  return { form, set: setField, errors, mark, check: validate, failure, setFailure };
}
