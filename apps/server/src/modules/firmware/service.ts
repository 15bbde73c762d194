import type { KeyObject } from 'node:crypto';
import { createHash } from 'node:crypto';
import { firmwareDescriptor, firmwareVersion, projectCode } from '@linnet/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Database } from '../../db/database.ts';
import type { ObjectStore } from '../../providers/storage/port.ts';
import { StorageFailure } from '../../providers/storage/port.ts';
import { crc16 } from './crc16.ts';
import { FirmwareFailure } from './failure.ts';
import { signFirmware } from './signing.ts';

/** A version's stored metadata. The descriptor's URL isn't stored, because it depends on the request. */
const releaseSchema = firmwareDescriptor.omit({ url: true });
export type Release = z.infer<typeof releaseSchema>;

/** Maximum size of an image. Recorders have less flash memory than this. */
const maxImageBytes = 64 * 1024 ** 2;

/**
 * Reads published firmware from the object store, which all processes share:
 *
 *     firmware/CODE/VERSION.bin    the image, written first and never overwritten
 *     firmware/CODE/VERSION.json   the metadata of the version
 *     firmware/CODE/latest.json    the metadata of the current version
 *
 * Keys are in lower case, so two models' codes must not differ only in case.
 */
export interface Firmware {
  /** Returns a model's current version, or null if none is published. */
  latest(code: string): Promise<Release | null>;
  /** Returns a published version, or null if it doesn't exist. */
  find(code: string, version: string): Promise<Release | null>;
  /** Lists all published versions, ordered by model and version. */
  list(): Promise<Release[]>;
}

export function createFirmware(store: ObjectStore): Firmware {
  return {
    latest: (code) => readValidated(store, code, 'latest'),
    find: (code, version) => readValidated(store, code, version),

    async list() {
      const releases: Release[] = [];
      for await (const { key } of store.list('firmware/')) {
        const [, code = '', name = ''] = key.split('/');
        if (!name.endsWith('.json') || name === 'latest.json') continue;
        releases.push(parseRelease(await readAll(store, `firmware/${code}/${name}`)));
      }
      return releases.sort(
        (a, b) =>
          a.project_code.localeCompare(b.project_code) || compareVersions(a.version, b.version),
      );
    },
  };
}

/** A version to publish. */
export interface NewRelease {
  readonly code: string;
  readonly version: string;
  readonly image: Uint8Array;
  readonly notes: string;
  readonly key: KeyObject;
  /** Allows replacing the current version with an older one. */
  readonly allowOlder: boolean;
  readonly now: Date;
}

/**
 * Publishes a version and makes it current for its model. The same version may be published again with identical bytes,
 * for example to make an earlier version current.
 * @throws FirmwareFailure
 */
export async function publishFirmware(
  db: Database,
  store: ObjectStore,
  newRelease: NewRelease,
): Promise<Release> {
  const { code, version, image } = newRelease;
  if (!projectCode.safeParse(code).success) {
    throw new FirmwareFailure(
      'invalid project code: expected up to 8 letters, digits, dots, hyphens and underscores',
    );
  }
  if (!firmwareVersion.safeParse(version).success) {
    throw new FirmwareFailure(
      'invalid version: expected two to four numbers separated by dots, such as 1.4.0',
    );
  }
  if (image.length === 0 || image.length > maxImageBytes) {
    throw new FirmwareFailure(
      `the image has ${image.length} bytes, but must have 1 to ${maxImageBytes}`,
    );
  }
  // The lock serializes concurrent publications.
  return db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('firmware', 0))`.execute(trx);
    return publish(store, newRelease);
  });
}

async function publish(store: ObjectStore, newRelease: NewRelease): Promise<Release> {
  const { code, version, image, notes, key, allowOlder, now } = newRelease;
  const current = await readStored(store, code, 'latest');
  if (current !== null && current.project_code !== code) {
    throw new FirmwareFailure(`the code ${code} differs from ${current.project_code} only in case`);
  }
  const sha256 = createHash('sha256').update(image).digest('hex');
  const existing = await readStored(store, code, version);
  if (existing !== null && existing.sha256 !== sha256) {
    throw new FirmwareFailure(
      `${code} ${version} was already published with different content; increase the version`,
    );
  }
  if (current !== null && !allowOlder && compareVersions(version, current.version) < 0) {
    throw new FirmwareFailure(
      `the current version ${current.version} is newer than ${version}; use --allow-older to publish it anyway`,
    );
  }
  const published: Release = existing ?? {
    version,
    project_code: code,
    size: image.length,
    crc16: crc16(image),
    sha256,
    signature: signFirmware(key, code, version, image),
    notes,
    published_at: now.toISOString(),
  };
  const description = Buffer.from(`${JSON.stringify(published)}\n`);
  if (existing === null) {
    await putBytes(store, imageKey(code, version), image);
    await putBytes(store, releaseKey(code, version), description);
  }
  await putBytes(store, releaseKey(code, 'latest'), description);
  return published;
}

/** Returns the object key of a version's image. */
export function imageKey(code: string, version: string): string {
  return `firmware/${code.toLowerCase()}/${version}.bin`;
}

function releaseKey(code: string, name: string): string {
  return `firmware/${code.toLowerCase()}/${name}.json`;
}

/** Compares two versions for sorting. Missing parts count as 0. */
export function compareVersions(a: string, b: string): number {
  const [partsOfA, partsOfB] = [a.split('.').map(Number), b.split('.').map(Number)];
  for (let index = 0; index < Math.max(partsOfA.length, partsOfB.length); index += 1) {
    const difference = (partsOfA[index] ?? 0) - (partsOfB[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/**
 * Reads a release identified by the names in a URL. Returns null if the names are malformed or the release doesn't
 * exist.
 */
async function readValidated(
  store: ObjectStore,
  code: string,
  name: string,
): Promise<Release | null> {
  const isValidName =
    projectCode.safeParse(code).success &&
    (name === 'latest' || firmwareVersion.safeParse(name).success);
  const release = isValidName ? await readStored(store, code, name) : null;
  return release?.project_code === code ? release : null;
}

async function readStored(store: ObjectStore, code: string, name: string): Promise<Release | null> {
  try {
    return parseRelease(await readAll(store, releaseKey(code, name)));
  } catch (error) {
    if (error instanceof StorageFailure && error.code === 'not-found') return null;
    throw error;
  }
}

async function readAll(store: ObjectStore, key: string): Promise<string> {
  return Buffer.concat(await (await store.read(key)).toArray()).toString();
}

function parseRelease(text: string): Release {
  return releaseSchema.parse(JSON.parse(text));
}

async function putBytes(store: ObjectStore, key: string, bytes: Uint8Array): Promise<void> {
  const body = (async function* () {
    yield bytes;
  })();
  await store.put(key, body, { maxBytes: bytes.length });
}
