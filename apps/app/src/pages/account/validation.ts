/**
 * Client-side validation of the account forms (specification, section 5). Each mistake is a translation key
 * under `account`.
 */

export type Mistake =
  | 'email_required'
  | 'email_format'
  | 'code_required'
  | 'code_length'
  | 'password_required'
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
export type Mistakes = Partial<Record<AccountField, Mistake>>;

/** Something before an @ and a dotted name after it. The server validates more strictly. */
const emailShape = /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/;

/** The mistake in an address, or null. */
export function emailMistake(email: string): Mistake | null {
  if (email.trim() === '') return 'email_required';
  return emailShape.test(email.trim()) ? null : 'email_format';
}

function codeMistake(code: string): Mistake | null {
  if (code === '') return 'code_required';
  return /^\d{6}$/.test(code) ? null : 'code_length';
}

function repasswordMistake(form: AccountForm): Mistake | null {
  if (form.repassword === '') return 'repassword_required';
  return form.repassword === form.password ? null : 'repassword_differs';
}

/** The mistakes in a form, in field order; empty if it is valid. */
export function mistakesOf(face: 'sign-in' | 'sign-up' | 'forgot', form: AccountForm): Mistakes {
  const found: [AccountField, Mistake | null][] = [
    ['email', face === 'sign-in' && form.email.trim() ? null : emailMistake(form.email)],
  ];
  if (face !== 'sign-in') found.push(['code', codeMistake(form.code)]);
  found.push(['password', form.password === '' ? 'password_required' : null]);
  if (face !== 'sign-in') found.push(['repassword', repasswordMistake(form)]);
  if (face === 'sign-up') found.push(['agree', form.agree ? null : 'agree_required']);
  return Object.fromEntries(found.filter(([, mistake]) => mistake !== null));
}

/** Extracts up to six digits from typed or pasted text, including Arabic and Persian digits. */
export function codeDigits(typed: string): string {
  return [...typed]
    .map((character) => {
      const point = character.codePointAt(0) ?? 0;
      if (point >= 0x660 && point <= 0x669) return String(point - 0x660);
      if (point >= 0x6f0 && point <= 0x6f9) return String(point - 0x6f0);
      return /\d/.test(character) ? character : '';
    })
    .join('')
    .slice(0, 6);
}
