import { SqlError } from '@linnet/local-db';
import { createWebBluetoothFinder } from '@linnet/transports/web-bluetooth';
import { createWebSocketFinder } from '@linnet/transports/websocket';
import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App, WorkbenchScreen } from './app-shell/App.tsx';
import { paths } from './app-shell/pages.ts';
import {
  DatabaseFailedScreen,
  TakeOverScreen,
  UnsupportedScreen,
} from './app-shell/system-screens.tsx';
import { reportError } from './features/log.ts';
import { createServices } from './features/services.ts';
import { startLanguage } from './i18n/index.ts';
import { openAudioFiles } from './platform/web/audio-files.ts';
import { createAudioWorkshop } from './platform/web/audio-workshop.ts';
import { openDatabase } from './platform/web/database.ts';
import { missingFeatures } from './platform/web/features.ts';
import { createLead } from './platform/web/lead.ts';
import { keepShellOffline } from './platform/web/offline-shell.ts';
import { askToPersist } from './platform/web/persistence.ts';

const root = createRoot(document.getElementById('root') as HTMLElement);
const show = (screen: ReactNode) => root.render(<StrictMode>{screen}</StrictMode>);

/** What has to end before another tab may use the database. */
let stopEverything: () => Promise<void> = async () => {};

const lead = createLead(async () => {
  showTakeOver();
  await stopEverything();
});

function showTakeOver(): void {
  show(<TakeOverScreen onTakeOver={() => start(true).catch(reportError)} />);
}

/** @param takeOver whether to ask a tab that has the database to step back */
async function start(takeOver: boolean): Promise<void> {
  if (!(await lead.take(takeOver))) return showTakeOver();
  try {
    const persistence = await askToPersist();
    const database = await openDatabase();
    const audio = openAudioFiles();
    const { services, stop } = createServices({
      database,
      audio,
      workshop: createAudioWorkshop(),
      finders: (virtualRecorders) =>
        new Map([
          ['web-bluetooth', createWebBluetoothFinder()],
          [
            'websocket',
            createWebSocketFinder({
              get recorders() {
                return virtualRecorders();
              },
            }),
          ],
        ]),
      storagePersists: persistence.granted,
      language: () => document.documentElement.lang,
    });
    stopEverything = async () => {
      await stop();
      audio.close();
      await database.close();
    };
    show(<App services={services} />);
  } catch (error) {
    reportError(error);
    const code = error instanceof SqlError ? String(error.number ?? error.code) : 'database';
    show(<DatabaseFailedScreen code={code} onReload={() => location.reload()} />);
  }
}

async function main(): Promise<void> {
  await startLanguage();
  if (location.pathname === paths.workbench) return show(<WorkbenchScreen />);
  const missing = missingFeatures();
  if (missing.length > 0) return show(<UnsupportedScreen features={missing} />);
  await start(false);
}

main().catch(reportError);
keepShellOffline().catch(reportError);
