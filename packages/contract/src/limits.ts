/**
 * Limits shared by the app and the server. Sizes are in bytes, and times have their unit in the name. This module
 * imports nothing, because the app loads it at startup.
 */
export const limits = {
  /** The timeout for an interactive call (specification, section 9). */
  requestTimeoutMs: 10_000,
  /** How long a transfer may go without progress before it times out. */
  transferIdleTimeoutMs: 60_000,
  /** Maximum size of a JSON body. */
  jsonBodyBytes: 1024 * 1024,
  email: { maxLength: 254 },
  /**
   * Verification codes. After `tries` attempts per day and network, each attempt is delayed longer than the previous.
   */
  code: { length: 6, ttlSeconds: 600, tries: 5 },
  password: { minLength: 8, maxLength: 128 },
  nickname: { maxLength: 40 },
  /** API keys: maximum number per account, and maximum lifetime (if a key expires). */
  keys: { count: 50, nameMaxLength: 80, maxDays: 3650 },
  /**
   * Share links: maximum number per account, maximum lifetime (if a link expires), and the number of views whose
   * timestamps are stored.
   */
  shares: { count: 200, maxDays: 3650, views: 100 },
  retention: {
    /** Maximum number of rules per account. */
    rules: 20,
    minDays: 7,
    maxDays: 3650,
    maxMonths: 1200,
    /**
     * How long a new or changed rule waits before it first moves recordings, giving the user time to notice mistakes.
     */
    delayMs: 24 * 3_600_000,
    /** Maximum number of recordings that an account's rules move per day (UTC). */
    moves: 1000,
    /**
     * Maximum interval between two daily runs of the rules. A longer interval means that the server was off or its
     * clock jumped. The rules are then paused until their users confirm them.
     */
    maxGapMs: 5 * 24 * 3_600_000,
    /** How long runs are stored, in days. */
    runDays: 365,
  },
  webhooks: {
    /** Maximum number per account. */
    count: 10,
    urlMaxLength: 2048,
    /** Maximum number of finished deliveries stored per webhook. The oldest are deleted. */
    deliveries: 1000,
    /** How long finished deliveries are stored, in days. */
    deliveryDays: 30,
    /** Maximum number of waiting deliveries per webhook. Further deliveries are listed as failed. */
    waiting: 10_000,
  },
  vaults: { usernameMaxLength: 254, passwordMaxLength: 1024, templateMaxLength: 10_000 },
  /** Push subscriptions: maximum number per account, and maximum URL length. */
  push: { count: 50, endpointMaxLength: 2048 },
  /** How long a used refresh token keeps returning the same successor. */
  refreshGraceSeconds: 30,
  /** How long after entering the password a user can close the account without entering it again. */
  passwordFreshSeconds: 600,
  /** How long copies are kept after the user deselects their storage location, in case it was a mistake. */
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
    /** Maximum size of the list `unplaced` when the user restores a dismissed change. */
    unplaced: 10_000,
    /** Maximum length of an unplaced change, in characters: a paragraph's text with an ellipsis at each end. */
    unplacedMaxLength: 20_002,
    mindNodes: 2000,
    /** Maximum length of a mind map topic, in characters. */
    topicMaxLength: 1000,
    /** Number of peaks per recording sent to the server: two for each bar in the player. */
    peaks: 160,
    /** Maximum size of a call's levels: five hours. Later words are attributed to the last speaker within this time. */
    callLevelsBytes: 5 * 36_000 * 2,
  },
  paragraph: { contentMaxLength: 20_000 },
  /** Maximum number of recordings that are merged into one. */
  merge: { parts: 100 },
  /**
   * Words with a lower confidence are shown as uncertain. In measurements, this threshold roughly separated the
   * engines' correct words from their errors.
   */
  minConfidence: 0.5,
  /** A BCP 47 tag (RFC 5646, 4.4.1). */
  language: { maxLength: 35 },
  setting: { nameMaxLength: 64, valueMaxLength: 1000, settings: 200 },
  vocabulary: {
    /** Maximum number of entries on the list. */
    entries: 200,
    /** Maximum number of stored entries, including removed entries. */
    stored: 1000,
    /** Maximum number of names stored automatically because the user corrected them in a transcript. */
    corrected: 200,
    /** Maximum length of an entry, in characters. */
    entryMaxLength: 50,
  },
  filters: {
    /** Maximum number of saved filters. */
    count: 50,
    /** Maximum number of filter settings, including deleted filters and the setting for the order. */
    stored: 101,
    /** Maximum length of a name, in characters. */
    nameMaxLength: 40,
    /** Maximum number of tags per filter. */
    tags: 10,
  },
  search: { keywordMaxLength: 200 },
  ask: {
    questionMaxLength: 1000,
    /** Maximum number of recordings that a question may be limited to. */
    recordings: 100,
    /** Maximum number of quotes per answer. */
    quotes: 5,
    /** Maximum number of paragraphs that a language model reads for an answer. */
    read: 12,
    /**
     * Maximum time that a call waits for a language model, in seconds. Shorter than the timeouts of clients and
     * proxies.
     */
    wait: 25,
    /** Maximum number of threads per account. Creating another thread deletes the oldest. */
    threads: 500,
    /** Maximum number of questions per thread. */
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
    /**
     * Maximum number of packets with live text per recording: one day. Later audio is transcribed after the recording.
     */
    packets: 24 * 3600 * 50,
    /** How long a session is kept after its last packet, for the transcription. */
    keptSeconds: 24 * 3600,
    /**
     * Maximum time that a live/watch call waits for new text, in seconds. Shorter than the timeouts of common proxies.
     */
    watchSeconds: 25,
    /** Maximum number of recordings listed in a live/watch request. */
    watched: 32,
  },
  template: { nameMaxLength: 60, headingMaxLength: 80, wantsMaxLength: 400, sections: 12 },
  minutes: { newAccount: 30, vipPerMonth: 1200 },
} as const;
