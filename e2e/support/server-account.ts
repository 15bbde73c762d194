import type { Recording, Task } from '@linnet/contract';
import { type CallResult, type Client, createClient } from '@linnet/contract/client';
import { signCosPost } from '@linnet/contract/cos-post';
import type { Bcp47 } from '@linnet/contract/languages';
import {
  storageSetting,
  taskStatus,
  transcriptionSetting,
  voiceSetting,
} from '@linnet/contract/statuses';
import type { ServerRow } from '@linnet/sync';
import { PASSWORD } from './linnet-app.ts';
import type { Stack } from './stack.ts';
import { waitUntil } from './wait-until.ts';

/** A transcription's result and its cost in minutes. */
export type TranscriptionResult = {
  readonly recording: Recording;
  readonly task: Task;
  readonly paragraphs: readonly string[];
  readonly minutes: number;
};

/** An audio file to upload. */
export type AudioFile = {
  readonly bytes: Buffer;
  readonly ext: 'ogg' | 'wav';
  readonly type: string;
};

/** Parameters for registering and transcribing a recording. */
export type RecordingDetails = {
  readonly name: string;
  readonly language: Bcp47;
  /** When it was recorded (ISO 8601); the upload time by default. */
  readonly recordedAt?: string;
};
const defaultDetails: RecordingDetails = { name: 'undisturbed', language: 'en' };

/** An account that uses the API directly, without a phone. */
export class ServerAccount {
  readonly #client: Client;

  private constructor(client: Client) {
    this.#client = client;
  }

  /** Registers an account with the emailed code and signs in. */
  static async register(stack: Stack, email: string): Promise<ServerAccount> {
    const client = createClient({ baseUrl: stack.url });
    unwrap(await client.call('site/code', { email }));
    const code = await stack.waitForEmailedCode(email);
    const password = { password: PASSWORD, repassword: PASSWORD };
    unwrap(await client.call('user/register', { email, code, ...password }));
    return ServerAccount.signIn(stack, email);
  }

  static async signIn(stack: Stack, email: string): Promise<ServerAccount> {
    const baseUrl = stack.url;
    const client = createClient({ baseUrl });
    const signIn = async () =>
      unwrap(await client.call('user/login', { email, password: PASSWORD }));
    let login = await signIn();
    const tokens = {
      access: () => login.access_token,
      refresh: () => login.refresh_token,
      // Access tokens expire during long recordings.
      renew: async () => {
        login = await signIn();
        return login.access_token;
      },
    };
    return new ServerAccount(createClient({ baseUrl, tokens }));
  }

  /** Turns off audio storage on phones, which makes them stream from the cloud. */
  async disablePhoneStorage(): Promise<void> {
    const { group, keys } = storageSetting;
    const setting = { group_name: group, config_key: keys.phone, config_value: '0' };
    unwrap(await this.#client.call('user/updateConfig', setting));
  }

  /** True if the account has agreed to voices being stored. */
  async remembersVoices(): Promise<boolean> {
    const settings = unwrap(await this.#client.call('user/config'));
    return settings[voiceSetting.group]?.[voiceSetting.key] === '1';
  }

  /** Names a speaker in a recording, as another device does. @param recording the recording's client flag */
  async nameSpeaker(recording: string, speaker: string, name: string): Promise<void> {
    const head = { op_id: crypto.randomUUID(), base_rev: 0, at: new Date().toISOString() };
    const op = { ...head, type: 'recording.speaker', recording, speaker, name } as const;
    const { results } = unwrap(await this.#client.call('sync/apply', { ops: [op] }));
    if (results[0]?.outcome !== 'applied') throw new Error('the speaker was not named');
  }

  /** Turns off live text, which splits the audio at different positions from a transcription of the whole recording. */
  async disableLiveText(): Promise<void> {
    const { group, keys } = transcriptionSetting;
    const setting = { group_name: group, config_key: keys.live, config_value: '0' };
    unwrap(await this.#client.call('user/updateConfig', setting));
  }

  /** Returns the minute balance and the minutes reserved by running tasks. */
  async getMinutes(): Promise<{ left: number; reserved: number }> {
    const balance = unwrap(await this.#client.call('user/leftMinute'));
    return { left: balance.left_minutes, reserved: balance.reserved_minutes };
  }

  /** Returns all recordings on the server with a `client_flag`. */
  async findRecordings(clientFlag: string): Promise<readonly ServerRow[]> {
    const { list, total } = unwrap(await this.#client.call('task/index', { limit: 1000, page: 1 }));
    if (list.length !== total) throw new Error('more recordings than one page holds');
    return list.filter(({ client_flag }) => client_flag === clientFlag);
  }

  async getTask(id: string): Promise<Task> {
    return unwrap(await this.#client.call('task/detail', { id }));
  }

  /** Uploads a recording and waits for its transcript. */
  async transcribe(
    clientFlag: string,
    audio: AudioFile,
    details = defaultDetails,
    timeoutMs = 120_000,
  ): Promise<TranscriptionResult> {
    const minutesBefore = await this.getMinutes();
    const recording = await this.upload(clientFlag, audio, details);
    const { language } = details;
    const created = unwrap(await this.#client.call('task/create', { id: recording.id, language }));
    const task = await waitUntil(
      'the recording is transcribed',
      async () => {
        const current = await this.getTask(created.id);
        return current.status === taskStatus.transcribed || current.status === taskStatus.failed
          ? current
          : null;
      },
      timeoutMs,
    );
    if (task.status === taskStatus.failed) throw new Error(`not transcribed: ${task.error?.msg}`);
    const minutesAfter = await this.getMinutes();
    return {
      recording,
      task,
      paragraphs: task.paragraphs.map(({ content }) => content),
      minutes: minutesBefore.left - minutesAfter.left,
    };
  }

  /** Uploads a recording, as another of the account's phones would. */
  async upload(
    clientFlag: string,
    { bytes, ext, type }: AudioFile,
    { name, recordedAt }: Omit<RecordingDetails, 'language'>,
  ): Promise<Recording> {
    const grant = unwrap(await this.#client.call('oss/config', { type: 'voice_file', ext }));
    const form = new FormData();
    const fields = await signCosPost(grant, { contentType: type, size: bytes.length });
    for (const [field, value] of Object.entries(fields)) form.append(field, value);
    form.append('file', new Blob([new Uint8Array(bytes)], { type }), `audio.${ext}`);
    const response = await fetch(grant.uploadUrl, { method: 'POST', body: form });
    if (response.status !== 204)
      throw new Error(`upload: ${response.status} ${await response.text()}`);
    return unwrap(
      await this.#client.call('upload/ossFile', {
        name,
        source: 2,
        url: grant.url,
        file_size: bytes.length,
        ext,
        mime_type: type,
        total_time: 1,
        sn: '',
        client_flag: clientFlag,
        ...(recordedAt && { recorded_at: recordedAt }),
      }),
    );
  }
}

/**
 * Returns the data of a successful call.
 * @throws if the call failed
 */
function unwrap<T>(result: CallResult<T>): T {
  if (result.ok) return result.data;
  throw new Error('a call failed', { cause: result.failure });
}
