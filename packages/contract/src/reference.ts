/** The API reference for the calls: their groups, names and descriptions. Only the server imports it. */
import type { CallName } from './routes.ts';

/** The groups of calls, in reference order. */
export const callGroups = {
  account: 'Registration, sign-in, sessions, profile and settings.',
  keys: 'API keys for scripts and other programs.',
  upload: 'Upload grants, and registration of uploaded audio as recordings.',
  recordings: 'Names, the recycle bin and permanent deletion.',
  retention: 'Rules that move old recordings to the recycle bin.',
  shares: 'Links that show a recording to people without an account.',
  tasks: 'Transcripts, summaries, search and edits of paragraphs.',
  questions: 'Questions about recordings.',
  voices: 'The voices by which speakers are recognized in new recordings.',
  vaults: 'Folders with a Markdown file for each recording.',
  webhooks: 'Messages about recordings to other programs, as specified by Standard Webhooks.',
  notifications: 'Notifications in browsers by Web Push (RFC 8030, 8291 and 8292).',
  sync: 'Edits made offline, and all changes of an account since a cursor.',
  devices: 'Recorders that are bound to the account.',
  orders: 'Memberships, packages of minutes and the balance.',
  site: "The server's public configuration, and feedback.",
} as const;
export type CallGroup = keyof typeof callGroups;

/** A call's entry in the reference. */
export interface CallReference {
  readonly group: CallGroup;
  /** The call's name in generated clients. */
  readonly operationId: string;
  readonly title: string;
  /** One or more sentences in Markdown. */
  readonly description: string;
}

const entry = (
  group: CallGroup,
  operationId: string,
  title: string,
  description: string,
): CallReference => ({ group, operationId, title, description });

export const callReference: Readonly<Record<CallName, CallReference>> = {
  'user/createKey': entry(
    'keys',
    'keyCreate',
    'Create an API key',
    'Returns a key for scripts and other programs, which they send instead of an access token. It is shown only once. A new password revokes all keys.',
  ),
  'user/keys': entry(
    'keys',
    'keyList',
    'List the API keys',
    'Returns the valid keys, latest first, without the keys themselves.',
  ),
  'user/revokeKey': entry('keys', 'keyRevoke', 'Revoke an API key', 'Revokes a key at once.'),
  'site/code': entry(
    'account',
    'accountSendCode',
    'Send a verification code',
    "Mails a code of six digits for registration or a forgotten password. It is valid for ten minutes. The mail is in `language`, else in the account's language, else in the best match for `Accept-Language`.",
  ),
  'user/register': entry(
    'account',
    'accountRegister',
    'Register',
    'Creates an account with the code from `site/code`. It does not sign in.',
  ),
  'user/login': entry(
    'account',
    'accountSignIn',
    'Sign in',
    'Starts a session and returns its access token and refresh token.',
  ),
  'user/refreshToken': entry(
    'account',
    'accountRefreshToken',
    'Refresh the tokens',
    'Returns new tokens. Send the refresh token as the bearer token, when a call returns 4200001 or shortly before `expires_in` has passed.',
  ),
  'user/logout': entry(
    'account',
    'accountSignOut',
    'Sign out',
    'Ends the session to which the token belongs.',
  ),
  'user/sessions': entry(
    'account',
    'accountSessions',
    'List the sessions',
    'Returns the active sessions, most recently used first.',
  ),
  'user/endSession': entry(
    'account',
    'accountEndSession',
    'End a session',
    "Ends one of the account's sessions, which may be the caller's own.",
  ),
  'user/info': entry(
    'account',
    'accountInfo',
    'Get the account',
    "Returns the account's profile, membership and available minutes.",
  ),
  'user/forgotPassword': entry(
    'account',
    'accountResetPassword',
    'Reset a forgotten password',
    'Sets a new password with the code from `site/code`.',
  ),
  'user/updatePassword': entry(
    'account',
    'accountChangePassword',
    'Change the password',
    "Changes the password, and ends the account's other sessions.",
  ),
  'user/updateNickname': entry(
    'account',
    'accountChangeNickname',
    'Change the nickname',
    'Changes the nickname and returns the account.',
  ),
  'user/updateAvatar': entry(
    'account',
    'accountChangeAvatar',
    'Change the picture',
    "Uses an uploaded picture as the account's picture, or removes it, and returns the account.",
  ),
  'user/deactivation': entry(
    'account',
    'accountClose',
    'Close the account',
    'Closes the account permanently and deletes its data, except for invoice data. This cannot be undone. `password` may be omitted within ten minutes of entering it, for example to sign in.',
  ),
  'user/closed': entry(
    'account',
    'accountIsClosed',
    'Ask whether an account is closed',
    'Reports whether the account with this id was closed, for clients that missed the response to closing it.',
  ),
  'user/config': entry(
    'account',
    'settingsGet',
    'Get the settings',
    "Returns the account's settings by group and key.",
  ),
  'user/updateConfig': entry(
    'account',
    'settingsChange',
    'Change a setting',
    'Sets one setting and returns it.',
  ),

  'oss/config': entry(
    'upload',
    'uploadGrant',
    'Request an upload grant',
    'Returns a short-lived grant to upload one object with a form or resumably with tus. Afterwards, register audio with `upload/ossFile`.',
  ),
  'upload/ossConfig': entry(
    'upload',
    'uploadLogGrant',
    'Request an upload grant for a log',
    'Returns a grant to upload an app log, to which `user/feedback` can then refer.',
  ),
  'upload/ossFile': entry(
    'upload',
    'uploadRegister',
    'Register an uploaded recording',
    'Registers uploaded audio as a recording. A repeated call with the same `client_flag` returns the same recording.',
  ),
  'upload/checkOssFile': entry(
    'upload',
    'uploadCheck',
    'Look up a recording',
    'Returns the recording with this `client_flag`, or null. Use it before an upload to find out whether the server has the recording.',
  ),
  'upload/radioFile': entry(
    'upload',
    'uploadFile',
    'Upload a recording in one request',
    'Stores the file in the form field `radio` and registers it as a recording.',
  ),
  convert: entry(
    'upload',
    'uploadConvert',
    'Convert a recording to MP3',
    'Converts an Ogg file in the store to MP3 and stores it at the address of an upload grant.',
  ),
  'user/storage': entry(
    'upload',
    'uploadStorage',
    'Get the storage usage',
    "Returns the size of the account's recordings on the server, and its quota.",
  ),

  'radio/rename': entry(
    'recordings',
    'recordingsRename',
    'Rename a recording',
    'Changes the name of a recording and returns the recording.',
  ),
  'radio/delete': entry(
    'recordings',
    'recordingsMoveToBin',
    'Move a recording to the recycle bin',
    'Moves a recording to the recycle bin and cancels its transcription. `radio/recover` restores the recording. To delete permanently, use `radio/batchDelete`.',
  ),
  'radio/batchDelete': entry(
    'recordings',
    'recordingsDeletePermanently',
    'Delete recordings permanently',
    'Deletes recordings permanently, with audio and transcript, whether or not they are in the recycle bin. This cannot be undone. For the recycle bin, use `radio/delete`.',
  ),
  'radio/recover': entry(
    'recordings',
    'recordingsRecover',
    'Restore recordings',
    'Restores recordings from the recycle bin.',
  ),
  'radio/translateHistory': entry(
    'recordings',
    'recordingsTranscriptionHistory',
    'List past transcriptions',
    'Returns transcriptions and their cost, newest first. Includes those of deleted recordings.',
  ),

  'share/create': entry(
    'shares',
    'shareCreate',
    'Create a link to a recording',
    'Creates a link that shows the chosen parts of a recording to everyone who has it, until it expires or is revoked. The page shows the current names and texts. Requires a membership.',
  ),
  'share/index': entry(
    'shares',
    'shareList',
    'List the links',
    'Returns the links of the account or of one recording, latest first, with the times of their latest views. Links are deleted a month after they expire.',
  ),
  'share/revoke': entry(
    'shares',
    'shareRevoke',
    'Revoke a link',
    'Deletes a link with its views. Its page and audio are unavailable at once.',
  ),

  'task/create': entry(
    'tasks',
    'taskCreate',
    'Transcribe a recording',
    'Queues the transcription and summary of a recording, and reserves its minutes. If a task is running or done, the call returns it, unless `again` requests another. Poll `task/detail` for the progress.',
  ),
  'task/cancel': entry(
    'tasks',
    'taskCancel',
    'Cancel a transcription',
    'Cancels a queued or running transcription. A task that has already ended is returned unchanged.',
  ),
  'task/merge': entry(
    'tasks',
    'taskMerge',
    'Merge transcripts',
    'Gives a recording whose audio was merged from others their transcripts, with all edits, and requests a summary. It costs no minutes. If the recording already has a task, the call returns it.',
  ),
  'ask/question': entry(
    'questions',
    'questionAsk',
    'Ask a question',
    'Answers a question about all recordings, or those with the given IDs, from their latest transcripts. `quotes` are the paragraphs that answer it. `answer` is empty if there are none, and if a language model found no answer in them. The question may name a period ("in March", "last week"), a speaker, a tag or a place. It is stored in a thread.',
  ),
  'ask/live': entry(
    'questions',
    'questionAskLive',
    'Ask about a recording in progress',
    'Answers a question from the live text of a recording, as `ask/question` does from transcripts, and stores it in a new thread. Continue the thread with `ask/question`. Once the recording is transcribed, it answers from the transcript.',
  ),
  'ask/passages': entry(
    'questions',
    'questionPassages',
    'Find passages',
    'Returns the paragraphs that answer a question, as `ask/question` does, without storing it in a thread. It also suits keywords: unlike `task/search`, it finds paragraphs that contain only some of the words, best first.',
  ),
  'ask/index': entry(
    'questions',
    'questionThreads',
    'List the threads of questions',
    'Returns the threads, latest first. The oldest one is deleted when an account has more than 500.',
  ),
  'ask/thread': entry(
    'questions',
    'questionThread',
    'Questions of a thread',
    'Returns the questions of a thread with their answers, in order. Quotes of deleted recordings are left out.',
  ),
  'ask/delete': entry(
    'questions',
    'questionDelete',
    'Delete a thread',
    'Deletes a thread with its questions and answers.',
  ),
  'calendar/get': entry(
    'tasks',
    'calendarGet',
    'Address of the calendar',
    'Returns the secret address to which calendar apps subscribe, for the to-dos and dates of the latest 1000 recordings, or null if there is none.',
  ),
  'calendar/create': entry(
    'tasks',
    'calendarCreate',
    'Create the address of the calendar',
    'Creates the address, or returns the existing one. A new password makes it invalid.',
  ),
  'calendar/revoke': entry(
    'tasks',
    'calendarRevoke',
    'Revoke the address of the calendar',
    'Makes the address invalid at once. The next one is different.',
  ),
  'vault/index': entry(
    'vaults',
    'vaultList',
    'List the vaults',
    'Returns the folders in which each recording has a Markdown file: at most one on the server, if it has a VAULT_DIR, and one on a WebDAV server.',
  ),
  'vault/connect': entry(
    'vaults',
    'vaultConnect',
    'Connect a WebDAV folder',
    'Tests the folder by writing a file, and connects it if that succeeds. The folder is created if only its last part is missing. It replaces the folder before, whose files remain. The password is stored encrypted and never returned.',
  ),
  'vault/test': entry(
    'vaults',
    'vaultTest',
    'Test a vault',
    'Tests a WebDAV folder by writing a file and deleting it. For a folder on the server, it returns why the latest attempt failed, and a worker begins another one.',
  ),
  'vault/template': entry(
    'vaults',
    'vaultTemplate',
    'Set the template of a vault',
    'Replaces the template of the files. Those whose text differs are written again.',
  ),
  'vault/stop': entry(
    'vaults',
    'vaultStop',
    'Stop a vault',
    'Leaves the files as they are until the vault is resumed.',
  ),
  'vault/resume': entry(
    'vaults',
    'vaultResume',
    'Resume a vault',
    'Continues a stopped vault, or tries again at once after a failure.',
  ),
  'vault/disconnect': entry(
    'vaults',
    'vaultDisconnect',
    'Disconnect the WebDAV folder',
    'Forgets the folder and its password. The files remain. Succeeds also if there is none.',
  ),
  'retention/index': entry(
    'retention',
    'retentionList',
    'List the retention rules',
    'Returns the rules, in the order in which they were created. They act once a day.',
  ),
  'retention/preview': entry(
    'retention',
    'retentionPreview',
    'Preview a retention rule',
    'Returns the recordings that a rule would move to the recycle bin if it acted now, oldest first, and how many it would leave alone, and why. Nothing is saved or moved.',
  ),
  'retention/save': entry(
    'retention',
    'retentionSave',
    'Create or change a retention rule',
    "The rule moves recordings to the recycle bin, where they stay. It acts for the first time 24 hours after it was created or changed. A recording's age counts from when it was made, its audio was uploaded, or it was last restored from the recycle bin, whichever was last. A rule never moves protected recordings, recordings that are being transcribed, those with a valid link, or those whose audio the server doesn't have. Archived recordings are included. Saving a paused rule confirms it. An account has at most 20 rules.",
  ),
  'retention/delete': entry(
    'retention',
    'retentionDelete',
    'Delete a retention rule',
    'Deletes a rule. Recordings that it has moved stay in the recycle bin.',
  ),
  'retention/runs': entry(
    'retention',
    'retentionRuns',
    'List what the rules have moved',
    'Returns the applications of rules that moved recordings in the past 365 days, latest first.',
  ),
  'retention/moved': entry(
    'retention',
    'retentionMoved',
    'List the recordings of a run',
    'Returns the recordings that a run moved, oldest first, except permanently deleted ones.',
  ),
  'retention/undo': entry(
    'retention',
    'retentionUndo',
    'Undo a run',
    'Restores the recordings that a run moved and that have been in the recycle bin since. Their age counts from now on.',
  ),
  'webhook/create': entry(
    'webhooks',
    'webhookCreate',
    'Register a webhook',
    'Registers an address to which events are posted, and returns the secret that signs them. An account has at most 10 webhooks.',
  ),
  'webhook/index': entry(
    'webhooks',
    'webhookList',
    'List the webhooks',
    'Returns the webhooks, latest first, without their secrets.',
  ),
  'webhook/delete': entry(
    'webhooks',
    'webhookDelete',
    'Delete a webhook',
    'Deletes a webhook with its deliveries. Messages that are being sent may still arrive.',
  ),
  'webhook/enable': entry(
    'webhooks',
    'webhookEnable',
    'Enable a webhook',
    'Enables a disabled webhook. Events that occurred while it was disabled are not sent.',
  ),
  'webhook/deliveries': entry(
    'webhooks',
    'webhookDeliveries',
    'List the deliveries of a webhook',
    'Returns the messages to a webhook, latest first, with the result of the latest attempt. The latest 1000 ended ones are kept for 30 days.',
  ),
  'webhook/resend': entry(
    'webhooks',
    'webhookResend',
    'Send a message again',
    'Sends a message again with the same `webhook-id`, and retries it like a new one. The webhook must be enabled.',
  ),
  'webhook/rotateSecret': entry(
    'webhooks',
    'webhookRotateSecret',
    'Rotate the secret of a webhook',
    'Returns a new secret. For 24 hours, deliveries are signed with the previous one as well.',
  ),
  'webhook/test': entry(
    'webhooks',
    'webhookTest',
    'Test a webhook',
    'Sends the event `webhook.test`. The webhook must be enabled.',
  ),
  'push/get': entry(
    'notifications',
    'pushGet',
    'Get the push subscription',
    "Returns the server's VAPID key, and the subscription of the caller's session; null if there is none.",
  ),
  'push/subscribe': entry(
    'notifications',
    'pushSubscribe',
    'Subscribe to notifications',
    "Registers the browser's push subscription for the caller's session, and replaces a former one. It ends with the session. An account has at most 50.",
  ),
  'push/unsubscribe': entry(
    'notifications',
    'pushUnsubscribe',
    'Unsubscribe from notifications',
    "Deletes the push subscription of the caller's session.",
  ),
  'push/test': entry(
    'notifications',
    'pushTest',
    'Test the push subscription',
    "Sends a notification to the subscription of the caller's session.",
  ),
  'mail/get': entry(
    'notifications',
    'mailGet',
    'Get the notification mails',
    "Returns the events that are mailed to the account's address. All are off at first.",
  ),
  'mail/set': entry(
    'notifications',
    'mailSet',
    'Change the notification mails',
    'Replaces the events that are mailed. Transcripts are gathered: at most one mail an hour names all that have become ready. To-dos are mailed in the morning of the time zone. Mails contain no names of recordings and no texts.',
  ),
  'live/append': entry(
    'tasks',
    'liveAppend',
    'Send audio of a recording in progress',
    'Appends packets of a recording that is still in progress, and returns the text recognized so far. The transcription of the recording reuses that text. Requires a membership.',
  ),
  'live/list': entry(
    'tasks',
    'liveList',
    'List live texts',
    "Returns the text of recordings that are in progress on any of the account's devices.",
  ),
  'task/price': entry(
    'tasks',
    'taskPrice',
    'Price of a transcription',
    "Returns the minutes that a transcription of a recording's own audio would cost with `task/create` and, if the recording has a transcript, `again`.",
  ),
  'live/watch': entry(
    'tasks',
    'liveWatch',
    'Wait for live text',
    "Returns the recordings in progress on the account's devices as soon as the version differs from `version`, or after `wait` seconds. An ended recording is listed until it is uploaded.",
  ),
  'task/drafts': entry(
    'tasks',
    'taskDraftCount',
    'Count the drafts',
    'Returns the number of transcripts by the draft engine that a better engine can replace.',
  ),
  'task/replace-drafts': entry(
    'tasks',
    'taskReplaceDrafts',
    'Transcribe the drafts again',
    'Queues a new transcription for every draft, oldest first. It costs no minutes. Repeating the call queues nothing twice.',
  ),
  'task/detail': entry(
    'tasks',
    'taskDetail',
    'Get a task',
    "Returns a task's status and progress, and once its status is 2, the transcript, summary and mind map.",
  ),
  'task/index': entry(
    'tasks',
    'taskList',
    'List recordings with their tasks',
    "Returns recordings, newest first, each with its latest task, or null if it was never transcribed. Each row's `id` is the recording's id, and `task.id` is the task's. Without `ids`, the recycle bin is left out. Archived recordings are included unless `archived` says otherwise.",
  ),
  'task/search': entry(
    'tasks',
    'taskSearch',
    'Search recordings',
    'Searches names, tags, keywords, speakers, summaries and transcripts. Returns recordings, newest first, each with a few matches, best first.',
  ),
  'task/summarize': entry(
    'tasks',
    'taskSummarize',
    'Summarize again',
    "Regenerates everything that is derived from the transcript's current text, such as the summary, to-dos and mind map.",
  ),
  'task/modify-paragraph': entry(
    'tasks',
    'paragraphModify',
    'Edit a paragraph',
    'Changes the text or the highlight of a paragraph. To roll back an edit, send the `original` text from `task/paragraph-history`.',
  ),
  'task/paragraph-history': entry(
    'tasks',
    'paragraphHistory',
    "Get a paragraph's versions",
    "Returns all versions of a paragraph's text, starting with the original.",
  ),
  'task/tag': entry(
    'tasks',
    'paragraphTag',
    'Highlight a paragraph',
    'Sets or clears the highlight of a paragraph.',
  ),

  'voice/list': entry(
    'voices',
    'voiceList',
    'List the remembered voices',
    'Returns the voices by which speakers are recognized in new recordings, if the account has agreed to this with the setting `voices`, `remember`.',
  ),
  'voice/rename': entry(
    'voices',
    'voiceRename',
    'Rename a voice',
    'Renames the speaker in all recordings in which the voice was remembered.',
  ),
  'voice/forget': entry(
    'voices',
    'voiceForget',
    'Forget a voice',
    'Deletes the embeddings of a voice, and those of unnamed speakers for whom its name is proposed.',
  ),
  'voice/export': entry(
    'voices',
    'voiceExport',
    'Export the voices',
    'Returns everything that is stored about voices, including the embeddings.',
  ),

  'sync/apply': entry(
    'sync',
    'syncApply',
    'Apply edits',
    'Applies edits exactly once, each with an outcome of its own. Operations name recordings by `client_flag`, not by `id`, because clients edit recordings before the server assigns an id.',
  ),
  'sync/changes': entry(
    'sync',
    'syncChanges',
    'Get changes',
    "Returns all changes of the account since a cursor. The first call, without a cursor, returns everything. Call again while `more` is true. Here, `edited` of a paragraph is present if it has earlier versions, and `words` are always those of the engine's text.",
  ),

  'device/index': entry(
    'devices',
    'deviceList',
    'List the recorders',
    'Returns the recorders that are bound to the account.',
  ),
  'device/check': entry(
    'devices',
    'deviceCheck',
    'Check a recorder',
    'Reports whether the recorder is bound to the account, and returns a challenge for binding it.',
  ),
  'device/binding': entry(
    'devices',
    'deviceBind',
    'Bind a recorder',
    'Binds a recorder. Without a key, the binding has version 1, and any earlier key is deleted. A binding without proof ends when another account binds the same recorder with proof.',
  ),
  'device/unbinding': entry(
    'devices',
    'deviceUnbind',
    'Unbind a recorder',
    'Ends the binding of a recorder to the account.',
  ),

  'user/leftMinute': entry(
    'orders',
    'balanceGet',
    'Get the balance of minutes',
    'Returns the available minutes by source, and the minutes that running tasks have reserved.',
  ),
  'user/plans': entry(
    'orders',
    'planList',
    'List the plans',
    'Returns the memberships and packages of minutes for sale.',
  ),
  'user/pay': entry(
    'orders',
    'orderCreate',
    'Order a plan',
    'Creates an order and returns the address of the checkout page.',
  ),
  'user/order': entry('orders', 'orderGet', 'Get an order', 'Returns an order and its status.'),
  'user/orderRecord': entry(
    'orders',
    'orderList',
    'List the orders',
    "Returns the account's orders, newest first.",
  ),
  'user/restore': entry(
    'orders',
    'orderRestore',
    'Restore purchases',
    'Asks the payment service about all pending orders, in case a payment notification was lost. Returns those that turned out to be paid.',
  ),
  'user/cancelRenewal': entry(
    'orders',
    'membershipCancelRenewal',
    'Turn off renewal',
    'Turns off the renewal of the membership, which lasts until the end of the paid period.',
  ),

  'site/config': entry(
    'site',
    'siteConfig',
    "Get the server's configuration",
    'Returns the public configuration, such as the accepted audio and the languages that can be transcribed.',
  ),
  'site/feedback': entry(
    'site',
    'feedbackSendSignedOut',
    'Send feedback without an account',
    'Sends feedback from a signed-out user to the operator.',
  ),
  'user/feedback': entry(
    'site',
    'feedbackSend',
    'Send feedback',
    'Sends feedback to the operator, with an uploaded log if there is one.',
  ),
};
