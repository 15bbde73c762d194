/**
 * The first script of the document. It delays the app's code until the logo is painted, because that code
 * blocks a slow phone noticeably. The download is not delayed: the build adds preload links to the document.
 */
import './ui/tokens.css';
import './ui/base.css';
import { nextTask } from './runtime/next-task.ts';
import { showStartFailure } from './ui/start-failure.ts';

/** Resolves after the next frame, or immediately on a hidden page. */
function afterPaint(): Promise<unknown> {
  const hidden = () => document.visibilityState === 'hidden';
  return new Promise((resolve) => {
    if (hidden()) return resolve(null);
    requestAnimationFrame(() => setTimeout(resolve));
    // A hidden page gets no animation frames.
    document.addEventListener('visibilitychange', resolve, { once: true });
  });
}

afterPaint()
  // Loads the larger parts of the code one by one, so that they run in shorter tasks. Destructuring lets the
  // build drop unused exports.
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
