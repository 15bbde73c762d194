import { type ReactNode, StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import type { RunningServices } from './composition/services.ts';
import { pendingClosures } from './features/account/pending-closures.ts';
import { secretNames, storeTokensIn } from './features/account/token-store.ts';
import { logUncaught, persistLog, reportError } from './features/log.ts';
import { createSignedOut, type SignedOut } from './features/signed-out.ts';
import { noUpdate } from './features/update.ts';
import { startLanguage } from './i18n/index.ts';
import { paths } from './page-kit/paths.ts';
import { isPhoneApp } from './platform/is-phone-app.ts';
import { missingFeatures } from './platform/web/features.ts';
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
/** The phone apps bundle their pages. */
const shell = isPhoneApp() ? noUpdate : cacheShell(reportError);

const root = createRoot(document.getElementById('root') as HTMLElement, {
  onCaughtError: reportError,
});
/** Renders in a transition, so that the browser handles input while a screen renders. */
const show = (screen: ReactNode) =>
  startTransition(() => root.render(<StrictMode>{screen}</StrictMode>));

/** Stops the services, so that another tab can open the database. */
let stopEverything: () => Promise<void> = async () => {};

const tabLock = createTabLock(async () => {
  showTakeOver();
  await stopEverything();
});

function showTakeOver(): void {
  show(<TakeOverScreen onTakeOver={() => start(tabLock.take()).catch(reportError)} />);
}

/** Starts the services of a signed-in account, or shows an error screen. */
async function startSignedIn(signedOut: SignedOut): Promise<RunningServices> {
  const { startServices, startFailureCode } = await loadChunk(
    () => import('./composition/signed-in.ts'),
  );
  try {
    return await startServices(signedOut, shell);
  } catch (error) {
    const reload = () => location.reload();
    show(<DatabaseFailedScreen code={startFailureCode(error)} onReload={reload} />);
    throw error;
  }
}

/** Opens the phone's secure storage. Browsers store tokens in localStorage, which needs no opening. */
async function openSecrets(): Promise<void> {
  if (!isPhoneApp()) return;
  const { openSecureStorage } = await loadChunk(() => import('./platform/native/phone.ts'));
  storeTokensIn(await openSecureStorage(secretNames, reportError));
}

/** @param hasLock resolves to whether this tab may use the database */
async function start(hasLock: Promise<boolean>): Promise<void> {
  if (!(await hasLock)) return;
  const signedOut = createSignedOut(async () => {
    await stopEverything();
    location.assign(paths.entry);
  });
  let running: Promise<RunningServices> | undefined;
  stopEverything = async () => {
    // Ignores a failed start: `load` has reported it, and there is nothing to stop.
    const started = await running?.catch(() => null);
    await started?.stop();
  };
  const load = () => {
    if (running) return running;
    running = startSignedIn(signedOut);
    running.catch((error: unknown) => {
      reportError(error);
      // The awaiting screen shows the failure, and its retry loads the services again.
      onChunkRetry(() => {
        running = undefined;
      });
    });
    // After signing in, the next screen differs from the one preloaded by main(). A failed preload is
    // ignored because the screen loads the chunk again and reports the failure.
    preloadPath(location.pathname).catch(() => {});
    return running;
  };
  const { account, server, address, feedback } = signedOut;
  const services = { account: account.service, server: server.state, address, feedback };
  let demo: ReturnType<LoadServices> | undefined;
  const loadDemo = () => {
    if (demo) return demo;
    demo = loadChunk(() => import('./composition/demo.ts')).then(({ startDemo }) =>
      startDemo(services),
    );
    demo.catch(() =>
      onChunkRetry(() => {
        demo = undefined;
      }),
    );
    return demo;
  };
  show(<App signedOut={services} load={load} loadDemo={loadDemo} />);
  // Starting the services deletes the remaining data of closed accounts.
  if (pendingClosures.at(address.current).length > 0) void load();
}

async function main(): Promise<void> {
  await nextTask();
  // Loads the screen's code and translations together. A failed preload is ignored because the screen loads
  // the chunk again and reports the failure.
  preloadPath(location.pathname, nextTask).catch(() => {});
  await nextTask();
  await startLanguage();
  await nextTask();
  if (location.pathname === paths.workbench) return show(<WorkbenchScreen />);
  const missing = missingFeatures();
  if (missing.length > 0) return show(<UnsupportedScreen features={missing} />);
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
