import type { CallFailure } from '@linnet/contract/client';
import { codes } from '@linnet/contract/codes';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { AccountService } from '../../ports/account.ts';
import type { ProfileService } from '../../ports/profile.ts';
import { createFixtureServices, renderPage } from '../../testing/render-page.tsx';

const PASSWORD = 'wren-gale-harbour-7';
const TOO_MANY = 'Too many attempts. Wait a moment and try again.';
const WRONG_CODE = 'That code is wrong or has expired. Request a new one.';
const UNREACHABLE = 'Can’t reach the server. Check your network and try again.';

const refused = (code: number): CallFailure => ({ kind: 'server', code, msg: 'In English.' });
const getErrors = () => screen.queryAllByTestId('error').map(({ textContent }) => textContent);

/** Returns the services of a signed-out user, with other calls. */
function withAccount(calls: Partial<AccountService>) {
  const services = createFixtureServices({ account: 'out' });
  return { ...services, account: { ...services.account, ...calls } };
}

/** Returns a call that fails, and the arguments of its calls. */
function createFailingCall(failure: CallFailure) {
  const sent: unknown[][] = [];
  const call = async (...args: unknown[]) => {
    sent.push(args);
    return { ok: false, failure } as const;
  };
  return { call, sent };
}

/** Fills in fields, replacing their text. */
function fill(fields: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(fields)) {
    fireEvent.change(screen.getByTestId(name), { target: { value } });
  }
}

describe('sign-in', () => {
  it.each([
    [refused(codes.wrongCredentials), 'Wrong email or password', String(codes.wrongCredentials)],
    [refused(codes.tooManyRequests), TOO_MANY, String(codes.tooManyRequests)],
    [{ kind: 'network', cause: null }, UNREACHABLE, 'network'],
    [{ kind: 'timeout' }, UNREACHABLE, 'timeout'],
  ] satisfies [CallFailure, string, string][])('reports %o', async (failure, message, code) => {
    const { call, sent } = createFailingCall(failure);
    const { user } = await renderPage('/', withAccount({ signIn: call }));
    fill({ email: 'wren@example.org', password: 'not-this-one-9' });
    await user.click(screen.getByTestId('submit'));
    await waitFor(() => expect(getErrors()).toEqual([message]));
    screen.getByText(`Code: ${code}`);
    expect(sent).toEqual([['wren@example.org', 'not-this-one-9']]);
    expect(screen.getByTestId('email')).toHaveProperty('value', 'wren@example.org');
  });

  it('requires an email and a password', async () => {
    const { call, sent } = createFailingCall({ kind: 'timeout' });
    const { user } = await renderPage('/', withAccount({ signIn: call }));
    await user.click(screen.getByTestId('submit'));
    expect(getErrors()).toHaveLength(2);
    expect(document.activeElement).toBe(screen.getByTestId('email'));
    expect(sent).toEqual([]);
  });
});

describe('registration', () => {
  const fields = {
    ...{ email: 'robin@example.org', code: '123456' },
    ...{ password: PASSWORD, repassword: PASSWORD },
  };

  it.each([
    [{ code: '12345' }, 'code', 'The verification code has six digits'],
    [
      { repassword: 'Another-one-7' },
      'repassword',
      'Confirm password must be the same as password',
    ],
  ])('with %o is rejected before it is sent', async (changed, field, message) => {
    const { call, sent } = createFailingCall({ kind: 'timeout' });
    const { user } = await renderPage('/pages/register', withAccount({ register: call }));
    fill({ ...fields, ...changed });
    await user.click(screen.getByTestId('agree'));
    await user.click(screen.getByTestId('submit'));
    expect(getErrors()).toEqual([message]);
    expect(document.activeElement).toBe(screen.getByTestId(field));
    expect(sent).toEqual([]);
  });

  it.each([
    [codes.wrongCode, 'code', WRONG_CODE],
    [
      codes.weakPassword,
      'password',
      'Choose a stronger password. Use 8 to 128 characters, and avoid common passwords and your email address.',
    ],
    [
      codes.emailTaken,
      'email',
      'You already have an account with this email. Sign in or reset your password.',
    ],
    [codes.tooManyRequests, null, TOO_MANY],
  ])('that the server rejects with code %d marks the field %s', async (code, field, message) => {
    const { call, sent } = createFailingCall(refused(code));
    const { user } = await renderPage('/pages/register', withAccount({ register: call }));
    fill(fields);
    await user.click(screen.getByTestId('agree'));
    await user.click(screen.getByTestId('submit'));
    await waitFor(() => expect(getErrors()).toEqual([message]));
    expect(sent).toMatchObject([[{ email: fields.email, code: fields.code }]]);
    for (const name of Object.keys(fields)) {
      const isInvalid = screen.getByTestId(name).getAttribute('aria-invalid') === 'true';
      expect(isInvalid, name).toBe(name === field);
    }
  });
});

it('a password reset is prefilled with the last email, and reports a used code', async () => {
  const { call, sent } = createFailingCall(refused(codes.wrongCode));
  const services = withAccount({ resetPassword: call, lastEmail: () => 'wren@example.org' });
  const { user } = await renderPage('/pages/register/findMyPasswd', services);
  expect(screen.getByTestId('email')).toHaveProperty('value', 'wren@example.org');
  fill({ code: '123456', password: PASSWORD, repassword: PASSWORD });
  await user.click(screen.getByTestId('submit'));
  await waitFor(() => expect(getErrors()).toEqual([WRONG_CODE]));
  expect(sent).toMatchObject([[{ email: 'wren@example.org', code: '123456' }]]);
});

it('a password is changed once all fields are valid and the old one is correct', async () => {
  const services = createFixtureServices({});
  const sent: unknown[] = [];
  const changePassword: ProfileService['changePassword'] = async (passwords) => {
    sent.push(passwords);
    return passwords.old_password === PASSWORD
      ? { ok: true, data: null }
      : { ok: false, failure: refused(codes.wrongOldPassword) };
  };
  const profile = { ...services.profile, changePassword };
  const { user } = await renderPage('/pages/changePassword', { ...services, profile });
  const submit = () => user.click(screen.getByTestId('submit'));
  await submit();
  expect(getErrors()).toEqual([
    'Enter your old password',
    'Enter your new password',
    'Confirm your new password',
  ]);
  expect(document.activeElement).toBe(screen.getByTestId('old_password'));
  const next = 'heron-mist-lantern-4';
  fill({ old_password: 'not-the-old-one', password: next, repassword: `${next}x` });
  await submit();
  expect(getErrors()).toEqual(['The password and confirmation password do not match']);
  expect(sent).toEqual([]);
  fill({ repassword: next });
  await submit();
  await waitFor(() => expect(getErrors()).toEqual(['Your old password is wrong']));
  expect(document.activeElement).toBe(screen.getByTestId('old_password'));
  fill({ old_password: PASSWORD });
  await submit();
  await screen.findByRole('heading', { level: 1, name: 'Personal information' });
  expect(screen.getByTestId('toast').textContent).toBe('Password changed');
  expect(sent.at(-1)).toEqual({ old_password: PASSWORD, password: next, repassword: next });
});
