import type { CallData, SummaryTemplate } from '@linnet/contract';
import type { CallFailure } from '@linnet/contract/client';
import type { Bcp47 } from '@linnet/contract/languages';
import type { Edit } from '@linnet/contract/operations';
import type { StructureId } from '@linnet/contract/structures';
import type {
  Movement,
  RecordDetail,
  RecordSummary,
  RefusedEdit,
  SoundVersion,
} from '@linnet/sync';
import type { Live, Outcome } from './store.ts';

/** What moves of a recording right now, beside what the database says of it; absent while nothing does. */
export type Moving = { readonly movement?: Movement };

/** How a summary should be; as it was, and in the recording's language, where nothing is said. */
export type SummaryWish = {
  readonly structure?: StructureId;
  readonly template?: SummaryTemplate;
  /** BCP-47. */
  readonly language?: Bcp47;
};

export type LibraryService = {
  /** All kept recordings of the account, newest first. */
  readonly records: Live<readonly (RecordSummary & Moving)[]>;
  /** What lies in the recycle bin, what was put there last first. */
  readonly bin: Live<readonly RecordSummary[]>;
  record(id: string): Live<(RecordDetail & Moving) | null>;
  markRead(id: string): Promise<void>;
  /**
   * Does what the owner asks for: here at once, on the server and their other phones as soon as those can
   * be told. Nothing happens to a recording that is gone.
   */
  edit(edit: Edit): Promise<void>;
  rename(id: string, title: string): Promise<void>;
  /** The same for several at once: all or none, each edit about another recording or paragraph. */
  editAll(edits: readonly Edit[]): Promise<void>;
  /** To the recycle bin; `restore` is its undo. */
  moveToBin(ids: readonly string[]): Promise<void>;
  restore(ids: readonly string[]): Promise<void>;
  /** Those that lie in the bin, for good: with transcript and sound, here and everywhere but on the recorder. */
  deleteForGood(ids: readonly string[]): Promise<void>;
  /** Edits that the server refused, until their owner dismisses them. */
  readonly refused: Live<readonly RefusedEdit[]>;
  /** @param opIds ids of their operations */
  dismissRefused(opIds: readonly string[]): Promise<void>;
  /** Asks the server now what other phones did, and says how that went. */
  refresh(): Promise<Outcome<null, CallFailure>>;
  /** Tries again whatever the record's `trouble` stopped. */
  retry(id: string): Promise<void>;
  /** Wants a transcript in a language, BCP-47 or `auto`; in place of the one there is, if there is one. */
  transcribe(id: string, language: string, version?: SoundVersion): Promise<void>;
  /** Wants no transcript any more that was asked for, and of which the server was not told yet. */
  callOff(id: string): Promise<void>;
  /** Cancels the transcription that the server has under way, and reserved minutes come back. */
  cancelTranscription(id: string): Promise<Outcome<null, CallFailure>>;
  /** Downloads the audio of a recording from the cloud, before any other, and keeps it on this phone. */
  download(id: string): Promise<void>;
  /** Stops a download. */
  cancelDownload(id: string): Promise<void>;
  /** Has the summary made again from the transcript as it is now, and resolves once it is here. */
  summarize(id: string, wish: SummaryWish): Promise<Outcome<null, CallFailure>>;
  /** Every text that the server knows of a paragraph, what the engine heard first. */
  versions(id: string, paragraph: string): Promise<Outcome<readonly TextVersion[], CallFailure>>;
  /** What can be played of a recording; null when there is nothing, or the server does not answer. */
  audio(id: string, version?: SoundVersion): Promise<Sound | null>;
};

/** One text that a paragraph had. */
export type TextVersion = CallData<'task/paragraph-history'>['list'][number];

/** A sound that `<audio>` can play and seek. */
export type Sound = {
  readonly url: string;
  /** `cloud`: it is streamed, and only plays while the server answers. */
  readonly from: 'phone' | 'cloud';
  /** The loudness of its stretches; null where the sound is not on this phone. */
  readonly levels: Levels | null;
  release(): void;
};

/**
 * The loudness of a stretch of a sound: its largest amplitudes, 0 to 1, one for each step of time. Less
 * than was asked for at the end of the sound.
 * @param from seconds
 * @param to seconds
 */
export type Levels = {
  /** Seconds. */
  readonly step: number;
  read(from: number, to: number): Promise<Float32Array>;
};
