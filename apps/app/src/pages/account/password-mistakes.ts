/**
 * Client-side validation of the change-password form (specification, section 5). Each mistake is a
 * translation key.
 */
type Mistake =
  | 'password.old_required'
  | 'password.new_required'
  | 'password.confirm_required'
  | 'server.passwordsDiffer';

type PasswordForm = {
  readonly old_password: string;
  readonly password: string;
  readonly repassword: string;
};
export type PasswordField = keyof PasswordForm;
export type PasswordMistakes = Partial<Record<PasswordField, Mistake>>;

/** The mistakes in a form; empty if it is valid. */
export function passwordMistakes(form: PasswordForm): PasswordMistakes {
  const differs = form.repassword !== form.password;
  return {
    ...(form.old_password === '' && { old_password: 'password.old_required' }),
    ...(form.password === '' && { password: 'password.new_required' }),
    ...(differs && { repassword: 'server.passwordsDiffer' }),
    ...(form.repassword === '' && { repassword: 'password.confirm_required' }),
  };
}
