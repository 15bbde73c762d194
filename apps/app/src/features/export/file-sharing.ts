import type { Shared } from '../../ports/exports.ts';

/** Saves and shares files through the platform. */
export type FileSharing = {
  /** Saves a file. @returns false if the user chose no location */
  save(file: File): Promise<boolean>;
  /** Whether the platform can share files. */
  readonly shares: boolean;
  /** Opens the system's share sheet. Dismissing it is not a failure. */
  share(file: File): Promise<Shared>;
};
