/** Generated from the API reference by `node tooling/generate-client.mjs`. */
/** The tokens of a session. */
export interface Tokens {
  readonly token_type: 'Bearer';
  readonly access_token: string;
  readonly refresh_token: string;
  /** The access token's lifetime in seconds. */
  readonly expires_in: number;
}

/** The account. */
export interface Account {
  readonly id: string;
  readonly email: string;
  readonly nickname: string;
  /** A short-lived signed URL of the picture, or null if the account has none. */
  readonly avatar: string | null;
  readonly is_vip: boolean;
  readonly vip_plan: 'trial' | 'monthly' | 'annual' | 'granted' | null;
  readonly vip_expires_at: string | null;
  readonly subscription: Subscription | null;
  readonly left_minutes: number;
  readonly agreement_version: string;
  readonly created_at: string;
}

/** A membership that renews automatically. */
export interface Subscription {
  readonly plan: 'vip_monthly' | 'vip_annual' | 'package_120' | 'package_600' | 'package_3000';
  /** `past_due`: a renewal failed and will be retried. `canceled`: the membership expires at `period_end`. */
  readonly status: 'active' | 'past_due' | 'canceled';
  readonly period_end: string;
}

/** An active session. */
export interface Session {
  readonly id: string;
  /** The signed-in client, such as "Chrome · Android", or '' if unknown. */
  readonly device: string;
  readonly created_at: string;
  /** When the session was last used, accurate to 15 minutes (the lifetime of an access token). */
  readonly last_seen_at: string;
  /** True for the caller's own session. */
  readonly current: boolean;
}

/** An API key, without the key itself. */
export interface ApiKey {
  readonly id: string;
  readonly name: string;
  /** The key's permissions. `write` does not include `read`. */
  readonly scopes: readonly ('read' | 'write')[];
  readonly created_at: string;
  /** When the key was last used, accurate to one minute, or null if it was never used. */
  readonly last_used_at: string | null;
  /** When the key expires, or null if it never expires. */
  readonly expires_at: string | null;
}

/** A short-lived grant to upload one object. With the provider `s3`, it contains a signed form. With `local` and `cos`, it contains credentials for the client to sign the form itself. */
export interface UploadGrant {
  /** The kind of store. `local` accepts the same forms as Tencent COS. */
  readonly provider: 'local' | 's3' | 'cos';
  readonly bucket: string;
  /** The bucket's region. */
  readonly cosRegion: string;
  /** Start of validity, in Unix seconds. */
  readonly startTime: number;
  /** End of validity, in Unix seconds. */
  readonly expiredTime: number;
  /** `expiredTime` in the ISO 8601 format required by the policy. */
  readonly expiration: string;
  /** Only with the providers `local` and `cos`: credentials for building and signing the policy of Tencent's *POST Object* (https://cloud.tencent.com/document/product/436/14690). The policy's conditions are q-sign-algorithm `sha1`, q-ak `tmpSecretId`, q-sign-time `startTime;expiredTime`, bucket, key and content-length-range. The form fields are key, Content-Type, policy (base64), q-sign-algorithm, q-ak, q-key-time, q-signature, x-cos-security-token `sessionToken`, success_action_status `204`, and `file` last. The signature is HMAC-SHA1(HMAC-SHA1(tmpSecretKey, q-key-time), SHA1(policy)), each in hex. */
  readonly credentials?:
    | {
        readonly tmpSecretId: string;
        readonly tmpSecretKey: string;
        readonly sessionToken: string;
      }
    | undefined;
  /** Only with the provider `s3`: the signed form. POST its fields to `url`, followed by the file in the field `file`. */
  readonly form?:
    | {
        readonly url: string;
        readonly fields: Readonly<Record<string, string>>;
      }
    | undefined;
  /** The endpoint for resumable uploads with tus 1.0 (https://tus.io), for unstable networks. Send the token as bearer token with every request. The first request may instead send it as `token` in Upload-Metadata, and later requests may send one of the account's access tokens. As after a form upload, send the grant's `url` to upload/ossFile when the upload is complete. */
  readonly resumable?:
    | {
        readonly url: string;
        readonly token: string;
      }
    | undefined;
  /** The object's key in the bucket. */
  readonly key: string;
  /** The URL to POST the form to. */
  readonly uploadUrl: string;
  /** The URL of the object. Send it, unchanged, to upload/ossFile after the upload. */
  readonly url: string;
  /** The object's maximum size in bytes. */
  readonly maxSize: number;
}

/** A recording as stored on the server. */
export interface Recording {
  /** The recording's ID on the server, for the calls radio/* and task/*. For sync/apply, use `client_flag` instead. */
  readonly id: string;
  /** The name given by the user, or '' if the recording has none. */
  readonly name: string;
  /** The title generated with the summary, or '' if the recording has no summary. */
  readonly ai_title: string;
  /** 1 for a call. Any other value, usually 0, means a note. */
  readonly source: number;
  /** The recording's type. Older servers don't return it. */
  readonly scene?: 'call' | 'meeting' | 'note' | 'audio' | undefined;
  /** A short-lived signed URL that supports Range, or null if there's no audio on the server. */
  readonly url: string | null;
  /** The audio file's size in bytes. */
  readonly file_size: number;
  /** The audio file's SHA-256 in hex, computed by the server, or null if it has no audio. */
  readonly sha256: string | null;
  /** The audio's SHA-256 in hex, computed by the server, or null if it has no audio. Covers the Opus packets in order, as on a recorder, or the whole file if it isn't Ogg Opus. */
  readonly audio_sha256: string | null;
  /** True (the default) if phones may request a transcription automatically. */
  readonly auto_transcribe?: boolean | undefined;
  readonly mime_type: string;
  readonly ext: string;
  /** Duration in whole seconds. Older servers return fractions. */
  readonly total_time: number;
  /** Peak levels for the waveform, in base64: the recording is divided into equal parts, with one byte (0 to 255) per part. '' if the levels were never measured. */
  readonly peaks: string;
  /** The serial number of the recorder, or '' if none. */
  readonly sn: string;
  /** The ID assigned by the client, for sync/apply. It's the same on every device. */
  readonly client_flag: string;
  /** The latest task's status, or null if the recording was never transcribed. */
  readonly status: TaskStatus | null;
  /** The latest task's progress, from 0 to 100. */
  readonly progress: number;
  readonly keywords: readonly string[];
  /** The user's tags, in the order they were added. */
  readonly tags: readonly string[];
  /** A short version of the summary, or '' if there is no summary. */
  readonly brief: string;
  /** 1 if the recording is in the recycle bin, otherwise 0. */
  readonly is_del: 0 | 1;
  /** 1 if the recording is archived: hidden from the app's list, but included in searches and questions. Older servers don't return this field. */
  readonly is_archived?: 0 | 1 | undefined;
  /** 1 if the recording is protected: retention rules never move it to the recycle bin. Older servers don't return this field. */
  readonly is_protected?: 0 | 1 | undefined;
  readonly recorded_at: string;
  readonly created_at: string;
  readonly updated_at: string;
  /** The account's revision at the recording's latest change. Every change in the account increases the revision. */
  readonly rev: number;
}

/** The status of a task: 0 queued, 1 working, 2 transcribed, 3 failed. Only status 2 has results. */
export type TaskStatus = 0 | 1 | 2 | 3;

/** The part of a recording that a task transcribes again. If the task fails, the transcript remains unchanged. */
export interface TaskRange {
  /** The ID of the task whose transcript contains the paragraphs. */
  readonly transcript: string;
  /** The start of the audio, in seconds. */
  readonly start: number;
  /** The end of the audio, in seconds. */
  readonly end: number;
}

/** Why a task failed: an error code, and a message in English. */
export interface TaskFailure {
  readonly code: number;
  readonly msg: string;
}

/** The user's own structure: headings, each with a description of what belongs under it. */
export interface SummaryTemplate {
  readonly name: string;
  readonly sections: readonly {
    readonly heading: string;
    readonly wants: string;
  }[];
}

/** A transcription with its results. */
export interface Task {
  readonly id: string;
  /** The ID of the recording. */
  readonly radio_file_id: string;
  readonly language:
    | 'en'
    | 'zh-Hans'
    | 'ar'
    | 'ja'
    | 'ko'
    | 'th'
    | 'ru'
    | 'es'
    | 'pt'
    | 'fr'
    | 'auto';
  readonly status: TaskStatus;
  readonly progress: number;
  readonly step: TaskStep | null;
  /** Why the task failed, if the status is 3. */
  readonly error: TaskFailure | null;
  /** The transcript's paragraphs. This and the following result fields are empty until the status is 2. */
  readonly paragraphs: readonly Paragraph[];
  readonly title: string;
  readonly brief: string;
  readonly summary: string;
  /** The summary as a versioned document with all its structures. Null until the status is 2, or if there's no summary. */
  readonly summary_json: SummaryDocument | null;
  readonly keywords: readonly string[];
  /** A signed URL of the current mind map, including the user's edits, as an XMind file. Null if there is no mind map. */
  readonly xmind_url: string | null;
  /** A signed URL of the mind map as a Markdown outline. Null if there is no mind map. Absent on older servers. */
  readonly mind_src_url?: string | null | undefined;
  /** A signed URL of the mind map as an SVG image. Null if there is no mind map. Absent on older servers. */
  readonly mind_pic_url?: string | null | undefined;
  /** The nodes of the mind map, or null if there is no mind map. */
  readonly xmind_json: readonly MindNode[] | null;
  /** Status and error of the latest regeneration of the summary, or null if it was never regenerated. */
  readonly summarizing: {
    readonly status: TaskStatus;
    readonly error: TaskFailure | null;
  } | null;
  /** The speech recognition engine's display name. */
  readonly engine: string | null;
  /** Whole minutes charged. 0 until the status is 2. */
  readonly minutes: number;
  readonly created_at: string;
  readonly updated_at: string;
}

/** A running task's current step and its progress, from 0 to 1. */
export interface TaskStep {
  readonly name:
    | 'decode'
    | 'detect'
    | 'recognise'
    | 'speakers'
    | 'paragraphs'
    | 'analyse'
    | 'mind-map'
    | 'store';
  readonly done: number;
  /** When the step started waiting for an unavailable service, such as speech recognition. The step continues automatically when the service is available. Absent while the step is running. */
  readonly waiting_since?: string | undefined;
}

/** A paragraph of a transcript. */
export interface Paragraph {
  readonly id: string;
  /** The start in seconds, with three decimal places. */
  readonly start_time: number;
  /** The end in seconds. */
  readonly end_time: number;
  readonly content: string;
  /** 1 if the paragraph is highlighted, otherwise 0. */
  readonly is_tag: 0 | 1;
  /** Present if the content differs from the engine's text. Earlier versions are available from task/paragraph-history. */
  readonly edited?: true | undefined;
  /** The speaker's label. Absent if speakers weren't distinguished. */
  readonly speaker?: string | undefined;
  /** The words of the content with their timestamps. Absent if the content was edited. */
  readonly words?: readonly Word[] | undefined;
}

/** A spoken word. */
export interface Word {
  readonly text: string;
  /** The start, in seconds. */
  readonly start: number;
  /** The end, in seconds. */
  readonly end: number;
  /** The engine's confidence, from 0 to 1. */
  readonly confidence: number;
}

/** The summary document (version 1). */
export interface SummaryDocument {
  readonly version: 1;
  /** The summary engine, such as `builtin` or `openai/…`. */
  readonly engine: string;
  /** `extractive`: sentences from the transcript. `generative`: text by a language model. */
  readonly kind: 'extractive' | 'generative';
  /** The summary's language, as a BCP 47 tag. */
  readonly language: string;
  /** The most recently requested structure. */
  readonly structure: 'general' | 'meeting' | 'call' | 'lecture' | 'interview' | 'todo' | 'custom';
  /** The structures created so far. */
  readonly structures: Readonly<Record<string, SummaryStructure>>;
  readonly todos: readonly SummaryTodo[];
  readonly knowledge_points: readonly SummaryItem[];
  readonly needs: readonly SummaryItem[];
  readonly questions: readonly SummaryItem[];
  readonly finance: readonly SummarySum[];
  readonly timeline: readonly SummaryEvent[];
  readonly topics: readonly SummaryTopic[];
  /** The lists that the engine supports in this language. If one of them is empty, nothing of that kind was mentioned. */
  readonly looked_for: readonly (
    | 'todos'
    | 'knowledge_points'
    | 'needs'
    | 'questions'
    | 'finance'
    | 'timeline'
    | 'topics'
  )[];
  /** Absent from extractive summaries, which quote the transcript, and from summaries created by older servers. The texts in the response already contain the current names. A client needs the references only to show name changes that it has not sent yet. */
  readonly speaker_references?: SpeakerReferences | undefined;
}

/** A summary in one structure. */
export interface SummaryStructure {
  readonly sections: readonly {
    /** A heading from `structureHeadings` or, in a custom structure, one of the user's headings. */
    readonly heading: string;
    readonly items: readonly SummaryItem[];
  }[];
}

/** An item found in the transcript. */
export interface SummaryItem {
  /** The item's ID, unique within the document. When the summary is regenerated, items whose text is unchanged keep their IDs. */
  readonly id: string;
  readonly text: string;
  /** The paragraph that the item is based on. */
  readonly paragraph_id: string;
  /** Position in the recording, in seconds. */
  readonly start_time: number;
}

/** A to-do. */
export interface SummaryTodo {
  /** The item's ID, unique within the document. When the summary is regenerated, items whose text is unchanged keep their IDs. */
  readonly id: string;
  readonly text: string;
  /** The paragraph that the item is based on. */
  readonly paragraph_id: string;
  /** Position in the recording, in seconds. */
  readonly start_time: number;
  /** The assignee in the speaker's words, or null if none was mentioned. */
  readonly who: string | null;
  /** The due date in the speaker's words, or null if none was mentioned. */
  readonly when: string | null;
  /** A calendar day such as `2026-11-21`, or null if it cannot be derived from the text and the recording date. */
  readonly due: string | null;
}

/** An amount of money that was mentioned. */
export interface SummarySum {
  /** The item's ID, unique within the document. When the summary is regenerated, items whose text is unchanged keep their IDs. */
  readonly id: string;
  readonly text: string;
  /** The paragraph that the item is based on. */
  readonly paragraph_id: string;
  /** Position in the recording, in seconds. */
  readonly start_time: number;
  /** The amount, or null if it was only described in words, such as "a few hundred". */
  readonly amount: number | null;
  /** The currency (ISO 4217), or null if none was mentioned. */
  readonly currency: string | null;
  /** The purpose of the money in the speaker's words, or null if none was mentioned. */
  readonly purpose: string | null;
}

/** A date or time that was mentioned. */
export interface SummaryEvent {
  /** The item's ID, unique within the document. When the summary is regenerated, items whose text is unchanged keep their IDs. */
  readonly id: string;
  readonly text: string;
  /** The paragraph that the item is based on. */
  readonly paragraph_id: string;
  /** Position in the recording, in seconds. */
  readonly start_time: number;
  /** The date or time in the speaker's words. */
  readonly when: string;
  /** A calendar day such as `2026-11-21`, or null if it cannot be derived from the text and the recording date. */
  readonly date: string | null;
}

/** A section of the recording about one topic, named by `text`. */
export interface SummaryTopic {
  /** The item's ID, unique within the document. When the summary is regenerated, items whose text is unchanged keep their IDs. */
  readonly id: string;
  readonly text: string;
  /** The paragraph that the item is based on. */
  readonly paragraph_id: string;
  /** Position in the recording, in seconds. */
  readonly start_time: number;
  readonly end_time: number;
}

/** Where the text of a summary names speakers. */
export interface SpeakerReferences {
  /** The texts that name speakers. */
  readonly texts: readonly {
    /** For the text of a summary item: the paragraph that the item is based on. */
    readonly paragraph_id?: string | undefined;
    /** Where the text occurs: `title`, `brief`, a line of the summary (`summary/0`), a keyword (`keywords/0`), or a text of an item, as its path in the document (`todos/0/who`). */
    readonly places: readonly string[];
    /** The text, split at the names. Concatenating the parts gives the text. */
    readonly parts: readonly (
      | string
      | {
          /** The speaker's label in the transcript. */
          readonly speaker: string;
          /** The speaker's name as it appears in the text. */
          readonly name: string;
        }
    )[];
  }[];
  /** The speakers of some paragraphs at the time the summary was created, including every paragraph referenced in `texts`. Comparing them with the current transcript shows which speakers have since been merged. */
  readonly paragraphs: readonly {
    readonly paragraph_id: string;
    readonly speaker: string;
  }[];
}

/** A node of a mind map. `parentid` is empty for the root. */
export interface MindNode {
  readonly id: string;
  readonly parentid: string;
  readonly topic: string;
  /** The paragraph that the node was generated from. */
  readonly paragraph_id?: string | undefined;
  /** The start of that paragraph, in seconds. */
  readonly start_time?: number | undefined;
}

/** A recording with its latest task. `id` is the recording's ID, and `task.id` is the task's. */
export interface ListedRecording {
  /** The recording's ID on the server, for the calls radio/* and task/*. For sync/apply, use `client_flag` instead. */
  readonly id: string;
  /** The name given by the user, or '' if the recording has none. */
  readonly name: string;
  /** The title generated with the summary, or '' if the recording has no summary. */
  readonly ai_title: string;
  /** 1 for a call. Any other value, usually 0, means a note. */
  readonly source: number;
  /** The recording's type. Older servers don't return it. */
  readonly scene?: 'call' | 'meeting' | 'note' | 'audio' | undefined;
  /** A short-lived signed URL that supports Range, or null if there's no audio on the server. */
  readonly url: string | null;
  /** The audio file's size in bytes. */
  readonly file_size: number;
  /** The audio file's SHA-256 in hex, computed by the server, or null if it has no audio. */
  readonly sha256: string | null;
  /** The audio's SHA-256 in hex, computed by the server, or null if it has no audio. Covers the Opus packets in order, as on a recorder, or the whole file if it isn't Ogg Opus. */
  readonly audio_sha256: string | null;
  /** True (the default) if phones may request a transcription automatically. */
  readonly auto_transcribe?: boolean | undefined;
  readonly mime_type: string;
  readonly ext: string;
  /** Duration in whole seconds. Older servers return fractions. */
  readonly total_time: number;
  /** Peak levels for the waveform, in base64: the recording is divided into equal parts, with one byte (0 to 255) per part. '' if the levels were never measured. */
  readonly peaks: string;
  /** The serial number of the recorder, or '' if none. */
  readonly sn: string;
  /** The ID assigned by the client, for sync/apply. It's the same on every device. */
  readonly client_flag: string;
  /** The latest task's status, or null if the recording was never transcribed. */
  readonly status: TaskStatus | null;
  /** The latest task's progress, from 0 to 100. */
  readonly progress: number;
  readonly keywords: readonly string[];
  /** The user's tags, in the order they were added. */
  readonly tags: readonly string[];
  /** A short version of the summary, or '' if there is no summary. */
  readonly brief: string;
  /** 1 if the recording is in the recycle bin, otherwise 0. */
  readonly is_del: 0 | 1;
  /** 1 if the recording is archived: hidden from the app's list, but included in searches and questions. Older servers don't return this field. */
  readonly is_archived?: 0 | 1 | undefined;
  /** 1 if the recording is protected: retention rules never move it to the recycle bin. Older servers don't return this field. */
  readonly is_protected?: 0 | 1 | undefined;
  readonly recorded_at: string;
  readonly created_at: string;
  readonly updated_at: string;
  /** The account's revision at the recording's latest change. Every change in the account increases the revision. */
  readonly rev: number;
  readonly task: TaskHead | null;
}

/** Summarizes a recording's latest task. */
export interface TaskHead {
  readonly id: string;
  readonly language:
    | 'en'
    | 'zh-Hans'
    | 'ar'
    | 'ja'
    | 'ko'
    | 'th'
    | 'ru'
    | 'es'
    | 'pt'
    | 'fr'
    | 'auto';
  /** Absent if the task transcribes the whole recording. With a range, `language` is the language of the existing transcript. */
  readonly range?: TaskRange | undefined;
  readonly status: TaskStatus;
  /** The progress over all steps, from 0 to 100. */
  readonly progress: number;
  /** The current step. Null unless the status is 1. */
  readonly step: TaskStep | null;
  readonly error: TaskFailure | null;
}

/** A search hit. */
export interface SearchMatch {
  readonly where:
    | 'name'
    | 'tag'
    | 'keyword'
    | 'speaker'
    | 'note'
    | 'marker'
    | 'summary'
    | 'paragraph';
  /** The text around the first hit. `start` and `length` give the position of the hit in `text`, in UTF-16 code units. */
  readonly text: string;
  readonly start: number;
  readonly length: number;
  /** For a hit in the transcript, the paragraph's ID. `start_time` is the paragraph's start in seconds. */
  readonly paragraph_id?: string | undefined;
  readonly start_time?: number | undefined;
}

/** A paragraph that answers a question. */
export interface Quote {
  /** ID of the recording. Empty while the recording is in progress. */
  readonly radio_file_id: string;
  /** The `client_flag` of the recording while it is in progress. */
  readonly client_flag?: string | undefined;
  /** The recording's current name. */
  readonly title: string;
  readonly recorded_at: string;
  /** Empty if the quote is from live text. */
  readonly paragraph_id: string;
  /** Start of the paragraph in seconds. */
  readonly start_time: number;
  /** The paragraph. */
  readonly text: string;
  /** The speaker's name. Empty if the speaker is unknown or unnamed. */
  readonly speaker: string;
}

/** A question and its follow-up questions. */
export interface Thread {
  readonly id: string;
  /** IDs of the recordings that the questions are limited to. Empty if they cover all recordings, or if `client_flag` is present. */
  readonly ids: readonly string[];
  /** The `client_flag` of the recording in progress that the questions are about. */
  readonly client_flag?: string | undefined;
  /** The first question. */
  readonly question: string;
  /** Number of questions. */
  readonly count: number;
  readonly updated_at: string;
}

/** A question with its answer. */
export interface Answer {
  readonly id: string;
  /** ID of the thread that the question belongs to. */
  readonly thread_id: string;
  readonly question: string;
  readonly asked_at: string;
  /** The answer, or an empty string if none was found. Unless `written` is true, it repeats the first quote. */
  readonly answer: string;
  /** True if a language model wrote the answer. Otherwise it is quoted from the recordings. */
  readonly written: boolean;
  /** True if quotes were omitted because their recordings were deleted or are in the recycle bin. */
  readonly missing: boolean;
  /** True while a language model is still writing the answer. Poll `ask/thread` for the sentences written so far. */
  readonly writing: boolean;
  /** The sentences of a written answer. */
  readonly sentences: readonly {
    readonly text: string;
    /** Index in `quotes` of the paragraph that supports the sentence. */
    readonly source: number;
  }[];
  /** The paragraphs that answer the question, best first. For a written answer, in the order in which it cites them. */
  readonly quotes: readonly Quote[];
}

/** A link that shows a recording without an account. */
export interface ShareLink {
  readonly id: string;
  /** The ID of the recording. */
  readonly radio_file_id: string;
  /** The recording's current name, or '' if it has none. */
  readonly title: string;
  readonly recorded_at: string;
  /** The parts of the recording that the page shows. */
  readonly parts: readonly ('transcript' | 'summary' | 'audio' | 'todos')[];
  /** The URL of the page. Anyone who has it can open the page, unless the page has a password. */
  readonly url: string;
  readonly has_password: boolean;
  readonly created_at: string;
  /** When the link expires, or null if it never expires. */
  readonly expires_at: string | null;
  /** `binned`: the recording is in the recycle bin. The page is shown only while the link is `valid`. */
  readonly status: 'valid' | 'expired' | 'binned';
  /** The number of times the page was loaded. Playing the audio does not count as a view. */
  readonly view_count: number;
  readonly last_viewed_at: string | null;
  /** When the page was loaded: the latest 100 views, newest first. Nothing else about a view is stored. */
  readonly views: readonly string[];
}

/** A folder that the server keeps in sync, with one Markdown file per recording. */
export interface Vault {
  /** `folder`: the account's folder on the server. `webdav`: a folder on a WebDAV server. */
  readonly kind: 'folder' | 'webdav';
  /** The name of the folder, or the URL of the WebDAV folder. */
  readonly place: string;
  /** The user name on the WebDAV server, or '' for a `folder` vault. */
  readonly username: string;
  /** The template for the files, or null for the default template. */
  readonly template: string | null;
  /** The number of files. */
  readonly files: number;
  /** The number of files that the WebDAV server rejected. */
  readonly refused: number;
  /** Whether the files reflect all of the account's changes. */
  readonly is_current: boolean;
  /** When the files were last up to date. */
  readonly written_at: string | null;
  /** Why the latest attempt failed, or null if it succeeded. */
  readonly failure:
    | 'unresolved'
    | 'forbidden'
    | 'connection'
    | 'certificate'
    | 'timeout'
    | 'redirect'
    | 'unauthorized'
    | 'denied'
    | 'missing'
    | 'full'
    | 'busy'
    | 'unsupported'
    | 'refused'
    | 'failed'
    | 'secret'
    | null;
  readonly failed_at: string | null;
  /** When the next attempt is due after a failure. */
  readonly next_at: string | null;
  /** When the vault was stopped, or null if it is active. */
  readonly stopped_at: string | null;
  /** `owner`: the user stopped the vault. `password`: the account's password was changed. Null if the vault is active. */
  readonly stopped_reason: 'owner' | 'password' | null;
}

/** A webhook, without its secret. */
export interface Webhook {
  readonly id: string;
  readonly url: string;
  /** The events to send. */
  readonly events: readonly (
    | 'recording.arrived'
    | 'recording.transcribed'
    | 'recording.summarized'
    | 'recording.edited'
    | 'recording.deleted'
  )[];
  readonly created_at: string;
  /** When attempts started failing, or null if the latest attempt succeeded. */
  readonly failing_since: string | null;
  /** When the webhook was disabled, or null if it is active. */
  readonly disabled_at: string | null;
  /** Why the webhook was disabled. `gone`: its URL returned 410 Gone. `failing`: every attempt failed for days. `password`: the account's password was changed. Null if the webhook is active. */
  readonly disabled_reason: 'gone' | 'failing' | 'password' | null;
  /** When the previous secret expires, or null if only one secret is in use. Until then, deliveries are signed with both secrets. */
  readonly old_secret_until: string | null;
}

/** The delivery of an event to a webhook, with its latest attempt. */
export interface WebhookDelivery {
  /** The ID of the delivery, sent as the `webhook-id` header. */
  readonly id: string;
  readonly type:
    | 'recording.arrived'
    | 'recording.transcribed'
    | 'recording.summarized'
    | 'recording.edited'
    | 'recording.deleted'
    | 'webhook.test';
  /** The ID of the recording, or null for a test. */
  readonly radio_file_id: string | null;
  /** The name of the recording, or null if it was deleted. */
  readonly title: string | null;
  /** When the event occurred. */
  readonly timestamp: string;
  readonly status: 'waiting' | 'delivered' | 'failed';
  /** The number of attempts, including those before a manual resend. */
  readonly attempts: number;
  /** When the latest attempt started. */
  readonly attempted_at: string | null;
  /** The duration of the latest attempt in milliseconds. */
  readonly duration_ms: number | null;
  /** The HTTP status of the latest response. */
  readonly response_status: number | null;
  /** Why the latest attempt failed. */
  readonly failure:
    | 'status'
    | 'redirect'
    | 'timeout'
    | 'connection'
    | 'certificate'
    | 'unresolved'
    | 'forbidden'
    | 'disabled'
    | 'full'
    | null;
  /** When the next attempt is due. Null unless the status is `waiting`. */
  readonly next_attempt_at: string | null;
}

/** A session's subscription to push notifications. */
export interface PushSubscription {
  /** The URL at the push service, as in `PushSubscription.endpoint`. */
  readonly endpoint: string;
  /** The events to send. */
  readonly events: readonly ('transcript' | 'todos')[];
  /** Whether notifications may contain the names of recordings and the text of to-dos. */
  readonly shows_titles: boolean;
  /** The user's IANA time zone, which determines the day on which a to-do is due. */
  readonly time_zone: string;
  readonly created_at: string;
}

/** An account's email notifications. */
export interface NotificationMails {
  /** Whether the server can send email. */
  readonly available: boolean;
  /** The account's address, which the emails are sent to. */
  readonly email: string;
  /** The events that trigger an email. All are off by default. */
  readonly events: readonly ('transcript' | 'todos')[];
}

/** A rule that moves recordings to the recycle bin when they reach a certain age. */
export interface RetentionRule {
  readonly id: string;
  readonly tag: string | null;
  readonly after: number;
  readonly unit: 'day' | 'month';
  readonly created_at: string;
  /** When the rule may move recordings for the first time. */
  readonly acts_at: string;
  /** Why the rule is paused until it is saved again. `restored`: the server was restored from a backup. `clock`: the server was off for days, or its clock jumped. Null if the rule is not paused. */
  readonly paused: 'restored' | 'clock' | null;
}

/** A recording that a retention rule moves. */
export interface AffectedRecording {
  readonly id: string;
  readonly client_flag: string;
  /** The recording's name, or else its generated title. */
  readonly title: string;
  readonly recorded_at: string;
  /** The duration in seconds. */
  readonly total_time: number;
  readonly in_bin: boolean;
}

/** One execution of a rule that moved recordings, with a copy of the rule. */
export interface RetentionRun {
  readonly id: string;
  readonly tag: string | null;
  readonly after: number;
  readonly unit: 'day' | 'month';
  readonly started_at: string;
  /** The number of recordings that the run moved, not counting those deleted since. */
  readonly moved: number;
  /** How many of them are still in the recycle bin. Undoing the run restores these. */
  readonly in_bin: number;
}

/** The live text of a recording in progress. */
export interface LiveSession {
  /** The ID that the client assigns to the recording, as in upload/ossFile. */
  readonly client_flag: string;
  readonly language:
    | 'en'
    | 'zh-Hans'
    | 'ar'
    | 'ja'
    | 'ko'
    | 'th'
    | 'ru'
    | 'es'
    | 'pt'
    | 'fr'
    | 'auto';
  /** The number of packets received, which is also the index of the next packet. */
  readonly received: number;
  readonly state: LiveState;
  /** The index of the first passage in `passages`. */
  readonly first: number;
  /** Final (settled) passages in chronological order. They no longer change. */
  readonly passages: readonly LivePassage[];
  /** Text after the last final passage. It may still change. */
  readonly tentative: LivePassage | null;
  readonly updated_at: string;
}

/** `listening` while more text may follow. Once `stopped`, the server ignores further packets, but keeps the existing text for the transcription. */
export type LiveState =
  | {
      readonly status: 'listening';
    }
  | {
      readonly status: 'stopped';
      readonly error: TaskFailure;
    };

/** Text recognized in a recording in progress. */
export interface LivePassage {
  /** Start time, in seconds from the start of the recording. */
  readonly start: number;
  /** End time, in seconds. */
  readonly end: number;
  readonly text: string;
}

/** The live text of a recording in progress. */
export interface WatchedLiveSession {
  /** The ID that the client assigns to the recording, as in upload/ossFile. */
  readonly client_flag: string;
  readonly language:
    | 'en'
    | 'zh-Hans'
    | 'ar'
    | 'ja'
    | 'ko'
    | 'th'
    | 'ru'
    | 'es'
    | 'pt'
    | 'fr'
    | 'auto';
  /** The number of packets received, which is also the index of the next packet. */
  readonly received: number;
  readonly state: LiveState;
  /** The index of the first passage in `passages`. */
  readonly first: number;
  /** Final (settled) passages in chronological order. They no longer change. */
  readonly passages: readonly LivePassage[];
  /** Text after the last final passage. It may still change. */
  readonly tentative: LivePassage | null;
  readonly updated_at: string;
  /** When the first packets arrived. */
  readonly started_at: string;
  /** `waiting`: no packets have arrived for ten seconds, for example because the recording is paused or the device is offline. */
  readonly phase: 'recording' | 'waiting' | 'ended';
}

/** A person's voice, stored for recognizing the speaker in other recordings. */
export interface Voice {
  readonly name: string;
  /** The number of recordings that the stored voice comes from. */
  readonly recordings: number;
  /** The date of the earliest of these recordings. */
  readonly first_at: string;
  /** The date of the latest of these recordings. */
  readonly last_at: string;
}

/** A speaker's voice in one recording. */
export interface ExportedVoice {
  /** The name, or null if the speaker has no name yet. */
  readonly name: string | null;
  /** The `client_flag` of the recording. */
  readonly client_flag: string;
  /** The speaker's label in the transcript. */
  readonly speaker: string;
  readonly recorded_at: string;
  /** When the voice was stored. */
  readonly created_at: string;
  /** The model that computed the embedding. */
  readonly model: string;
  /** The voice as a vector of unit length. Embeddings of different models aren't comparable. */
  readonly embedding: readonly number[];
}

/** An edit. It makes one change and is applied exactly once. */
export type Operation =
  | {
      /** The operation's ID, generated by the client and reused in retries. */
      readonly op_id: string;
      /** The latest revision known to the client when the edit was made, or 0 before the first sync. */
      readonly base_rev: number;
      /** When the edit was made, according to the client's clock. */
      readonly at: string;
      readonly type: 'recording.rename';
      /** The recording's `client_flag`, not its `id`. */
      readonly recording: string;
      readonly name: string;
    }
  | {
      /** The operation's ID, generated by the client and reused in retries. */
      readonly op_id: string;
      /** The latest revision known to the client when the edit was made, or 0 before the first sync. */
      readonly base_rev: number;
      /** When the edit was made, according to the client's clock. */
      readonly at: string;
      readonly type: 'recording.tag';
      /** The recording's `client_flag`, not its `id`. */
      readonly recording: string;
      readonly tag: string;
      readonly on: boolean;
    }
  | {
      /** The operation's ID, generated by the client and reused in retries. */
      readonly op_id: string;
      /** The latest revision known to the client when the edit was made, or 0 before the first sync. */
      readonly base_rev: number;
      /** When the edit was made, according to the client's clock. */
      readonly at: string;
      readonly type: 'recording.word';
      /** The recording's `client_flag`, not its `id`. */
      readonly recording: string;
      readonly word: string;
      readonly on: boolean;
    }
  | {
      /** The operation's ID, generated by the client and reused in retries. */
      readonly op_id: string;
      /** The latest revision known to the client when the edit was made, or 0 before the first sync. */
      readonly base_rev: number;
      /** When the edit was made, according to the client's clock. */
      readonly at: string;
      readonly type: 'recording.date';
      /** The recording's `client_flag`, not its `id`. */
      readonly recording: string;
      readonly recorded_at: string;
    }
  | {
      /** The operation's ID, generated by the client and reused in retries. */
      readonly op_id: string;
      /** The latest revision known to the client when the edit was made, or 0 before the first sync. */
      readonly base_rev: number;
      /** When the edit was made, according to the client's clock. */
      readonly at: string;
      readonly type: 'recording.place';
      /** The recording's `client_flag`, not its `id`. */
      readonly recording: string;
      readonly place: Place | null;
    }
  | {
      /** The operation's ID, generated by the client and reused in retries. */
      readonly op_id: string;
      /** The latest revision known to the client when the edit was made, or 0 before the first sync. */
      readonly base_rev: number;
      /** When the edit was made, according to the client's clock. */
      readonly at: string;
      readonly type: 'recording.language';
      /** The recording's `client_flag`, not its `id`. */
      readonly recording: string;
      readonly language: string | null;
    }
  | {
      /** The operation's ID, generated by the client and reused in retries. */
      readonly op_id: string;
      /** The latest revision known to the client when the edit was made, or 0 before the first sync. */
      readonly base_rev: number;
      /** When the edit was made, according to the client's clock. */
      readonly at: string;
      readonly type: 'recording.speaker';
      /** The recording's `client_flag`, not its `id`. */
      readonly recording: string;
      readonly speaker: string;
      readonly name: string;
    }
  | {
      /** The operation's ID, generated by the client and reused in retries. */
      readonly op_id: string;
      /** The latest revision known to the client when the edit was made, or 0 before the first sync. */
      readonly base_rev: number;
      /** When the edit was made, according to the client's clock. */
      readonly at: string;
      readonly type: 'recording.dismissProposal';
      /** The recording's `client_flag`, not its `id`. */
      readonly recording: string;
      readonly speaker: string;
    }
  | {
      /** The operation's ID, generated by the client and reused in retries. */
      readonly op_id: string;
      /** The latest revision known to the client when the edit was made, or 0 before the first sync. */
      readonly base_rev: number;
      /** When the edit was made, according to the client's clock. */
      readonly at: string;
      readonly type: 'recording.marker';
      /** The recording's `client_flag`, not its `id`. */
      readonly recording: string;
      readonly marker: string;
      readonly value: Marker | null;
    }
  | {
      /** The operation's ID, generated by the client and reused in retries. */
      readonly op_id: string;
      /** The latest revision known to the client when the edit was made, or 0 before the first sync. */
      readonly base_rev: number;
      /** When the edit was made, according to the client's clock. */
      readonly at: string;
      readonly type: 'recording.note';
      /** The recording's `client_flag`, not its `id`. */
      readonly recording: string;
      readonly note: string;
      readonly value: Note | null;
    }
  | {
      /** The operation's ID, generated by the client and reused in retries. */
      readonly op_id: string;
      /** The latest revision known to the client when the edit was made, or 0 before the first sync. */
      readonly base_rev: number;
      /** When the edit was made, according to the client's clock. */
      readonly at: string;
      readonly type: 'recording.tick';
      /** The recording's `client_flag`, not its `id`. */
      readonly recording: string;
      readonly item: string;
      readonly done: boolean;
    }
  | {
      /** The operation's ID, generated by the client and reused in retries. */
      readonly op_id: string;
      /** The latest revision known to the client when the edit was made, or 0 before the first sync. */
      readonly base_rev: number;
      /** When the edit was made, according to the client's clock. */
      readonly at: string;
      readonly type: 'recording.mindMap';
      /** The recording's `client_flag`, not its `id`. */
      readonly recording: string;
      readonly mind_map:
        | readonly {
            readonly id: string;
            readonly parentid: string;
            readonly topic: string;
            readonly paragraph_id?: string | undefined;
            /** The start of that paragraph, in seconds. */
            readonly start_time?: number | undefined;
          }[]
        | null;
    }
  | {
      /** The operation's ID, generated by the client and reused in retries. */
      readonly op_id: string;
      /** The latest revision known to the client when the edit was made, or 0 before the first sync. */
      readonly base_rev: number;
      /** When the edit was made, according to the client's clock. */
      readonly at: string;
      readonly type: 'recording.dismiss';
      /** The recording's `client_flag`, not its `id`. */
      readonly recording: string;
      readonly item: string;
      readonly restored?:
        | {
            /** `edit`: an edited paragraph. `removal`: a paragraph whose text was removed. `highlight`: a highlighted paragraph. `speaker`: a speaker name or an assigned speaker. `todo`: a completed to-do. */
            readonly kind: 'edit' | 'removal' | 'highlight' | 'speaker' | 'todo';
            readonly text: string;
            /** Position in the recording, in seconds. */
            readonly time: number;
          }
        | undefined;
    }
  | {
      /** The operation's ID, generated by the client and reused in retries. */
      readonly op_id: string;
      /** The latest revision known to the client when the edit was made, or 0 before the first sync. */
      readonly base_rev: number;
      /** When the edit was made, according to the client's clock. */
      readonly at: string;
      readonly type: 'recording.archive';
      /** The recording's `client_flag`, not its `id`. */
      readonly recording: string;
      readonly on: boolean;
    }
  | {
      /** The operation's ID, generated by the client and reused in retries. */
      readonly op_id: string;
      /** The latest revision known to the client when the edit was made, or 0 before the first sync. */
      readonly base_rev: number;
      /** When the edit was made, according to the client's clock. */
      readonly at: string;
      readonly type: 'recording.protect';
      /** The recording's `client_flag`, not its `id`. */
      readonly recording: string;
      readonly on: boolean;
    }
  | {
      /** The operation's ID, generated by the client and reused in retries. */
      readonly op_id: string;
      /** The latest revision known to the client when the edit was made, or 0 before the first sync. */
      readonly base_rev: number;
      /** When the edit was made, according to the client's clock. */
      readonly at: string;
      readonly type: 'recording.bin';
      /** The recording's `client_flag`, not its `id`. */
      readonly recording: string;
    }
  | {
      /** The operation's ID, generated by the client and reused in retries. */
      readonly op_id: string;
      /** The latest revision known to the client when the edit was made, or 0 before the first sync. */
      readonly base_rev: number;
      /** When the edit was made, according to the client's clock. */
      readonly at: string;
      readonly type: 'recording.recover';
      /** The recording's `client_flag`, not its `id`. */
      readonly recording: string;
    }
  | {
      /** The operation's ID, generated by the client and reused in retries. */
      readonly op_id: string;
      /** The latest revision known to the client when the edit was made, or 0 before the first sync. */
      readonly base_rev: number;
      /** When the edit was made, according to the client's clock. */
      readonly at: string;
      readonly type: 'recording.delete';
      /** The recording's `client_flag`, not its `id`. */
      readonly recording: string;
    }
  | {
      /** The operation's ID, generated by the client and reused in retries. */
      readonly op_id: string;
      /** The latest revision known to the client when the edit was made, or 0 before the first sync. */
      readonly base_rev: number;
      /** When the edit was made, according to the client's clock. */
      readonly at: string;
      readonly type: 'paragraph.edit';
      /** The recording's `client_flag`, not its `id`. */
      readonly recording: string;
      /** The ID of the paragraph. */
      readonly paragraph: string;
      readonly content: string;
    }
  | {
      /** The operation's ID, generated by the client and reused in retries. */
      readonly op_id: string;
      /** The latest revision known to the client when the edit was made, or 0 before the first sync. */
      readonly base_rev: number;
      /** When the edit was made, according to the client's clock. */
      readonly at: string;
      readonly type: 'paragraph.mark';
      /** The recording's `client_flag`, not its `id`. */
      readonly recording: string;
      /** The ID of the paragraph. */
      readonly paragraph: string;
      /** 1 if the paragraph is highlighted, otherwise 0. */
      readonly is_tag: 0 | 1;
    }
  | {
      /** The operation's ID, generated by the client and reused in retries. */
      readonly op_id: string;
      /** The latest revision known to the client when the edit was made, or 0 before the first sync. */
      readonly base_rev: number;
      /** When the edit was made, according to the client's clock. */
      readonly at: string;
      readonly type: 'paragraph.speaker';
      /** The recording's `client_flag`, not its `id`. */
      readonly recording: string;
      /** The ID of the paragraph. */
      readonly paragraph: string;
      readonly speaker: string | null;
    }
  | {
      /** The operation's ID, generated by the client and reused in retries. */
      readonly op_id: string;
      /** The latest revision known to the client when the edit was made, or 0 before the first sync. */
      readonly base_rev: number;
      /** When the edit was made, according to the client's clock. */
      readonly at: string;
      readonly type: 'setting.set';
      readonly group_name: string;
      readonly config_key: string;
      readonly config_value: string;
    };

/** A place on the map. */
export interface Place {
  /** Position in degrees (WGS 84). */
  readonly latitude: number;
  readonly longitude: number;
  readonly name: string;
}

/** A marked position in a recording. */
export interface Marker {
  readonly id: string;
  /** Position in the recording, in seconds. */
  readonly time: number;
  readonly label: string;
}

/** A typed note at a position in a recording. */
export interface Note {
  readonly id: string;
  /** When the user started typing, in seconds from the start of the recording. */
  readonly time: number;
  readonly text: string;
}

/** The outcome of an operation. A retry returns the same outcome. */
export interface OperationOutcome {
  readonly op_id: string;
  /** `applied`: the operation is the newest edit of its register. `superseded`: a later edit, made on another device without knowledge of this operation, wins. If the operation edited a paragraph, its text stays in the paragraph's history. `refused`: the operation can never be applied. `code` gives the reason. */
  readonly outcome: 'applied' | 'superseded' | 'refused';
  /** The revision created by the operation, or the account's latest revision if it created none. */
  readonly rev: number;
  readonly code: number;
  readonly msg: string;
}

/** A change, with the revision `rev` that it created. */
export type Change =
  | {
      readonly rev: number;
      readonly kind: 'recording';
      readonly recording: RecordingState;
    }
  | {
      readonly rev: number;
      readonly kind: 'task';
      readonly client_flag: string;
      readonly task: {
        readonly id: string;
        /** The ID of the recording. */
        readonly radio_file_id: string;
        readonly language:
          | 'en'
          | 'zh-Hans'
          | 'ar'
          | 'ja'
          | 'ko'
          | 'th'
          | 'ru'
          | 'es'
          | 'pt'
          | 'fr'
          | 'auto';
        readonly status: TaskStatus;
        readonly progress: number;
        readonly step: TaskStep | null;
        /** Why the task failed, if the status is 3. */
        readonly error: TaskFailure | null;
        readonly title: string;
        readonly brief: string;
        readonly summary: string;
        /** The summary as a versioned document with all its structures. Null until the status is 2, or if there's no summary. */
        readonly summary_json: SummaryDocument | null;
        readonly keywords: readonly string[];
        /** A signed URL of the current mind map, including the user's edits, as an XMind file. Null if there is no mind map. */
        readonly xmind_url: string | null;
        /** A signed URL of the mind map as a Markdown outline. Null if there is no mind map. Absent on older servers. */
        readonly mind_src_url?: string | null | undefined;
        /** A signed URL of the mind map as an SVG image. Null if there is no mind map. Absent on older servers. */
        readonly mind_pic_url?: string | null | undefined;
        /** The nodes of the mind map, or null if there is no mind map. */
        readonly xmind_json: readonly MindNode[] | null;
        /** Status and error of the latest regeneration of the summary, or null if it was never regenerated. */
        readonly summarizing: {
          readonly status: TaskStatus;
          readonly error: TaskFailure | null;
        } | null;
        /** The speech recognition engine's display name. */
        readonly engine: string | null;
        /** Whole minutes charged. 0 until the status is 2. */
        readonly minutes: number;
        readonly created_at: string;
        readonly updated_at: string;
      };
    }
  | {
      readonly rev: number;
      readonly kind: 'paragraph';
      readonly client_flag: string;
      readonly task_id: string;
      /** Position in the transcript, from 0. */
      readonly ordinal: number;
      readonly paragraph: Paragraph;
    }
  | {
      readonly rev: number;
      readonly kind: 'setting';
      readonly setting: Setting;
    }
  | {
      readonly rev: number;
      readonly kind: 'tombstone';
      readonly id: string;
      readonly client_flag: string;
      readonly deleted_at: string;
    };

/** A recording with all of the user's edits. */
export interface RecordingState {
  /** The recording's ID on the server, for the calls radio/* and task/*. For sync/apply, use `client_flag` instead. */
  readonly id: string;
  /** The name given by the user, or '' if the recording has none. */
  readonly name: string;
  /** The title generated with the summary, or '' if the recording has no summary. */
  readonly ai_title: string;
  /** 1 for a call. Any other value, usually 0, means a note. */
  readonly source: number;
  /** The recording's type. Older servers don't return it. */
  readonly scene?: 'call' | 'meeting' | 'note' | 'audio' | undefined;
  /** A short-lived signed URL that supports Range, or null if there's no audio on the server. */
  readonly url: string | null;
  /** The audio file's size in bytes. */
  readonly file_size: number;
  /** The audio file's SHA-256 in hex, computed by the server, or null if it has no audio. */
  readonly sha256: string | null;
  /** The audio's SHA-256 in hex, computed by the server, or null if it has no audio. Covers the Opus packets in order, as on a recorder, or the whole file if it isn't Ogg Opus. */
  readonly audio_sha256: string | null;
  /** True (the default) if phones may request a transcription automatically. */
  readonly auto_transcribe?: boolean | undefined;
  readonly mime_type: string;
  readonly ext: string;
  /** Duration in whole seconds. Older servers return fractions. */
  readonly total_time: number;
  /** Peak levels for the waveform, in base64: the recording is divided into equal parts, with one byte (0 to 255) per part. '' if the levels were never measured. */
  readonly peaks: string;
  /** The serial number of the recorder, or '' if none. */
  readonly sn: string;
  /** The ID assigned by the client, for sync/apply. It's the same on every device. */
  readonly client_flag: string;
  /** The latest task's status, or null if the recording was never transcribed. */
  readonly status: TaskStatus | null;
  /** The latest task's progress, from 0 to 100. */
  readonly progress: number;
  readonly keywords: readonly string[];
  /** The user's tags, in the order they were added. */
  readonly tags: readonly string[];
  /** A short version of the summary, or '' if there is no summary. */
  readonly brief: string;
  /** 1 if the recording is in the recycle bin, otherwise 0. */
  readonly is_del: 0 | 1;
  /** 1 if the recording is archived: hidden from the app's list, but included in searches and questions. Older servers don't return this field. */
  readonly is_archived?: 0 | 1 | undefined;
  /** 1 if the recording is protected: retention rules never move it to the recycle bin. Older servers don't return this field. */
  readonly is_protected?: 0 | 1 | undefined;
  readonly recorded_at: string;
  readonly created_at: string;
  readonly updated_at: string;
  /** The account's revision at the recording's latest change. Every change in the account increases the revision. */
  readonly rev: number;
  readonly task: TaskHead | null;
  readonly place: Place | null;
  /** The language spoken in the recording, as set by the user, or null for the account's language. Older servers don't return this field. */
  readonly language?:
    | 'en'
    | 'zh-Hans'
    | 'ar'
    | 'ja'
    | 'ko'
    | 'th'
    | 'ru'
    | 'es'
    | 'pt'
    | 'fr'
    | 'auto'
    | null
    | undefined;
  /** Names and terms that speech recognition looks for in the recording. Older servers don't return them. */
  readonly words?: readonly string[] | undefined;
  /** Speaker names, keyed by the speaker's label in the transcript. */
  readonly speakers: Readonly<Record<string, string>>;
  /** Names proposed for unnamed speakers whose voice resembles a known voice, keyed by the speaker's label. A `recording.speaker` operation confirms a proposal, and `recording.dismissProposal` dismisses it. Older servers don't return them. */
  readonly proposals?: Readonly<Record<string, string>> | undefined;
  readonly markers: readonly Marker[];
  /** The user's typed notes, sorted by time. Older servers don't return them. */
  readonly notes?: readonly Note[] | undefined;
  /** Completed to-dos, keyed by their ID in the summary. */
  readonly ticks: Readonly<Record<string, boolean>>;
  readonly mind_map: readonly MindNode[] | null;
  /** Changes the user made to earlier transcripts that couldn't be applied to the latest transcript. Older servers don't return them. */
  readonly unplaced?: readonly UnplacedChange[] | undefined;
  /** The run of a retention rule that moved the recording to the recycle bin, or null. Older servers don't return this field. */
  readonly binned_by?: AutomaticMove | null | undefined;
}

/** A change the user made to an earlier transcript that could not be applied to the latest transcript. */
export interface UnplacedChange {
  readonly id: string;
  /** `edit`: an edited paragraph. `removal`: a paragraph whose text was removed. `highlight`: a highlighted paragraph. `speaker`: a speaker name or an assigned speaker. `todo`: a completed to-do. */
  readonly kind: 'edit' | 'removal' | 'highlight' | 'speaker' | 'todo';
  /** The user's text or name, or the removed or highlighted text. */
  readonly text: string;
  /** Position in the recording, in seconds. */
  readonly time: number;
}

/** The run that moved a recording to the recycle bin, with a copy of its rule. */
export interface AutomaticMove {
  /** The run's ID. */
  readonly run: string;
  readonly tag: string | null;
  readonly after: number;
  readonly unit: 'day' | 'month';
  /** When the run started. */
  readonly at: string;
}

/** A setting. */
export interface Setting {
  readonly group_name: string;
  readonly config_key: string;
  readonly config_value: string;
}

/** A recorder bound to the account. */
export interface BoundDevice {
  readonly sn: string;
  readonly name: string;
  /** The recorder's firmware family. */
  readonly project_code: string;
  readonly bound_at: string;
  /** The key that the account's phones use to connect to the recorder, or null for a version 1 binding. */
  readonly binding_key: string | null;
}

/** A signature by which the recorder confirms that it is being bound to this account. */
export interface BindingProof {
  /** The challenge from `device/check`. */
  readonly challenge: string;
  /** The Ed25519 signature, 64 bytes in hex (the recorder's `attest`). */
  readonly signature: string;
}

/** An order for a plan. */
export interface Order {
  readonly id: string;
  readonly plan: 'vip_monthly' | 'vip_annual' | 'package_120' | 'package_600' | 'package_3000';
  /** An amount in the currency's smallest unit, such as cents for USD. */
  readonly price: number;
  /** The currency (ISO 4217), such as `EUR`. */
  readonly currency: string;
  readonly status: 'pending' | 'paid' | 'failed' | 'canceled' | 'expired' | 'refunded';
  readonly created_at: string;
  readonly paid_at: string | null;
}

/** A plan for sale. */
export interface Plan {
  readonly id: 'vip_monthly' | 'vip_annual' | 'package_120' | 'package_600' | 'package_3000';
  /** A membership renews automatically every `months` months. A package grants `minutes` once. */
  readonly kind: 'membership' | 'package';
  /** 0 for a package. */
  readonly months: number;
  /** The minutes granted, per month for a membership or once for a package. */
  readonly minutes: number;
  /** An amount in the currency's smallest unit, such as cents for USD. */
  readonly price: number;
  /** The price to compare `price` with. Equal to `price` if `compared_with` is null. */
  readonly full_price: number;
  /** The meaning of `full_price`. `monthly`: the price of the monthly plan for the same number of months. `list`: the operator's list price. Null: there is no comparison. Absent on older servers, whose `full_price` must not be shown as a former price. */
  readonly compared_with?: 'monthly' | 'list' | null | undefined;
  /** The currency (ISO 4217), such as `EUR`. */
  readonly currency: string;
}

/** The request body of a webhook delivery. */
export type WebhookMessage =
  | {
      readonly type:
        | 'recording.arrived'
        | 'recording.transcribed'
        | 'recording.summarized'
        | 'recording.edited'
        | 'recording.deleted';
      readonly timestamp: string;
      readonly data: {
        /** The ID of the recording, as used in `task/detail`. */
        readonly radio_file_id: string;
        readonly client_flag: string;
        /** Base URL of the API. */
        readonly api_url: string;
        /** The recording's page in the app. */
        readonly url?: string | undefined;
        readonly title?: string | undefined;
        /** The ID of the task with the latest transcript, or null if the recording has no transcript. */
        readonly task_id?: string | null | undefined;
        /** The duration in seconds. */
        readonly total_time?: number | undefined;
        /** 1 if the recording is in the recycle bin. */
        readonly is_del?: 0 | 1 | undefined;
        readonly recorded_at?: string | undefined;
        readonly created_at?: string | undefined;
        readonly updated_at?: string | undefined;
      };
    }
  | {
      readonly type: 'webhook.test';
      readonly timestamp: string;
      readonly data: {
        readonly webhook_id: string;
        readonly api_url: string;
      };
    };

/** The body and the data of each call. */
export interface Calls {
  /** Sign in. Starts a session and returns its access token and refresh token. */
  'user/login': {
    readonly body: {
      readonly email: string;
      readonly password: string;
      /** The language of the interface, as a BCP 47 tag such as `pt-BR`. Unsupported languages fall back to English. */
      readonly language?: string | undefined;
    };
    readonly data: Tokens;
  };
  /** Refresh the tokens. Returns new tokens. Send the refresh token as the bearer token. Call it when another call returns 4200001, or shortly before the access token expires (`expires_in`). */
  'user/refreshToken': {
    readonly body: Readonly<Record<string, never>> | null | undefined;
    readonly data: Tokens;
  };
  /** Get the account. Returns the account's profile, membership and available minutes. API keys need the scope `read`. */
  'user/info': {
    readonly body: Readonly<Record<string, never>> | null | undefined;
    readonly data: Account;
  };
  /** Register. Creates an account with the code from `site/code`. Doesn't sign in. */
  'user/register': {
    readonly body: {
      readonly email: string;
      readonly code: string;
      readonly password: string;
      readonly repassword: string;
      /** The language of the interface, as a BCP 47 tag such as `pt-BR`. Unsupported languages fall back to English. */
      readonly language?: string | undefined;
      /** The version of the agreement and policy that the user accepts. Defaults to the current version. */
      readonly agreement_version?: string | undefined;
    };
    readonly data: {
      readonly id: string;
      readonly email: string;
    };
  };
  /** Reset a forgotten password. Sets a new password with the code from `site/code`. */
  'user/forgotPassword': {
    readonly body: {
      readonly email: string;
      readonly code: string;
      readonly password: string;
      readonly repassword: string;
    };
    readonly data: Readonly<Record<string, never>>;
  };
  /** Change the password. Changes the password and ends the account's other sessions. */
  'user/updatePassword': {
    readonly body: {
      readonly old_password: string;
      readonly password: string;
      readonly repassword: string;
    };
    readonly data: Readonly<Record<string, never>>;
  };
  /** Change the nickname. Changes the nickname and returns the account. */
  'user/updateNickname': {
    readonly body: {
      /** The new nickname, or '' to remove it. */
      readonly nickname: string;
    };
    readonly data: Account;
  };
  /** Change the picture. Sets the account's picture to an uploaded image, or removes the picture, and returns the account. */
  'user/updateAvatar': {
    readonly body: {
      readonly avatar: string;
    };
    readonly data: Account;
  };
  /** Close the account. Closes the account permanently and deletes its data, except for invoice data. This cannot be undone. `password` may be omitted if the user entered it in this session within the last ten minutes, for example to sign in. */
  'user/deactivation': {
    readonly body:
      | {
          readonly password?: string | undefined;
          /** The language of the interface, as a BCP 47 tag such as `pt-BR`. Unsupported languages fall back to English. */
          readonly language?: string | undefined;
        }
      | null
      | undefined;
    readonly data: Readonly<Record<string, never>>;
  };
  /** Check whether an account is closed. Returns whether the account with this ID was closed, for clients that never received the response to `user/deactivation`. */
  'user/closed': {
    readonly body: {
      readonly id: string;
    };
    readonly data: {
      readonly closed: boolean;
    };
  };
  /** Sign out. Ends the session that the token belongs to. */
  'user/logout': {
    readonly body: Readonly<Record<string, never>> | null | undefined;
    readonly data: Readonly<Record<string, never>>;
  };
  /** List the sessions. Returns the active sessions, most recently used first. */
  'user/sessions': {
    readonly body: Readonly<Record<string, never>> | null | undefined;
    readonly data: {
      readonly list: readonly Session[];
    };
  };
  /** End a session. Ends one of the account's sessions, possibly the caller's own. */
  'user/endSession': {
    readonly body: {
      readonly id: string;
    };
    readonly data: Readonly<Record<string, never>>;
  };
  /** Create an API key. Creates a key that scripts and other programs send instead of an access token. The key is returned only once. Changing the password revokes all keys. */
  'user/createKey': {
    readonly body: {
      readonly name: string;
      /** The key's permissions. `write` does not include `read`. */
      readonly scopes: readonly ('read' | 'write')[];
      /** Days until the key expires. If absent, the key never expires. */
      readonly expires_days?: number | undefined;
      /** Required unless the password was entered in this session within the last ten minutes. */
      readonly password?: string | undefined;
    };
    readonly data: {
      readonly id: string;
      /** The key. It is returned only once, and stored only as a hash. */
      readonly key: string;
    };
  };
  /** List the API keys. Returns the valid keys, newest first, with their names and scopes but without the secret values. */
  'user/keys': {
    readonly body: Readonly<Record<string, never>> | null | undefined;
    readonly data: {
      readonly list: readonly ApiKey[];
    };
  };
  /** Revoke an API key. Revokes a key immediately. */
  'user/revokeKey': {
    readonly body: {
      readonly id: string;
    };
    readonly data: Readonly<Record<string, never>>;
  };
  /** Send a verification code. Emails a six-digit code for registration or a forgotten password. The code is valid for ten minutes. The email's language is `language`, or else the account's language, or else the best match for `Accept-Language`. */
  'site/code': {
    readonly body: {
      readonly email: string;
      /** The language of the interface, as a BCP 47 tag such as `pt-BR`. Unsupported languages fall back to English. */
      readonly language?: string | undefined;
    };
    readonly data: {
      readonly retry_after: number;
    };
  };
  /** Get the server's configuration. Returns the public configuration, such as the accepted audio formats and the languages that can be transcribed. */
  'site/config': {
    readonly body: undefined | undefined;
    readonly data: {
      readonly version: string;
      /** The audio formats that the server can decode: `opus` (.ogg, .opus, .oga), `wave` (.wav), `g711` (.wav with A-law or μ-law samples), `mp3`, `mp4` (.m4a, .mp4), `aac`, `flac`, `vorbis` (.ogg) and `webm`. Clients upload only files of these formats unchanged. Absent on older servers, which decode `opus` and `wave`. */
      readonly audio_kinds?: readonly string[] | undefined;
      readonly billing: 'sandbox' | 'stripe' | 'off';
      readonly engines: {
        /** One entry per language that this server can transcribe. Expect errors with quality `draft`. */
        readonly transcription: readonly {
          readonly language:
            | 'en'
            | 'zh-Hans'
            | 'ar'
            | 'ja'
            | 'ko'
            | 'th'
            | 'ru'
            | 'es'
            | 'pt'
            | 'fr'
            | 'auto';
          readonly engine: string;
          readonly quality: 'draft' | 'good';
        }[];
        /** The kind of summaries: extracted sentences, or text by a language model. */
        readonly analysis: {
          readonly engine: string;
          readonly kind: 'extractive' | 'generative';
          /** The supported structures. */
          readonly structures: readonly (
            | 'general'
            | 'meeting'
            | 'call'
            | 'lecture'
            | 'interview'
            | 'todo'
            | 'custom'
          )[];
          /** True if a summary may be in a different language from the recording. */
          readonly translates: boolean;
        };
        /** True if transcripts distinguish speakers. */
        readonly speakers: boolean;
        /** The speech models that this server downloads automatically, in order. Absent on older servers, and if the server downloads no models. */
        readonly downloads?:
          | readonly {
              readonly name: string;
              readonly licence: string;
              /** Size of the download. */
              readonly bytes: number;
              /** Number of bytes downloaded so far. */
              readonly done_bytes: number;
              readonly state: 'waiting' | 'downloading' | 'installing' | 'installed' | 'failed';
              /** Why the last attempt failed. Null if it succeeded, or before the first attempt. */
              readonly failure:
                | 'unreachable'
                | 'storage-full'
                | 'refused'
                | 'content-mismatch'
                | 'busy'
                | 'unusable'
                | null;
            }[]
          | undefined;
      };
      /** The map tile source, or null to use the app's built-in map. */
      readonly map_tiles: {
        /** A URL template that contains {z}, {x} and {y}. */
        readonly url: string;
        /** The attribution to show on the map. */
        readonly attribution: string;
      } | null;
      /** Base URLs of software recorders: the server's own virtual recorder and the recorders in `RECORDER_URLS`. */
      readonly virtual_recorder_urls: readonly string[];
      /** False if the server doesn't send mail, but only writes it to its outbox, where the operator can read verification codes. Absent on older servers. */
      readonly sends_mail?: boolean | undefined;
      /** True if `task/create` accepts a `range`. Absent on older servers, which would transcribe the whole recording. */
      readonly transcribes_ranges?: boolean | undefined;
      /** True if `sync/apply` accepts `recording.dismissProposal`. Absent on older servers, where `recording.speaker` with an empty name dismisses a proposal. */
      readonly dismisses_proposals?: boolean | undefined;
      /** True if the server has the call `task/merge`. Absent on older servers. */
      readonly merges_transcripts?: boolean | undefined;
      /** True if `sync/apply` accepts `recording.word`. Absent on older servers. */
      readonly recording_words?: boolean | undefined;
      readonly agreement_version: string;
      /** The operator's support address (`https:` or `mailto:`), or null if none is configured. */
      readonly support_url: string | null;
    };
  };
  /** Send feedback without an account. Sends feedback from a signed-out user to the operator. */
  'site/feedback': {
    readonly body: {
      readonly kind?: 'problem' | 'question' | 'wish' | 'other' | undefined;
      readonly content: string;
      /** The sender's contact details for a reply. For signed-in users, the account's email address is also known. */
      readonly contact?: string | undefined;
      /** The app's log, as shown to the user before sending. */
      readonly log?: string | undefined;
    };
    readonly data: {
      readonly id: string;
    };
  };
  /** Request an upload grant. Returns a short-lived grant to upload one object, either with a form or resumably with tus. After uploading audio, register it with `upload/ossFile`. API keys need the scope `write`. */
  'oss/config': {
    readonly body: {
      /** `voice_file` for audio, `avatar` for the account's picture. */
      readonly type: 'voice_file' | 'avatar';
      /** The file name extension, such as `ogg`. */
      readonly ext: string;
      /** For an mp3: true if it is a recording's audio, to be registered with upload/ossFile. Otherwise the grant is for the result of /convert. */
      readonly recording?: boolean | undefined;
    };
    readonly data: UploadGrant;
  };
  /** Request an upload grant for a log. Returns a grant to upload an app log, to be referenced in `user/feedback`. */
  'upload/ossConfig': { readonly body: undefined | undefined; readonly data: UploadGrant };
  /** Upload a recording in one request. Stores the file in the form field `radio` and registers it as a recording. Only the file is required. It may have up to 2 GiB, in one of the `audio_kinds` of `site/config`. The format is taken from the file name's extension or, without one, from the media type. With a `client_flag`, a repeated call returns the same recording. Without one, each call adds a recording. Transcribe it with `task/create` afterwards. API keys need the scope `write`. */
  'upload/radioFile': {
    readonly body: {
      readonly name?: string | undefined;
      /** 1 is a call, any other value is a note. */
      readonly source?: number | undefined;
      /** The recording's type. By default, it's derived from `source` and `sn`. */
      readonly scene?: 'call' | 'meeting' | 'note' | 'audio' | undefined;
      readonly url?: string | undefined;
      /** File size in bytes. */
      readonly file_size?: number | undefined;
      readonly mime_type?: string | undefined;
      readonly ext?: string | undefined;
      /** Duration in seconds. The server prefers the duration stated in the file's header. */
      readonly total_time?: number | undefined;
      /** Peak levels for the waveform, in base64: the recording is divided into equal parts, with one byte (0 to 255) per part. '' if the levels were never measured. */
      readonly peaks?: string | undefined;
      readonly sn?: string | undefined;
      /** The recording's ID, assigned by the client. It must be the same on every device and in every retry. */
      readonly client_flag?: string | undefined;
      /** When the recording was made, including the UTC offset of the user's time zone. Summaries use it to resolve words like “tomorrow”. Defaults to the time of the call. */
      readonly recorded_at?: string | undefined;
      readonly radio: Blob;
    };
    readonly data: Recording;
  };
  /** Register an uploaded recording. Registers uploaded audio as a recording. Idempotent: another call with the same `client_flag` returns the same recording. API keys need the scope `write`. */
  'upload/ossFile': {
    readonly body: {
      readonly name?: string | undefined;
      /** 1 is a call, any other value is a note. */
      readonly source?: number | undefined;
      /** The recording's type. By default, it's derived from `source` and `sn`. */
      readonly scene?: 'call' | 'meeting' | 'note' | 'audio' | undefined;
      /** The `url` of the upload grant, unchanged. */
      readonly url: string;
      /** The size in bytes. It must match the stored object. */
      readonly file_size: number;
      readonly mime_type?: string | undefined;
      readonly ext?: string | undefined;
      /** Duration in seconds. The server prefers the duration stated in the file's header. */
      readonly total_time?: number | undefined;
      /** Peak levels for the waveform, in base64: the recording is divided into equal parts, with one byte (0 to 255) per part. '' if the levels were never measured. */
      readonly peaks?: string | undefined;
      readonly sn?: string | undefined;
      /** The ID that the client assigns to the recording, such as a UUID. It must be the same on every device and in every retry. */
      readonly client_flag: string;
      /** When the recording was made, including the UTC offset of the user's time zone. Summaries use it to resolve words like “tomorrow”. Defaults to the time of the call. */
      readonly recorded_at?: string | undefined;
      /** The SHA-256 of the whole file, in hex. The server compares it with the stored object. */
      readonly sha256?: string | undefined;
      /** Audio levels of a recorded call, in base64, used to distinguish speakers in the transcript: for every 100 ms, one byte for the microphone and one byte for the remote party. */
      readonly call_levels?: string | undefined;
      /** True if phones may request a transcription automatically. */
      readonly auto_transcribe?: boolean | undefined;
    };
    readonly data: Recording;
  };
  /** Look up a recording. Returns the recording with this `client_flag`, or null. Call it before an upload to check whether the server already has the recording. API keys need the scope `read`. */
  'upload/checkOssFile': {
    readonly body: {
      readonly name?: string | undefined;
      /** 1 is a call, any other value is a note. */
      readonly source?: number | undefined;
      /** The recording's type. By default, it's derived from `source` and `sn`. */
      readonly scene?: 'call' | 'meeting' | 'note' | 'audio' | undefined;
      readonly url?: string | undefined;
      /** File size in bytes. */
      readonly file_size?: number | undefined;
      readonly mime_type?: string | undefined;
      readonly ext?: string | undefined;
      /** Duration in seconds. The server prefers the duration stated in the file's header. */
      readonly total_time?: number | undefined;
      /** Peak levels for the waveform, in base64: the recording is divided into equal parts, with one byte (0 to 255) per part. '' if the levels were never measured. */
      readonly peaks?: string | undefined;
      readonly sn?: string | undefined;
      /** The ID that the client assigned to the recording. All other fields are ignored. */
      readonly client_flag: string;
      /** When the recording was made, including the UTC offset of the user's time zone. Summaries use it to resolve words like “tomorrow”. Defaults to the time of the call. */
      readonly recorded_at?: string | undefined;
    };
    readonly data: Recording | null;
  };
  /** Convert a recording to MP3. Converts an uploaded Ogg file to MP3 and stores the result at the URL of an upload grant. API keys need the scope `write`. */
  convert: {
    readonly body: {
      /** The URL of the Ogg file, such as a recording's `url`. */
      readonly fileUrl: string;
      /** The URL to POST the MP3 to: the `uploadUrl` of an upload grant for `mp3`. */
      readonly postUrl: string;
      /** The `url` of that upload grant. */
      readonly iurl: string;
      /** The signed form fields for the POST request. */
      readonly uploadObj: Readonly<Record<string, string>>;
    };
    readonly data: {
      /** A short-lived signed URL of the MP3. */
      readonly iurl: string;
      /** The MP3's size in bytes. */
      readonly file_size: number;
    };
  };
  /** Rename a recording. Changes the name of a recording and returns the recording. API keys need the scope `write`. */
  'radio/rename': {
    readonly body: {
      readonly id: string;
      readonly name: string;
    };
    readonly data: Recording;
  };
  /** Move a recording to the recycle bin. Moves a recording to the recycle bin and cancels its transcription. `radio/recover` restores the recording. To delete permanently, use `radio/batchDelete`. API keys need the scope `write`. */
  'radio/delete': {
    readonly body: {
      readonly id: string;
    };
    readonly data: Recording;
  };
  /** Delete recordings permanently. Permanently deletes recordings with their audio and transcripts, whether or not they are in the recycle bin. This cannot be undone. To move a recording to the recycle bin, use `radio/delete`. API keys need the scope `write`. */
  'radio/batchDelete': {
    readonly body: {
      /** IDs of recordings. The call is atomic: it affects all of them or, if it fails, none. */
      readonly ids: readonly string[];
    };
    readonly data: {
      readonly ids: readonly string[];
    };
  };
  /** Restore recordings. Restores recordings from the recycle bin. API keys need the scope `write`. */
  'radio/recover': {
    readonly body: {
      /** IDs of recordings. The call is atomic: it affects all of them or, if it fails, none. */
      readonly ids: readonly string[];
    };
    readonly data: {
      readonly ids: readonly string[];
    };
  };
  /** List past transcriptions. Returns transcriptions and their cost, newest first, including transcriptions of deleted recordings. API keys need the scope `read`. */
  'radio/translateHistory': {
    readonly body: {
      /** Maximum number of rows in `list`. */
      readonly limit?: number | undefined;
      /** The page number, starting at 1. `list` is empty beyond the last page. */
      readonly page?: number | undefined;
    };
    readonly data: {
      readonly list: readonly {
        readonly id: string;
        readonly language:
          | 'en'
          | 'zh-Hans'
          | 'ar'
          | 'ja'
          | 'ko'
          | 'th'
          | 'ru'
          | 'es'
          | 'pt'
          | 'fr'
          | 'auto';
        /** Absent if the task transcribes the whole recording. With a range, `language` is the language of the existing transcript. */
        readonly range?: TaskRange | undefined;
        readonly status: TaskStatus;
        /** The progress over all steps, from 0 to 100. */
        readonly progress: number;
        readonly error: TaskFailure | null;
        /** The ID of the recording, or null if it was deleted permanently. */
        readonly radio_file_id: string | null;
        readonly name: string;
        /** The recording's source: 1 for a call. Any other value means a note. */
        readonly source: number;
        /** The recording's type. Older servers don't return it. */
        readonly scene?: 'call' | 'meeting' | 'note' | 'audio' | undefined;
        /** The audio's duration in whole seconds. Older servers return fractions. */
        readonly total_time: number;
        /** Whole minutes charged. */
        readonly minutes: number;
        readonly created_at: string;
        readonly updated_at: string;
      }[];
      /** Total number of rows on all pages. */
      readonly total: number;
      readonly page: number;
      readonly limit: number;
    };
  };
  /** Transcribe a recording. Queues the transcription and summary of a recording, and reserves the minutes. If the recording already has a running or completed task, returns that task, unless `again` requests a new one. Poll `task/detail` for the progress every few seconds, or register a webhook. A recording that can't be transcribed, for example because it is too short, gets a task with status 3 and an `error`. API keys need the scope `write`. */
  'task/create': {
    readonly body: {
      /** The ID of the recording. */
      readonly id: string;
      /** A BCP 47 tag such as `en`, or `auto` to detect the language. `site/config` lists the supported languages. */
      readonly language: string;
      /** Transcribes the recording again. Pass the ID of its latest task, which must be completed. The full price is charged unless a better engine replaces a draft. If that task is no longer the latest, the call returns the latest task instead, so a retry isn't charged twice. */
      readonly again?: string | undefined;
      /** Uploaded audio (oss/config, voice_file) to transcribe instead of the recording's own, such as a denoised version. The server deletes it when the task is finished. */
      readonly audio_url?: string | undefined;
      /** Transcribes only these paragraphs again, and charges only for their audio. Requires `again` with the ID of the transcript's task. All other paragraphs keep their IDs and edits and become part of the new task. */
      readonly range?:
        | {
            /** The ID of the first paragraph. */
            readonly from: string;
            /** The ID of the last paragraph. */
            readonly to: string;
          }
        | undefined;
    };
    readonly data: {
      /** The task's ID. */
      readonly id: string;
      readonly language:
        | 'en'
        | 'zh-Hans'
        | 'ar'
        | 'ja'
        | 'ko'
        | 'th'
        | 'ru'
        | 'es'
        | 'pt'
        | 'fr'
        | 'auto';
      readonly status: TaskStatus;
      /** The progress in percent, from 0 to 100. */
      readonly progress: number;
    };
  };
  /** Cancel a transcription. Cancels a queued or running transcription. If the task has already finished, returns it unchanged. API keys need the scope `write`. */
  'task/cancel': {
    readonly body: {
      /** The ID of a task, or of a recording to use its latest task. */
      readonly id: string;
    };
    readonly data: {
      readonly id: string;
      readonly status: TaskStatus;
      /** Whole minutes charged for the audio already processed by the engine, or 0 if it hadn't started. */
      readonly minutes: number;
    };
  };
  /** Merge transcripts. Combines the transcripts of merged recordings, with all edits, into the transcript of the resulting recording, and requests a summary. Costs no minutes. If the recording already has a task, returns that task. API keys need the scope `write`. */
  'task/merge': {
    readonly body: {
      /** The ID of the merged recording. */
      readonly id: string;
      /** The recordings that were merged, in order. */
      readonly parts: readonly {
        /** The client_flag of the recording. */
        readonly client_flag: string;
        /** Offset of its audio in the merged recording, in seconds. */
        readonly start: number;
      }[];
    };
    readonly data: {
      readonly id: string;
      readonly language:
        | 'en'
        | 'zh-Hans'
        | 'ar'
        | 'ja'
        | 'ko'
        | 'th'
        | 'ru'
        | 'es'
        | 'pt'
        | 'fr'
        | 'auto';
      readonly status: TaskStatus;
      readonly progress: number;
    };
  };
  /** Get the price of a transcription. Returns the minutes that `task/create` would charge for transcribing a recording (with `again`, if it already has a transcript). API keys need the scope `read`. */
  'task/price': {
    readonly body: {
      /** The ID of the recording. */
      readonly id: string;
      /** As in `task/create`. */
      readonly language: string;
    };
    readonly data: {
      /** Minutes that would be charged. 0 if a better engine replaces a draft that was already paid for. */
      readonly minutes: number;
    };
  };
  /** Count the drafts. Returns the number of draft transcripts that a better speech recognition engine can replace. API keys need the scope `read`. */
  'task/drafts': {
    readonly body: Readonly<Record<string, never>> | null | undefined;
    readonly data: {
      /** Number of transcripts made by the draft engine in languages for which the server now has a better engine. Transcripts with edits or highlights are not counted. */
      readonly count: number;
    };
  };
  /** Transcribe the drafts again. Queues a new transcription for each draft transcript, oldest first. Costs no minutes. Idempotent: a draft that is already queued isn't queued again. API keys need the scope `write`. */
  'task/replace-drafts': {
    readonly body: Readonly<Record<string, never>> | null | undefined;
    readonly data: {
      /** Number of transcriptions queued by this call. */
      readonly queued: number;
      /** Number of drafts that remain. Call again to queue them. */
      readonly left: number;
    };
  };
  /** Summarize again. Regenerates everything derived from the transcript's current text, such as the summary, to-dos and mind map. API keys need the scope `write`. */
  'task/summarize': {
    readonly body: {
      /** The ID of a task, or of a recording to use its latest task. */
      readonly id: string;
      /** The summary's structure. If absent, the structure doesn't change. */
      readonly structure?:
        | 'general'
        | 'meeting'
        | 'call'
        | 'lecture'
        | 'interview'
        | 'todo'
        | 'custom'
        | undefined;
      /** The template. Required with the structure `custom`, and not allowed otherwise. */
      readonly template?: SummaryTemplate | undefined;
      /** The summary's language. Defaults to the recording's. */
      readonly language?:
        | 'en'
        | 'zh-Hans'
        | 'ar'
        | 'ja'
        | 'ko'
        | 'th'
        | 'ru'
        | 'es'
        | 'pt'
        | 'fr'
        | undefined;
    };
    readonly data: {
      readonly id: string;
      readonly summarizing: {
        readonly status: TaskStatus;
      };
    };
  };
  /** Get a task. Returns a task's status and progress and, once its status is 2, the transcript, summary and mind map. API keys need the scope `read`. */
  'task/detail': {
    readonly body: {
      /** The ID of a task, or of a recording to use its latest task. */
      readonly id: string;
    };
    readonly data: Task;
  };
  /** List recordings with their tasks. Returns recordings, newest first. `task` is the recording's latest task, or null if it was never transcribed. `id` is the recording's ID, and `task.id` is the task's ID. Recordings in the recycle bin are omitted unless `ids` lists them. Archived recordings are included unless `archived` excludes them. API keys need the scope `read`. */
  'task/index': {
    readonly body: {
      /** Maximum number of rows in `list`. */
      readonly limit?: number | undefined;
      /** The page number, starting at 1. `list` is empty beyond the last page. */
      readonly page?: number | undefined;
      /** Returns only these recordings, including those in the recycle bin. By default, the call returns all recordings that are not in the recycle bin. */
      readonly ids?: readonly string[] | undefined;
      /** Whether to include archived recordings: `with` other recordings, `without` archived recordings, or `only` archived recordings. Older servers ignore this field, and have no archived recordings. */
      readonly archived?: 'with' | 'without' | 'only' | undefined;
    };
    readonly data: {
      readonly list: readonly ListedRecording[];
      /** Total number of rows on all pages. */
      readonly total: number;
      readonly page: number;
      readonly limit: number;
    };
  };
  /** Search recordings. Searches names, tags, keywords, speakers, summaries and transcripts. Returns recordings, newest first, each with its best matches. API keys need the scope `read`. */
  'task/search': {
    readonly body: {
      readonly keyword: string;
      /** True if the client supports matches in notes and markers. Otherwise they are counted but not returned, because older apps don't know them. */
      readonly notes?: boolean | undefined;
      /** Maximum number of rows in `list`. */
      readonly limit?: number | undefined;
      /** The page number, starting at 1. `list` is empty beyond the last page. */
      readonly page?: number | undefined;
    };
    readonly data: {
      readonly list: readonly {
        /** The recording's ID on the server, for the calls radio/* and task/*. For sync/apply, use `client_flag` instead. */
        readonly id: string;
        /** The name given by the user, or '' if the recording has none. */
        readonly name: string;
        /** The title generated with the summary, or '' if the recording has no summary. */
        readonly ai_title: string;
        /** 1 for a call. Any other value, usually 0, means a note. */
        readonly source: number;
        /** The recording's type. Older servers don't return it. */
        readonly scene?: 'call' | 'meeting' | 'note' | 'audio' | undefined;
        /** A short-lived signed URL that supports Range, or null if there's no audio on the server. */
        readonly url: string | null;
        /** The audio file's size in bytes. */
        readonly file_size: number;
        /** The audio file's SHA-256 in hex, computed by the server, or null if it has no audio. */
        readonly sha256: string | null;
        /** The audio's SHA-256 in hex, computed by the server, or null if it has no audio. Covers the Opus packets in order, as on a recorder, or the whole file if it isn't Ogg Opus. */
        readonly audio_sha256: string | null;
        /** True (the default) if phones may request a transcription automatically. */
        readonly auto_transcribe?: boolean | undefined;
        readonly mime_type: string;
        readonly ext: string;
        /** Duration in whole seconds. Older servers return fractions. */
        readonly total_time: number;
        /** Peak levels for the waveform, in base64: the recording is divided into equal parts, with one byte (0 to 255) per part. '' if the levels were never measured. */
        readonly peaks: string;
        /** The serial number of the recorder, or '' if none. */
        readonly sn: string;
        /** The ID assigned by the client, for sync/apply. It's the same on every device. */
        readonly client_flag: string;
        /** The latest task's status, or null if the recording was never transcribed. */
        readonly status: TaskStatus | null;
        /** The latest task's progress, from 0 to 100. */
        readonly progress: number;
        readonly keywords: readonly string[];
        /** The user's tags, in the order they were added. */
        readonly tags: readonly string[];
        /** A short version of the summary, or '' if there is no summary. */
        readonly brief: string;
        /** 1 if the recording is in the recycle bin, otherwise 0. */
        readonly is_del: 0 | 1;
        /** 1 if the recording is archived: hidden from the app's list, but included in searches and questions. Older servers don't return this field. */
        readonly is_archived?: 0 | 1 | undefined;
        /** 1 if the recording is protected: retention rules never move it to the recycle bin. Older servers don't return this field. */
        readonly is_protected?: 0 | 1 | undefined;
        readonly recorded_at: string;
        readonly created_at: string;
        readonly updated_at: string;
        /** The account's revision at the recording's latest change. Every change in the account increases the revision. */
        readonly rev: number;
        readonly task: TaskHead | null;
        readonly matches: readonly SearchMatch[];
        readonly match_count: number;
      }[];
      /** Total number of rows on all pages. */
      readonly total: number;
      readonly page: number;
      readonly limit: number;
    };
  };
  /** Edit a paragraph. Changes the text or highlight of a paragraph. To undo all edits, send the `original` text from `task/paragraph-history`. API keys need the scope `write`. */
  'task/modify-paragraph': {
    readonly body: {
      /** The ID of the paragraph. */
      readonly id: string;
      /** The ID of the recording. */
      readonly radio_file_id: string;
      readonly content?: string | undefined;
      /** 1 if the paragraph is highlighted, otherwise 0. */
      readonly is_tag?: 0 | 1 | undefined;
    };
    readonly data: Paragraph;
  };
  /** Get a paragraph's versions. Returns all versions of a paragraph's text, starting with the original. API keys need the scope `read`. */
  'task/paragraph-history': {
    readonly body: {
      /** The ID of the paragraph. */
      readonly id: string;
      /** The ID of the recording. */
      readonly radio_file_id: string;
    };
    readonly data: {
      readonly list: readonly {
        readonly content: string;
        /** `original`: the engine's text. `superseded`: text that was overridden by a later edit on another device. */
        readonly state: 'original' | 'applied' | 'superseded';
        /** When the user wrote this version. */
        readonly at: string;
      }[];
    };
  };
  /** Highlight a paragraph. Sets or clears the highlight of a paragraph. API keys need the scope `write`. */
  'task/tag': {
    readonly body: {
      /** The ID of the paragraph. */
      readonly id: string;
      /** The ID of the recording. */
      readonly radio_file_id: string;
      /** 1 if the paragraph is highlighted, otherwise 0. */
      readonly is_tag: 0 | 1;
    };
    readonly data: Paragraph;
  };
  /** Ask a question. Answers a question from the latest transcripts of all recordings, or of the recordings in `ids`. `quotes` contains the paragraphs that answer the question. `answer` is empty if no paragraph matches, or if the language model found no answer in them. The question may mention a period ("in March", "last week"), a speaker, a tag or a place. The question and its answer are stored in a thread. API keys need the scope `write`. */
  'ask/question': {
    readonly body: {
      readonly question: string;
      /** IDs of the recordings to ask about. If absent or empty, the question covers all recordings. */
      readonly ids?: readonly string[] | undefined;
      /** ID of the thread to continue, which also determines the recordings. If absent, a new thread is created. */
      readonly thread_id?: string | undefined;
      /** Maximum time to wait for a language model to write the answer, in seconds. */
      readonly wait?: number | undefined;
      /** An idempotency key generated by the client. If a question with this ID already exists, its answer is returned. */
      readonly question_id?: string | undefined;
    };
    readonly data: {
      readonly id: string;
      /** ID of the thread that the question belongs to. */
      readonly thread_id: string;
      readonly question: string;
      readonly asked_at: string;
      /** The answer, or an empty string if none was found. Unless `written` is true, it repeats the first quote. */
      readonly answer: string;
      /** True if a language model wrote the answer. Otherwise it is quoted from the recordings. */
      readonly written: boolean;
      /** True if quotes were omitted because their recordings were deleted or are in the recycle bin. */
      readonly missing: boolean;
      /** True while a language model is still writing the answer. Poll `ask/thread` for the sentences written so far. */
      readonly writing: boolean;
      /** The sentences of a written answer. */
      readonly sentences: readonly {
        readonly text: string;
        /** Index in `quotes` of the paragraph that supports the sentence. */
        readonly source: number;
      }[];
      /** The paragraphs that answer the question, best first. For a written answer, in the order in which it cites them. */
      readonly quotes: readonly Quote[];
      /** True if some recordings changed so recently that they could not be searched yet. */
      readonly indexing: boolean;
    };
  };
  /** Ask about a recording in progress. Answers a question from the live text of a recording in progress and stores it in a new thread. For follow-up questions, call `ask/question` with the thread: it uses the transcript once the recording is transcribed. API keys need the scope `write`. */
  'ask/live': {
    readonly body: {
      readonly question: string;
      /** The ID that the client assigns to the recording, as in upload/ossFile. */
      readonly client_flag: string;
      /** Maximum time to wait for a language model to write the answer, in seconds. */
      readonly wait?: number | undefined;
      /** An idempotency key generated by the client. If a question with this ID already exists, its answer is returned. */
      readonly question_id?: string | undefined;
    };
    readonly data: {
      readonly id: string;
      /** ID of the thread that the question belongs to. */
      readonly thread_id: string;
      readonly question: string;
      readonly asked_at: string;
      /** The answer, or an empty string if none was found. Unless `written` is true, it repeats the first quote. */
      readonly answer: string;
      /** True if a language model wrote the answer. Otherwise it is quoted from the recordings. */
      readonly written: boolean;
      /** True if quotes were omitted because their recordings were deleted or are in the recycle bin. */
      readonly missing: boolean;
      /** True while a language model is still writing the answer. Poll `ask/thread` for the sentences written so far. */
      readonly writing: boolean;
      /** The sentences of a written answer. */
      readonly sentences: readonly {
        readonly text: string;
        /** Index in `quotes` of the paragraph that supports the sentence. */
        readonly source: number;
      }[];
      /** The paragraphs that answer the question, best first. For a written answer, in the order in which it cites them. */
      readonly quotes: readonly Quote[];
      /** True if some recordings changed so recently that they could not be searched yet. */
      readonly indexing: boolean;
    };
  };
  /** Find passages. Returns the paragraphs that `ask/question` would quote, best first, without storing the question. Also works for keywords: unlike `task/search`, it finds paragraphs that contain only some of the words. API keys need the scope `read`. */
  'ask/passages': {
    readonly body: {
      readonly question: string;
      /** IDs of recordings to exclude. */
      readonly except?: readonly string[] | undefined;
    };
    readonly data: {
      readonly quotes: readonly Quote[];
      /** True if some recordings changed so recently that they could not be searched yet. */
      readonly indexing: boolean;
    };
  };
  /** List the threads. Returns the question threads, latest first. An account keeps its latest 500 threads. API keys need the scope `read`. */
  'ask/index': {
    readonly body: {
      /** Maximum number of rows in `list`. */
      readonly limit?: number | undefined;
      /** The page number, starting at 1. `list` is empty beyond the last page. */
      readonly page?: number | undefined;
    };
    readonly data: {
      readonly list: readonly Thread[];
      /** Total number of rows on all pages. */
      readonly total: number;
      readonly page: number;
      readonly limit: number;
    };
  };
  /** Get a thread. Returns the questions and answers of a thread, in order. Quotes from deleted recordings are omitted. API keys need the scope `read`. */
  'ask/thread': {
    readonly body: {
      readonly id: string;
    };
    readonly data: {
      readonly thread: Thread;
      readonly list: readonly Answer[];
    };
  };
  /** Delete a thread. Deletes a thread with all its questions and answers. API keys need the scope `write`. */
  'ask/delete': {
    readonly body: {
      readonly id: string;
    };
    readonly data: Readonly<Record<string, never>>;
  };
  /** Get the calendar URL. Returns the secret URL of the account's calendar, or null if it has none. Calendar apps subscribe to the URL. The calendar contains the to-dos and dates of the latest 1000 recordings. */
  'calendar/get': {
    readonly body: Readonly<Record<string, never>> | null | undefined;
    readonly data: {
      /** The calendar URL, or null if none has been created. */
      readonly url: string | null;
    };
  };
  /** Create the calendar URL. Creates the calendar URL, or returns the existing one. Changing the password invalidates the URL. */
  'calendar/create': {
    readonly body: Readonly<Record<string, never>> | null | undefined;
    readonly data: {
      /** The URL for subscribing in a calendar app. Anyone who has it can read the calendar, so keep it secret. */
      readonly url: string;
    };
  };
  /** Revoke the calendar URL. Revokes the calendar URL immediately. `calendar/create` then creates a different one. */
  'calendar/revoke': {
    readonly body: Readonly<Record<string, never>> | null | undefined;
    readonly data: Readonly<Record<string, never>>;
  };
  /** Create a link to a recording. Creates a link that shows the chosen parts of a recording to anyone who has the link, until it expires or is revoked. The page always shows the current names and texts. Requires a membership. */
  'share/create': {
    readonly body: {
      /** The ID of the recording. */
      readonly id: string;
      /** The parts of the recording that the page shows. */
      readonly parts: readonly ('transcript' | 'summary' | 'audio' | 'todos')[];
      /** Days until the link expires. If absent, the link never expires. */
      readonly expires_days?: number | undefined;
      /** A password of 8 to 128 characters that protects the page. */
      readonly password?: string | undefined;
    };
    readonly data: {
      /** The ID of the link. */
      readonly id: string;
      /** The URL of the page. Anyone who has it can open the page, unless the page has a password. */
      readonly url: string;
    };
  };
  /** List the links. Returns the links of the account or of one recording, newest first, with the times of their latest views. Links are deleted one month after they expire. */
  'share/index': {
    readonly body: {
      /** The ID of a recording. If present, only its links are returned. */
      readonly id?: string | undefined;
      /** Maximum number of rows in `list`. */
      readonly limit?: number | undefined;
      /** The page number, starting at 1. `list` is empty beyond the last page. */
      readonly page?: number | undefined;
    };
    readonly data: {
      readonly list: readonly ShareLink[];
      /** Total number of rows on all pages. */
      readonly total: number;
      readonly page: number;
      readonly limit: number;
    };
  };
  /** Revoke a link. Deletes a link and its views. The page and its audio become unavailable immediately. */
  'share/revoke': {
    readonly body: {
      /** The ID of the link. */
      readonly id: string;
    };
    readonly data: Readonly<Record<string, never>>;
  };
  /** List the vaults. Returns the account's vaults: at most one folder on the server (if the operator has set VAULT_DIR) and one on a WebDAV server. A vault contains one Markdown file per recording. */
  'vault/index': {
    readonly body: Readonly<Record<string, never>> | null | undefined;
    readonly data: {
      readonly list: readonly Vault[];
    };
  };
  /** Connect a WebDAV folder. Tests a WebDAV folder by writing a file and, if that succeeds, connects it. Creates the folder if its parent exists. Disconnects any previous folder, which keeps its files. The password is stored encrypted and never returned. */
  'vault/connect': {
    readonly body: {
      /** An HTTPS URL without credentials. Its host must not be on a private network. */
      readonly url: string;
      readonly username: string;
      readonly password: string;
    };
    readonly data: {
      /** Why the folder cannot be used, or null if the test succeeded. */
      readonly failure:
        | 'unresolved'
        | 'forbidden'
        | 'connection'
        | 'certificate'
        | 'timeout'
        | 'redirect'
        | 'unauthorized'
        | 'denied'
        | 'missing'
        | 'full'
        | 'busy'
        | 'unsupported'
        | 'refused'
        | 'failed'
        | 'secret'
        | null;
      /** The connected vault, or null if the test failed. */
      readonly vault: Vault | null;
    };
  };
  /** Test a vault. Tests a WebDAV folder by writing and deleting a file. For a folder on the server, returns the latest failure and makes a worker retry immediately. */
  'vault/test': {
    readonly body: {
      /** `folder`: the account's folder on the server. `webdav`: a folder on a WebDAV server. */
      readonly kind: 'folder' | 'webdav';
    };
    readonly data: {
      /** Why the folder cannot be used, or null if the test succeeded. */
      readonly failure:
        | 'unresolved'
        | 'forbidden'
        | 'connection'
        | 'certificate'
        | 'timeout'
        | 'redirect'
        | 'unauthorized'
        | 'denied'
        | 'missing'
        | 'full'
        | 'busy'
        | 'unsupported'
        | 'refused'
        | 'failed'
        | 'secret'
        | null;
    };
  };
  /** Set the template of a vault. Replaces the template and rewrites the files whose text changes. */
  'vault/template': {
    readonly body: {
      /** `folder`: the account's folder on the server. `webdav`: a folder on a WebDAV server. */
      readonly kind: 'folder' | 'webdav';
      /** The new template, or null for the default template. */
      readonly template: string | null;
    };
    readonly data: Vault;
  };
  /** Stop a vault. Stops updating the files until the vault is resumed. */
  'vault/stop': {
    readonly body: {
      /** `folder`: the account's folder on the server. `webdav`: a folder on a WebDAV server. */
      readonly kind: 'folder' | 'webdav';
    };
    readonly data: Vault;
  };
  /** Resume a vault. Resumes a stopped vault, or retries immediately after a failure. */
  'vault/resume': {
    readonly body: {
      /** `folder`: the account's folder on the server. `webdav`: a folder on a WebDAV server. */
      readonly kind: 'folder' | 'webdav';
    };
    readonly data: Vault;
  };
  /** Disconnect the WebDAV folder. Disconnects the WebDAV folder and deletes its stored password. The files remain. Also succeeds if no folder is connected. */
  'vault/disconnect': {
    readonly body: Readonly<Record<string, never>> | null | undefined;
    readonly data: Readonly<Record<string, never>>;
  };
  /** Register a webhook. Registers a URL that events are posted to, and returns the secret for verifying their signatures. An account can have up to 10 webhooks. */
  'webhook/create': {
    readonly body: {
      /** An HTTPS URL without credentials. Its host must not be on a private network. */
      readonly url: string;
      /** The events to send. */
      readonly events: readonly (
        | 'recording.arrived'
        | 'recording.transcribed'
        | 'recording.summarized'
        | 'recording.edited'
        | 'recording.deleted'
      )[];
    };
    readonly data: {
      readonly id: string;
      /** The secret for verifying the signatures of deliveries: `whsec_` followed by 32 bytes in base64. It is returned only once. */
      readonly secret: string;
    };
  };
  /** List the webhooks. Returns the webhooks, newest first, without their secrets. */
  'webhook/index': {
    readonly body: {
      /** Maximum number of rows in `list`. */
      readonly limit?: number | undefined;
      /** The page number, starting at 1. `list` is empty beyond the last page. */
      readonly page?: number | undefined;
    };
    readonly data: {
      readonly list: readonly Webhook[];
      /** Total number of rows on all pages. */
      readonly total: number;
      readonly page: number;
      readonly limit: number;
    };
  };
  /** Delete a webhook. Deletes a webhook and its deliveries. Messages already being sent may still arrive. */
  'webhook/delete': {
    readonly body: {
      readonly id: string;
    };
    readonly data: Readonly<Record<string, never>>;
  };
  /** Enable a webhook. Enables a disabled webhook. Events that occurred while it was disabled aren't sent. */
  'webhook/enable': {
    readonly body: {
      readonly id: string;
    };
    readonly data: Webhook;
  };
  /** List the deliveries of a webhook. Returns a webhook's deliveries, latest first, with the result of the latest attempt. The latest 1000 finished deliveries are stored for 30 days. */
  'webhook/deliveries': {
    readonly body: {
      readonly id: string;
      /** Maximum number of rows in `list`. */
      readonly limit?: number | undefined;
      /** The page number, starting at 1. `list` is empty beyond the last page. */
      readonly page?: number | undefined;
    };
    readonly data: {
      readonly list: readonly WebhookDelivery[];
      /** Total number of rows on all pages. */
      readonly total: number;
      readonly page: number;
      readonly limit: number;
    };
  };
  /** Resend a message. Sends a message again with the same `webhook-id`, and retries it like a new message if it fails. The webhook must be enabled. */
  'webhook/resend': {
    readonly body: {
      /** The ID of a delivery. */
      readonly id: string;
    };
    readonly data: WebhookDelivery;
  };
  /** Rotate the secret of a webhook. Returns a new secret. For 24 hours, deliveries are also signed with the previous secret. */
  'webhook/rotateSecret': {
    readonly body: {
      readonly id: string;
    };
    readonly data: {
      /** The secret for verifying the signatures of deliveries: `whsec_` followed by 32 bytes in base64. It is returned only once. */
      readonly secret: string;
    };
  };
  /** Test a webhook. Sends the event `webhook.test`. The webhook must be enabled. */
  'webhook/test': {
    readonly body: {
      readonly id: string;
    };
    readonly data: {
      /** The ID of the delivery. */
      readonly id: string;
    };
  };
  /** Get the push subscription. Returns the server's VAPID key and the session's subscription, or null if it has none. */
  'push/get': {
    readonly body: Readonly<Record<string, never>>;
    readonly data: {
      /** The server's VAPID key: an uncompressed P-256 point in base64url. */
      readonly public_key: string;
      readonly subscription: PushSubscription | null;
    };
  };
  /** Subscribe to notifications. Registers the browser's push subscription for the session, replacing any earlier one. The subscription ends with the session. An account can have up to 50. */
  'push/subscribe': {
    readonly body: {
      /** The URL at the push service, as in `PushSubscription.endpoint`. */
      readonly endpoint: string;
      /** The browser's keys, as in `PushSubscription.toJSON()`. */
      readonly keys: {
        readonly p256dh: string;
        readonly auth: string;
      };
      /** The events to send. */
      readonly events: readonly ('transcript' | 'todos')[];
      /** Whether notifications may contain the names of recordings and the text of to-dos. */
      readonly shows_titles: boolean;
      /** The user's IANA time zone, which determines the day on which a to-do is due. */
      readonly time_zone: string;
    };
    readonly data: PushSubscription;
  };
  /** Unsubscribe from notifications. Deletes the session's push subscription. */
  'push/unsubscribe': {
    readonly body: Readonly<Record<string, never>>;
    readonly data: Readonly<Record<string, never>>;
  };
  /** Test the push subscription. Sends a notification to the session's subscription. */
  'push/test': {
    readonly body: Readonly<Record<string, never>>;
    readonly data: Readonly<Record<string, never>>;
  };
  /** Get the email notifications. Returns the events that trigger an email to the account's address. All are off by default. */
  'mail/get': { readonly body: Readonly<Record<string, never>>; readonly data: NotificationMails };
  /** Change the email notifications. Replaces the set of events that trigger an email. Transcript emails are batched: at most one per hour, listing the times of the newly transcribed recordings. To-do emails are sent in the morning in the given time zone. Emails never contain a recording's name or text. */
  'mail/set': {
    readonly body: {
      /** The events that trigger an email. All are off by default. */
      readonly events: readonly ('transcript' | 'todos')[];
      /** The user's IANA time zone, which determines the day on which a to-do is due. */
      readonly time_zone: string;
    };
    readonly data: NotificationMails;
  };
  /** List the retention rules. Returns the rules in creation order. Rules run once a day. */
  'retention/index': {
    readonly body: Readonly<Record<string, never>> | null | undefined;
    readonly data: {
      readonly list: readonly RetentionRule[];
    };
  };
  /** Preview a retention rule. Returns the recordings that a rule would move to the recycle bin if it ran now, oldest first, and the number of recordings it would skip, by reason. Nothing is saved or moved. */
  'retention/preview': {
    readonly body: {
      /** The rule applies only to recordings with this tag, or to all recordings if null. */
      readonly tag: string | null;
      /** The age at which recordings are moved, in `unit`s: 7 to 3650 days, or 1 to 1200 months. */
      readonly after: number;
      readonly unit: 'day' | 'month';
      /** Maximum number of rows in `list`. */
      readonly limit?: number | undefined;
      /** The page number, starting at 1. `list` is empty beyond the last page. */
      readonly page?: number | undefined;
    };
    readonly data: {
      readonly list: readonly AffectedRecording[];
      /** Total number of rows on all pages. */
      readonly total: number;
      readonly page: number;
      readonly limit: number;
      /** How many other recordings of this age the rule would skip because they are protected. */
      readonly protected: number;
      /** How many it would skip because the server has no verified copy of their audio. */
      readonly not_stored: number;
      /** How many it would skip because they are being transcribed. */
      readonly transcribing: number;
      /** How many it would skip because they have a valid share link. */
      readonly shared: number;
    };
  };
  /** Create or change a retention rule. Saves a rule that moves recordings to the recycle bin once they reach a certain age. The rule never deletes them. It first runs 24 hours after it is created or changed. A recording's age is the time since it was recorded, uploaded or last restored from the recycle bin, whichever happened last. A rule skips recordings that are protected, are being transcribed, have a valid share link, or have no audio on the server. It doesn't skip archived recordings. Saving a paused rule confirms it. An account can have up to 20 rules. */
  'retention/save': {
    readonly body: {
      readonly id?: string | undefined;
      /** The rule applies only to recordings with this tag, or to all recordings if null. */
      readonly tag: string | null;
      /** The age at which recordings are moved, in `unit`s: 7 to 3650 days, or 1 to 1200 months. */
      readonly after: number;
      readonly unit: 'day' | 'month';
    };
    readonly data: RetentionRule;
  };
  /** Delete a retention rule. Deletes a rule. Recordings it moved stay in the recycle bin. */
  'retention/delete': {
    readonly body: {
      readonly id: string;
    };
    readonly data: Readonly<Record<string, never>>;
  };
  /** List the runs of rules. Returns the runs of the past 365 days that moved recordings, latest first. */
  'retention/runs': {
    readonly body: {
      /** Maximum number of rows in `list`. */
      readonly limit?: number | undefined;
      /** The page number, starting at 1. `list` is empty beyond the last page. */
      readonly page?: number | undefined;
    };
    readonly data: {
      readonly list: readonly RetentionRun[];
      /** Total number of rows on all pages. */
      readonly total: number;
      readonly page: number;
      readonly limit: number;
    };
  };
  /** List the recordings of a run. Returns the recordings that a run moved, oldest first. Permanently deleted recordings are omitted. */
  'retention/moved': {
    readonly body: {
      readonly id: string;
      /** Maximum number of rows in `list`. */
      readonly limit?: number | undefined;
      /** The page number, starting at 1. `list` is empty beyond the last page. */
      readonly page?: number | undefined;
    };
    readonly data: {
      readonly list: readonly AffectedRecording[];
      /** Total number of rows on all pages. */
      readonly total: number;
      readonly page: number;
      readonly limit: number;
    };
  };
  /** Undo a run. Restores the recordings of a run that have stayed in the recycle bin since the run. Their age then counts from now. */
  'retention/undo': {
    readonly body: {
      readonly id: string;
    };
    readonly data: {
      /** The number of restored recordings. */
      readonly recovered: number;
    };
  };
  /** Send audio of a recording in progress. Appends audio packets of a recording in progress, and returns the text recognized so far. The transcription of the recording reuses that text. Requires a membership. API keys need the scope `write`. */
  'live/append': {
    readonly body: {
      /** The ID that the client assigns to the recording, as in upload/ossFile. */
      readonly client_flag: string;
      /** The language of the recording. Only the first call for a recording sets it. */
      readonly language:
        | 'en'
        | 'zh-Hans'
        | 'ar'
        | 'ja'
        | 'ko'
        | 'th'
        | 'ru'
        | 'es'
        | 'pt'
        | 'fr'
        | 'auto';
      /** The index of the first packet in `packets`. Packets that the server already has are ignored. If earlier packets are missing, the server stores nothing, and `received` tells the client where to continue. */
      readonly first: number;
      /** Complete Opus packets of 160 bytes and 20 ms each, as on a recorder, in base64. May be empty. */
      readonly packets: string;
      /** True if the recording has ended and these are its last packets. */
      readonly ended?: boolean | undefined;
      /** Names and terms that the user added to the recording (`recording.word`), which speech recognition looks for from the next passage. Absent if they have not changed since the previous call. */
      readonly words?: readonly string[] | undefined;
      /** The number of passages that the client already has. Only later passages are returned. */
      readonly known?: number | undefined;
    };
    readonly data: LiveSession;
  };
  /** List live texts. Returns the live text of recordings in progress on any of the account's devices. API keys need the scope `read`. */
  'live/list': {
    readonly body: {
      /** If present, only the session of this recording is returned. */
      readonly client_flag?: string | undefined;
      /** The number of passages that the client already has. Only later passages are returned. */
      readonly known?: number | undefined;
    };
    readonly data: {
      readonly list: readonly LiveSession[];
    };
  };
  /** Wait for live text. Waits for new live text. Returns the recordings in progress on the account's devices as soon as their version differs from `version`, or after `wait` seconds. Finished recordings remain listed until they are uploaded. API keys need the scope `read`. */
  'live/watch': {
    readonly body: {
      /** The version from the previous response. Absent in the first call. */
      readonly version?: string | undefined;
      /** Maximum time to wait for a new version, in seconds (long polling). */
      readonly wait?: number | undefined;
      /** For each recording, the number of passages that the client already has. Only later passages are returned. */
      readonly known?:
        | readonly {
            /** The ID that the client assigns to the recording, as in upload/ossFile. */
            readonly client_flag: string;
            readonly passages: number;
          }[]
        | undefined;
      /** Recordings to exclude, such as the client's own. */
      readonly except?: readonly string[] | undefined;
    };
    readonly data: {
      /** Changes with the text, the phase and the list of recordings. */
      readonly version: string;
      /** The recordings that received packets within the last ten minutes and have not been uploaded yet, oldest first. */
      readonly list: readonly WatchedLiveSession[];
    };
  };
  /** List the stored voices. Returns the voices used to recognize speakers in new recordings. Voices are stored only if the user has turned on the setting `remember` in the group `voices`. API keys need the scope `read`. */
  'voice/list': {
    readonly body: Readonly<Record<string, never>> | null | undefined;
    readonly data: {
      /** The voices, sorted by name. */
      readonly list: readonly Voice[];
      /** The number of stored voices whose speakers have no name yet. */
      readonly unnamed: number;
    };
  };
  /** Rename a voice. Renames a voice, and its speaker in all recordings the voice was stored from. API keys need the scope `write`. */
  'voice/rename': {
    readonly body: {
      /** The name that the voice is stored under. */
      readonly name: string;
      /** The new name. If another voice already has this name, the two are merged. */
      readonly to: string;
    };
    readonly data: {
      readonly recordings: number;
    };
  };
  /** Forget a voice. Deletes a voice's embeddings, and the embeddings of unnamed speakers for whom the voice's name is proposed. API keys need the scope `write`. */
  'voice/forget': {
    readonly body: {
      /** The name that the voice is stored under. */
      readonly name: string;
    };
    readonly data: {
      readonly embeddings: number;
    };
  };
  /** Export the voices. Returns all stored data about voices, including the embeddings. */
  'voice/export': {
    readonly body: Readonly<Record<string, never>> | null | undefined;
    readonly data: {
      readonly list: readonly ExportedVoice[];
    };
  };
  /** Apply edits. Applies each edit exactly once and returns an outcome for each. Edits identify recordings by `client_flag` rather than `id`, because clients can edit recordings before the server has assigned an ID. API keys need the scope `write`. */
  'sync/apply': {
    readonly body: {
      readonly ops: readonly Operation[];
    };
    readonly data: {
      readonly results: readonly OperationOutcome[];
      readonly rev: number;
    };
  };
  /** Get changes. Returns all changes to the account since a cursor. The first call, without a cursor, returns everything. Call again while `more` is true. With `recordings_first`, the first pages contain all settings and recordings, which are repeated among the changes that follow. In these changes, a paragraph has `edited` if it has earlier versions, and `words` always belongs to the original text from speech recognition. API keys need the scope `read`. */
  'sync/changes': {
    readonly body: {
      /** The cursor from the previous response. Absent in the first call. */
      readonly cursor?: string | undefined;
      readonly limit?: number | undefined;
      /** In the first call: true to receive all settings and recordings before the first page of changes, so that the recordings can be listed early. Has no effect if a single page holds all changes. */
      readonly recordings_first?: boolean | undefined;
    };
    readonly data: {
      /** The changes, ordered by revision. The pages that precede them because of `recordings_first` are a preview: settings come before recordings, which begin with the latest revision, and their revisions do not count for `base_rev`. */
      readonly changes: readonly Change[];
      readonly cursor: string;
      /** True if there are more changes to fetch. */
      readonly more: boolean;
    };
  };
  /** List the recorders. Returns the recorders bound to the account. API keys need the scope `read`. */
  'device/index': {
    readonly body: Readonly<Record<string, never>> | null | undefined;
    readonly data: {
      readonly list: readonly BoundDevice[];
      /** Total number of rows on all pages. */
      readonly total: number;
      readonly page: number;
      readonly limit: number;
    };
  };
  /** Check a recorder. Returns whether the recorder is bound to the account, and a challenge for binding it. */
  'device/check': {
    readonly body: {
      readonly sn: string;
    };
    readonly data: {
      readonly sn: string;
      /** The recorder's name. Empty unless the recorder belongs to the caller. */
      readonly name: string;
      readonly bound: 'none' | 'self';
      /** Identifies the account to the recorder: 16 bytes in hex, always the same for an account and recorder. */
      readonly owner_tag: string;
      /** The challenge for the recorder to sign as proof of the binding: 32 bytes in hex, valid for ten minutes. */
      readonly challenge: string;
    };
  };
  /** Bind a recorder. Binds a recorder. Without `binding_key`, creates a version 1 binding and deletes any earlier key. A binding without `proof` is removed when another account binds the same recorder with proof. */
  'device/binding': {
    readonly body: {
      readonly sn: string;
      readonly binding_key?: string | undefined;
      readonly proof?: BindingProof | undefined;
    };
    readonly data: BoundDevice;
  };
  /** Unbind a recorder. Unbinds a recorder from the account. */
  'device/unbinding': {
    readonly body: {
      readonly sn: string;
    };
    readonly data: {
      readonly sn: string;
    };
  };
  /** Get the balance of minutes. Returns the available minutes by source, and the minutes reserved by running tasks. API keys need the scope `read`. */
  'user/leftMinute': {
    readonly body: Readonly<Record<string, never>> | null | undefined;
    readonly data: {
      /** Available minutes: the sum of all balances minus the minutes reserved by running tasks. */
      readonly left_minutes: number;
      readonly vip_minutes: number;
      readonly free_minutes: number;
      readonly package_minutes: number;
      readonly reserved_minutes: number;
    };
  };
  /** Get the storage usage. Returns the total size of the account's recordings on the server, and the account's quota. API keys need the scope `read`. */
  'user/storage': {
    readonly body: Readonly<Record<string, never>> | null | undefined;
    readonly data: {
      /** Total size of the account's recordings, in bytes. */
      readonly used_bytes: number;
      /** Maximum total size in bytes, or null if the operator has set no limit. */
      readonly quota_bytes: number | null;
    };
  };
  /** List the orders. Returns the account's orders, newest first. */
  'user/orderRecord': {
    readonly body: {
      /** Maximum number of rows in `list`. */
      readonly limit?: number | undefined;
      /** The page number, starting at 1. `list` is empty beyond the last page. */
      readonly page?: number | undefined;
    };
    readonly data: {
      readonly list: readonly Order[];
      /** Total number of rows on all pages. */
      readonly total: number;
      readonly page: number;
      readonly limit: number;
    };
  };
  /** Get an order. Returns an order and its status. */
  'user/order': {
    readonly body: {
      readonly id: string;
    };
    readonly data: Order;
  };
  /** List the plans. Returns the memberships and minute packages for sale. */
  'user/plans': {
    readonly body: Readonly<Record<string, never>> | null | undefined;
    readonly data: {
      readonly list: readonly Plan[];
    };
  };
  /** Order a plan. Creates an order and returns the URL of the checkout page. */
  'user/pay': {
    readonly body: {
      readonly plan: 'vip_monthly' | 'vip_annual' | 'package_120' | 'package_600' | 'package_3000';
      /** The language of the interface, as a BCP 47 tag such as `pt-BR`. Unsupported languages fall back to English. */
      readonly language?: string | undefined;
      /** The app path that the checkout returns to, with ?order=…&status=success|fail|cancel. */
      readonly return_path?: string | undefined;
    };
    readonly data: {
      readonly order_id: string;
      readonly pay_url: string;
      readonly status: 'pending' | 'paid' | 'failed' | 'canceled' | 'expired' | 'refunded';
    };
  };
  /** Restore purchases. Checks all pending orders with the payment service, in case a payment notification was lost. Returns the orders found to be paid. */
  'user/restore': {
    readonly body: Readonly<Record<string, never>> | null | undefined;
    readonly data: {
      readonly restored: readonly Order[];
    };
  };
  /** Turn off renewal. Turns off automatic renewal. The membership lasts until the end of the paid period. */
  'user/cancelRenewal': {
    readonly body: Readonly<Record<string, never>> | null | undefined;
    readonly data: Subscription;
  };
  /** Get the settings. Returns the account's settings by group and key. API keys need the scope `read`. */
  'user/config': {
    readonly body: Readonly<Record<string, never>> | null | undefined;
    readonly data: Readonly<Record<string, Readonly<Record<string, string>>>>;
  };
  /** Change a setting. Sets one setting and returns it. */
  'user/updateConfig': {
    readonly body: {
      readonly group_name: string;
      readonly config_key: string;
      readonly config_value: string;
    };
    readonly data: Setting;
  };
  /** Send feedback. Sends feedback to the operator, optionally with an uploaded log. */
  'user/feedback': {
    readonly body: {
      readonly kind?: 'problem' | 'question' | 'wish' | 'other' | undefined;
      readonly content: string;
      /** The sender's contact details for a reply. For signed-in users, the account's email address is also known. */
      readonly contact?: string | undefined;
      /** The app's log, as shown to the user before sending. */
      readonly log?: string | undefined;
      /** The `url` of an uploaded log. */
      readonly log_url?: string | undefined;
    };
    readonly data: {
      readonly id: string;
    };
  };
}
