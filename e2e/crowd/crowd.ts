import { seedAccounts } from '../bench/load/accounts.ts';
import { Ledger } from './ledger.ts';
import { Phone, type StoredRecording } from './phone.ts';
import type { Talk, Talks } from './talks.ts';

/** A server as seen by the phones and the ledger. */
export type ReachableServer = { readonly url: string; readonly databaseUrl: string };

export type CrowdOptions = {
  readonly server: ReachableServer;
  readonly talks: Talks;
  /** Number of phones that upload recordings, each with its own account. */
  readonly phones: number;
  /** Number of additional phones that record with live text. */
  readonly livePhones: number;
  /** Aborts all waits. */
  readonly signal: AbortSignal;
};

/** Phones that upload recordings to a server, and compare what they get back with what they have recorded. */
export class Crowd {
  readonly ledger: Ledger;
  readonly phones: readonly Phone[];
  readonly livePhones: readonly Phone[];
  /** All recordings that the server has confirmed. */
  readonly stored: StoredRecording[] = [];
  /** Everything that was lost, changed, or not done exactly once. */
  readonly problems: string[] = [];
  readonly #talks: Talks;
  /** Number of failed calls that were repeated, by reason. */
  readonly #retries: Record<string, number> = {};
  #created = 0;

  private constructor(options: CrowdOptions, accounts: readonly Phone['account'][]) {
    const { server, talks, phones, signal } = options;
    const { url, databaseUrl } = server;
    this.#talks = talks;
    this.ledger = new Ledger(databaseUrl);
    const onRetry = (reason: string) => {
      this.#retries[reason] = (this.#retries[reason] ?? 0) + 1;
    };
    const all = accounts.map(
      (account, number) => new Phone({ number, url, account, signal, onRetry }),
    );
    this.phones = all.slice(0, phones);
    this.livePhones = all.slice(phones);
  }

  /** Creates accounts with enough minutes. */
  static async signUp(options: CrowdOptions): Promise<Crowd> {
    const { server, phones, livePhones } = options;
    const accounts = await seedAccounts(server.databaseUrl, phones + livePhones, 0);
    const crowd = new Crowd(options, accounts);
    await crowd.ledger.open();
    await crowd.ledger.grant(accounts.map(({ id }) => id));
    return crowd;
  }

  get retries(): Readonly<Record<string, number>> {
    return this.#retries;
  }

  /** Uploads a new recording. */
  async upload(phone: Phone): Promise<StoredRecording> {
    const { talk, file } = this.#talks.recording(this.#created++);
    const stored = await phone.upload(talk, file);
    this.stored.push(stored);
    return stored;
  }

  /** Waits for a transcript and compares its words with those spoken. */
  async compareTranscript(stored: StoredRecording): Promise<void> {
    const words = await stored.phone.waitForTranscript(stored);
    if (!words) this.problems.push(`the transcription of ${stored.id} failed`);
    else if (words.join(' ') !== stored.talk.words.join(' ')) {
      this.problems.push(`the transcript of ${stored.id} is wrong: ${words.join(' ')}`);
    }
  }

  /** Renames a recording, and searches for its new name. */
  async compareSearch(stored: StoredRecording): Promise<void> {
    const name = `Renamed ${stored.id}`;
    await stored.phone.rename(stored, name);
    const found = await stored.phone.search(name);
    if (found.join() !== stored.serverId) {
      this.problems.push(`the search for ${name} finds ${found.join() || 'nothing'}`);
    }
  }

  /** Records a talk with live text, and compares the words of the live text and of the transcript. */
  async recordLive(phone: Phone, talk: Talk): Promise<void> {
    const { stored, liveWords } = await phone.recordLive(talk);
    this.stored.push(stored);
    // The end of the text may be missing if the worker was lost at the end of the recording.
    const expected = talk.words.slice(0, liveWords.length);
    if (liveWords.length === 0 || liveWords.join(' ') !== expected.join(' ')) {
      this.problems.push(`the live text of ${stored.id} is wrong: ${liveWords.join(' ')}`);
    }
    await this.compareTranscript(stored);
  }

  /** Compares the database and the store with what was recorded, and adds the differences to the problems. */
  async compareStored(): Promise<void> {
    this.problems.push(...(await this.ledger.differences(this.stored)));
    await Promise.all(this.stored.map((stored) => this.guard(() => this.#compareAudio(stored))));
  }

  /** Runs `work`. If it throws, adds the error to the problems instead, so that the other phones continue. */
  async guard(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.problems.push(`${error}`);
    }
  }

  async #compareAudio(stored: StoredRecording): Promise<void> {
    const audio = await stored.phone.download(stored);
    const sentBytes = Buffer.from(await stored.file.blob.arrayBuffer());
    if (!audio.equals(sentBytes)) this.problems.push(`the audio of ${stored.id} was changed`);
  }
}
