/**
 * The limits that app and server share. Sizes are in bytes, and names contain the unit of times. Imports nothing, because
 * the app loads it at startup.
 */
export const limits = {
  /** The timeout of an interactive call (specification, section 9). */
  requestTimeoutMs: 10_000,
  /** The timeout of a transfer without progress. */
  transferIdleTimeoutMs: 60_000,
  /** The maximum size of a JSON body. */
  jsonBodyBytes: 1024 * 1024,
  email: { maxLength: 254 },
  /** The first `tries` attempts per day and network are not delayed. Later attempts have growing delays. */
  code: { length: 6, ttlSeconds: 600, tries: 5 },
  password: { minLength: 8, maxLength: 128 },
  nickname: { maxLength: 40 },
  /** How long a used refresh token still returns the same successor. */
  refreshGraceSeconds: 30,
  /** How long after entering the password an account may be closed without entering it again. */
  passwordFreshSeconds: 600,
  /**
   * The time between the deselection of a storage location and the deletion of its copies, in which the user can undo a
   * mistake.
   */
  deletionGraceMs: 3_600_000,
  recording: {
    nameMaxLength: 200,
    tagMaxLength: 40,
    tags: 50,
    markers: 10_000,
    speakerMaxLength: 80,
    /** The maximum number of speaker names. */
    speakers: 200,
    ticks: 10_000,
    mindNodes: 2000,
    /** The maximum length of a topic of a mind map, in characters. */
    topicMaxLength: 1000,
    /** The number of peaks sent to the server for each recording, which is twice the number of bars in a player. */
    peaks: 160,
    /** The maximum size of a call's levels: five hours. Later words have the speaker of the last word before. */
    callLevelsBytes: 5 * 36_000 * 2,
  },
  paragraph: { contentMaxLength: 20_000 },
  setting: { nameMaxLength: 64, valueMaxLength: 1000, settings: 200 },
  search: { keywordMaxLength: 200 },
  feedback: {
    contentMaxLength: 5000,
    contactMaxLength: 254,
    /** The number of characters of the log that are sent with feedback. Only the end of the log is sent. */
    logMaxLength: 200_000,
  },
  sync: {
    /** The maximum number of operations in a call of sync/apply. */
    operations: 500,
    /** The maximum number of changes in a response of sync/changes. Changes of the same revision are never split. */
    changes: 500,
  },
  serial: { maxLength: 64 },
  page: { defaultLimit: 20, maxLimit: 1000 },
  upload: {
    /** The maximum number of unexpired upload grants of an account whose objects are not registered as recordings yet. */
    openGrants: 100,
    /** 2 GiB: about 70 hours of the recorder's Ogg, or 18 hours of 16 kHz WAV. */
    voiceBytes: 2 * 1024 ** 3,
    avatarBytes: 5 * 1024 ** 2,
    voiceExts: ['ogg', 'wav'],
    avatarExts: ['png', 'jpg', 'jpeg', 'webp'],
    /** A phone keeps its log for ten days (specification, section 9). */
    logBytes: 20 * 1024 ** 2,
  },
  transcription: { minSeconds: 2 },
  template: { nameMaxLength: 60, headingMaxLength: 80, wantsMaxLength: 400, sections: 12 },
  minutes: { newAccount: 30, vipPerMonth: 1200 },
} as const;
