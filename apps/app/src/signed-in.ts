/**
 * The composition root's second half: what somebody signed in needs, the on-device database first. It is
 * loaded apart, so that sign-in does not wait for it.
 */
import { SqlError } from '@linnet/local-db';
import { createWebBluetoothFinder } from '@linnet/transports/web-bluetooth';
import { createWebSocketFinder } from '@linnet/transports/websocket';
import { createServices, type Running } from './features/services.ts';
import type { Visitor } from './features/visitor.ts';
import { openAudioFiles } from './platform/web/audio-files.ts';
import { createAudioWorkshop } from './platform/web/audio-workshop.ts';
import { openDatabase } from './platform/web/database.ts';
import { watchNetwork } from './platform/web/network.ts';
import { askToPersist } from './platform/web/persistence.ts';
import { webPosition } from './platform/web/position.ts';
import { recode } from './platform/web/recode.ts';
import { readSharedFiles } from './platform/web/shared-files.ts';
import { openStoredFiles } from './platform/web/stored-files.ts';
import { nextTask } from './ui/next-task.ts';

/** Opens what is kept on this phone and starts the services on it. @throws SqlError */
export async function startServices(visitor: Visitor): Promise<Running> {
  const persistence = await askToPersist();
  const database = await openDatabase(visitor.store);
  await nextTask();
  const audio = openAudioFiles(visitor.store);
  const { services, stop } = createServices(visitor, {
    database,
    audio,
    levels: audio.levels,
    workshop: createAudioWorkshop(visitor.store),
    recode,
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
    sharedFiles: readSharedFiles,
    position: webPosition,
    storagePersists: persistence.granted,
    storedFiles: openStoredFiles(visitor.store),
    network: watchNetwork(),
    // A browser joins no network for a page.
    joinNetwork: null,
    language: () => document.documentElement.lang,
  });
  return {
    services,
    async stop() {
      await stop();
      audio.close();
      await database.close();
    },
  };
}

/** What is shown in small print when it does not start. */
export function startFailureCode(error: unknown): string {
  return error instanceof SqlError ? String(error.number ?? error.code) : 'database';
}
