/**
 * The composition root. Selects the screen to show: the app, the demo, or an error screen. The services of a signed-in
 * account start on demand, because their code is large and the sign-in screen doesn't need it.
 */
import { type ReactNode, StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import type { RunningServices } from './composition/services.ts';
import { pendingClosures } from './features/account/pending-closures.ts';
import { secretNames, storeTokensIn } from './features/account/token-store.ts';
import { logUncaught, persistLog, reportError } from './features/log.ts';
import { endOnSignOut } from './features/notifications/end-on-sign-out.ts';
import { createSignedOut, type SignedOut } from './features/signed-out.ts';
import { noUpdate } from './features/update.ts';
import { currentLanguage, startLanguage } from './i18n/index.ts';
import { paths } from './page-kit/paths.ts';
import { isPhoneApp } from './platform/is-phone-app.ts';
import { endPush } from './platform/web/end-push.ts';
import { missingFeatures, refusedFeatures } from './platform/web/features.ts';
import { hideInputMethodKeys } from './platform/web/input-method-keys.ts';
import { cacheShell } from './platform/web/offline-shell.ts';
import { createTabLock } from './platform/web/tab-lock.ts';
import type { LoadServices } from './ports/services.ts';
import { App, WorkbenchScreen } from './routing/App.tsx';
import { preloadPath } from './routing/lazy-pages.tsx';
import {
  DatabaseFailedScreen,
  TakeOverScreen,
  UnsupportedScreen,
} from './routing/system-screens.tsx';
import { loadChunk, onChunkRetry } from './runtime/chunks.ts';
import { nextTask } from './runtime/next-task.ts';
import { showStartFailure } from './ui/start-failure.ts';

logUncaught();
hideInputMethodKeys(window);
/** Phone apps come with their files, so they need no service worker. */
const shell = isPhoneApp() ? noUpdate : cacheShell(reportError);

const root = createRoot(document.getElementById('root') as HTMLElement, {
  onCaughtError: reportError,
});
/** Renders in a transition, so that the browser can handle input meanwhile. */
const show = (screen: ReactNode) =>
  startTransition(() => root.render(<StrictMode>{screen}</StrictMode>));

/** Stops the services so that another tab can open the database. */
let stopEverything: () => Promise<void> = async () => {};

const tabLock = createTabLock(async () => {
  showTakeOver();
  await stopEverything();
});

function showTakeOver(): void {
  show(<TakeOverScreen onTakeOver={() => start(tabLock.take()).catch(reportError)} />);
}

/** Starts a signed-in account's services, or shows an error screen. */
async function startSignedIn(signedOut: SignedOut): Promise<RunningServices> {
  const { startServices, startFailureCode } = await loadChunk(
    () => import('./composition/signed-in.ts'),
  );
  try {
    return await startServices(signedOut, shell);
  } catch (error) {
    const refused = await refusedFeatures();
    if (refused.length > 0) {
      show(<UnsupportedScreen features={refused} />);
      throw error;
    }
    const reload = () => location.reload();
    show(<DatabaseFailedScreen code={startFailureCode(error)} onReload={reload} />);
    throw error;
  }
}

/** Opens a phone's secure storage. Browsers keep tokens in localStorage, which needs no opening. */
async function openSecrets(): Promise<void> {
  if (!isPhoneApp()) return;
  const { openSecureStorage } = await loadChunk(() => import('./platform/native/phone.ts'));
  storeTokensIn(await openSecureStorage(secretNames, reportError));
}

/** Cancels a phone's notifications, and removes those that are shown. */
async function endPhoneNotifications(): Promise<void> {
  const { clearNotifications } = await loadChunk(() => import('./platform/native/phone.ts'));
  await clearNotifications();
}

/**
 * Starts the app in this tab.
 * @param hasLock resolves to whether this tab may use the database
 */
async function start(hasLock: Promise<boolean>): Promise<void> {
  if (!(await hasLock)) return;
  const signedOut = createSignedOut(async () => {
    await stopEverything();
    location.assign(paths.entry);
  });
  let running: Promise<RunningServices> | undefined;
  stopEverything = async () => {
    // Ignore a failed start: `load` has already reported it, and there is nothing to stop.
    const started = await running?.catch(() => null);
    await started?.stop();
  };
  const load = () => {
    if (running) return running;
    running = startSignedIn(signedOut);
    running.catch((error: unknown) => {
      reportError(error);
      // The screen that awaits the services shows the failure. Its retry button starts them again.
      onChunkRetry(() => {
        running = undefined;
      });
    });
    // After a sign-in, the next screen isn't the one that `main()` preloaded. Ignore a failed preload, because the
    // screen loads the chunk again and reports the failure.
    preloadPath(location.pathname).catch(() => {});
    return running;
  };
  const { account, server, address, feedback } = signedOut;
  endOnSignOut(account.service.state, isPhoneApp() ? endPhoneNotifications : endPush, reportError);
  const services = { account: account.service, server: server.state, address, feedback };
  let demo: { readonly language: string; readonly running: ReturnType<LoadServices> } | undefined;
  // The demo's content is in the interface language, so restart the demo when the language changes.
  const loadDemo = () => {
    const language = currentLanguage();
    if (demo?.language === language) return demo.running;
    const runningDemo = loadChunk(() => import('./composition/demo.ts')).then(({ startDemo }) =>
      startDemo(services, language),
    );
    demo = { language, running: runningDemo };
    runningDemo.catch(() =>
      onChunkRetry(() => {
        demo = undefined;
      }),
    );
    return runningDemo;
  };
  show(<App signedOut={services} load={load} loadDemo={loadDemo} />);
  // Start the services even while signed out if closed accounts still have data to delete.
  if (pendingClosures.at(address.current).length > 0) void load();
}

async function main(): Promise<void> {
  await nextTask();
  // Load the screen's code along with the translations. Ignore a failed preload, because the screen loads the chunk
  // again and reports the failure.
  preloadPath(location.pathname, nextTask).catch(() => {});
  await nextTask();
  await startLanguage();
  await nextTask();
  if (location.pathname === paths.workbench) return show(<WorkbenchScreen />);
  const missingNames = missingFeatures();
  if (missingNames.length > 0) return show(<UnsupportedScreen features={missingNames} />);
  await openSecrets();
  await start(tabLock.wait(showTakeOver));
}

async function startLog(): Promise<void> {
  const { openLogBook } = await loadChunk(() => import('./platform/web/log-book.ts'));
  persistLog(openLogBook(), __APP_VERSION__);
}

main().catch((error: unknown) => {
  showStartFailure();
  reportError(error);
});
startLog().catch(reportError);
