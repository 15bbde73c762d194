/**
 * The first script in the document. Waits for the logo to be painted before running the app's code, which blocks the
 * main thread noticeably on a slow phone. The code itself downloads earlier, through preload links that the build adds
 * to the document.
 */
import './ui/tokens.css';
import './ui/base.css';
import { nextTask } from './runtime/next-task.ts';
import { showStartFailure } from './ui/start-failure.ts';

/** Resolves after the next frame, or immediately if the page is hidden. */
function afterPaint(): Promise<unknown> {
  return new Promise((resolve) => {
    if (document.visibilityState === 'hidden') return resolve(null);
    requestAnimationFrame(() => setTimeout(resolve));
    // A hidden page gets no animation frames.
    document.addEventListener('visibilitychange', resolve, { once: true });
  });
}

afterPaint()
  // Load the larger libraries one after another, so that each runs in its own task. Destructuring lets the build drop
  // unused exports.
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
    showStartFailure();
    throw error;
  });
