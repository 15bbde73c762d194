/**
 * Composition root for signed-in accounts. Opens the on-device storage and starts the services. `main.tsx` loads this
 * module as a separate chunk, to avoid delaying the sign-in screen.
 */
import { SqlError } from '@linnet/local-db';
import { reportError } from '../features/log.ts';
import type { PlatformAdapters } from '../features/platform.ts';
import type { SignedOut } from '../features/signed-out.ts';
import type { ShellUpdate } from '../features/update.ts';
import { onLanguageChanged } from '../i18n/index.ts';
import { isPhoneApp } from '../platform/is-phone-app.ts';
import { openAudioFiles } from '../platform/web/audio-files.ts';
import { createAudioProcessor } from '../platform/web/audio-processor.ts';
import { createBrowserAdapters } from '../platform/web/browser.ts';
import { openDatabase } from '../platform/web/database.ts';
import { createWebFolders } from '../platform/web/folders.ts';
import { createWebMicrophone } from '../platform/web/microphone.ts';
import { requestPersistence } from '../platform/web/persistence.ts';
import { webPosition } from '../platform/web/position.ts';
import { recode } from '../platform/web/recode.ts';
import { wasReloaded } from '../platform/web/reload.ts';
import { openStoredFiles } from '../platform/web/stored-files.ts';
import { detectSystem } from '../platform/web/system.ts';
import { createWebVaultPicker } from '../platform/web/vault-picker.ts';
import { keepAwake } from '../platform/web/wake-lock.ts';
import { loadChunk } from '../runtime/chunks.ts';
import { nextTask } from '../runtime/next-task.ts';
import { createServices, type RunningServices } from './services.ts';

/** Returns the adapters for this platform. Browsers never load the phone's adapters. */
async function loadPlatformAdapters(): Promise<PlatformAdapters> {
  if (!isPhoneApp()) return createBrowserAdapters();
  const { createPhoneAdapters } = await loadChunk(() => import('../platform/native/phone.ts'));
  return createPhoneAdapters();
}

/**
 * Opens the on-device storage and starts the services.
 * @throws SqlError
 */
export async function startServices(
  signedOut: SignedOut,
  shell: ShellUpdate,
): Promise<RunningServices> {
  const persistence = requestPersistence(reportError);
  const database = await openDatabase(signedOut.store);
  await nextTask();
  const audio = openAudioFiles(signedOut.store);
  const { services, stop } = createServices(signedOut, {
    ...(await loadPlatformAdapters()),
    shell,
    database,
    audio,
    levels: audio.levels,
    pack: audio.pack,
    audioProcessor: createAudioProcessor(signedOut.store),
    recode,
    microphone: createWebMicrophone(signedOut.store),
    folders: createWebFolders(signedOut.store),
    vaults: createWebVaultPicker(signedOut.store),
    keepAwake,
    wasReloaded,
    position: webPosition,
    system: detectSystem(navigator),
    isStoragePersistent: persistence.granted,
    storedFiles: openStoredFiles(signedOut.store, database),
    language: () => document.documentElement.lang,
    onLanguageChanged,
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

/** Returns the error code to show when the services fail to start. */
export function startFailureCode(error: unknown): string {
  return error instanceof SqlError ? String(error.number ?? error.code) : 'database';
}
