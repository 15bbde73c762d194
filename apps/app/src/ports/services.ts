/**
 * The services that pages use through `useServices()`. `features/` implements them, and the composition roots connect
 * them.
 */
import type { AccountService } from './account.ts';
import type { AnalysisFiles } from './analysis-files.ts';
import type { ApiKeysService } from './api-keys.ts';
import type { CalendarAddressService } from './calendar-address.ts';
import type { DenoiserService } from './denoiser.ts';
import type { DeviceVaultService } from './device-vault.ts';
import type { Drafts } from './drafts.ts';
import type { ExportService } from './exports.ts';
import type { FeedbackService } from './feedback.ts';
import type { FoldersService } from './folders.ts';
import type { ImportService } from './imports.ts';
import type { LibraryService } from './library.ts';
import type { LiveTextService } from './live.ts';
import type { MembershipService } from './membership.ts';
import type { MergingService } from './merging.ts';
import type { NetworkKind } from './network.ts';
import type { NotificationEmailsService } from './notification-emails.ts';
import type { NotificationsService } from './notifications.ts';
import type { OmiService } from './omi.ts';
import type { PendingWorkService } from './pending-work.ts';
import type { PhoneSpaceService } from './phone-space.ts';
import type { PocketService } from './pocket.ts';
import type { PositionService } from './position.ts';
import type { ProfileService } from './profile.ts';
import type { QuestionsService } from './questions.ts';
import type { RecorderService } from './recorder.ts';
import type { RecorderSpaceNotices } from './recorder-space-notices.ts';
import type { RecordersService } from './recorders.ts';
import type { RetentionService } from './retention.ts';
import type { RetranscriptionService } from './retranscription.ts';
import type { SearchService } from './search.ts';
import type { ServerState } from './server.ts';
import type { ServerAddressService } from './server-address.ts';
import type { SettingsService } from './settings.ts';
import type { ShareLinksService } from './share-links.ts';
import type { Store } from './store.ts';
import type { DeviceSystem } from './system.ts';
import type { UpdateService } from './update.ts';
import type { VaultsService } from './vaults.ts';
import type { VoicesService } from './voices.ts';
import type { WebhooksService } from './webhooks.ts';

/** Services available without signing in. */
export type SignedOutServices = {
  readonly account: AccountService;
  readonly server: Store<ServerState>;
  readonly address: ServerAddressService;
  readonly feedback: FeedbackService;
};

/** A signed-in account's services. */
export type Services = SignedOutServices & {
  readonly profile: ProfileService;
  /** Whether there was enough disk space for the last database write. */
  readonly diskSpace: Store<'enough' | 'none'>;
  readonly recorder: RecorderService;
  readonly omi: OmiService;
  readonly pocket: PocketService;
  readonly recorders: RecordersService;
  readonly library: LibraryService;
  readonly liveText: LiveTextService;
  readonly denoiser: DenoiserService;
  readonly merging: MergingService;
  readonly drafts: Drafts;
  readonly imports: ImportService;
  readonly folders: FoldersService;
  readonly exports: ExportService;
  readonly search: SearchService;
  readonly questions: QuestionsService;
  readonly settings: SettingsService;
  readonly analysisFiles: AnalysisFiles;
  /** The kind of network this device is using. */
  readonly network: Store<NetworkKind>;
  readonly system: DeviceSystem;
  readonly phoneSpace: PhoneSpaceService;
  readonly pendingWork: PendingWorkService;
  readonly membership: MembershipService;
  readonly retranscription: RetranscriptionService;
  readonly position: PositionService;
  readonly update: UpdateService;
  readonly apiKeys: ApiKeysService;
  readonly shareLinks: ShareLinksService;
  readonly retention: RetentionService;
  readonly calendarAddress: CalendarAddressService;
  readonly vaults: VaultsService;
  readonly deviceVault: DeviceVaultService;
  readonly webhooks: WebhooksService;
  readonly voices: VoicesService;
  readonly notifications: NotificationsService;
  readonly notificationEmails: NotificationEmailsService;
  readonly recorderSpaceNotices: RecorderSpaceNotices;
};

/**
 * Starts the services of a signed-in account or of the demo. All calls return the same promise, unless it has rejected
 * or the demo's language has changed.
 */
export type LoadServices = () => Promise<{ readonly services: Services }>;
