/**
 * Runs an S3 server with one bucket on the machine of this process. The argument is the machine's address. The reported
 * address has the keys as user and password, and the bucket as path.
 */
import { type CephInstallation, createBucket, startObjectGateway } from '@linnet/server/testing/s3';
import { argument, serve } from './serve.ts';

const ceph = JSON.parse(process.env.CEPH ?? '') as CephInstallation;
const gateway = await startObjectGateway(ceph, argument(0));
const { bucket } = await createBucket(gateway);
const url = new URL(`/${bucket}`, gateway.endpoint);
url.username = gateway.accessKeyId;
url.password = gateway.secretAccessKey;
serve(url.href, gateway.stop);
