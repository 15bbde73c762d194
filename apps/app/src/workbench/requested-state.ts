/** The state requested by a workbench address's query. */
export type RequestedState = {
  readonly link?: string | undefined;
  readonly omi?: string | undefined;
  readonly pocket?: string | undefined;
  readonly records?: string | undefined;
  readonly server?: string | undefined;
  readonly storage?: string | undefined;
  readonly transports?: string | undefined;
  readonly version?: string | undefined;
  readonly recorders?: string | undefined;
  readonly step?: string | undefined;
  readonly failure?: string | undefined;
  readonly account?: string | undefined;
  readonly plan?: string | undefined;
  /** Texts typed but not saved. */
  readonly drafts?: string | undefined;
  /** This device's microphone state. */
  readonly microphone?: string | undefined;
  /** The live text of the recording in progress. */
  readonly live?: string | undefined;
  /** The recording in progress on another device. */
  readonly other?: string | undefined;
  readonly denoising?: string | undefined;
  readonly imports?: string | undefined;
  readonly folders?: string | undefined;
  /** `loading`, `empty`, or a number of recordings. */
  readonly bin?: string | undefined;
  /** The stored view of the Files page, as text. */
  readonly view?: string | undefined;
  /** `some` for saved filters. */
  readonly filters?: string | undefined;
  readonly guide?: string | undefined;
  readonly searchResults?: string | undefined;
  /** The state of the recorder's firmware. */
  readonly firmware?: string | undefined;
  readonly update?: string | undefined;
  /** A transfer from the recorder. */
  readonly transfer?: string | undefined;
  /** The kind of network this phone is using. */
  readonly network?: string | undefined;
  /** Any value if recordings should have pending work. */
  readonly pendingWork?: string | undefined;
  /** A conversation's contents. */
  readonly ask?: string | undefined;
  /** `none` for an empty vocabulary. */
  readonly vocabulary?: string | undefined;
  /** `none` for no retention rules, `paused` for paused ones. */
  readonly rules?: string | undefined;
  /** `none` for no calendar address. */
  readonly calendar?: string | undefined;
  /** `none` for no links to recordings. */
  readonly links?: string | undefined;
  /** `none`, `folder`, `failing` or `stopped`. */
  readonly vault?: string | undefined;
  /** `some`, `permission` or `failed` for a folder on this device, `unsupported` for a browser without one. */
  readonly deviceVault?: string | undefined;
  /** `off`, `blocked` or `unsupported` notifications, or those of a phone app: `phone`, `phone-blocked`. */
  readonly notifications?: string | undefined;
  /** `unavailable` for a server that can't send mail. */
  readonly mails?: string | undefined;
  /** `none` for no webhooks. */
  readonly webhooks?: string | undefined;
  /** `none` for no API keys. */
  readonly keys?: string | undefined;
  /** `none` for no remembered voices, and `off` if they aren't remembered. */
  readonly voices?: string | undefined;
};
