/** A note that isn't in the local database yet. */
export type NoteDraft = {
  readonly id: string;
  readonly text: string;
  /** When the user started typing, in seconds from the start of the recording. */
  readonly time: number;
  /** The recording; null if it hasn't started yet. */
  readonly recording: string | null;
};

/** The fields whose unsaved text is stored, and what is stored for each. */
export type DraftFields = {
  /** A recording's title. */
  readonly title: string;
  /** The paragraph of a recording that is being edited. */
  readonly paragraph: { readonly id: string; readonly text: string };
  /** The note being typed in the recording panel. */
  readonly note: NoteDraft;
  /** Notes typed before the recording, and notes not yet added to their recordings. */
  readonly notes: readonly NoteDraft[];
  /**
   * The question being typed. The subject is the thread's ID or, in a new conversation, the ID of the recording in
   * question, if any.
   */
  readonly question: string;
  /** The account's nickname. */
  readonly nickname: string;
  /** The custom summary structure. */
  readonly template: {
    readonly name: string;
    readonly sections: readonly { readonly heading: string; readonly wants: string }[];
  };
};
export type DraftField = keyof DraftFields;

/** Text that the signed-in user has typed but not saved. It survives reloads, crashes and closed tabs. */
export type Drafts = {
  /** @param subject the recording; empty for account fields */
  read<F extends DraftField>(field: F, subject?: string): DraftFields[F] | null;
  /**
   * Stores a draft, or deletes it if null. Failures are reported rather than thrown, because they must not interrupt
   * typing.
   */
  write<F extends DraftField>(field: F, draft: DraftFields[F] | null, subject?: string): void;
};
