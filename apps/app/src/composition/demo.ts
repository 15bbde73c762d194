/** Creates the demo's services. `main.tsx` loads this module as a separate chunk. */
import { createDemo } from '../features/demo/demo.ts';
import { loadDemoTexts } from '../features/demo/demo-texts.ts';
import type { FileSharing } from '../features/export/file-sharing.ts';
import { isPhoneApp } from '../platform/is-phone-app.ts';
import { createWebFileSharing } from '../platform/web/file-sharing.ts';
import type { SignedOutServices } from '../ports/services.ts';
import { loadChunk } from '../runtime/chunks.ts';

/**
 * @param signedOut the account, server and feedback services, which the demo uses unchanged
 * @param language the interface language, which the demo's content also uses
 */
export async function startDemo(signedOut: SignedOutServices, language: string) {
  const texts = await loadChunk(() => loadDemoTexts(language));
  const create = (fileSharing: FileSharing) => ({
    services: createDemo(signedOut, fileSharing, texts, language),
  });
  if (!isPhoneApp()) return create(createWebFileSharing());
  const { createPhoneFileSharing } = await loadChunk(() => import('../platform/native/phone.ts'));
  return create(createPhoneFileSharing());
}
