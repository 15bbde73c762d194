import type { TestProject } from 'vitest/node';
import type { CephInstallation } from './object-gateway.ts';
import { startObjectGateway } from './object-gateway.ts';

declare module 'vitest' {
  interface ProvidedContext {
    s3: { endpoint: string; accessKeyId: string; secretAccessKey: string };
  }
}

/** Starts one S3 server for the entire run. `CEPH` locates its programs (see tooling/test-s3.mjs). */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { CEPH } = process.env;
  if (!CEPH) throw new Error('these tests need an S3 server: run npm run test:s3');
  const { stop, ...s3 } = await startObjectGateway(JSON.parse(CEPH) as CephInstallation);
  project.provide('s3', s3);
  return stop;
}
