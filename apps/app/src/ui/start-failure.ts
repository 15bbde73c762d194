/** Reports a failed start on the splash screen, before anything else is rendered. */
export function showStartFailure(): void {
  const errorText = document.querySelector<HTMLElement>('.splash-trouble');
  if (!errorText) return;
  errorText.hidden = false;
  errorText.querySelector('button')?.addEventListener('click', () => location.reload());
}
