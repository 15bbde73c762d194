import { type ReactNode, StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import type { Running } from './composition/services.ts';
import { closingNotes } from './features/account/closing-notes.ts';
import { keepTokensIn, secretNames } from './features/account/token-store.ts';
import { keepLog, logUncaught, reportError } from './features/log.ts';
import { noUpdate } from './features/update.ts';
import { createVisitor, type Visitor } from './features/visitor.ts';
import { startLanguage } from './i18n/index.ts';
import { paths } from './page-kit/paths.ts';
import { isPhoneApp } from './platform/is-phone-app.ts';
import { missingFeatures } from './platform/web/features.ts';
import { createLead } from './platform/web/lead.ts';
import { keepShellOffline } from './platform/web/offline-shell.ts';
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
import { showStartTrouble } from './ui/start-trouble.ts';

logUncaught();
/** The apps of phones carry their pages with them. */
const shell = isPhoneApp() ? noUpdate : keepShellOffline(reportError);

const root = createRoot(document.getElementById('root') as HTMLElement, {
  onCaughtError: reportError,
});
/** In small steps: nothing is on the screen yet that a tap could wait for, and taps are heard between them. */
const show = (screen: ReactNode) =>
  startTransition(() => root.render(<StrictMode>{screen}</StrictMode>));

/** What has to end before another tab may use the database. */
let stopEverything: () => Promise<void> = async () => {};

const lead = createLead(async () => {
  showTakeOver();
  await stopEverything();
});

function showTakeOver(): void {
  show(<TakeOverScreen onTakeOver={() => start(lead.take()).catch(reportError)} />);
}

/** Starts what somebody signed in needs. One that does not start says so in place of everything. */
async function startSignedIn(visitor: Visitor): Promise<Running> {
  const { startServices, startFailureCode } = await loadChunk(
    () => import('./composition/signed-in.ts'),
  );
  try {
    return await startServices(visitor, shell);
  } catch (error) {
    const reload = () => location.reload();
    show(<DatabaseFailedScreen code={startFailureCode(error)} onReload={reload} />);
    throw error;
  }
}

/** Browsers have nothing to open: their tokens are at hand. */
async function openSecrets(): Promise<void> {
  if (!isPhoneApp()) return;
  const { openSecureStorage } = await loadChunk(() => import('./platform/native/phone.ts'));
  keepTokensIn(await openSecureStorage(secretNames, reportError));
}

/** @param leads whether this tab has the database, once that is so */
async function start(leads: Promise<boolean>): Promise<void> {
  if (!(await leads)) return;
  const visitor = createVisitor(async () => {
    await stopEverything();
    location.assign(paths.entry);
  });
  let running: Promise<Running> | undefined;
  stopEverything = async () => {
    // One that did not start has nothing to stop, and has said so.
    const started = await running?.catch(() => null);
    await started?.stop();
  };
  const load = () => {
    if (running) return running;
    running = startSignedIn(visitor);
    running.catch((error: unknown) => {
      reportError(error);
      // The screen that waits for it says why not; who tries again has it loaded again.
      onChunkRetry(() => {
        running = undefined;
      });
    });
    // After signing in another screen comes next than the one that main() fetched. One that does not come says so
    // in its place.
    preloadPath(location.pathname).catch(() => {});
    return running;
  };
  const { account, server, address, feedback } = visitor;
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
  show(<App visitor={services} load={load} loadDemo={loadDemo} />);
  // What is left of an account that was closed goes, whoever is signed in.
  if (closingNotes.at(address.current).length > 0) void load();
}

async function main(): Promise<void> {
  await nextTask();
  // The screen's code and its words come at the same time; one that does not come says so in its place.
  preloadPath(location.pathname, nextTask).catch(() => {});
  await nextTask();
  await startLanguage();
  await nextTask();
  if (location.pathname === paths.workbench) return show(<WorkbenchScreen />);
  const missing = missingFeatures();
  if (missing.length > 0) return show(<UnsupportedScreen features={missing} />);
  await openSecrets();
  await start(lead.wait(showTakeOver));
}

async function startLog(): Promise<void> {
  const { openLogBook } = await loadChunk(() => import('./platform/web/log-book.ts'));
  keepLog(openLogBook(), __APP_VERSION__);
}

main().catch((error: unknown) => {
  showStartTrouble();
  reportError(error);
});
startLog().catch(reportError);
