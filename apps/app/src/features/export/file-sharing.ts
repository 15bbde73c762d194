import type { Shared } from '../../ports/exports.ts';

/** How files leave the app: each platform has its own way. */
export type FileSharing = {
  /** @returns false when its owner chose no place for it */
  save(file: File): Promise<boolean>;
  /** Whether there is a share sheet that takes files. */
  readonly shares: boolean;
  /** Opens the share sheet of the system. Who closes it has changed their mind: nothing went wrong. */
  share(file: File): Promise<Shared>;
};
