/** Puts the demo together: for `main.tsx`, loaded apart, so that nothing waits for it. */
import { createDemo } from '../features/demo/demo.ts';
import { isPhoneApp } from '../platform/is-phone-app.ts';
import { createWebFileDoor } from '../platform/web/file-door.ts';
import type { SignedOutServices } from '../ports/services.ts';
import { loadChunk } from '../runtime/chunks.ts';

/** @param visitor whose account, server and feedback it is shown beside */
export async function startDemo(visitor: SignedOutServices) {
  if (!isPhoneApp()) return { services: createDemo(visitor, createWebFileDoor()) };
  const { createPhoneFileDoor } = await loadChunk(() => import('../platform/native/phone.ts'));
  return { services: createDemo(visitor, createPhoneFileDoor()) };
}
