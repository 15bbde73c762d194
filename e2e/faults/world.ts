import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OpusModule } from '@linnet/audio/opus';
import type { Quote } from '@linnet/contract';
import { limits } from '@linnet/contract/limits';
import { storageSetting } from '@linnet/contract/statuses';
import { refusals } from '@linnet/server/testing/openai';
import { type CopyPlace, readStorageSetting } from '@linnet/sync';
import { waitUntil } from '../support/wait-until.ts';
import { type Action, isFault } from './actions.ts';
import { FaultPhone } from './phone.ts';
import type { Tamper } from './phone-app.ts';
import { FaultRecorder, type Source } from './recorder.ts';
import type { Account, FaultServer } from './server.ts';
import { StepCounter } from './step-counter.ts';

/** Resources shared by the histories of a run. */
export type Stage = {
  readonly server: FaultServer;
  readonly opus: OpusModule;
  /** Aborts histories being played. */
  readonly signal: AbortSignal;
};

const MINUTE_MS = 60_000;

/** A public link to a recording. */
export type Share = {
  readonly recording: string;
  readonly id: string;
  readonly url: string;
  isRevoked: boolean;
};

/** An answered question about a recording. */
export type Question = {
  readonly source: Source;
  /** The recording's ID on the server. */
  readonly serverId: string;
  readonly quotes: readonly Quote[];
};

/** A name or tag entered by the user. */
type Label = {
  readonly kind: 'rename' | 'tag';
  readonly recording: string;
  readonly text: string;
  /**
   * Whether the app accepted it. If not, the app was killed, the phone's disk was full, or it didn't have the
   * recording.
   */
  readonly isAccepted: boolean;
};

/** An account with a recorder and two phones, and everything that happened to them. */
export class World {
  readonly server: FaultServer;
  readonly account: Account;
  readonly recorder: FaultRecorder;
  readonly phones: readonly [FaultPhone, FaultPhone];
  readonly stepCounter: StepCounter;
  /** Finished sessions, oldest first. */
  readonly sources: Source[] = [];
  /** IDs of the permanently deleted recordings. */
  readonly deleted = new Set<string>();
  /** IDs of the recordings that the user has moved to the recycle bin at any time. */
  readonly binned = new Set<string>();
  readonly shares: Share[] = [];
  readonly questions: Question[] = [];
  /** Names and tags entered by the user. */
  readonly labels: Label[] = [];
  /** Unexpected errors in the app. */
  readonly errors: unknown[];
  /** Aborts the history. */
  readonly signal: AbortSignal;
  #guest: Account | null = null;
  readonly #folder: string;

  private constructor(
    { server, signal }: Stage,
    account: Account,
    parts: {
      recorder: FaultRecorder;
      phones: readonly [FaultPhone, FaultPhone];
      stepCounter: StepCounter;
      errors: unknown[];
    },
    folder: string,
  ) {
    this.server = server;
    this.signal = signal;
    this.account = account;
    this.recorder = parts.recorder;
    this.phones = parts.phones;
    this.stepCounter = parts.stepCounter;
    this.errors = parts.errors;
    this.#folder = folder;
  }

  static async create(stage: Stage, tamper: Tamper = {}): Promise<World> {
    const { server, opus } = stage;
    await server.waitUntilUp();
    const account = await server.register();
    const folder = await mkdtemp(join(tmpdir(), 'linnet-fault-phones-'));
    const recorder = await FaultRecorder.start(join(folder, 'recorder'), opus);
    const stepCounter = new StepCounter();
    const errors: unknown[] = [];
    const start = (name: string) =>
      FaultPhone.start({
        folder: join(folder, name),
        ...{ server, account, opus, stepCounter, tamper },
        onError: (error) => errors.push(error),
      });
    const phones = [await start('first'), await start('second')] as const;
    return new World(stage, account, { recorder, phones, stepCounter, errors }, folder);
  }

  /** Performs an action without waiting for its effects. */
  async perform(action: Exclude<Action, { readonly do: 'settle' }>): Promise<void> {
    this.signal.throwIfAborted();
    const phone = this.#phone('phone' in action ? action.phone : 0);
    const source =
      'recording' in action ? this.sources[action.recording % this.sources.length] : undefined;
    // The app doesn't show other accounts' recordings.
    if ('recording' in action && (!source || phone.uid !== this.account.id)) return;
    const recording = source?.id ?? '';
    switch (action.do) {
      case 'record': {
        const recorded = await this.recorder.record(action.words);
        if (recorded) this.sources.push(recorded);
        return;
      }
      case 'press': {
        const stopped = await this.recorder.press(action.words);
        if (stopped) this.sources.push(stopped);
        return;
      }
      case 'connect':
        return this.connect(phone);
      case 'connect_wifi':
        if (phone.uid === this.account.id) await phone.connectOverWifi(this.recorder);
        return;
      case 'update':
        return phone.updateRecorder(this.recorder.firmware.release(action.image));
      case 'sign_in':
        return this.#signIn(phone, action.as);
      case 'rename':
      case 'tag':
        return this.#label(phone, action.do, recording, action.text);
      case 'bin':
        this.binned.add(recording);
        await phone.edit({ type: 'recording.bin', recording });
        return;
      case 'recover':
        await phone.edit({ type: 'recording.recover', recording });
        return;
      case 'delete':
        return this.#delete(phone, recording);
      case 'transcribe':
        return phone.transcribe(recording);
      case 'free_space':
        return phone.freeSpace(recording);
      case 'download':
        return phone.download(recording);
      case 'ask':
        return this.#ask(phone, source as Source);
      case 'share':
        return this.#share(phone, recording);
      case 'revoke':
        return this.#revoke(phone, recording);
      case 'store':
        return this.#store(phone, action.place, action.on);
      case 'spend_minutes':
        return this.#spendMinutes(action.remaining);
      case 'advance_hour':
        return this.#advanceHour();
      case 'proceed':
        return this.stepCounter.waitFor(action.steps);
      case 'disconnect':
        return this.recorder.disconnect();
      case 'cut_link':
        return this.recorder.dropAfter(action.bytes);
      case 'unbind':
        return this.recorder.unbind();
      case 'offline':
        phone.network.isOnline = false;
        return;
      case 'online':
        phone.network.isOnline = true;
        return phone.wake();
      case 'await_uploads':
        return this.#awaitUploads(phone);
      case 'await_live_text':
        return awaitLiveText(phone);
      case 'fill_recorder':
        return this.recorder.setFull(true);
      case 'drain_recorder':
        return this.recorder.setDrained(true);
      case 'restart_recorder':
        await this.recorder.restart();
        return;
      case 'deny_wifi':
        return this.recorder.setWifiDenied(true);
      case 'lose_wifi':
        return this.recorder.loseWifiAfter(action.bytes);
      case 'lose_answers':
        phone.network.lostResponses += action.calls;
        return phone.wake();
      case 'refuse_objects':
        phone.network.refusedObjects += action.objects;
        return;
      case 'halve_objects':
        phone.network.halvedObjects += action.objects;
        return;
      case 'fill_phone':
        phone.disk.isFull = true;
        return;
      case 'fill_server':
        return this.server.setStoreFull(true);
      case 'kill_phone':
        return phone.killAt(action.writes, action.at);
      case 'kill_server':
        return this.server.kill(action.process);
      case 'break_speech':
        this.server.speech.faults.push(speechFaults[action.fault]);
        return;
      case 'set_clock':
        phone.clockOffset = action.minutes * MINUTE_MS;
        return phone.wake();
    }
  }

  async connect(phone: FaultPhone): Promise<void> {
    // Only the account that bound the recorder has its key.
    if (phone.uid === this.account.id) await phone.connect(this.recorder);
  }

  /** Clears all faults and restarts everything that was killed. Clocks stay wrong. */
  async endFaults(): Promise<void> {
    this.server.speech.faults.length = 0;
    await this.server.setStoreFull(false);
    this.recorder.dropAfter(null);
    this.recorder.loseWifiAfter(null);
    this.recorder.setWifiDenied(false);
    this.recorder.setDrained(false);
    this.recorder.setFull(false);
    const stopped = await this.recorder.stopRecording();
    if (stopped) this.sources.push(stopped);
    for (const phone of this.phones) {
      phone.network.clear();
      phone.disk.isFull = false;
      // Cancel a scheduled kill.
      phone.killAt(Number.POSITIVE_INFINITY, 'before');
      await phone.restart();
      await this.#signIn(phone, 'owner');
    }
    await this.server.waitUntilUp();
    for (const phone of this.phones) phone.wake();
  }

  /** Lets the account's live sessions expire, as the server does a day after their last packet. */
  async expireLiveSessions(): Promise<void> {
    await this.server.rows(
      `update live_sessions set updated_at = updated_at - make_interval(secs => $2)
         where account_id = $1`,
      [this.account.id, limits.live.keptSeconds],
    );
    await this.server.rows(
      `insert into pgboss.job (name, data, policy) select name, '{}', policy from pgboss.queue
         where name = 'housekeeping' and not exists (select from pgboss.job
           where name = 'housekeeping' and state in ('created', 'retry', 'active'))`,
    );
  }

  async close(): Promise<void> {
    for (const phone of this.phones) await phone.close();
    await this.recorder.stop();
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** The second account that signed in on a phone, if any. */
  get guest(): Account | null {
    return this.#guest;
  }

  async #signIn(phone: FaultPhone, as: 'guest' | 'owner'): Promise<void> {
    if (as === 'owner') return phone.signIn(this.account);
    await this.server.waitUntilUp();
    this.#guest ??= await this.server.register();
    await phone.signIn(this.#guest);
  }

  #phone(index: number): FaultPhone {
    return this.phones[index % this.phones.length] as FaultPhone;
  }

  async #label(
    phone: FaultPhone,
    kind: 'rename' | 'tag',
    recording: string,
    text: string,
  ): Promise<void> {
    const isAccepted = await phone.edit(
      kind === 'rename'
        ? { type: 'recording.rename', recording, name: text }
        : { type: 'recording.tag', recording, tag: text, on: true },
    );
    this.labels.push({ kind, recording, text, isAccepted });
  }

  async #delete(phone: FaultPhone, id: string): Promise<void> {
    if (!phone.isRunning) return;
    await phone.edit({ type: 'recording.delete', recording: id });
    // The app may have been killed during the edit, or the phone may not have the recording.
    await phone.restart();
    if ((await phone.records.tombstones([id])).has(id)) this.deleted.add(id);
  }

  /** Turns a storage location on or off. As in the app, the last location can't be turned off. */
  async #store(phone: FaultPhone, place: CopyPlace, on: boolean): Promise<void> {
    if (!phone.isRunning) return;
    const setting = readStorageSetting(await phone.changes.settings(phone.uid));
    const isLast = places.every((each) => each === place || setting[switches[each]] === 0);
    if (!on && isLast) return;
    await phone.edit({
      type: 'setting.set',
      group_name: storageSetting.group,
      config_key: storageSetting.keys[place],
      config_value: on ? '1' : '0',
    });
  }

  async #awaitUploads({ records, uid }: FaultPhone): Promise<void> {
    const expected = this.sources.filter(({ id }) => !this.deleted.has(id));
    await waitUntil('all audio is uploaded', async () => {
      const rows = await records.summaries(uid);
      const foundIds = new Set(rows.map(({ id }) => id));
      return (
        expected.every(({ id }) => foundIds.has(id)) &&
        rows.every(({ copies }) => copies.cloud.status === 'verified')
      );
    });
  }

  async #ask(phone: FaultPhone, source: Source): Promise<void> {
    if (!phone.isRunning) return;
    const serverId = (await phone.records.detail(source.id))?.server_id;
    if (!serverId) return;
    const question = `What about ${source.words.slice(0, 3).join(' ')}?`;
    const answered = await phone.client.call('ask/question', { question, ids: [serverId] });
    if (answered.ok) this.questions.push({ source, serverId, quotes: answered.data.quotes });
  }

  async #share(phone: FaultPhone, recording: string): Promise<void> {
    if (!phone.isRunning) return;
    const serverId = (await phone.records.detail(recording))?.server_id;
    if (!serverId) return;
    const parts = ['transcript' as const];
    const created = await phone.client.call('share/create', { id: serverId, parts });
    if (created.ok) this.shares.push({ recording, isRevoked: false, ...created.data });
  }

  async #revoke(phone: FaultPhone, recording: string): Promise<void> {
    const share = this.shares.find((each) => each.recording === recording && !each.isRevoked);
    if (!share || !phone.isRunning) return;
    const revoked = await phone.client.call('share/revoke', { id: share.id });
    if (revoked.ok) share.isRevoked = true;
  }

  /** Reduces the account's balance to a number of minutes. */
  async #spendMinutes(remaining: number): Promise<void> {
    await this.server.waitUntilUp();
    const minutes = `(select coalesce(sum(minutes), 0) from minute_charges
      where grant_id = minute_grants.id and state != 'released') + $2::int`;
    await this.server.rows(
      `update minute_grants set minutes = greatest(1, ${minutes}),
         expires_at = case when ${minutes} > 0 then null else now() - interval '1 second' end
       where account_id = $1`,
      [this.account.id, remaining],
    );
  }

  async #advanceHour(): Promise<void> {
    await this.server.waitUntilUp();
    await this.server.rows(
      `update settings set changed_at = changed_at - interval '1 hour'
         where account_id = $1 and group_name = $2`,
      [this.account.id, storageSetting.group],
    );
    await this.server.rows(
      `update pgboss.job set start_after = now()
         where name = 'free-audio' and state = 'created' and data->>'accountId' = $1`,
      [this.account.id],
    );
  }
}

async function awaitLiveText(phone: FaultPhone): Promise<void> {
  await waitUntil('live text is shown', () =>
    [...phone.liveTexts.values()].some(({ passages }) => passages.length > 0),
  );
}

const places = ['recorder', 'phone', 'cloud'] as const satisfies readonly CopyPlace[];
/** The setting that turns on each storage location. `devcieSave` is spelled this way in the API. */
export const switches = { recorder: 'devcieSave', phone: 'appSave', cloud: 'cloudSave' } as const;

const speechFaults = {
  busy: { ...refusals.busy, retryAfter: '1' },
  broken: refusals.broken,
  reset: { kind: 'reset' },
  truncate: { kind: 'truncate' },
} as const;

/** Counts a history's faults by kind. */
export function countFaults(actions: readonly Action[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const action of actions) {
    if (!isFault(action)) continue;
    const name = action.do === 'kill_server' ? `kill_${action.process}` : action.do;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}
