import { describe, expect, it } from 'vitest';
import en from '../../i18n/locales/en/index.ts';
import { type AccountForm, codeDigits, emailError, validateForm } from './validation.ts';

const validForm: AccountForm = {
  email: 'mia@example.org',
  code: '123456',
  password: 'quiet birds',
  repassword: 'quiet birds',
  agree: true,
};

describe('validateForm', () => {
  it('accepts complete forms', () => {
    for (const mode of ['sign-in', 'sign-up', 'forgot'] as const)
      expect(validateForm(mode, validForm)).toEqual({});
  });

  it('returns the specified messages', () => {
    expect(en.account.email_required).toBe('Please fill in your email address');
    expect(en.account.repassword_differs).toBe('Confirm password must be the same as password');
    expect(en.server.passwordsDiffer).toBe('The password and confirmation password do not match');
  });

  it('reports all missing fields', () => {
    const emptyForm: AccountForm = {
      email: ' ',
      code: '',
      password: '',
      repassword: '',
      agree: false,
    };
    expect(validateForm('sign-up', emptyForm)).toEqual({
      email: 'email_required',
      code: 'code_required',
      password: 'password_required',
      repassword: 'repassword_required',
      agree: 'agree_required',
    });
    expect(validateForm('sign-in', emptyForm)).toEqual({
      email: 'email_required',
      password: 'password_required',
    });
    expect(validateForm('forgot', emptyForm)).not.toHaveProperty('agree');
  });

  it('requires an email address to sign in, and eight characters in new passwords', () => {
    expect(validateForm('sign-in', { ...validForm, email: 'mia' })).toEqual({
      email: 'email_format',
    });
    const shortForm = { ...validForm, password: 'birds', repassword: 'birds' };
    expect(validateForm('sign-in', shortForm)).toEqual({});
    expect(validateForm('sign-up', shortForm)).toEqual({ password: 'password_length' });
    expect(validateForm('forgot', shortForm)).toEqual({ password: 'password_length' });
  });

  it('requires six digits and matching passwords', () => {
    expect(validateForm('sign-up', { ...validForm, code: '12345' })).toEqual({
      code: 'code_length',
    });
    expect(validateForm('sign-up', { ...validForm, repassword: 'other' })).toEqual({
      repassword: 'repassword_differs',
    });
  });

  it.each([
    ['mia@example.org', null],
    ['mia+a@sub.example.co.uk', null],
    ['mia', 'email_format'],
    ['mia@example', 'email_format'],
    ['mia@@example.org', 'email_format'],
    ['mia@example..org', 'email_format'],
    ['mia @example.org', 'email_format'],
  ])('checks the email address %s: %s', (email, mistake) => {
    expect(emailError(email)).toBe(mistake);
  });
});

describe('codeDigits', () => {
  it('accepts pasted text, including Arabic digits', () => {
    expect(codeDigits(' 12 34-56 ')).toBe('123456');
    expect(codeDigits('١٢٣٤٥٦')).toBe('123456');
    expect(codeDigits('۱۲۳۴۵۶۷')).toBe('123456');
    expect(codeDigits('abc')).toBe('');
  });
});
