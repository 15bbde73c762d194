/** Simulates one account's app under load, using the app's own engines, calls and polling intervals. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { ObjectTransfers } from '@linnet/app/server-cloud';
import { createChangesCloud, createServerCloud } from '@linnet/app/server-cloud';
import { PACKET_BYTES, PACKET_MS, secondsOfPackets } from '@linnet/audio/format';
import type { CallBody, CallData } from '@linnet/contract';
import {
  type CallOptions,
  type CallResult,
  type Client,
  createClient,
} from '@linnet/contract/client';
import { limits } from '@linnet/contract/limits';
import type { CallName } from '@linnet/contract/routes';
import { taskStatus } from '@linnet/contract/statuses';
import { normalizeWords } from '@linnet/server/word-error-rate';
import {
  BACKOFF_SECONDS,
  ChangeSync,
  type Cloud,
  type CloudResult,
  LiveSender,
  LiveWatcher,
  systemClock,
} from '@linnet/sync';
import { Network } from '../../faults/network.ts';
import { waitUntil } from '../../support/wait-until.ts';
import type { SeededAccount } from './accounts.ts';
import type { Action, Actions, Streaks } from './actions.ts';
import { type LoadAudio, type LoadFile, toFile } from './audio.ts';
import { MemoryChanges } from './memory-changes.ts';
import { Tokens } from './tokens.ts';

/** Interval between the edits of a client, in milliseconds. */
const EDIT_MS = 60_000;
/** Interval between a client's requests for the first page of the list, in milliseconds. */
const LIST_MS = 60_000;
/** Interval between the uploads of a client, in milliseconds. */
const UPLOAD_MS = 150_000;
/** One in this many clients records with live text instead of uploading recordings of 1 MiB. */
const CLIENTS_PER_LIVE = 25;
/** One in this many uploads is downloaded again. */
const UPLOADS_PER_DOWNLOAD = 4;
/** Interval at which recorded packets are flushed, in milliseconds. Matches `microphone-recorder.ts`. */
const FLUSH_MS = 200;
/** The intervals at which the app polls a transcription, in milliseconds (`packages/sync/src/cloud-sync.ts`). */
const POLL_MS = { first: 250, later: 1500, firstFor: 10_000 };
/** Timeout of a long-polling request, in milliseconds (`apps/app/src/features/live/live-text.ts`). */
const WATCH_TIMEOUT_MS = limits.live.watchSeconds * 1000 + limits.requestTimeoutMs;
/** Lifetime of an access token, in milliseconds (`apps/server/src/modules/user/access.ts`). */
const ACCESS_MS = 900_000;
/** How long the last transcriptions may take after the end of the load, in milliseconds. */
const TRANSCRIPT_TIMEOUT_MS = 300_000;

export type LoadClientOptions = {
  readonly number: number;
  readonly url: string;
  readonly account: SeededAccount;
  readonly audio: LoadAudio;
  readonly actions: Actions;
  /** Period over which the clients' starts are spread, in milliseconds. */
  readonly rampMs: number;
  /** Called with a description of each incorrect response. */
  readonly onProblem: (problem: string) => void;
};

/** A recording that the server has confirmed. */
export type UploadedRecording = { readonly id: string; readonly sha256: string };

/** The server's calls. Consecutive failures are counted for each connection. */
type Connection = { readonly client: Client; readonly cloud: Cloud };

/** Thrown if the server refuses a request, which has already been counted as failed. */
class RefusedError extends Error {}

export class LoadClient {
  readonly account: SeededAccount;
  readonly changes = new MemoryChanges();
  readonly uploads: UploadedRecording[] = [];
  /** The IDs of all edits. */
  readonly edits: string[] = [];
  liveRecordings = 0;
  readonly #options: LoadClientOptions;
  readonly #tokens: Tokens;
  /** The underlying client, before its calls are wrapped for measurement. */
  readonly #unmeasured: Client;
  readonly #sync: ChangeSync;
  readonly #sender: LiveSender;
  readonly #watcher: LiveWatcher;
  readonly #closed = new AbortController();
  /** Number of packets that were sent, by live recording. */
  readonly #sent = new Map<string, number>();
  /** Number of packets that the server has confirmed, by live recording. */
  readonly #received = new Map<string, number>();

  constructor(options: LoadClientOptions) {
    const { number, url, account } = options;
    this.#options = options;
    this.account = account;
    // Rate limits apply to each network, and the server takes a client's address from the load balancer.
    const headers = { 'x-forwarded-for': `10.1.${number >> 8}.${number & 255}` };
    this.#tokens = new Tokens(url, account.refreshToken, headers, (client) =>
      this.#measured(client, new Map()),
    );
    const { access, refresh, renew } = this.#tokens;
    this.#unmeasured = createClient({
      baseUrl: url,
      tokens: { access, refresh, renew },
      headers: () => headers,
    });
    // Each engine retries its own calls, so each gets its own connection.
    const { client: syncClient } = this.#connect();
    const { client: senderClient } = this.#connect();
    const { client: watcherClient } = this.#connect();
    const log = () => undefined;
    const onError = (error: unknown) => this.#report(`unexpected error: ${error}`);
    this.#sync = new ChangeSync({
      uid: account.id,
      changes: this.changes,
      audio: { remove: async () => undefined },
      cloud: createChangesCloud(syncClient),
      clock: systemClock,
      log,
    });
    this.#sender = new LiveSender({
      append: (body, signal) => this.#append(senderClient, body, signal),
      audio: { readPackets: async () => new Uint8Array() },
      language: () => 'en',
      words: async () => [],
      isVisible: () => true,
      clock: systemClock,
      log,
      onError,
    });
    this.#watcher = new LiveWatcher({
      watch: (body, signal) =>
        watcherClient.call('live/watch', body, { signal, timeoutMs: WATCH_TIMEOUT_MS }),
      own: () => this.#sender.texts.get().keys(),
      known: async (ids) => new Set(ids.filter((id) => this.changes.recordings.has(id))),
      pull: () => this.#sync.poll(this.#closed.signal),
      isEnabled: () => true,
      isVisible: () => true,
      clock: systemClock,
      log,
      onError,
    });
    this.#sender.texts.subscribe(() => this.#watcher.update());
  }

  /** Uses the server until `stop` aborts, and resolves once nothing is pending. */
  async run(stop: AbortSignal): Promise<void> {
    const { rampMs, number } = this.#options;
    await delay(this.#phase(0) * rampMs);
    await this.#tokens.renew();
    this.#tokens.age(this.#phase(1) * ACCESS_MS);
    await this.#requestUntilAnswered(({ client }) => client.call('user/info'));
    const { signal } = this.#closed;
    const engines = [this.#sync.run(signal), this.#watcher.run(signal)];
    await Promise.all([
      this.#repeat(EDIT_MS, 2, stop, async () => this.#edit()),
      this.#repeat(LIST_MS, 3, stop, () => this.#list()),
      number % CLIENTS_PER_LIVE === 0
        ? this.#repeat(0, 4, stop, () => this.#recordLive(stop))
        : this.#repeat(UPLOAD_MS, 4, stop, () => this.#uploadNew()),
    ]);
    await waitUntil('all edits are sent', () => !this.changes.hasPending);
    await this.#requestUntilAnswered(() => this.#sync.poll(signal));
    this.#closed.abort();
    await Promise.all(engines);
  }

  /** Compares what the client has received with what it has sent. */
  verify(): void {
    for (const { id } of this.uploads) {
      if (!this.changes.recordings.has(id)) this.#report(`${id} is missing from the changes`);
    }
    const ids = this.changes.outcomes.map(({ op_id }) => op_id);
    if (ids.length !== this.edits.length || new Set(ids).size !== ids.length) {
      this.#report(`${this.edits.length} edits have ${ids.length} outcomes`);
    }
    const markers = this.account.recordings.flatMap((flag) =>
      (this.changes.recordings.get(flag)?.markers ?? []).map(({ id }) => id),
    );
    if (markers.toSorted().join() !== this.edits.toSorted().join()) {
      this.#report(`${this.edits.length} edits resulted in ${markers.length} markers`);
    }
  }

  /** Returns a fraction from 0 to 1 that spreads the clients evenly, for each kind of work. */
  #phase(kind: number): number {
    const golden = (Math.sqrt(5) - 1) / 2;
    return (this.#options.number * golden + kind * 0.37) % 1;
  }

  /**
   * Repeats work at an interval until `stop` aborts, and lets the last run finish.
   * @param kind spreads the clients' first runs over the interval
   */
  async #repeat(
    intervalMs: number,
    kind: number,
    stop: AbortSignal,
    work: () => Promise<void>,
  ): Promise<void> {
    let nextAt = performance.now() + this.#phase(kind) * intervalMs;
    for (;;) {
      const waitMs = Math.max(0, nextAt - performance.now());
      await systemClock.sleep(waitMs, stop).catch(() => undefined);
      if (stop.aborted) return;
      await work().catch((error: unknown) => {
        if (!(error instanceof RefusedError)) throw error;
      });
      nextAt += intervalMs;
    }
  }

  /** Adds a marker to a recording. The engine sends it. */
  #edit(): void {
    const { recordings } = this.account;
    const recording = recordings[this.edits.length % recordings.length] as string;
    const id = randomUUID();
    this.edits.push(id);
    this.changes.add({
      op_id: id,
      base_rev: this.changes.recordings.get(recording)?.rev ?? 0,
      at: new Date().toISOString(),
      type: 'recording.marker',
      recording,
      marker: id,
      value: { id, time: this.edits.length, label: 'Important' },
    });
  }

  async #list(): Promise<void> {
    const uploads = this.uploads.slice(-limits.page.defaultLimit);
    const { list } = await this.#requestUntilAnswered(({ client }) =>
      client.call('task/index', { page: 1, limit: limits.page.defaultLimit }),
    );
    const listed = new Set(list.map(({ client_flag }) => client_flag));
    const missingUploads = uploads.filter(({ id }) => !listed.has(id));
    if (missingUploads.length > 0)
      this.#report(`${missingUploads.length} recordings are missing from the list`);
  }

  async #uploadNew(): Promise<void> {
    const { audio, number } = this.#options;
    const file = audio.file(number * 1000 + this.uploads.length);
    const serverId = await this.#upload(randomUUID(), file);
    const isSampled = (number + this.uploads.length) % UPLOADS_PER_DOWNLOAD === 0;
    if (isSampled) await this.#download(serverId, file);
  }

  /** Uploads a recording in the same steps as `CloudSync`. @returns its ID on the server */
  async #upload(id: string, { blob, seconds, sha256 }: LoadFile): Promise<string> {
    const { signal } = this.#closed;
    const metadata = {
      ...({ id, name: 'Load', scene: 'note', seconds, sn: '', autoTranscribe: false } as const),
      ...{ recordedAt: new Date().toISOString(), peaks: new Uint8Array(160), callLevels: null },
    };
    const stored = await this.#requestUntilAnswered(async ({ cloud }) => {
      const known = await cloud.check(metadata);
      if (!known.ok) return known;
      if (known.data?.url) return { ok: true, data: known.data } as const;
      return cloud.upload(metadata, blob, () => undefined, signal);
    });
    if (stored.sha256 !== sha256) this.#report(`${id} was stored with different content`);
    this.uploads.push({ id, sha256 });
    return stored.id;
  }

  async #download(serverId: string, { blob }: LoadFile): Promise<void> {
    const pieces: Uint8Array[] = [];
    await this.#requestUntilAnswered(({ cloud }) => {
      pieces.length = 0;
      const onPiece = async (bytes: Uint8Array) => void pieces.push(bytes);
      return cloud.download(serverId, 0, onPiece, this.#closed.signal);
    });
    const sentBytes = Buffer.from(await blob.arrayBuffer());
    if (!Buffer.concat(pieces).equals(sentBytes))
      this.#report(`${serverId} was changed on the server`);
  }

  /** Records with live text, uploads the recording, and waits for its transcript. */
  async #recordLive(stop: AbortSignal): Promise<void> {
    const id = randomUUID();
    const packets = await this.#stream(id, stop);
    if (secondsOfPackets(packets.length) < limits.transcription.minSeconds) {
      return this.#sender.drop(id);
    }
    this.#sender.end(id, packets.length);
    const state = await waitUntil('the live text ends', () => {
      const text = this.#sender.texts.get().get(id);
      return text?.state.status === 'listening' ? null : (text?.state ?? null);
    });
    const received = this.#received.get(id);
    if (state.status === 'stopped') this.#report(`live text stopped: ${state.reason}`);
    else if (received !== packets.length / PACKET_BYTES) {
      this.#report(`the server has ${received} of ${packets.length / PACKET_BYTES} live packets`);
    }
    this.liveRecordings += 1;
    const serverId = await this.#upload(id, toFile(packets));
    await this.#transcribe(serverId, secondsOfPackets(packets.length));
  }

  /**
   * Feeds packets to the sender in real time, until all are sent or `stop` aborts.
   * @returns the packets that were sent
   */
  async #stream(id: string, stop: AbortSignal): Promise<Uint8Array> {
    const { livePackets } = this.#options.audio;
    const startedAt = performance.now();
    let sentPackets = 0;
    while (sentPackets < livePackets.length && !stop.aborted) {
      await delay(FLUSH_MS);
      const recorded = Math.floor((performance.now() - startedAt) / PACKET_MS) * PACKET_BYTES;
      const end = Math.min(livePackets.length, recorded);
      this.#sender.add(id, sentPackets, livePackets.subarray(sentPackets, end), true);
      sentPackets = end;
    }
    return livePackets.subarray(0, sentPackets);
  }

  async #append(client: Client, body: CallBody<'live/append'>, signal: AbortSignal) {
    const id = `${body.client_flag}`;
    const end = body.first + Buffer.from(body.packets, 'base64').length / PACKET_BYTES;
    // A call whose response was lost may have sent more packets than its retry.
    const sent = Math.max(end, this.#sent.get(id) ?? 0);
    this.#sent.set(id, sent);
    const result = await client.call('live/append', body, { signal });
    if (!result.ok) return result;
    const before = this.#received.get(id) ?? 0;
    const { received } = result.data;
    // A packet that was stored twice would move the end of the server's copy.
    if (received < before || received > sent) {
      this.#report(`the server has ${received} live packets, but only ${sent} were sent`);
    }
    this.#received.set(id, received);
    return result;
  }

  /** Requests a transcription and polls it as `CloudSync` does. */
  async #transcribe(serverId: string, seconds: number): Promise<void> {
    const taskId = await this.#requestUntilAnswered(async ({ cloud }) => {
      const rows = await cloud.list([serverId]);
      if (!rows.ok) return rows;
      const task = rows.data[0]?.task;
      // The response to an earlier request was lost.
      if (task) return { ok: true, data: task.id } as const;
      const created = await cloud.createTask(serverId, { language: 'en' });
      return created.ok ? ({ ok: true, data: created.data.id } as const) : created;
    });
    const startedAt = performance.now();
    for (;;) {
      const elapsedMs = performance.now() - startedAt;
      await delay(elapsedMs < POLL_MS.firstFor ? POLL_MS.first : POLL_MS.later);
      const [row] = await this.#requestUntilAnswered(({ cloud }) => cloud.list([serverId]));
      if (row?.task?.status === taskStatus.transcribed) break;
      if (row?.task?.status === taskStatus.failed || elapsedMs > TRANSCRIPT_TIMEOUT_MS) {
        return this.#report(`a transcription has the status ${row?.task?.status}`);
      }
    }
    const { paragraphs } = await this.#requestUntilAnswered(({ cloud }) => cloud.task(taskId));
    const words = normalizeWords(paragraphs.map(({ content }) => content).join(' '));
    const spokenLines = this.#options.audio.script.filter(({ start }) => start + 1 < seconds);
    const expected = normalizeWords(spokenLines.map(({ text }) => text).join(' '));
    if (!words.join(' ').startsWith(expected.join(' '))) {
      this.#report(`a transcript has ${words.length} words instead of ${expected.length}`);
    }
  }

  /**
   * Sends a request, retrying with the app's backoff delays until the server responds, and returns the data.
   * @throws RefusedError if the server refuses the request
   */
  async #requestUntilAnswered<T>(
    request: (connection: Connection) => Promise<CloudResult<T>>,
  ): Promise<T> {
    const connection = this.#connect();
    for (let failures = 0; ; failures += 1) {
      const result = await request(connection);
      if (result.ok) return result.data;
      if (result.failure.kind === 'server') throw new RefusedError(result.failure.msg);
      const step = Math.min(failures, BACKOFF_SECONDS.length - 1);
      await delay((BACKOFF_SECONDS[step] as number) * 1000);
    }
  }

  #report(problem: string): void {
    this.#options.onProblem(`client ${this.#options.number}: ${problem}`);
  }

  /** Returns the server's calls for one purpose, such as an engine or a request that is retried until it succeeds. */
  #connect(): Connection {
    const streaks: Streaks = new Map();
    const client = this.#measured(this.#unmeasured, streaks);
    return { client, cloud: createServerCloud(client, this.#measuredTransfers(streaks)) };
  }

  #measured(client: Client, streaks: Streaks): Client {
    return {
      call: <Name extends CallName>(
        name: Name,
        ...args: [body?: CallBody<Name>, options?: CallOptions]
      ): Promise<CallResult<CallData<Name>>> => {
        const call = client.call as (
          name: Name,
          ...args: [body?: CallBody<Name>, options?: CallOptions]
        ) => Promise<CallResult<CallData<Name>>>;
        const [body] = args;
        const waitMs = name === 'live/watch' ? watchMs(body as CallBody<'live/watch'>) : 0;
        return this.#options.actions.measure(
          getAction(name, body),
          streaks,
          () => call(name, ...args),
          waitMs,
        );
      },
    };
  }

  #measuredTransfers(streaks: Streaks): ObjectTransfers {
    const { actions } = this.#options;
    const { store, read } = new Network().transfers;
    return {
      store: (...args) => actions.measure('store/upload', streaks, () => store(...args)),
      read: (...args) => actions.measure('store/download', streaks, () => read(...args)),
    };
  }
}

/** Returns the action of a call. The first request for changes has no cursor. */
function getAction(name: CallName, body: unknown): Action {
  const isFirst = name === 'sync/changes' && !(body as CallBody<'sync/changes'>)?.cursor;
  return isFirst ? 'sync/changes (first)' : name;
}

/** Returns how long the server waits for new text. Without a known version, it responds immediately. */
const watchMs = ({ version, wait = 0 }: CallBody<'live/watch'>) =>
  version === undefined ? 0 : wait * 1000;
