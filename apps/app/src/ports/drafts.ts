/** The fields whose unsaved text is kept, with what is kept of each. */
export type DraftFields = {
  /** The title of a recording, by recording. */
  readonly title: string;
  /** The paragraph of a recording that is being edited, by recording. */
  readonly paragraph: { readonly id: string; readonly text: string };
  /** The nickname of the account. */
  readonly nickname: string;
  /** The custom structure of summaries. */
  readonly template: {
    readonly name: string;
    readonly sections: readonly { readonly heading: string; readonly wants: string }[];
  };
};
export type DraftField = keyof DraftFields;

/** Text that the signed-in user has typed but not saved. It survives reloads, crashes and closed tabs. */
export type Drafts = {
  /** @param subject the recording; empty for fields of the account */
  read<F extends DraftField>(field: F, subject?: string): DraftFields[F] | null;
  /** Stores a draft, or deletes it if it is null. Failures are reported, because they must not interrupt typing. */
  write<F extends DraftField>(field: F, draft: DraftFields[F] | null, subject?: string): void;
};
