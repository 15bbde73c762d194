/** Generated from the API reference by `node tooling/generate-client.mjs`. */
export const codes = {
  /** The call succeeded. */
  ok: 0,
  /** The verification code is incorrect, expired or already used. */
  wrongCode: 40003,
  /** The email or password is incorrect. The response does not reveal which. */
  wrongCredentials: 41001,
  /** The old password is incorrect. */
  wrongOldPassword: 41003,
  /** No recorder with this serial number is registered. */
  deviceNotRegistered: 3100001,
  /** The recorder is bound to another account. */
  deviceBoundElsewhere: 4200008,
  /** The token is missing, malformed, revoked, or of the wrong type. */
  tokenInvalid: 4200002,
  /** The access token has expired. */
  tokenExpired: 4200001,
  /** The API key lacks the scope for this call, or the call does not accept API keys. */
  keyNotAllowed: 40030,
  /** The body is not JSON, a required field is missing, or a field is invalid. */
  badRequest: 40000,
  /** The object does not exist, or belongs to another account. The response does not distinguish the two. */
  notFound: 40004,
  /** No call has this path and method. Usually the versions of app and server differ. */
  unknownCall: 40005,
  /** The request is larger than this call accepts. */
  tooLarge: 40013,
  /** There were too many requests from this IP address, for this email, or with the API keys of this account. */
  tooManyRequests: 40029,
  /** An unexpected error occurred. The server log has the details. */
  internal: 50000,
  /** A required service (database, object store, mail) is unavailable, or the server is at capacity. */
  unavailable: 50003,
  /** The store has less free disk space than the operator's reserve (DISK_RESERVE). */
  serverFull: 50007,
  /** An account with this email already exists. Returned only if the verification code is correct. */
  emailTaken: 40010,
  /** The password is too short, too long, blank, too common, or the same as the email. */
  weakPassword: 40011,
  /** The password and its confirmation do not match. */
  passwordsDiffer: 40012,
  /** A password reset was requested with a correct verification code, but the email has no account. */
  unknownAccount: 40014,
  /** Closing the account requires its password, which was not entered recently. */
  passwordNeeded: 40015,
  /** The password sent to confirm the call is incorrect. */
  wrongPassword: 40016,
  /** The account already has the maximum number of API keys, share links, webhooks or push subscriptions. */
  limitReached: 40017,
  /** The recorder cannot be unbound, because it is not bound to this account. */
  deviceNotYours: 3100003,
  /** The recorder's signature does not match its registered key, or the challenge has expired. */
  proofRefused: 3100004,
  /** The object URL was not issued to this account by oss/config. */
  keyNotIssued: 43001,
  /** The object was never stored, or was deleted. */
  objectMissing: 43002,
  /** The size of the stored object does not match the size in the request. */
  objectDiffers: 43003,
  /** The file type is not accepted for this type of upload. */
  typeNotAccepted: 43004,
  /** The account's recordings exceed its storage quota. */
  quotaExceeded: 43008,
  /** The recording with this client_flag was permanently deleted, on this device or another. */
  recordingDeleted: 43005,
  /** A URL passed to convert does not refer to an object of this account in this server's store. */
  addressNotOurs: 43006,
  /** The audio could not be decoded. */
  conversionFailed: 43007,
  /** The balance, minus reserved minutes, does not cover the recording. */
  notEnoughMinutes: 44001,
  /** No configured speech engine supports the language. Nothing is charged. */
  languageUnavailable: 44002,
  /** The recording to summarize has no transcript yet. */
  notTranscribed: 44004,
  /** The requested feature requires a membership: live text, share links, or a summary structure other than `general`. */
  membersOnly: 44005,
  /** The configured summary engine does not support the requested language or a custom template. */
  summaryUnavailable: 44006,
  /** The recording has no audio on the server. */
  notUploaded: 44003,
  /** The audio is shorter than limits.transcription.minSeconds, as measured by the server. */
  audioTooShort: 44010,
  /** The file is not audio of a supported format, or is damaged. */
  audioUnreadable: 44011,
  /** The file contains no audio. */
  audioEmpty: 44012,
  /** The engine recognized no words in the recording. */
  noSpeech: 44013,
  /** The speech engine failed, crashed, or exceeded its limits in every attempt. */
  engineFailed: 44014,
  /** The speech service rejects requests because its quota is exhausted. */
  engineQuota: 44016,
  /** The speech engine is misconfigured: its program or model is missing or damaged, or its service rejects the key. */
  engineMisconfigured: 44017,
  /** Another transcription of the recording is queued or running. */
  transcriptionRunning: 44021,
  /** The user canceled the transcription, or moved the recording to the recycle bin. Minutes are charged for the part that the engine had processed. */
  transcriptionCanceled: 44018,
  /** The summary engine failed in every attempt. The transcript is available. */
  summaryFailed: 44015,
  /** The language model service rejects requests because its quota is exhausted. */
  summaryQuota: 44019,
  /** The language model is misconfigured: its service rejects the key or lacks the model, or the local model or its engine is missing or damaged. */
  summaryMisconfigured: 44020,
  /** The recording has the maximum number of tags, markers, notes, speaker names or ticks. */
  recordingFull: 43010,
  /** Billing is off (BILLING=off): all features are free. */
  nothingForSale: 45001,
  /** The account already has a membership that renews automatically. */
  alreadySubscribed: 45002,
  /** The account has no membership that renews automatically, or its renewal is already canceled. */
  nothingToCancel: 45003,
  /** The payment service rejected the order. */
  paymentFailed: 45004,
  /** The change would deselect all storage locations: local, app and cloud. */
  noStorageLocation: 46001,
} as const;
