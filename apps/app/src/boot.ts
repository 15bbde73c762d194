/**
 * The first script of the document. It lets the logo be painted before the app's code runs, which takes a
 * moment on a slow phone. The code is downloaded meanwhile, since the build preloads it in the document.
 */
import './ui/tokens.css';
import './ui/base.css';
import { nextTask } from './runtime/next-task.ts';
import { showStartFailure } from './ui/start-failure.ts';

/** Resolves after the next frame, or at once on a hidden page. */
function painted(): Promise<unknown> {
  const hidden = () => document.visibilityState === 'hidden';
  return new Promise((resolve) => {
    if (hidden()) return resolve(null);
    requestAnimationFrame(() => setTimeout(resolve));
    // Frames stop if the page is hidden before it was painted.
    document.addEventListener('visibilitychange', resolve, { once: true });
  });
}

painted()
  // Loads the larger parts of the code separately, so that everything runs in shorter tasks. Imports are
  // destructured, or the build would keep whole modules.
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
