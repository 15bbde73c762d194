/**
 * Limits shared by the app and the server. Sizes are in bytes, and times have their unit in the name. Imports nothing,
 * because the app loads it at startup.
 */
export const limits = {
  /** The timeout for an interactive call (specification, section 9). */
  requestTimeoutMs: 10_000,
  /** How long a transfer may go without progress before it times out. */
  transferIdleTimeoutMs: 60_000,
  /** Maximum size of a JSON body. */
  jsonBodyBytes: 1024 * 1024,
  email: { maxLength: 254 },
  /** The first `tries` attempts per day and network aren't delayed. Later attempts are increasingly delayed. */
  code: { length: 6, ttlSeconds: 600, tries: 5 },
  password: { minLength: 8, maxLength: 128 },
  nickname: { maxLength: 40 },
  /** API keys: the number per account, and the longest lifetime of those that expire. */
  keys: { count: 50, nameMaxLength: 80, maxDays: 3650 },
  /**
   * Links that show a recording without an account: the number per account, the longest lifetime of those that expire,
   * and the number of views whose times are stored.
   */
  shares: { count: 200, maxDays: 3650, views: 100 },
  retention: {
    /** Maximum number of rules per account. */
    rules: 20,
    minDays: 7,
    maxDays: 3650,
    maxMonths: 1200,
    /** How long a new or changed rule waits before it acts, so that a mistake can be noticed. */
    delayMs: 24 * 3_600_000,
    /** Maximum number of recordings that the rules of an account move per day, in UTC. */
    moves: 1000,
    /**
     * Longest time between two daily applications of the rules. After a longer one, the server was off or its clock has
     * jumped, so that the rules wait for their owners.
     */
    maxGapMs: 5 * 24 * 3_600_000,
    /** How many days it is remembered what a rule moved. */
    runDays: 365,
  },
  webhooks: {
    /** Maximum number per account. */
    count: 10,
    urlMaxLength: 2048,
    /** Number of the latest ended deliveries that are kept for each webhook, and for how many days. */
    deliveries: 1000,
    deliveryDays: 30,
    /** Maximum number of waiting deliveries of a webhook. Further ones are listed as failed. */
    waiting: 10_000,
  },
  vaults: { usernameMaxLength: 254, passwordMaxLength: 1024, templateMaxLength: 10_000 },
  /** Push subscriptions: the number per account, and the maximum length of their addresses. */
  push: { count: 50, endpointMaxLength: 2048 },
  /** How long a used refresh token keeps returning the same successor. */
  refreshGraceSeconds: 30,
  /** How long after entering the password a user can close the account without being asked for it again. */
  passwordFreshSeconds: 600,
  /** How long copies are kept after their storage location is deselected, so that the user can undo a mistake. */
  deletionGraceMs: 3_600_000,
  recording: {
    nameMaxLength: 200,
    tagMaxLength: 40,
    tags: 50,
    /** Maximum number of names and terms that speech recognition looks for in one recording. */
    words: 100,
    markers: 10_000,
    /** Maximum number of typed notes. */
    notes: 1000,
    /** Maximum length of a note, in characters. */
    noteMaxLength: 1000,
    speakerMaxLength: 80,
    /** Maximum number of speaker names. */
    speakers: 200,
    ticks: 10_000,
    /** Maximum number of listed changes to which one is restored. */
    unplaced: 10_000,
    /** Maximum length of a listed change, in characters: a paragraph's text with an ellipsis at each end. */
    unplacedMaxLength: 20_002,
    mindNodes: 2000,
    /** Maximum length of a mind map topic, in characters. */
    topicMaxLength: 1000,
    /** Number of peaks sent to the server per recording: two for each bar in a player. */
    peaks: 160,
    /** Maximum size of a call's levels: five hours. Words after that are attributed to the last speaker before it. */
    callLevelsBytes: 5 * 36_000 * 2,
  },
  paragraph: { contentMaxLength: 20_000 },
  /** Maximum number of recordings that are merged into one. */
  merge: { parts: 100 },
  /**
   * Words with a lower confidence are unsure. Measurements showed that this value roughly separates the engines' correct
   * words from their errors.
   */
  minConfidence: 0.5,
  /** A BCP 47 tag (RFC 5646, 4.4.1). */
  language: { maxLength: 35 },
  setting: { nameMaxLength: 64, valueMaxLength: 1000, settings: 200 },
  vocabulary: {
    /** Maximum number of entries on the list. */
    entries: 200,
    /** Maximum number of stored entries, including removed ones. */
    stored: 1000,
    /** Maximum number of names that the app remembers because they were corrected once. */
    corrected: 200,
    /** Maximum length of an entry, in characters. */
    entryMaxLength: 50,
  },
  filters: {
    /** Maximum number of saved filters. */
    count: 50,
    /** Maximum number of settings for filters, including those of deleted filters and the order. */
    stored: 101,
    /** Maximum length of a name, in characters. */
    nameMaxLength: 40,
    /** Maximum number of tags of a filter. */
    tags: 10,
  },
  search: { keywordMaxLength: 200 },
  ask: {
    questionMaxLength: 1000,
    /** Maximum number of recordings that a question may be limited to. */
    recordings: 100,
    /** Maximum number of quotes of an answer. */
    quotes: 5,
    /** Maximum number of paragraphs that a language model reads for an answer. */
    read: 12,
    /** Maximum seconds that a call waits for a language model, less than clients and proxies do. */
    wait: 25,
    /** Maximum number of threads per account, beyond which the oldest is deleted. */
    threads: 500,
    /** Maximum number of questions of a thread. */
    questions: 100,
  },
  feedback: {
    contentMaxLength: 5000,
    contactMaxLength: 254,
    /** Maximum number of log characters sent with feedback. They're taken from the end of the log. */
    logMaxLength: 200_000,
  },
  sync: {
    /** Maximum number of operations per sync/apply call. */
    operations: 500,
    /** Maximum number of changes per sync/changes response. Changes with the same revision are never split. */
    changes: 500,
  },
  serial: { maxLength: 64 },
  page: { defaultLimit: 20, maxLimit: 1000 },
  upload: {
    /** Maximum number of unexpired upload grants per account whose objects aren't yet registered as recordings. */
    openGrants: 100,
    /** 2 GiB: about 70 hours of Ogg from a recorder, or 18 hours of 16 kHz WAV. */
    voiceBytes: 2 * 1024 ** 3,
    avatarBytes: 5 * 1024 ** 2,
    voiceExts: ['ogg', 'wav'],
    avatarExts: ['png', 'jpg', 'jpeg', 'webp'],
    /** A phone keeps its log for ten days (specification, section 9). */
    logBytes: 20 * 1024 ** 2,
  },
  transcription: { minSeconds: 2, draftsPerCall: 200 },
  live: {
    /** Maximum size of the packets in one live/append call: 75 seconds. In base64, it fits into `jsonBodyBytes`. */
    appendBytes: 600_000,
    /** Maximum number of packets of a recording with live text: one day. Later audio is transcribed at the end. */
    packets: 24 * 3600 * 50,
    /** How long a session is kept after its last packet, for the transcription. */
    keptSeconds: 24 * 3600,
    /** Maximum time that a live/watch call waits for new text. Shorter than the timeouts of common proxies. */
    watchSeconds: 25,
    /** Maximum number of recordings that a live/watch call names. */
    watched: 32,
  },
  template: { nameMaxLength: 60, headingMaxLength: 80, wantsMaxLength: 400, sections: 12 },
  minutes: { newAccount: 30, vipPerMonth: 1200 },
} as const;
