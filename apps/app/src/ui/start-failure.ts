/** Reports a failed start on the splash screen, before anything else is rendered. */
export function showStartFailure(): void {
  const trouble = document.querySelector<HTMLElement>('.splash-trouble');
  if (!trouble) return;
  trouble.hidden = false;
  trouble.querySelector('button')?.addEventListener('click', () => location.reload());
}
