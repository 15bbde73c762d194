import type { z } from 'zod';
import type { CallName } from './routes.ts';
import { routes } from './routes.ts';
import * as ask from './schemas/ask.ts';
import * as calendar from './schemas/calendar.ts';
import * as device from './schemas/device.ts';
import type * as entities from './schemas/entities.ts';
import * as key from './schemas/key.ts';
import * as live from './schemas/live.ts';
import * as mail from './schemas/mail.ts';
import * as order from './schemas/order.ts';
import * as push from './schemas/push.ts';
import * as recordings from './schemas/recording.ts';
import * as retention from './schemas/retention.ts';
import * as retranscription from './schemas/retranscription.ts';
import * as share from './schemas/share.ts';
import * as site from './schemas/site.ts';
import type * as summary from './schemas/summary.ts';
import * as sync from './schemas/sync.ts';
import * as task from './schemas/task.ts';
import * as upload from './schemas/upload.ts';
import * as user from './schemas/user.ts';
import * as vault from './schemas/vault.ts';
import * as voice from './schemas/voice.ts';
import * as webhook from './schemas/webhook.ts';

const schemas = {
  'user/login': user.login,
  'user/refreshToken': user.refreshToken,
  'user/info': user.info,
  'user/register': user.register,
  'user/forgotPassword': user.forgotPassword,
  'user/updatePassword': user.updatePassword,
  'user/updateNickname': user.updateNickname,
  'user/updateAvatar': user.updateAvatar,
  'user/deactivation': user.deactivation,
  'user/closed': user.closed,
  'user/logout': user.logout,
  'user/sessions': user.sessions,
  'user/endSession': user.endSession,
  'user/createKey': key.create,
  'user/keys': key.list,
  'user/revokeKey': key.revoke,
  'site/code': site.code,
  'site/config': site.config,
  'site/feedback': site.feedback,
  'oss/config': upload.ossConfig,
  'upload/ossConfig': upload.logConfig,
  'upload/radioFile': upload.radioFile,
  'upload/ossFile': upload.ossFile,
  'upload/checkOssFile': upload.checkOssFile,
  convert: upload.convert,
  'radio/rename': recordings.rename,
  'radio/delete': recordings.bin,
  'radio/batchDelete': recordings.batchDelete,
  'radio/recover': recordings.recover,
  'radio/translateHistory': recordings.translateHistory,
  'task/create': task.create,
  'task/cancel': task.cancel,
  'task/merge': task.merge,
  'task/price': retranscription.price,
  'task/drafts': retranscription.drafts,
  'task/replace-drafts': retranscription.replaceDrafts,
  'task/summarize': task.summarize,
  'task/detail': task.detail,
  'task/index': task.index,
  'task/search': task.search,
  'task/modify-paragraph': task.modifyParagraph,
  'task/paragraph-history': task.paragraphHistory,
  'task/tag': task.tag,
  'ask/question': ask.ask,
  'ask/live': ask.live,
  'ask/passages': ask.passages,
  'ask/index': ask.index,
  'ask/thread': ask.get,
  'ask/delete': ask.remove,
  'calendar/get': calendar.get,
  'calendar/create': calendar.create,
  'calendar/revoke': calendar.revoke,
  'share/create': share.create,
  'share/index': share.index,
  'share/revoke': share.revoke,
  'vault/index': vault.index,
  'vault/connect': vault.connect,
  'vault/test': vault.test,
  'vault/template': vault.template,
  'vault/stop': vault.stop,
  'vault/resume': vault.resume,
  'vault/disconnect': vault.disconnect,
  'webhook/create': webhook.create,
  'webhook/index': webhook.index,
  'webhook/delete': webhook.remove,
  'webhook/enable': webhook.enable,
  'webhook/deliveries': webhook.deliveries,
  'webhook/resend': webhook.resend,
  'webhook/rotateSecret': webhook.rotateSecret,
  'webhook/test': webhook.test,
  'push/get': push.get,
  'push/subscribe': push.subscribe,
  'push/unsubscribe': push.unsubscribe,
  'push/test': push.test,
  'mail/get': mail.get,
  'mail/set': mail.set,
  'retention/index': retention.index,
  'retention/preview': retention.preview,
  'retention/save': retention.save,
  'retention/delete': retention.remove,
  'retention/runs': retention.runs,
  'retention/moved': retention.moved,
  'retention/undo': retention.undo,
  'live/append': live.append,
  'live/list': live.list,
  'live/watch': live.watch,
  'voice/list': voice.list,
  'voice/rename': voice.rename,
  'voice/forget': voice.forget,
  'voice/export': voice.exported,
  'sync/apply': sync.apply,
  'sync/changes': sync.changes,
  'device/index': device.index,
  'device/check': device.check,
  'device/binding': device.binding,
  'device/unbinding': device.unbinding,
  'user/leftMinute': user.leftMinute,
  'user/storage': upload.storage,
  'user/orderRecord': order.orderRecord,
  'user/order': order.orderState,
  'user/plans': order.plans,
  'user/pay': order.pay,
  'user/restore': order.restore,
  'user/cancelRenewal': order.cancelRenewal,
  'user/config': user.config,
  'user/updateConfig': user.updateConfig,
  'user/feedback': user.feedback,
} as const satisfies Record<CallName, { body: z.ZodType; data: z.ZodType }>;

type Schemas = typeof schemas;

/** All calls, with their method, path, token, request body and response data. */
export type Calls = { readonly [Name in CallName]: (typeof routes)[Name] & Schemas[Name] };
export const calls = Object.fromEntries(
  Object.entries(routes).map(([name, route]) => [name, { ...route, ...schemas[name as CallName] }]),
) as unknown as Calls;

/** The request body that a caller sends. */
export type CallBody<Name extends CallName> = z.input<Schemas[Name]['body']>;
/** The request body after validation, with defaults filled in. */
export type CallInput<Name extends CallName> = z.output<Schemas[Name]['body']>;
/** The data returned by a successful call. */
export type CallData<Name extends CallName> = z.output<Schemas[Name]['data']>;

export type Recording = z.output<typeof entities.recording>;
export type Task = z.output<typeof entities.task>;
export type TaskHead = z.output<typeof entities.taskHead>;
export type Paragraph = z.output<typeof entities.paragraph>;
export type Word = z.output<typeof entities.word>;
export type BoundDevice = z.output<typeof device.boundDevice>;
export type BindingProof = z.output<typeof device.bindingProof>;
export type UserInfo = z.output<typeof user.userInfo>;
export type Tokens = z.output<typeof user.tokens>;
export type ApiKey = z.output<typeof key.apiKey>;
export type ShareLink = z.output<typeof share.shareLink>;
export type Vault = z.output<typeof vault.vault>;
export type PushSubscriptionView = z.output<typeof push.subscription>;
export type RetentionRule = z.output<typeof retention.rule>;
export type RetentionRun = z.output<typeof retention.run>;
export type AffectedRecording = z.output<typeof retention.affected>;
export type AutomaticMove = z.output<typeof retention.move>;
export type Webhook = z.output<typeof webhook.webhook>;
export type WebhookDelivery = z.output<typeof webhook.delivery>;
export type WebhookMessage = z.output<typeof webhook.webhookMessage>;
export type Session = z.output<typeof user.session>;
export type Quote = z.output<typeof ask.quote>;
export type Answer = z.output<typeof ask.answer>;
export type QuestionThread = z.output<typeof ask.thread>;
export type UploadGrant = CallData<'oss/config'>;
export type Operation = z.input<typeof sync.operation>;
export type OperationType = Operation['type'];
export type OperationOutcome = z.output<typeof sync.outcome>;
export type Change = z.output<typeof sync.change>;
export type RecordingState = z.output<typeof sync.recordingState>;
export type Setting = z.output<typeof sync.setting>;
export type Place = z.output<typeof sync.place>;
export type Marker = z.output<typeof sync.marker>;
export type Note = z.output<typeof sync.note>;
export type UnplacedChange = z.output<typeof sync.unplacedChange>;
export type MindNode = z.output<typeof entities.mindNode>;
export type SummaryDocument = z.output<typeof summary.summaryDocument>;
export type SummaryItem = SummaryDocument['knowledge_points'][number];
export type SummaryTodo = SummaryDocument['todos'][number];
export type SummarySum = SummaryDocument['finance'][number];
export type SummaryEvent = SummaryDocument['timeline'][number];
export type SummaryTopic = SummaryDocument['topics'][number];
export type SummaryStructure = NonNullable<SummaryDocument['structures']['general']>;
export type SpeakerReferences = NonNullable<SummaryDocument['speaker_references']>;
export type SummaryTemplate = z.output<typeof summary.summaryTemplate>;
export type SearchMatch = z.output<typeof task.match>;
export type LiveSession = CallData<'live/append'>;
export type WatchedLiveSession = CallData<'live/watch'>['list'][number];
export type LivePassage = LiveSession['passages'][number];
export type Voice = CallData<'voice/list'>['list'][number];
export type ExportedVoice = CallData<'voice/export'>['list'][number];
export type Plan = z.output<typeof order.plan>;
export type Order = z.output<typeof order.order>;
export type Subscription = z.output<typeof order.subscription>;
