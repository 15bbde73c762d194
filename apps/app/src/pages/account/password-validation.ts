/** In-app validation of the change-password form (specification, section 5). Errors are translation keys. */
import { limits } from '@linnet/contract/limits';

type PasswordError =
  | 'password.old_required'
  | 'password.new_required'
  | 'account.password_length'
  | 'password.confirm_required'
  | 'server.passwordsDiffer';

type PasswordForm = {
  readonly old_password: string;
  readonly password: string;
  readonly repassword: string;
};
export type PasswordField = keyof PasswordForm;
export type PasswordErrors = Partial<Record<PasswordField, PasswordError>>;

/**
 * Validates the form.
 * @returns errors by field; empty if the form is valid
 */
export function validatePasswords(form: PasswordForm): PasswordErrors {
  const isDifferent = form.repassword !== form.password;
  return {
    ...(form.old_password === '' && { old_password: 'password.old_required' }),
    ...(form.password.length < limits.password.minLength && {
      password: 'account.password_length',
    }),
    ...(form.password === '' && { password: 'password.new_required' }),
    ...(isDifferent && { repassword: 'server.passwordsDiffer' }),
    ...(form.repassword === '' && { repassword: 'password.confirm_required' }),
  };
}
