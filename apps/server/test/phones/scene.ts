/** Sets up one account with recordings for several simulated phones. */
import { join } from 'node:path';
import { catalog } from '@linnet/contract/codes';
import { limits } from '@linnet/contract/limits';
import { taskStatus } from '@linnet/contract/statuses';
import { type ChangesPage, isLocal, recordingId } from '@linnet/sync';
import type { Account, TestServer } from '../server.ts';
import { TaskRejectedError, transcribe, transcribedRecording } from '../transcripts.ts';
import { grantFor, postObject, toneWave } from '../uploads.ts';
import { ChangesReader } from './changes-reader.ts';
import type { Random } from './random.ts';
import { randomEdit } from './random-edit.ts';
import { type Faults, SimulatedPhone } from './simulated-phone.ts';

const SN = 'SN-SIMULATED';
/** The transcript of every recording. */
const TRANSCRIPT = ['One.', 'Two, and more of it.', 'Three.', 'Four.'];

/** The environment of one account's phones: its recordings, recorder, transcription and a concurrent reader. */
export class Scene {
  /** The `client_flag`s of all recordings ever created. */
  readonly flags: string[] = [];
  readonly account: Account;
  readonly random: Random;
  readonly #server: TestServer;
  readonly #dir: string;
  #sessions = 0;

  constructor(server: TestServer, account: Account, dir: string, random: Random) {
    this.#server = server;
    this.account = account;
    this.#dir = dir;
    this.random = random;
  }

  phone(name: string, faults: Faults): Promise<SimulatedPhone> {
    const file = join(this.#dir, `${name}.sqlite3`);
    return SimulatedPhone.make(file, this.#server, this.account, this.random, faults);
  }

  /**
   * Makes a random edit on a phone.
   * @returns whether it was applied
   */
  async edit(phone: SimulatedPhone): Promise<boolean> {
    const detail = await phone.records.detail(this.random.pick(this.flags));
    return detail !== null && (await phone.edit(randomEdit(this.random, detail)));
  }

  reader(limit?: number): ChangesReader {
    return new ChangesReader(async (cursor) => {
      const { data } = await this.#server.call(
        'sync/changes',
        { cursor, ...(limit !== undefined && { limit }) },
        { token: this.account.access },
      );
      return data as ChangesPage;
    });
  }

  /**
   * Creates a transcribed recording on the server.
   * @returns its `client_flag`
   */
  async transcribed(): Promise<string> {
    const { clientFlag } = await transcribedRecording(this.#server, this.account);
    this.flags.push(clientFlag);
    return clientFlag;
  }

  /** Creates a recorder session that the given phones have read but the server doesn't know about. */
  async addRecordings(phones: readonly SimulatedPhone[]): Promise<void> {
    const some = phones.filter(() => this.random.chance(0.5));
    const readers = some.length > 0 ? some : [this.random.pick(phones)];
    const deviceFileId = ++this.#sessions;
    const startedAt = 1_700_000_000 + deviceFileId * 60;
    const id = recordingId(SN, deviceFileId, startedAt);
    this.flags.push(id);
    for (const phone of readers) {
      await phone.runWhileAlive(({ records }) =>
        records.ensure({
          id,
          uid: phone.uid,
          sn: SN,
          source: 'recorder',
          deviceFileId,
          createDate: new Date(startedAt * 1000).toISOString(),
          seconds: 3,
          scene: 'note',
          audioBytes: 1000,
        }),
      );
    }
  }

  /** Uploads a recording as the upload queue would, if it still exists and isn't on the server yet. */
  async upload(phone: SimulatedPhone, flag: string): Promise<void> {
    const detail = await phone.records.detail(flag);
    if (!detail || detail.server_id !== null) return;
    const wave = toneWave(3, 8000);
    const grant = await grantFor(this.#server, this.account, 'wav');
    await postObject(this.#server, grant, wave);
    const registered = await phone.call('upload/ossFile', {
      name: detail.title.slice(0, limits.recording.nameMaxLength),
      source: 0,
      url: grant.url,
      file_size: wave.length,
      ext: 'wav',
      mime_type: 'audio/wav',
      client_flag: flag,
      total_time: 3,
      sn: SN,
    });
    // The server rejects the upload if the recording was permanently deleted elsewhere. The phone learns of the
    // deletion from the changes.
    if (!registered.ok) return;
    const { id, url } = registered.data;
    await phone.runWhileAlive(({ records }) =>
      records.update(flag, { is_local: isLocal.onServer, server_id: id, server_url: url ?? '' }),
    );
  }

  /** Transcribes a recording on the server, possibly again. */
  async transcribeLatest(flag: string): Promise<void> {
    const { data } = await this.#server.call('task/index', { limit: 1000 }, this.token);
    const row = data.list.find(({ client_flag }) => client_flag === flag);
    if (!row?.url) return;
    try {
      await transcribe(this.#server, this.account, row.id, TRANSCRIPT);
    } catch (error) {
      // A phone may just have permanently deleted the recording.
      const isGone = error instanceof TaskRejectedError && error.code === catalog.notFound.code;
      if (!isGone) throw error;
    }
  }

  /** Requests task results, as the upload queue would. @returns a function that applies them at any later time */
  async poll(phone: SimulatedPhone): Promise<() => Promise<void>> {
    const list = await phone.call('task/index', { limit: 1000 });
    if (!list.ok) throw new Error(list.failure.msg);
    const rows = list.data.list;
    const done = rows
      .filter(({ task }) => task?.status === taskStatus.transcribed)
      .filter(() => this.random.chance(0.2));
    const results = await Promise.all(
      done.map(async ({ client_flag, task }) => {
        const response = await phone.call('task/detail', { id: task?.id });
        return response.ok ? [{ flag: client_flag, task: response.data }] : [];
      }),
    );
    return async () => {
      for (const { flag, task } of results.flat()) {
        await phone.runWhileAlive(({ records }) => records.storeResults(flag, task));
      }
    };
  }

  /** Returns the operations that the server received, with their outcomes. */
  storedOperations() {
    return this.#server.db
      .selectFrom('operations')
      .select(['op_id', 'type', 'outcome', 'rev'])
      .where('account_id', '=', this.account.id)
      .execute();
  }

  get token() {
    return { token: this.account.access };
  }
}
