import type { ShareResult } from '../../ports/exports.ts';

/** Saves and shares files, and shares links, through the platform. */
export type FileSharing = {
  /**
   * Saves a file.
   * @returns false if the user didn't choose a location
   */
  save(file: File): Promise<boolean>;
  /** Whether the platform can share files. */
  readonly canShare: boolean;
  /** Opens the system's share sheet. Dismissing it isn't a failure. */
  share(file: File): Promise<ShareResult>;
  /** Whether the platform can share links. */
  readonly canShareLinks: boolean;
  /** Opens the system's share sheet for a link. */
  shareLink(url: string): Promise<ShareResult>;
};
