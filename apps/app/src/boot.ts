/**
 * What the document loads first: lets its mark be painted before the app's code runs, which takes a
 * moment on a slow phone. The code comes meanwhile: the build names it in the document.
 */
import './ui/tokens.css';
import './ui/base.css';
import { nextTask } from './runtime/next-task.ts';
import { showStartTrouble } from './ui/start-trouble.ts';

/** Resolves after the next frame, or at once where nobody sees one. */
function painted(): Promise<unknown> {
  const hidden = () => document.visibilityState === 'hidden';
  return new Promise((resolve) => {
    if (hidden()) return resolve(null);
    requestAnimationFrame(() => setTimeout(resolve));
    // Frames stop when the page is hidden before it was drawn.
    document.addEventListener('visibilitychange', resolve, { once: true });
  });
}

painted()
  // The larger parts of the code by themselves, so that they and the rest run in shorter tasks. What is
  // taken of them has a name, or the build would keep all that they have.
  .then(() => import('react-dom/client'))
  .then(nextTask)
  .then(async () => {
    const { BrowserRouter } = await import('react-router');
    return BrowserRouter;
  })
  .then(nextTask)
  .then(async () => {
    const { initReactI18next } = await import('react-i18next');
    return initReactI18next;
  })
  .then(nextTask)
  .then(() => import('./main.tsx'))
  .catch((error: unknown) => {
    showStartTrouble();
    throw error;
  });
