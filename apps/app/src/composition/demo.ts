/** Creates the services of the demo. `main.tsx` loads this module as a separate chunk. */
import { createDemo } from '../features/demo/demo.ts';
import { isPhoneApp } from '../platform/is-phone-app.ts';
import { createWebFileSharing } from '../platform/web/file-sharing.ts';
import type { SignedOutServices } from '../ports/services.ts';
import { loadChunk } from '../runtime/chunks.ts';

/** @param signedOut the account, server and feedback services, which the demo uses unchanged */
export async function startDemo(signedOut: SignedOutServices) {
  if (!isPhoneApp()) return { services: createDemo(signedOut, createWebFileSharing()) };
  const { createPhoneFileSharing } = await loadChunk(() => import('../platform/native/phone.ts'));
  return { services: createDemo(signedOut, createPhoneFileSharing()) };
}
