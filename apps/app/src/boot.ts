/**
 * The first script of the document. It runs the app's code only after the logo has been painted, because that code
 * blocks the main thread of a slow phone noticeably. The code is downloaded earlier, through preload links that the
 * build adds to the document.
 */
import './ui/tokens.css';
import './ui/base.css';
import { nextTask } from './runtime/next-task.ts';
import { showStartFailure } from './ui/start-failure.ts';

/** Resolves after the next frame, or immediately on a hidden page. */
function afterPaint(): Promise<unknown> {
  return new Promise((resolve) => {
    if (document.visibilityState === 'hidden') return resolve(null);
    requestAnimationFrame(() => setTimeout(resolve));
    // A hidden page gets no animation frames.
    document.addEventListener('visibilitychange', resolve, { once: true });
  });
}

afterPaint()
  // The larger libraries are loaded one after the other, so that each runs in a task of its own. Destructuring lets
  // the build drop unused exports.
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
