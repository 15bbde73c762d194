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

/** Stored metadata of a version: the descriptor without its URL, which depends on the request. */
const release = firmwareDescriptor.omit({ url: true });
export type Release = z.infer<typeof release>;

/** A recorder's flash is smaller than this. */
const maxImageBytes = 64 * 1024 ** 2;

/**
 * Firmware in the object store, so that every process serves it:
 *
 *     firmware/CODE/VERSION.bin    the image, written first and never overwritten
 *     firmware/CODE/VERSION.json   its metadata
 *     firmware/CODE/latest.json    the metadata of the current version
 *
 * Keys are lower case, so model codes must differ by more than case.
 */
export interface Firmware {
  /** The current version for a model; null if there is none. */
  latest(code: string): Promise<Release | null>;
  /** A published version; null if there is none. */
  find(code: string, version: string): Promise<Release | null>;
  /** All published versions, ordered by model and number. */
  list(): Promise<Release[]>;
}

export function createFirmware(store: ObjectStore): Firmware {
  return {
    latest: (code) => read(store, code, 'latest'),
    find: (code, version) => read(store, code, version),

    async list() {
      const releases: Release[] = [];
      for await (const { key } of store.list('firmware/')) {
        const [, code = '', name = ''] = key.split('/');
        if (!name.endsWith('.json') || name === 'latest.json') continue;
        releases.push(parse(await readAll(store, `firmware/${code}/${name}`)));
      }
      return releases.sort(
        (a, b) =>
          a.project_code.localeCompare(b.project_code) || compareVersions(a.version, b.version),
      );
    },
  };
}

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
 * Publishes a version and makes it the current one for its model. Publishing identical bytes again is allowed and makes
 * an earlier version current again.
 * @throws FirmwareFailure
 */
export async function publishFirmware(
  db: Database,
  store: ObjectStore,
  fresh: NewRelease,
): Promise<Release> {
  const { code, version, image } = fresh;
  if (!projectCode.safeParse(code).success) {
    throw new FirmwareFailure(
      'a project code is up to 8 letters, digits, dots, hyphens and underscores',
    );
  }
  if (!firmwareVersion.safeParse(version).success) {
    throw new FirmwareFailure('a version is two to four numbers apart by dots, such as 1.4.0');
  }
  if (image.length === 0 || image.length > maxImageBytes) {
    throw new FirmwareFailure(`an image has 1 to ${maxImageBytes} bytes, not ${image.length}`);
  }
  // Serializes concurrent publications.
  return db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('firmware', 0))`.execute(trx);
    return publish(store, fresh);
  });
}

async function publish(store: ObjectStore, fresh: NewRelease): Promise<Release> {
  const { code, version, image, notes, key, allowOlder, now } = fresh;
  const offered = await readNamed(store, code, 'latest');
  if (offered !== null && offered.project_code !== code) {
    throw new FirmwareFailure(`${code} cannot be told from ${offered.project_code}`);
  }
  const sha256 = createHash('sha256').update(image).digest('hex');
  const before = await readNamed(store, code, version);
  if (before !== null && before.sha256 !== sha256) {
    throw new FirmwareFailure(
      `${code} ${version} was published with other bytes: raise the version`,
    );
  }
  if (offered !== null && !allowOlder && compareVersions(version, offered.version) < 0) {
    throw new FirmwareFailure(
      `${offered.version} is offered, which is later than ${version}: --allow-older offers it anyway`,
    );
  }
  const published: Release = before ?? {
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
  if (before === null) {
    await putAll(store, imageKey(code, version), image);
    await putAll(store, releaseKey(code, version), description);
  }
  await putAll(store, releaseKey(code, 'latest'), description);
  return published;
}

/** Object key of a version's image. */
export function imageKey(code: string, version: string): string {
  return `firmware/${code.toLowerCase()}/${version}.bin`;
}

function releaseKey(code: string, name: string): string {
  return `firmware/${code.toLowerCase()}/${name}.json`;
}

/** Negative if `a` is earlier than `b`. Missing parts count as 0. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a.split('.').map(Number), b.split('.').map(Number)];
  for (let part = 0; part < Math.max(left.length, right.length); part += 1) {
    const difference = (left[part] ?? 0) - (right[part] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Reads a release by the names in a URL; null for malformed names. */
async function read(store: ObjectStore, code: string, name: string): Promise<Release | null> {
  const named =
    projectCode.safeParse(code).success &&
    (name === 'latest' || firmwareVersion.safeParse(name).success);
  const found = named ? await readNamed(store, code, name) : null;
  return found?.project_code === code ? found : null;
}

async function readNamed(store: ObjectStore, code: string, name: string): Promise<Release | null> {
  try {
    return parse(await readAll(store, releaseKey(code, name)));
  } catch (error) {
    if (error instanceof StorageFailure && error.code === 'not-found') return null;
    throw error;
  }
}

async function readAll(store: ObjectStore, key: string): Promise<string> {
  return Buffer.concat(await (await store.read(key)).toArray()).toString();
}

function parse(text: string): Release {
  return release.parse(JSON.parse(text));
}

async function putAll(store: ObjectStore, key: string, bytes: Uint8Array): Promise<void> {
  const body = (async function* () {
    yield bytes;
  })();
  await store.put(key, body, { maxBytes: bytes.length });
}
