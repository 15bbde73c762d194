/** The groups of calls, in the order they appear in the reference. */
export const callGroups = {
  account: 'Registration, sign-in, sessions, profile and settings.',
  keys: 'API keys for scripts and other programs.',
  upload: 'Upload grants, and registration of uploaded audio as recordings.',
  recordings: 'Names, the recycle bin and permanent deletion.',
  retention: 'Rules that move old recordings to the recycle bin.',
  shares: 'Links that show a recording to people without an account.',
  tasks: 'Transcripts, summaries, search and edits of paragraphs.',
  questions: 'Questions about recordings.',
  voices: 'Stored voices, used to recognize speakers in new recordings.',
  vaults: 'Folders with one Markdown file per recording.',
  webhooks:
    'Messages to other programs about recordings, following the Standard Webhooks specification.',
  notifications: 'Browser notifications with Web Push (RFC 8030, 8291 and 8292).',
  sync: 'Offline edits, and all changes to an account since a cursor.',
  devices: 'Recorders bound to the account.',
  orders: 'Memberships, minute packages and the balance.',
  site: "The server's public configuration, and feedback.",
} as const;
export type CallGroup = keyof typeof callGroups;

/** A call's entry in the reference. */
export interface CallReference {
  readonly group: CallGroup;
  /** The call's name in generated clients. */
  readonly operationId: string;
  readonly title: string;
  /** One or more sentences in Markdown. */
  readonly description: string;
}

/** Returns a function that makes the entries of a group. */
export const createCallGroup =
  (group: CallGroup) =>
  (operationId: string, title: string, description: string): CallReference => ({
    group,
    operationId,
    title,
    description,
  });
