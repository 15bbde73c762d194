/**
 * The composition root's second half: what somebody signed in needs, the on-device database first. It is
 * loaded apart, so that sign-in does not wait for it.
 */
import { SqlError } from '@linnet/local-db';
import { reportError } from '../features/log.ts';
import type { PlatformAdapters } from '../features/platform.ts';
import type { ShellUpdate } from '../features/update.ts';
import type { Visitor } from '../features/visitor.ts';
import { isPhoneApp } from '../platform/is-phone-app.ts';
import { openAudioFiles } from '../platform/web/audio-files.ts';
import { createAudioWorkshop } from '../platform/web/audio-workshop.ts';
import { inBrowser } from '../platform/web/browser.ts';
import { openDatabase } from '../platform/web/database.ts';
import { askToPersist } from '../platform/web/persistence.ts';
import { webPosition } from '../platform/web/position.ts';
import { recode } from '../platform/web/recode.ts';
import { openStoredFiles } from '../platform/web/stored-files.ts';
import { systemOf } from '../platform/web/system.ts';
import { loadChunk } from '../runtime/chunks.ts';
import { nextTask } from '../runtime/next-task.ts';
import { createServices, type Running } from './services.ts';

/** The one place where browsers and phones part; browsers never load what only phones need. */
async function platformAdapters(): Promise<PlatformAdapters> {
  if (!isPhoneApp()) return inBrowser();
  const { onPhone } = await loadChunk(() => import('../platform/native/phone.ts'));
  return onPhone();
}

/** Opens what is kept on this phone and starts the services on it. @throws SqlError */
export async function startServices(visitor: Visitor, shell: ShellUpdate): Promise<Running> {
  const persistence = askToPersist(reportError);
  const database = await openDatabase(visitor.store);
  await nextTask();
  const audio = openAudioFiles(visitor.store);
  const { services, stop } = createServices(visitor, {
    ...(await platformAdapters()),
    shell,
    database,
    audio,
    levels: audio.levels,
    workshop: createAudioWorkshop(visitor.store),
    recode,
    position: webPosition,
    system: systemOf(navigator),
    storagePersists: persistence.granted,
    storedFiles: openStoredFiles(visitor.store),
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
