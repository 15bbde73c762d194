/** Plays a history of `copies.test.ts`, and checks after each step that no recording has lost its last copy. */
import { PACKET_BYTES } from '@linnet/audio/format';
import { muxOgg } from '@linnet/audio/ogg';
import type { OpusModule } from '@linnet/audio/opus';
import { codes } from '@linnet/contract/codes';
import { limits } from '@linnet/contract/limits';
import { storageSetting, taskStatus } from '@linnet/contract/statuses';
import {
  type CopyPlace,
  earliestDeletions,
  readStorageSetting,
  type Sha256,
  sha256From,
} from '@linnet/sync';
import { digestAudio } from '../../src/audio/digest.ts';
import { freeAudioJob } from '../../src/jobs/free-audio.ts';
import { inspectAllAudio } from '../../src/modules/recording/stored-audio.ts';
import type { Account, TestServer } from '../server.ts';
import { endTask } from '../transcripts.ts';
import { grantFor, postObject, toneWave } from '../uploads.ts';
import { Activity, ManualClock } from './activity.ts';
import type { Action, ForeignFile } from './any-history.ts';
import { Phone } from './phone.ts';
import { MemoryRecorder } from './recorder.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** Resources shared by all histories. Created only once, because there are thousands of histories. */
export type Stage = {
  readonly server: TestServer;
  readonly opus: OpusModule;
  /** Complete Opus packets that recordings are cut from. */
  readonly packets: Bytes;
};

const places = ['recorder', 'phone', 'cloud'] as const satisfies readonly CopyPlace[];

/** The setting that turns on each storage location. */
const switches = { recorder: 'devcieSave', phone: 'appSave', cloud: 'cloudSave' } as const;

/**
 * One account's recorder, phones and cloud, and a third-party client. Before every deletion, it checks the actual bytes
 * in the other locations.
 */
export class World {
  /** Number of checked deletions, by location. */
  readonly deletions: Record<CopyPlace, number> = { recorder: 0, phone: 0, cloud: 0 };
  readonly #stage: Stage;
  readonly #activity = new Activity();
  readonly #clock: ManualClock;
  readonly #recorder: MemoryRecorder;
  readonly #phones: Phone[] = [];
  readonly #broken: Error[] = [];
  /** Recordings in creation order. */
  readonly #ids: string[] = [];
  /** Digest of each recording's first complete audio. */
  readonly #known = new Map<string, Sha256>();
  /** Recordings permanently deleted by the user. */
  readonly #deleted = new Set<string>();
  /** Recordings whose last copy was in the store, where the history destroyed it. */
  readonly #destroyed = new Set<string>();
  /** Keys of objects that the history replaced. */
  readonly #replaced = new Set<string>();
  /** Digests of the replacement audio. */
  readonly #planted = new Set<Sha256>();
  /** Keys of the stored objects after the last step, by recording. */
  #keys = new Map<string, string>();
  #account: Account;
  #tokensRenewedAt: number;
  #recorded = 0;

  private constructor(stage: Stage, account: Account) {
    this.#stage = stage;
    this.#account = account;
    this.#clock = new ManualClock(() => stage.server.now().getTime());
    this.#tokensRenewedAt = this.#clock.now();
    this.#recorder = new MemoryRecorder((id) => this.#beforeRecorderDeletes(id));
  }

  static async make(stage: Stage, phones: number): Promise<World> {
    const world = new World(stage, await stage.server.register());
    for (let index = 0; index < phones; index++) {
      const phone = await Phone.make({
        ...{ server: stage.server, opus: stage.opus },
        account: () => world.#account,
        clock: world.#clock,
        activity: world.#activity,
        // The second phone's browser doesn't guarantee persistent storage.
        isStoragePersistent: index === 0,
        beforeRemove: (from, id) => world.#beforePhoneRemoves(from, id),
        onError: (error) => world.#break(error),
      });
      world.#phones.push(phone);
    }
    await world.#settle();
    return world;
  }

  /** Plays one action to completion, and checks the invariants. */
  async play(action: Action): Promise<void> {
    // A restart waits until all work is idle, so it must not count as work itself.
    if (action.do === 'restart') await this.#phone(action.phone).restart();
    else await this.#activity.during(() => this.#do(action));
    await this.#settle();
    await this.#afterStep();
  }

  /** Completes all pending work: phones go online and connect in turn, and hours pass. */
  async finish(): Promise<void> {
    for (const phone of this.#phones) phone.online = true;
    for (const [index] of this.#phones.entries()) {
      await this.play({ do: 'connect', phone: index });
      await this.play({ do: 'pass', minutes: 61 });
    }
  }

  async close(): Promise<void> {
    for (const phone of this.#phones) await phone.close();
  }

  #phone(index: number): Phone {
    return this.#phones[index % this.#phones.length] as Phone;
  }

  async #do(action: Exclude<Action, { readonly do: 'restart' }>): Promise<void> {
    const phone = this.#phone('phone' in action ? action.phone : 0);
    const id =
      'recording' in action && this.#ids.length > 0
        ? (this.#ids[action.recording % this.#ids.length] as string)
        : null;
    switch (action.do) {
      case 'record': {
        const start = Math.floor(this.#clock.now() / 1000) + ++this.#recorded;
        const packets = this.#cut(action.from, action.packets);
        this.#addId(this.#recorder.record(packets, start));
        return;
      }
      case 'connect':
        for (const each of this.#phones) each.disconnect();
        return phone.connect(this.#recorder);
      case 'disconnect':
        return phone.disconnect();
      case 'network':
        phone.online = action.online;
        return phone.wake();
      case 'look':
        return phone.wake();
      case 'lose_answers':
        phone.lostResponses = action.calls;
        return phone.wake();
      case 'crash':
        phone.commitsUntilCrash = action.commits;
        return phone.wake();
      case 'switch':
        return this.#switch(phone, action.place, action.on);
      case 'pass':
        return this.#advanceClock(action.minutes);
      case 'make_room':
        return id === null ? undefined : phone.freeSpace(action.all ? this.#ids : [id]);
      case 'download':
        return id === null ? undefined : phone.download(id);
      case 'bin':
        return id === null ? undefined : phone.edit({ type: 'recording.bin', recording: id });
      case 'recover':
        return id === null ? undefined : phone.edit({ type: 'recording.recover', recording: id });
      case 'delete_for_good':
        return id === null ? undefined : this.#deleteForGood(phone, id);
      case 'transcribe':
        return id === null ? undefined : phone.transcribe(id);
      case 'work':
        return this.#work();
      case 'lose_object':
        return id === null ? undefined : this.#damage(id, null);
      case 'replace_object':
        return id === null ? undefined : this.#damage(id, muxOgg(this.#cut(action.from, 7)));
      case 'inspect':
        return void (await inspectAllAudio(
          { ...this.#stage.server, log: { warn: () => {}, info: () => {} } },
          new AbortController().signal,
        ));
      case 'foreign':
        return this.#register(action.file, action.own ? null : id, action.from);
    }
  }

  #cut(from: number, packets: number): Bytes {
    const all = this.#stage.packets;
    const start = (from % (all.length / PACKET_BYTES - packets)) * PACKET_BYTES;
    return all.slice(start, start + packets * PACKET_BYTES);
  }

  #addId(id: string): void {
    if (!this.#ids.includes(id)) this.#ids.push(id);
  }

  /** Turns a storage location on or off. As in the app, the last location can't be turned off. */
  async #switch(phone: Phone, place: CopyPlace, on: boolean): Promise<void> {
    const setting = readStorageSetting(await phone.settings());
    const isLast = places.every((each) => each === place || setting[switches[each]] === 0);
    if (!on && isLast) return;
    await phone.edit({
      type: 'setting.set',
      group_name: storageSetting.group,
      config_key: storageSetting.keys[place],
      config_value: on ? '1' : '0',
    });
  }

  async #advanceClock(minutes: number): Promise<void> {
    const { server } = this.#stage;
    server.advanceClock(minutes * 60);
    await this.#renewTokens();
    this.#clock.notifyProgress();
    for (const phone of this.#phones) phone.wake();
    const job = freeAudioJob(server);
    await job({ accountId: this.#account.id }, new AbortController().signal);
  }

  async #renewTokens(): Promise<void> {
    if (this.#clock.now() - this.#tokensRenewedAt < 600_000) return;
    const { data } = await this.#stage.server.call(
      'user/refreshToken',
      {},
      { token: this.#account.refresh },
    );
    const { access_token: access, refresh_token: refresh } = data;
    this.#account = { ...this.#account, access, refresh };
    this.#tokensRenewedAt = this.#clock.now();
  }

  async #deleteForGood(phone: Phone, id: string): Promise<void> {
    const recycled = await phone.records.binned(this.#account.id);
    if (!recycled.some((each) => each.id === id)) return;
    this.#deleted.add(id);
    await phone.edit({ type: 'recording.delete', recording: id });
  }

  /** Completes all queued transcriptions. */
  async #work(): Promise<void> {
    const { server } = this.#stage;
    const tasks = await server.db
      .selectFrom('tasks')
      .select('id')
      .where('account_id', '=', this.#account.id)
      .where('status', '=', taskStatus.queued)
      .execute();
    for (const { id } of tasks) await endTask(server, id, ['A heron waits.']);
  }

  /** Deletes or replaces an object in the store without the server's knowledge. */
  async #damage(id: string, bytes: Bytes | null): Promise<void> {
    const { store } = this.#stage.server;
    const key = this.#keys.get(id);
    if (key === undefined) return;
    if (bytes) {
      await store.put(key, [bytes] as never, { maxBytes: bytes.length });
      this.#replaced.add(key);
      const { audioSha256 } = await digestAudio(await store.read(key));
      this.#planted.add(sha256From(audioSha256));
    } else await store.delete(key);
    const digest = this.#known.get(id);
    if (digest && (await this.#findCopies(id, digest)).length === 0) this.#destroyed.add(id);
  }

  /**
   * Registers a file without its hash, like a client that does only what the specification requires.
   * @param id the recording that the file claims to be, or null for a new recording
   */
  async #register(file: ForeignFile, id: string | null, from: number): Promise<void> {
    const { server } = this.#stage;
    const bytes = await this.#foreignBytes(file, id, from);
    const account = this.#account;
    const grant = await grantFor(server, account, file === 'wave' ? 'wav' : 'ogg');
    await postObject(server, grant, bytes);
    const client_flag = id ?? crypto.randomUUID();
    const file_size = file === 'wrong_size' ? bytes.length + 1 : bytes.length;
    const body = { url: grant.url, file_size, client_flag };
    const response = await server.call('upload/ossFile', body, { token: account.access });
    if (response.code === codes.ok) this.#addId(client_flag);
  }

  async #foreignBytes(file: ForeignFile, id: string | null, from: number): Promise<Bytes> {
    const other = muxOgg(this.#cut(from, 12));
    switch (file) {
      case 'one_byte':
        return new Uint8Array([from % 256]);
      case 'truncated':
        return other.slice(0, -40);
      case 'wave':
        return toneWave(0.2);
      case 'other':
      case 'wrong_size':
        return other;
      case 'same': {
        // Use the same audio as a phone that has it.
        const holder = this.#phones.find(({ audio }) => id !== null && audio.masters.has(id));
        const master = holder && id !== null ? await holder.audio.master(id) : null;
        return master ? new Uint8Array(await master.arrayBuffer()) : other;
      }
    }
  }

  /** Waits until all work is idle, and restarts crashed apps. */
  async #settle(): Promise<void> {
    for (;;) {
      await this.#activity.waitUntilIdle();
      const revived = await Promise.all(this.#phones.map((phone) => phone.restartIfCrashed()));
      if (!revived.includes(true)) break;
    }
    const [broken] = this.#broken;
    if (broken) throw broken;
  }

  #break(error: unknown): void {
    this.#broken.push(error instanceof Error ? error : new Error(String(error)));
  }

  /** Returns the locations, excluding one phone, that have a recording's audio with this digest. */
  async #findCopies(id: string, digest: Sha256, except?: Phone | 'recorder'): Promise<CopyPlace[]> {
    const found: CopyPlace[] = [];
    if (except !== 'recorder' && this.#recorder.digest(id) === digest) found.push('recorder');
    const isOnPhone = this.#phones.some(
      (phone) => phone !== except && phone.audio.digest(id) === digest,
    );
    if (isOnPhone) found.push('phone');
    if ((await this.#digestInCloud(id)) === digest) found.push('cloud');
    return found;
  }

  /** Returns the digest of a recording's registered audio, computed from the stored object. */
  async #digestInCloud(id: string): Promise<Sha256 | null> {
    const { db, store } = this.#stage.server;
    const row = await db
      .selectFrom('recordings')
      .select('object_key')
      .where('account_id', '=', this.#account.id)
      .where('client_flag', '=', id)
      .executeTakeFirst();
    const key = row?.object_key ?? null;
    if (key === null || (await store.stat(key)) === null) return null;
    const { audioSha256 } = await digestAudio(await store.read(key));
    return sha256From(audioSha256);
  }

  /** Checks a session before it is deleted from the recorder. */
  async #beforeRecorderDeletes(id: string): Promise<void> {
    const phone = this.#connected();
    const digest = this.#recorder.digest(id) as Sha256;
    await this.#check(id, digest, 'recorder', phone, 'recorder');
  }

  #connected(): Phone {
    const phone = this.#phones.find(({ isConnected }) => isConnected);
    if (!phone) throw new Error('a recorder without a phone deletes nothing');
    return phone;
  }

  async #beforePhoneRemoves(phone: Phone, id: string): Promise<void> {
    const digest = phone.audio.digest(id);
    // Incomplete audio, such as a file from an interrupted download, isn't a copy.
    if (digest === null || this.#deleted.has(id)) return;
    // Downloaded replacement audio that failed its digest check was never a copy.
    if (digest !== this.#known.get(id) && this.#planted.has(digest)) {
      const detail = await phone.records.detail(id);
      if (detail?.copies.phone.status === 'absent' && !phone.isSweeping) return;
    }
    if (digest !== this.#known.get(id) || phone.isSweeping) {
      // The file is a leftover of an earlier deletion, or derived audio such as the converted cloud file.
      const otherCopies = await this.#findCopies(id, digest, phone);
      const isSafe = otherCopies.length > 0 || (await this.#isInCloud(id));
      if (!isSafe) this.#break(new Error(`the only audio ${digest} of ${id} is deleted`));
      return;
    }
    await this.#check(id, digest, 'phone', phone, phone);
  }

  /** True if the cloud has the recording's first complete audio. */
  async #isInCloud(id: string): Promise<boolean> {
    return (await this.#digestInCloud(id)) === this.#known.get(id);
  }

  /** Reports the deletion of a copy, unless another selected location has an identical copy. */
  async #check(
    id: string,
    digest: Sha256,
    place: CopyPlace,
    phone: Phone,
    except: Phone | 'recorder',
  ): Promise<void> {
    if (this.#deleted.has(id)) return;
    const settings = await phone.settings();
    const setting = readStorageSetting(settings);
    const equal = await this.#findCopies(id, digest, except);
    const selected = equal.filter((each) => each !== place && setting[switches[each]] === 1);
    const subject = `the ${place}'s copy of ${id}`;
    if (selected.length === 0) {
      this.#break(
        new Error(
          `${subject} is deleted; equal copies: ${equal.join(', ') || 'none'}, selected locations: ${JSON.stringify(setting)}`,
        ),
      );
    }
    const earliestDeletion = earliestDeletions(settings)[place];
    const isAsked = place === 'phone' && phone.isFreeingSpace;
    if (!isAsked && (earliestDeletion === null || this.#clock.now() < earliestDeletion)) {
      const ends =
        earliestDeletion === null
          ? 'not switched off'
          : `${(earliestDeletion - this.#clock.now()) / 60_000} min left`;
      this.#break(new Error(`${subject} is deleted before its grace period ends: ${ends}`));
    }
    this.deletions[place] += 1;
  }

  /** Checks the invariants, and the server's deletions since the last step. */
  async #afterStep(): Promise<void> {
    const { db, store } = this.#stage.server;
    const rows = await db
      .selectFrom('recordings')
      .select(['client_flag', 'object_key'])
      .where('account_id', '=', this.#account.id)
      .execute();
    const keys = new Map(
      rows.flatMap(({ client_flag: id, object_key: key }) => (key === null ? [] : [[id, key]])),
    );
    for (const [id, key] of this.#keys) {
      if (keys.get(id) === key) continue;
      if (!keys.has(id) && !this.#deleted.has(id)) await this.#checkCloudDeleted(id, key);
      await store.delete(key);
    }
    this.#keys = keys;
    await this.#checkCopiesExist();
    await this.#checkReportedCopies();
    const [broken] = this.#broken;
    if (broken) throw broken;
  }

  async #checkCloudDeleted(id: string, key: string): Promise<void> {
    const { db, store, now } = this.#stage.server;
    if ((await store.stat(key)) === null) return;
    const storedDigest = sha256From((await digestAudio(await store.read(key))).audioSha256);
    // Replacement audio isn't a copy of the recording.
    const digest = this.#replaced.has(key) ? this.#known.get(id) : storedDigest;
    if (digest === undefined) return;
    const settings = await db
      .selectFrom('settings')
      .select(['config_key', 'config_value', 'changed_at'])
      .where('account_id', '=', this.#account.id)
      .where('group_name', '=', storageSetting.group)
      .execute();
    const isOn = (place: CopyPlace) =>
      settings.find(({ config_key: name }) => name === storageSetting.keys[place])?.config_value !==
      '0';
    const equal = (await this.#findCopies(id, digest)).filter(isOn);
    if (equal.length === 0)
      this.#break(new Error(`the cloud's copy of ${id} had no identical copy`));
    const cloud = settings.find(({ config_key: name }) => name === storageSetting.keys.cloud);
    const earliestDeletion = (cloud?.changed_at.getTime() ?? Infinity) + limits.deletionGraceMs;
    if (isOn('cloud') || now().getTime() < earliestDeletion) {
      this.#break(new Error(`the cloud's copy of ${id} is deleted before its grace period ends`));
    }
    this.deletions.cloud += 1;
  }

  /** Checks that complete audio of every recording still exists, unless the user or the history destroyed it. */
  async #checkCopiesExist(): Promise<void> {
    for (const id of this.#ids) {
      if (this.#deleted.has(id) || this.#destroyed.has(id)) continue;
      const digest = this.#known.get(id) ?? (await this.#firstDigest(id));
      if (digest === null) continue;
      this.#known.set(id, digest);
      const copies = await this.#findCopies(id, digest);
      if (copies.length === 0) this.#break(new Error(`no copy of ${id} is left`));
    }
  }

  async #firstDigest(id: string): Promise<Sha256 | null> {
    return this.#recorder.digest(id) ?? (await this.#digestInCloud(id));
  }

  /** Checks that every copy that a phone has marked as verified exists and has the expected digest. */
  async #checkReportedCopies(): Promise<void> {
    for (const phone of this.#phones) {
      for (const [id, { copies }] of await phone.records.work(this.#ids)) {
        const verifiedSha256 = copies.phone.status === 'verified' ? copies.phone.sha256 : null;
        if (verifiedSha256 !== null && phone.audio.digest(id) !== verifiedSha256) {
          this.#break(new Error(`a phone wrongly reports ${id} as verified`));
        }
      }
    }
  }
}
