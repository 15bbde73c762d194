/** A phone: uploads recordings, requests transcripts and streams live text, with the calls and engines of the app. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { createServerCloud } from '@linnet/app/server-cloud';
import { PACKET_BYTES, PACKET_MS } from '@linnet/audio/format';
import { type Client, createClient } from '@linnet/contract/client';
import { codes } from '@linnet/contract/codes';
import { taskStatus } from '@linnet/contract/statuses';
import { normalizeWords } from '@linnet/server/word-error-rate';
import { type Cloud, type CloudResult, LiveSender, systemClock } from '@linnet/sync';
import type { SeededAccount } from '../bench/load/accounts.ts';
import { describeFailure } from '../bench/load/actions.ts';
import { type LoadFile, toFile } from '../bench/load/audio.ts';
import { Tokens } from '../bench/load/tokens.ts';
import { Network } from '../faults/network.ts';
import type { Talk } from './talks.ts';

/** Interval at which recorded packets are passed on, in milliseconds, as by `microphone-recorder.ts`. */
const FLUSH_MS = 200;
/** Interval of polling a transcription, in milliseconds (`packages/sync/src/cloud-sync.ts`). */
const POLL_MS = 1500;
/**
 * Delay before a failed call is repeated, in milliseconds. The app's delays grow up to a minute, which would measure the
 * delays instead of the server.
 */
const RETRY_MS = 1000;
/** Codes after which the app repeats its work (`packages/sync/src/verdicts.ts`). */
const REPEATED_CODES: readonly number[] = [
  ...[codes.internal, codes.unavailable, codes.serverFull, codes.tooManyRequests],
  ...[codes.keyNotIssued, codes.objectMissing, codes.objectDiffers],
];

/** A recording that the server has confirmed. */
export type StoredRecording = {
  /** The ID on every phone (`client_flag`). */
  readonly id: string;
  readonly serverId: string;
  readonly talk: Talk;
  readonly file: LoadFile;
  readonly phone: Phone;
};

export type PhoneOptions = {
  readonly number: number;
  readonly url: string;
  readonly account: SeededAccount;
  /** Aborts all waits. */
  readonly signal: AbortSignal;
  /** Reports a failed call that is repeated, by its reason. */
  readonly onRetry: (reason: string) => void;
};

export class Phone {
  readonly account: SeededAccount;
  readonly #options: PhoneOptions;
  readonly #client: Client;
  readonly #cloud: Cloud;

  constructor(options: PhoneOptions) {
    const { number, url, account } = options;
    this.#options = options;
    this.account = account;
    // Rate limits apply to each network, and the server takes a client's address from the load balancer.
    const headers = { 'x-forwarded-for': `10.1.${number >> 8}.${number & 255}` };
    const tokens = new Tokens(url, account.refreshToken, headers, (client) => client);
    this.#client = createClient({ baseUrl: url, tokens, headers: () => headers });
    this.#cloud = createServerCloud(this.#client, new Network().transfers);
  }

  /** Uploads a recording in the steps of `CloudSync`. */
  async upload(talk: Talk, file: LoadFile, id: string = randomUUID()): Promise<StoredRecording> {
    const facts = {
      ...({ id, name: 'Talk', scene: 'note', sn: '', autoTranscribe: false } as const),
      ...{ seconds: file.seconds, recordedAt: new Date().toISOString() },
      ...{ peaks: new Uint8Array(160), callLevels: null },
    };
    const { id: serverId } = await this.#value(async () => {
      const known = await this.#cloud.check(facts);
      if (!known.ok) return known;
      if (known.data?.url) return { ok: true, data: known.data } as const;
      return this.#cloud.upload(facts, file.blob, () => undefined, this.#options.signal);
    });
    return { id, serverId, talk, file, phone: this };
  }

  /** Requests the transcript of a recording, unless an earlier request whose response was lost did. */
  async requestTranscript({ serverId }: StoredRecording): Promise<void> {
    await this.#value<unknown>(async () => {
      const rows = await this.#cloud.list([serverId]);
      if (!rows.ok || rows.data[0]?.task) return rows;
      return this.#cloud.createTask(serverId, { language: 'en' });
    });
  }

  /**
   * Waits for the transcript of a recording.
   * @returns its words, or null if the transcription has failed
   */
  async waitForTranscript({ serverId }: StoredRecording): Promise<readonly string[] | null> {
    for (;;) {
      const [row] = await this.#value(() => this.#cloud.list([serverId]));
      const task = row?.task;
      if (task?.status === taskStatus.failed) return null;
      if (task?.status === taskStatus.transcribed) {
        const { paragraphs } = await this.#value(() => this.#cloud.task(task.id));
        return normalizeWords(paragraphs.map(({ content }) => content).join(' '));
      }
      await delay(POLL_MS, undefined, { signal: this.#options.signal });
    }
  }

  async rename({ serverId }: StoredRecording, name: string): Promise<void> {
    await this.#value(() => this.#client.call('radio/rename', { id: serverId, name }));
  }

  /** Searches the account's recordings. @returns the server's IDs of those found */
  async search(keyword: string): Promise<readonly string[]> {
    const { list } = await this.#value(() => this.#client.call('task/search', { keyword }));
    return list.map(({ id }) => id);
  }

  async download({ serverId }: StoredRecording): Promise<Buffer> {
    const pieces: Uint8Array[] = [];
    await this.#value(() => {
      pieces.length = 0;
      const onPiece = async (bytes: Uint8Array) => void pieces.push(bytes);
      return this.#cloud.download(serverId, 0, onPiece, this.#options.signal);
    });
    return Buffer.concat(pieces);
  }

  /**
   * Records a talk with live text in real time, uploads it and requests its transcript.
   * @returns the recording, and the words of its live text
   */
  async recordLive(talk: Talk): Promise<{ stored: StoredRecording; liveWords: readonly string[] }> {
    const id = randomUUID();
    const { packets } = talk;
    const { signal } = this.#options;
    const sender = new LiveSender({
      append: async (body, callSignal) => {
        const result = await this.#client.call('live/append', body, {
          signal: AbortSignal.any([callSignal, signal]),
        });
        if (!result.ok) this.#options.onRetry(describeFailure(result.failure));
        return result;
      },
      audio: { readPackets: async (_id, from, to) => packets.subarray(from, to) },
      language: () => 'en',
      words: async () => [],
      isVisible: () => true,
      clock: systemClock,
      log: () => undefined,
      onError: (error) => this.#options.onRetry(`live text: ${error}`),
    });
    const stopWatching = sender.watch(id);
    const startedAt = performance.now();
    for (let sentPackets = 0; sentPackets < packets.length; ) {
      await delay(FLUSH_MS, undefined, { signal });
      const elapsed = Math.floor((performance.now() - startedAt) / PACKET_MS) * PACKET_BYTES;
      const end = Math.min(packets.length, elapsed);
      sender.add(id, sentPackets, packets.subarray(sentPackets, end), true);
      sentPackets = end;
    }
    sender.end(id, packets.length);
    while (sender.texts.get().get(id)?.state.status === 'listening') {
      await delay(FLUSH_MS, undefined, { signal });
    }
    stopWatching();
    const passages = sender.texts.get().get(id)?.passages ?? [];
    const stored = await this.upload(talk, toFile(packets), id);
    await this.requestTranscript(stored);
    return { stored, liveWords: normalizeWords(passages.map(({ text }) => text).join(' ')) };
  }

  /**
   * Returns the data of a call, which is repeated while the server doesn't answer.
   * @throws if the server refuses the call, or when waiting ends
   */
  async #value<T>(call: () => Promise<CloudResult<T>>): Promise<T> {
    const { signal, onRetry } = this.#options;
    for (;;) {
      const result = await call();
      if (result.ok) return result.data;
      const { failure } = result;
      if (failure.kind === 'server' && !REPEATED_CODES.includes(failure.code)) {
        throw new Error(`refused with code ${failure.code}: ${failure.msg}`);
      }
      onRetry(describeFailure(failure));
      await delay(RETRY_MS, undefined, { signal });
    }
  }
}
