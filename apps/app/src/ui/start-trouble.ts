/** Says that the app did not start, where nothing else is on the screen yet. */
export function showStartTrouble(): void {
  const trouble = document.querySelector<HTMLElement>('.splash-trouble');
  if (!trouble) return;
  trouble.hidden = false;
  trouble.querySelector('button')?.addEventListener('click', () => location.reload());
}
