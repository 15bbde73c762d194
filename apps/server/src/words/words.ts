import type { OrderStatus } from '@linnet/contract/statuses';

/** A message in each plural form of a language (CLDR). */
export type PluralForms<Category extends Intl.LDMLPluralRule> = Readonly<
  Record<Category | 'other', string>
>;

/**
 * The server's messages in one language. Placeholders are written as `{name}`.
 * @typeParam Category the language's plural categories other than `other`
 */
export interface Words<Category extends Intl.LDMLPluralRule = never> {
  readonly codeMail: {
    /** {code} */
    readonly subject: string;
    /** Introduces the code, which follows on its own line. */
    readonly lead: string;
    /** {minutes} */
    readonly expires: PluralForms<Category>;
    readonly newAddress: string;
    readonly knownAddress: string;
    readonly notRequested: string;
  };
  readonly farewellMail: {
    readonly subject: string;
    readonly deleted: string;
    readonly details: string;
    readonly registerAgain: string;
  };
  /** Notifications of Web Push. */
  readonly push: {
    /** Followed by the recording's name. */
    readonly transcriptReady: string;
    /** Followed by the texts of the to-dos. {count} */
    readonly todosDue: PluralForms<Category>;
    readonly testTitle: string;
    readonly testBody: string;
  };
  /** Notification emails, and the page that turns them off. */
  readonly mail: {
    /** {count} */
    readonly transcriptsReady: PluralForms<Category>;
    /** Ends a list of recordings. {count} */
    readonly more: PluralForms<Category>;
    readonly reason: string;
    /** A link, a title and a button. */
    readonly stop: string;
    readonly stopText: string;
    readonly stopped: string;
    readonly stoppedText: string;
  };
  /** Product names, as shown on checkouts, invoices and bank statements. */
  readonly plans: {
    readonly monthly: string;
    readonly annual: string;
    /** {minutes} */
    readonly minutes: PluralForms<Category>;
  };
  readonly checkout: {
    /** The page's title. */
    readonly title: string;
    readonly testTitle: string;
    readonly testHint: string;
    readonly packageTerms: string;
    readonly monthlyTerms: string;
    readonly annualTerms: string;
    /** {price} */
    readonly pay: string;
    readonly simulateFailure: string;
    readonly cancel: string;
    readonly back: string;
    readonly status: Readonly<Record<Exclude<OrderStatus, 'pending'>, string>>;
    readonly notFound: string;
    readonly notFoundHint: string;
  };
  /** Headings of the vaults' Markdown files that aren't in `share`. The same as in the app. */
  readonly note: { readonly mindMap: string };
  /** The page of a link to a recording. Names of parts are the same as in the app. */
  readonly share: {
    /** The name of an untitled recording. {date} */
    readonly untitled: string;
    readonly transcript: string;
    readonly summary: string;
    readonly todos: string;
    readonly audio: string;
    readonly kinds: { readonly extractive: string; readonly generative: string };
    /** Shown in place of a part that the recording doesn't have yet. */
    readonly empty: string;
    /** Shown in place of the to-dos if the recording has none. */
    readonly none: string;
    /** Shown in place of audio that isn't stored. */
    readonly unavailable: string;
    /** {time} */
    readonly playFrom: string;
    /** Shown with a completed to-do. */
    readonly done: string;
    readonly unplayable: string;
    readonly download: string;
    readonly passwordTitle: string;
    readonly passwordHint: string;
    readonly password: string;
    readonly open: string;
    readonly wrongPassword: string;
    readonly tooManyAttempts: string;
    readonly invalidTitle: string;
    readonly invalidText: string;
    readonly failedTitle: string;
    readonly failedText: string;
  };
}
