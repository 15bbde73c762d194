/** Copies of a recording's audio: where they lie, how much is known of each, and which of them agree. */

declare const sha256: unique symbol;
/** A SHA-256 as 64 lower-case hexadecimal digits. {@link asSha256} is the only way to make one. */
export type Sha256 = string & { readonly [sha256]: true };

/** @returns the digest, in lower case; null when the text is none, the empty text included */
export function asSha256(text: string | null | undefined): Sha256 | null {
  const digest = text?.toLowerCase() ?? '';
  return /^[0-9a-f]{64}$/.test(digest) ? (digest as Sha256) : null;
}

/** As {@link asSha256}, for a digest that was computed here. @throws RangeError */
export function sha256From(text: string): Sha256 {
  const digest = asSha256(text);
  if (digest === null) throw new RangeError(`not a SHA-256: ${text.length} characters`);
  return digest;
}

/** Where a copy of the audio may lie. */
export type CopyPlace = 'recorder' | 'phone' | 'cloud';

/** Bytes are there, under an address. Never a reason to delete another copy. */
export type StoredCopy = {
  readonly status: 'stored';
  /** Size of the stored file, in bytes. */
  readonly bytes: number;
  /**
   * The digest of the audio as computed where the copy lies; null where none was computed. A phone's copy that was made
   * of the cloud's file has the digest of that file.
   */
  readonly sha256: Sha256 | null;
};

/**
 * The digest of the audio, computed where the copy lies, equals the source's own. The digest covers the
 * Opus packets in their order, as the recorder computes it (PROTOCOL.md, `end`).
 */
export type VerifiedCopy = {
  readonly status: 'verified';
  readonly bytes: number;
  readonly sha256: Sha256;
};

/** How much of the audio lies in a place; `bytes` are durable. */
export type CopyState =
  | { readonly status: 'absent' }
  | { readonly status: 'partial'; readonly bytes: number }
  | { readonly status: 'whole'; readonly bytes: number }
  | StoredCopy
  | VerifiedCopy;

export type Copies = { readonly [Place in CopyPlace]: CopyState };

/**
 * What may be recorded of a copy. The cloud reports only what it stores: whether that is verified follows
 * from the comparison with the source, see {@link compareCopies}.
 */
export type CopyReports = {
  readonly recorder: CopyState;
  readonly phone: CopyState;
  readonly cloud: { readonly status: 'absent' } | StoredCopy;
};

/**
 * Compares what the cloud reports with the source: the recorder, or the phone once its own copy is verified.
 * A stored copy with an equal digest is a verified one.
 */
export function compareCopies({ recorder, phone, cloud }: CopyReports): Copies {
  const source = digestOf(recorder) ?? digestOf(phone);
  const isVerified = cloud.status === 'stored' && cloud.sha256 !== null && cloud.sha256 === source;
  return {
    recorder,
    phone,
    cloud: isVerified ? { ...cloud, status: 'verified', sha256: source } : cloud,
  };
}

function digestOf(copy: CopyState): Sha256 | null {
  return copy.status === 'verified' ? copy.sha256 : null;
}

/** A verified copy in a selected place, because of which another copy may be deleted. */
export type Survivor = { readonly place: CopyPlace; readonly sha256: Sha256 };

/** The survivor for a copy: the first of `places` that holds verified audio with the same digest. */
export function survivorAmong(
  copy: CopyState,
  copies: Partial<Copies>,
  places: readonly CopyPlace[],
): Survivor | null {
  if (copy.status !== 'verified') return null;
  const place = places.find((each) => {
    const other = copies[each];
    return other?.status === 'verified' && other.sha256 === copy.sha256;
  });
  return place === undefined ? null : { place, sha256: copy.sha256 };
}

/**
 * Why a copy was deleted.
 * - `storage_setting`: its place is switched off.
 * - `asked`: the owner asked for it.
 */
export type DeletionReason = 'storage_setting' | 'asked';

/** A copy that was deleted, and the one that remained. */
export type Deletion = {
  readonly place: CopyPlace;
  readonly because: DeletionReason;
  /** Null where the owner deleted the copy without regard to others. */
  readonly survivor: Survivor | null;
  /** ISO-8601. */
  readonly at: string;
};

/** Where a recording is and how it came to be so: what its owner can rely on. */
export type Receipt = {
  /** When each copy came to what it is now, ISO-8601; null for one that never changed. */
  readonly since: { readonly [Place in CopyPlace]: string | null };
  /** Oldest first. */
  readonly deletions: readonly Deletion[];
};
