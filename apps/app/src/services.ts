/**
 * What the pages are built on: everything they read and everything they can ask for. Pages import only
 * types from here and get the services through `useServices()`; `main.tsx` puts them together from
 * `features/` and `platform/`.
 */
import type { AccountService } from './services/account.ts';
import type { CleanerService } from './services/cleaner.ts';
import type { ExportService } from './services/exports.ts';
import type { FeedbackService } from './services/feedback.ts';
import type { ImportService } from './services/imports.ts';
import type { LibraryService } from './services/library.ts';
import type { MembershipService } from './services/membership.ts';
import type { NetworkKind } from './services/network.ts';
import type { PhoneSpaceService } from './services/phone-space.ts';
import type { PositionService } from './services/position.ts';
import type { ProfileService } from './services/profile.ts';
import type { RecorderService } from './services/recorder.ts';
import type { SearchService } from './services/search.ts';
import type { ServerState } from './services/server.ts';
import type { ServerAddressService } from './services/server-address.ts';
import type { SettingsService } from './services/settings.ts';
import type { Store } from './services/store.ts';
import type { DeviceSystem } from './services/system.ts';
import type { UnderstoodFiles } from './services/understood.ts';
import type { UpdateService } from './services/update.ts';
import type { WaitingService } from './services/waiting.ts';

export type * from './services/account.ts';
export type * from './services/cleaner.ts';
export type * from './services/exports.ts';
export type * from './services/feedback.ts';
export type * from './services/firmware.ts';
export type * from './services/imports.ts';
export type * from './services/library.ts';
export type * from './services/membership.ts';
export type * from './services/network.ts';
export type * from './services/phone-space.ts';
export type * from './services/position.ts';
export type * from './services/profile.ts';
export type * from './services/recorder.ts';
export type * from './services/search.ts';
export type * from './services/server.ts';
export type * from './services/server-address.ts';
export type * from './services/settings.ts';
export type * from './services/store.ts';
export type * from './services/system.ts';
export type * from './services/transfer.ts';
export type * from './services/understood.ts';
export type * from './services/update.ts';
export type * from './services/waiting.ts';

/** What there is before anybody signed in. */
export type VisitorServices = {
  readonly account: AccountService;
  readonly server: Store<ServerState>;
  readonly address: ServerAddressService;
  readonly feedback: FeedbackService;
};

/** What there is for somebody signed in. */
export type Services = VisitorServices & {
  readonly profile: ProfileService;
  /** Whether what was written last fitted on this phone. */
  readonly room: Store<'enough' | 'none'>;
  readonly recorder: RecorderService;
  readonly library: LibraryService;
  readonly cleaner: CleanerService;
  readonly imports: ImportService;
  readonly exports: ExportService;
  readonly search: SearchService;
  readonly settings: SettingsService;
  readonly understood: UnderstoodFiles;
  /** What network this device is on. */
  readonly network: Store<NetworkKind>;
  readonly system: DeviceSystem;
  readonly phoneSpace: PhoneSpaceService;
  readonly waiting: WaitingService;
  readonly membership: MembershipService;
  readonly position: PositionService;
  readonly update: UpdateService;
};

/** Starts what somebody signed in needs: the same promise each time, until it failed. */
export type LoadServices = () => Promise<{ readonly services: Services }>;
