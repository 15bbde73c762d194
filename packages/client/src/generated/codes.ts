/** Generated from the API reference by `node tooling/generate-client.mjs`. */
export const codes = {
  /** The call succeeded. */
  ok: 0,
  /** The verification code is wrong, used or expired. */
  wrongCode: 40003,
  /** No account has this e-mail and password. The response does not reveal which is wrong. */
  wrongCredentials: 41001,
  /** The old password is not the current one. */
  wrongOldPassword: 41003,
  /** The serial number is not among the registered recorders. */
  deviceNotRegistered: 3100001,
  /** The recorder is bound to another account. */
  deviceBoundElsewhere: 4200008,
  /** The token is missing, malformed, revoked, or of the wrong kind. */
  tokenInvalid: 4200002,
  /** The access token is valid, but has expired. */
  tokenExpired: 4200001,
  /** The API key lacks the scope for this call, or the call accepts no API keys. */
  keyNotAllowed: 40030,
  /** The body is not JSON, lacks a field, or a field has the wrong type or shape. */
  badRequest: 40000,
  /** The object does not exist, or belongs to another account. The response does not distinguish the two. */
  notFound: 40004,
  /** No call has this path and method: app and server differ in version. */
  unknownCall: 40005,
  /** The request is larger than the call accepts. */
  tooLarge: 40013,
  /** There were too many requests from this address or for this e-mail. */
  tooManyRequests: 40029,
  /** An unexpected error occurred. The server log has the details. */
  internal: 50000,
  /** A required service (database, object store, mail) does not answer, or the server is full. */
  unavailable: 50003,
  /** The store has less free disk than the operator's reserve (DISK_RESERVE). */
  serverFull: 50007,
  /** An account with this e-mail exists. Reported only with a correct verification code. */
  emailTaken: 40010,
  /** The password is too short, too long, blank, among the commonest, or equals the e-mail. */
  weakPassword: 40011,
  /** Password and confirmation differ. */
  passwordsDiffer: 40012,
  /** The verification code is correct, but the e-mail has no account (forgotten password). */
  unknownAccount: 40014,
  /** The account can be closed only with its password, which was not entered recently. */
  passwordNeeded: 40015,
  /** The password that confirms a call is wrong. */
  wrongPassword: 40016,
  /** The account has the maximum number of API keys, links to recordings, webhooks or push subscriptions. */
  limitReached: 40017,
  /** The recorder to unbind is not bound to this account. */
  deviceNotYours: 3100003,
  /** The recorder's signature is not valid for its registered key, or its challenge has expired. */
  proofRefused: 3100004,
  /** The object address was not issued to this account by oss/config. */
  keyNotIssued: 43001,
  /** The object was never stored, or was deleted. */
  objectMissing: 43002,
  /** The size of the stored object differs from the announced size. */
  objectDiffers: 43003,
  /** This kind of upload does not accept the file type. */
  typeNotAccepted: 43004,
  /** The account's recordings exceed its storage quota. */
  quotaExceeded: 43008,
  /** The recording with this client_flag was deleted permanently, on this phone or another. */
  recordingDeleted: 43005,
  /** An address passed to convert does not belong to this account in this server's store. */
  addressNotOurs: 43006,
  /** The audio cannot be decoded for the conversion. */
  conversionFailed: 43007,
  /** The balance, less reserved minutes, does not cover the recording. */
  notEnoughMinutes: 44001,
  /** No configured speech engine supports the language. Nothing is charged. */
  languageUnavailable: 44002,
  /** The recording to summarize has no transcript yet. */
  notTranscribed: 44004,
  /** The request requires a membership: live text, a link to a recording, or a summary structure other than the general one. */
  membersOnly: 44005,
  /** The configured summary engine does not support the language or a custom template. */
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
  /** The speech service refuses requests, because its quota is exhausted. */
  engineQuota: 44016,
  /** The speech engine is misconfigured: its program or model is missing or damaged, or its service rejects the key. */
  engineMisconfigured: 44017,
  /** Another transcription of the recording is queued or running. */
  transcriptionRunning: 44021,
  /** The user canceled the transcription, or moved the recording to the recycle bin. Minutes are charged for the part that the engine had processed. */
  transcriptionCanceled: 44018,
  /** The summary engine failed in every attempt. The transcript is available. */
  summaryFailed: 44015,
  /** The language model service refuses requests, because its quota is exhausted. */
  summaryQuota: 44019,
  /** The language model is misconfigured: its service rejects the key, or does not have the model; or the local model or its engine is missing or damaged. */
  summaryMisconfigured: 44020,
  /** The recording has the maximum number of tags, markers, notes, speaker names or ticks. */
  recordingFull: 43010,
  /** Billing is off (BILLING=off): all features are free. */
  nothingForSale: 45001,
  /** The account has a membership that renews automatically. */
  alreadySubscribed: 45002,
  /** No membership renews automatically, or it is already canceled. */
  nothingToCancel: 45003,
  /** The payment service refused the order. */
  paymentFailed: 45004,
  /** The change would deselect all storage locations: local, app and cloud. */
  noStorageLocation: 46001,
} as const;
