/** Obtains a model's file from its publisher, a mirror or a path. */
import { createHash } from 'node:crypto';
import { statfs } from 'node:fs/promises';
import path from 'node:path';
import type { KnownModel } from '../catalog.ts';
import { download, getFileSize } from '../download.ts';
import { ModelFailure } from '../failure.ts';
import type { Trust } from '../manifest.ts';
import { hashFile } from '../store.ts';
import { listedChecksum, pinnedChecksum } from './checksums.ts';
import type { Installation, ObtainedFile } from './installation.ts';
import { getFileName } from './location.ts';

/**
 * Disk space for unpacking, as a multiple of the archive size. Int8 models compress to 70% (measured on the published
 * sizes of SenseVoice and Parakeet), but some archives also contain the unquantized model.
 */
const UNPACKED_FACTOR = 2.5;

/** Downloads a known or custom model, and determines how far its checksum can be trusted. */
export async function downloadModel(
  job: Installation,
  knownModel: KnownModel | undefined,
  incoming: string,
  address: string,
): Promise<ObtainedFile> {
  const expected = knownModel
    ? { sha256: knownModel.download.sha256, trust: 'catalogue' as Trust }
    : ((await listedChecksum(address, job.signal)) ?? (await pinnedChecksum(job.folder, address)));
  const shortDigest = createHash('sha256').update(address).digest('hex').slice(0, 16);
  const file = path.join(incoming, `${shortDigest}-${getFileName(address)}`);
  if (knownModel) await checkDiskSpace(job, knownModel, await getFileSize(`${file}.part`));
  const sha256 = await download({
    address,
    file,
    bytes: knownModel?.download.bytes,
    sha256: expected?.sha256,
    onProgress: job.onProgress,
    signal: job.signal,
    ...(job.pauseSeconds === undefined ? {} : { pauseSeconds: job.pauseSeconds }),
  });
  job.onDownloaded?.();
  return { file, source: { address, sha256, trust: expected?.trust ?? 'first-use' } };
}

/**
 * Checks that a download and its unpacked files fit on the disk.
 * @param receivedBytes number of bytes already downloaded
 * @throws ModelFailure `storage-full`
 */
async function checkDiskSpace(
  { folder, reserveBytes = 0, freeBytes = getFreeBytes }: Installation,
  { name, download: { bytes }, archiveFolder }: KnownModel,
  receivedBytes: number,
): Promise<void> {
  const unpacked = archiveFolder === undefined ? bytes : UNPACKED_FACTOR * bytes;
  const neededBytes = Math.max(0, bytes - receivedBytes) + unpacked + reserveBytes;
  const availableBytes = await freeBytes(folder);
  if (availableBytes >= neededBytes) return;
  const inGigabytes = (amount: number) => (amount / 1e9).toFixed(1);
  throw new ModelFailure(
    `not enough disk space for ${name}: ${inGigabytes(neededBytes)} GB must be free in ${folder}, but only ${inGigabytes(availableBytes)} GB are`,
    { code: 'storage-full' },
  );
}

async function getFreeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** Uses a local file. @throws ModelFailure if the file differs from the catalog's */
export async function useFile(
  knownModel: KnownModel | undefined,
  file: string,
): Promise<ObtainedFile> {
  const sha256 = await hashFile(file);
  if (knownModel && knownModel.download.sha256 !== sha256) {
    throw new ModelFailure(
      `${file} is not ${knownModel.name}: its SHA-256 is ${sha256} instead of ${knownModel.download.sha256}`,
    );
  }
  return { file, source: { address: file, sha256, trust: knownModel ? 'catalogue' : 'first-use' } };
}
