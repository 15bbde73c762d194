/**
 * Limits shared by app and server. Sizes are in bytes, times in the unit of their name. Imports nothing, because the app
 * loads it at startup.
 */
export const limits = {
  /** The timeout of an interactive call (specification, section 9). */
  requestTimeoutMs: 10_000,
  /** The timeout of a transfer without progress. */
  transferIdleTimeoutMs: 60_000,
  /** The maximum size of a JSON body. */
  jsonBodyBytes: 1024 * 1024,
  email: { maxLength: 254 },
  /** The first `tries` per day and network have no delay; later ones have growing delays. */
  code: { length: 6, ttlSeconds: 600, tries: 5 },
  password: { minLength: 8, maxLength: 128 },
  nickname: { maxLength: 40 },
  /** The seconds for which a used refresh token still returns the same successor. */
  refreshGraceSeconds: 30,
  /** The seconds after entering the password within which an account may be closed without entering it again. */
  passwordFreshSeconds: 600,
  /**
   * Milliseconds between the deselection of a storage location and the deletion of its copies, so that the user can undo
   * a mistake.
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
    /** Characters of one topic of a mind map. */
    topicMaxLength: 1000,
    /** Peak levels sent to the server for each recording: twice the number of bars in a player. */
    peaks: 160,
  },
  paragraph: { contentMaxLength: 20_000 },
  setting: { nameMaxLength: 64, valueMaxLength: 1000, settings: 200 },
  search: { keywordMaxLength: 200 },
  feedback: {
    contentMaxLength: 5000,
    contactMaxLength: 254,
    /** Characters of the log sent with feedback, from its end. */
    logMaxLength: 200_000,
  },
  sync: {
    /** Operations in one sync/apply. */
    operations: 500,
    /** Changes in one response of sync/changes. Changes of the same revision are never split. */
    changes: 500,
  },
  serial: { maxLength: 64 },
  page: { defaultLimit: 20, maxLimit: 1000 },
  upload: {
    /** Open upload grants of an account: issued, unexpired, and not yet registered as a recording. */
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
