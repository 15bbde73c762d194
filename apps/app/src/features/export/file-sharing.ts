import type { Shared } from '../../ports/exports.ts';

/** Saves and shares files through the platform. */
export type FileSharing = {
  /** @returns false if the user chose no location */
  save(file: File): Promise<boolean>;
  /** Whether files can be shared. */
  readonly shares: boolean;
  /** Opens the system's share sheet. Dismissing it is not a failure. */
  share(file: File): Promise<Shared>;
};
