import { expect, it } from 'vitest';
import { validatePasswords } from './password-validation.ts';

const validForm = { old_password: 'heron', password: 'wren-gale-7', repassword: 'wren-gale-7' };

it.each([
  [{}, {}],
  [{ old_password: '' }, { old_password: 'password.old_required' }],
  [{ password: '' }, { password: 'password.new_required', repassword: 'server.passwordsDiffer' }],
  [{ password: 'gale', repassword: 'gale' }, { password: 'account.password_length' }],
  [{ repassword: '' }, { repassword: 'password.confirm_required' }],
  [{ repassword: 'wren-gale-8' }, { repassword: 'server.passwordsDiffer' }],
])('reports for %j: %j', (changes, errors) => {
  expect(validatePasswords({ ...validForm, ...changes })).toEqual(errors);
});
