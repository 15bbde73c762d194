/**
 * The services pages use, by the ports of this folder. Pages get them from `useServices()`; `features/` implements
 * them, and the composition roots wire them.
 */
import type { AccountService } from './account.ts';
import type { CleanerService } from './cleaner.ts';
import type { ExportService } from './exports.ts';
import type { FeedbackService } from './feedback.ts';
import type { ImportService } from './imports.ts';
import type { LibraryService } from './library.ts';
import type { MembershipService } from './membership.ts';
import type { NetworkKind } from './network.ts';
import type { PhoneSpaceService } from './phone-space.ts';
import type { PositionService } from './position.ts';
import type { ProfileService } from './profile.ts';
import type { RecorderService } from './recorder.ts';
import type { SearchService } from './search.ts';
import type { ServerState } from './server.ts';
import type { ServerAddressService } from './server-address.ts';
import type { SettingsService } from './settings.ts';
import type { Store } from './store.ts';
import type { DeviceSystem } from './system.ts';
import type { UnderstoodFiles } from './understood.ts';
import type { UpdateService } from './update.ts';
import type { WaitingService } from './waiting.ts';

/** What there is before anybody signed in. */
export type SignedOutServices = {
  readonly account: AccountService;
  readonly server: Store<ServerState>;
  readonly address: ServerAddressService;
  readonly feedback: FeedbackService;
};

/** What there is for somebody signed in. */
export type Services = SignedOutServices & {
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
