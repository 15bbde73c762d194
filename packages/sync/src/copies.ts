/**
 * The copies of a recording's audio: on the recorder, on the phone and in the cloud. A copy may be deleted only while
 * another location has a verified copy with the same digest.
 */

declare const sha256: unique symbol;
/** A SHA-256 digest as 64 lowercase hexadecimal digits. Created only by {@link parseSha256} and {@link sha256From}. */
export type Sha256 = string & { readonly [sha256]: true };

/** Parses a digest. @returns the digest in lower case, or null if `text` isn't a SHA-256 digest */
export function parseSha256(text: string | null | undefined): Sha256 | null {
  const digest = text?.toLowerCase() ?? '';
  return /^[0-9a-f]{64}$/.test(digest) ? (digest as Sha256) : null;
}

/** Parses a digest that must be valid. @throws RangeError if it isn't */
export function sha256From(text: string): Sha256 {
  const digest = parseSha256(text);
  if (digest === null) throw new RangeError(`not a SHA-256: ${text.length} characters`);
  return digest;
}

/** A place that can hold a copy of the audio. */
export type CopyPlace = 'recorder' | 'phone' | 'cloud';

/** A complete copy that hasn't been verified. It never justifies deleting another copy. */
export type StoredCopy = {
  readonly status: 'stored';
  /** The audio file's size in bytes. */
  readonly bytes: number;
  /**
   * The digest of the audio, computed where the copy is stored, or null if none was computed. If the phone converted
   * the cloud's audio file, this is the digest of the cloud's file.
   */
  readonly sha256: Sha256 | null;
};

/**
 * A copy whose digest matches the source's. Each digest is computed where the copy is stored, over the Opus packets in
 * order, as on the recorder (PROTOCOL.md, `end`).
 */
export type VerifiedCopy = {
  readonly status: 'verified';
  readonly bytes: number;
  readonly sha256: Sha256;
};

/** The state of a copy. `bytes` is the number of bytes on disk. */
export type CopyState =
  | { readonly status: 'absent' }
  | { readonly status: 'partial'; readonly bytes: number }
  | { readonly status: 'whole'; readonly bytes: number }
  | StoredCopy
  | VerifiedCopy;

export type Copies = { readonly [Place in CopyPlace]: CopyState };

/**
 * The state of each copy, as reported by its place. The cloud only ever reports its copy as `stored`;
 * {@link compareCopies} verifies it against the source.
 */
export type CopyReports = {
  readonly recorder: CopyState;
  readonly phone: CopyState;
  readonly cloud: { readonly status: 'absent' } | StoredCopy;
};

/**
 * Verifies the cloud's copy against the source: the recorder's copy if its digest is known, or else the phone's
 * verified copy.
 */
export function compareCopies({ recorder, phone, cloud }: CopyReports): Copies {
  const source = getDigest(recorder) ?? getDigest(phone);
  const isVerified = cloud.status === 'stored' && cloud.sha256 !== null && cloud.sha256 === source;
  return {
    recorder,
    phone,
    cloud: isVerified ? { ...cloud, status: 'verified', sha256: source } : cloud,
  };
}

function getDigest(copy: CopyState): Sha256 | null {
  return copy.status === 'verified' ? copy.sha256 : null;
}

/** A verified copy that makes it safe to delete another copy with the same digest. */
export type Survivor = { readonly place: CopyPlace; readonly sha256: Sha256 };

/** Returns the first of `places` that has a verified copy with the same digest as `copy`, or null. */
export function findSurvivor(
  copy: CopyState,
  copies: Partial<Copies>,
  places: readonly CopyPlace[],
): Survivor | null {
  if (copy.status !== 'verified') return null;
  const place = places.find((candidate) => {
    const other = copies[candidate];
    return other?.status === 'verified' && other.sha256 === copy.sha256;
  });
  return place === undefined ? null : { place, sha256: copy.sha256 };
}

/**
 * The reason for a deletion.
 *
 * - `storage_setting`: the storage setting excludes the copy's place.
 * - `asked`: the user requested it.
 */
export type DeletionReason = 'storage_setting' | 'asked';

/** A deleted copy, and the survivor that made the deletion safe. */
export type Deletion = {
  readonly place: CopyPlace;
  readonly because: DeletionReason;
  /** Null if the user deleted the copy regardless of other copies. */
  readonly survivor: Survivor | null;
  /** ISO 8601. */
  readonly at: string;
};

/** The history of a recording's copies. */
export type Receipt = {
  /** When each copy reached its current state (ISO 8601), or null if unknown. */
  readonly since: { readonly [Place in CopyPlace]: string | null };
  /** Oldest first. */
  readonly deletions: readonly Deletion[];
};
