/** In-app validation of the account forms (specification, section 5). Errors are translation keys under `account`. */

import { limits } from '@linnet/contract/limits';

export type FormMode = 'sign-in' | 'sign-up' | 'forgot';
export type FormError =
  | 'email_required'
  | 'email_format'
  | 'code_required'
  | 'code_length'
  | 'password_required'
  | 'password_length'
  | 'repassword_required'
  | 'repassword_differs'
  | 'agree_required';

export type AccountForm = {
  readonly email: string;
  readonly code: string;
  readonly password: string;
  readonly repassword: string;
  readonly agree: boolean;
};
export type AccountField = keyof AccountForm;
export type FormErrors = Partial<Record<AccountField, FormError>>;

/** Matches a local part, an @, and a domain with a dot. The server validates more strictly. */
const emailPattern = /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/;

/**
 * Validates an email address.
 * @returns the error, or null
 */
export function emailError(email: string): FormError | null {
  if (email.trim() === '') return 'email_required';
  return emailPattern.test(email.trim()) ? null : 'email_format';
}

function codeError(code: string): FormError | null {
  if (code === '') return 'code_required';
  return /^\d{6}$/.test(code) ? null : 'code_length';
}

/** The length of an existing password isn't checked. */
function passwordError(mode: FormMode, password: string): FormError | null {
  if (password === '') return 'password_required';
  const isTooShort = mode !== 'sign-in' && password.length < limits.password.minLength;
  return isTooShort ? 'password_length' : null;
}

function repasswordError(form: AccountForm): FormError | null {
  if (form.repassword === '') return 'repassword_required';
  return form.repassword === form.password ? null : 'repassword_differs';
}

/**
 * Validates a form.
 * @returns errors in field order; empty if the form is valid
 */
export function validateForm(mode: FormMode, form: AccountForm): FormErrors {
  const errors: [AccountField, FormError | null][] = [['email', emailError(form.email)]];
  if (mode !== 'sign-in') errors.push(['code', codeError(form.code)]);
  errors.push(['password', passwordError(mode, form.password)]);
  if (mode !== 'sign-in') errors.push(['repassword', repasswordError(form)]);
  if (mode === 'sign-up') errors.push(['agree', form.agree ? null : 'agree_required']);
  return Object.fromEntries(errors.filter(([, fieldError]) => fieldError !== null));
}

/** Extracts up to six digits from typed or pasted text, including Arabic and Persian digits. */
export function codeDigits(input: string): string {
  return [...input]
    .map((character) => {
      const point = character.codePointAt(0) ?? 0;
      if (point >= 0x660 && point <= 0x669) return String(point - 0x660);
      if (point >= 0x6f0 && point <= 0x6f9) return String(point - 0x6f0);
      return /\d/.test(character) ? character : '';
    })
    .join('')
    .slice(0, 6);
}
