/**
 * The part of the composition root for signed-in accounts, starting with the on-device database. A separate
 * chunk, so that the sign-in screen does not wait for it.
 */
import { SqlError } from '@linnet/local-db';
import { reportError } from '../features/log.ts';
import type { PlatformAdapters } from '../features/platform.ts';
import type { SignedOut } from '../features/signed-out.ts';
import type { ShellUpdate } from '../features/update.ts';
import { isPhoneApp } from '../platform/is-phone-app.ts';
import { openAudioFiles } from '../platform/web/audio-files.ts';
import { createAudioWorkshop } from '../platform/web/audio-workshop.ts';
import { inBrowser } from '../platform/web/browser.ts';
import { openDatabase } from '../platform/web/database.ts';
import { createWebMicrophone } from '../platform/web/microphone.ts';
import { requestPersistence } from '../platform/web/persistence.ts';
import { webPosition } from '../platform/web/position.ts';
import { recode } from '../platform/web/recode.ts';
import { openStoredFiles } from '../platform/web/stored-files.ts';
import { systemOf } from '../platform/web/system.ts';
import { keepAwake } from '../platform/web/wake-lock.ts';
import { loadChunk } from '../runtime/chunks.ts';
import { nextTask } from '../runtime/next-task.ts';
import { createServices, type Running } from './services.ts';

/** Selects the adapters of browsers or phones. Browsers never load the phones' adapters. */
async function platformAdapters(): Promise<PlatformAdapters> {
  if (!isPhoneApp()) return inBrowser();
  const { onPhone } = await loadChunk(() => import('../platform/native/phone.ts'));
  return onPhone();
}

/** Opens the on-device storage and starts the services. @throws SqlError */
export async function startServices(signedOut: SignedOut, shell: ShellUpdate): Promise<Running> {
  const persistence = requestPersistence(reportError);
  const database = await openDatabase(signedOut.store);
  await nextTask();
  const audio = openAudioFiles(signedOut.store);
  const { services, stop } = createServices(signedOut, {
    ...(await platformAdapters()),
    shell,
    database,
    audio,
    levels: audio.levels,
    workshop: createAudioWorkshop(signedOut.store),
    recode,
    microphone: createWebMicrophone(signedOut.store),
    keepAwake,
    position: webPosition,
    system: systemOf(navigator),
    storagePersists: persistence.granted,
    storedFiles: openStoredFiles(signedOut.store),
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

/** The error code for the screen of a failed start. */
export function startFailureCode(error: unknown): string {
  return error instanceof SqlError ? String(error.number ?? error.code) : 'database';
}
