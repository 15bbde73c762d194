/**
 * The codes in server responses, with their causes and the app's reactions. The app's translations contain a message
 * for each name. `msg` is the fallback. This module imports nothing, because the app loads it at startup.
 */
interface CodeEntry {
  readonly code: number;
  /** Why the server returns this code. */
  readonly cause: string;
  /** How the app reacts. */
  readonly app: string;
}

export const catalog = {
  ok: { code: 0, cause: 'The call succeeded.', app: 'Reads data.' },

  // Codes defined by the specification.
  wrongCode: {
    code: 40003,
    cause: 'The verification code is incorrect, expired or already used.',
    app: 'Marks the code field and offers to send a new code.',
  },
  wrongCredentials: {
    code: 41001,
    cause: 'The email or password is incorrect. The response does not reveal which.',
    app: 'Shows an error beside the sign-in button, and keeps the entered email.',
  },
  wrongOldPassword: {
    code: 41003,
    cause: 'The old password is incorrect.',
    app: 'Marks the old-password field.',
  },
  deviceNotRegistered: {
    code: 3100001,
    cause: 'No recorder with this serial number is registered.',
    app: 'Copies the serial number to the clipboard, and explains where to send it.',
  },
  deviceBoundElsewhere: {
    code: 4200008,
    cause: 'The recorder is bound to another account.',
    app: 'Explains that the other account has to unbind it first.',
  },
  tokenInvalid: {
    code: 4200002,
    cause: 'The token is missing, malformed, revoked, or of the wrong type.',
    app: 'Clears both tokens and returns to the sign-in page. The data on the phone remains.',
  },

  // Linnet's own codes: tokens and transport.
  tokenExpired: {
    code: 4200001,
    cause: 'The access token has expired.',
    app: 'Refreshes the token and retries the call once.',
  },
  keyNotAllowed: {
    code: 40030,
    cause: 'The API key lacks the scope for this call, or the call does not accept API keys.',
    app: 'Never receives this code, because it uses access tokens.',
  },
  badRequest: {
    code: 40000,
    cause: 'The body is not JSON, a required field is missing, or a field is invalid.',
    app: 'Shows msg. Forms mark the field it names.',
  },
  notFound: {
    code: 40004,
    cause:
      'The object does not exist, or belongs to another account. The response does not distinguish the two.',
    app: 'Removes the object from the screen and reloads the list.',
  },
  unknownCall: {
    code: 40005,
    cause: 'No call has this path and method. Usually the versions of app and server differ.',
    app: 'Asks the user to update the app or the server.',
  },
  tooLarge: {
    code: 40013,
    cause: 'The request is larger than this call accepts.',
    app: 'Shows msg.',
  },
  tooManyRequests: {
    code: 40029,
    cause:
      'There were too many requests from this IP address, for this email, or from this account or its API keys.',
    app: 'Shows msg, which says when to retry.',
  },
  internal: {
    code: 50000,
    cause: 'An unexpected error occurred. The server log has the details.',
    app: 'Explains that the server failed but no data was lost, and offers a retry.',
  },
  unavailable: {
    code: 50003,
    cause:
      'A required service (database, object store, mail) is unavailable, or the server is at capacity.',
    app: 'Retries automatically if possible; otherwise shows an error.',
  },

  serverFull: {
    code: 50007,
    cause: "The store has less free disk space than the operator's reserve (DISK_RESERVE).",
    app: 'Shows an error, keeps the recording on the phone, and retries later.',
  },

  // Accounts.
  emailTaken: {
    code: 40010,
    cause:
      'An account with this email already exists. Returned only if the verification code is correct.',
    app: 'Offers to sign in or to reset the password.',
  },
  weakPassword: {
    code: 40011,
    cause: 'The password is too short, too long, blank, too common, or the same as the email.',
    app: 'Marks the password field and shows the password rules.',
  },
  passwordsDiffer: {
    code: 40012,
    cause: 'The password and its confirmation do not match.',
    app: 'Marks the confirmation field.',
  },
  unknownAccount: {
    code: 40014,
    cause:
      'A password reset was requested with a correct verification code, but the email has no account.',
    app: 'Offers to register.',
  },

  passwordNeeded: {
    code: 40015,
    cause: 'Closing the account requires its password, which was not entered recently.',
    app: 'Asks for the password and repeats the call with it.',
  },
  wrongPassword: {
    code: 40016,
    cause: 'The password sent to confirm the call is incorrect.',
    app: 'Marks the password field.',
  },
  limitReached: {
    code: 40017,
    cause:
      'The account already has the maximum number of API keys, share links, webhooks, push subscriptions or retention rules.',
    app: 'Explains that an item has to be removed first.',
  },

  // Recorders.
  deviceNotYours: {
    code: 3100003,
    cause: 'The recorder cannot be unbound, because it is not bound to this account.',
    app: 'Reloads the list of recorders.',
  },

  proofRefused: {
    code: 3100004,
    cause:
      "The recorder's signature does not match its registered key, or the challenge has expired.",
    app: 'Explains that the recorder could not prove its identity, and offers a retry.',
  },

  // Uploads.
  keyNotIssued: {
    code: 43001,
    cause: 'The object URL was not issued to this account by oss/config.',
    app: 'Requests a new upload grant and uploads again.',
  },
  objectMissing: {
    code: 43002,
    cause: 'The object was never stored, or was deleted.',
    app: 'Uploads again.',
  },
  objectDiffers: {
    code: 43003,
    cause: 'The size of the stored object does not match the size in the request.',
    app: 'Uploads again.',
  },
  typeNotAccepted: {
    code: 43004,
    cause: 'The file type is not accepted for this type of upload.',
    app: 'Lists the accepted types.',
  },

  quotaExceeded: {
    code: 43008,
    cause: "The account's recordings exceed its storage quota.",
    app: 'Shows an error, and keeps the recording on the phone.',
  },
  recordingDeleted: {
    code: 43005,
    cause:
      'The recording with this client_flag was permanently deleted, on this device or another.',
    app: 'Deletes its copy, and does not download the session from a recorder again.',
  },
  addressNotOurs: {
    code: 43006,
    cause:
      "A URL passed to convert does not refer to an object of this account in this server's store.",
    app: 'Requests new URLs and converts again.',
  },
  conversionFailed: {
    code: 43007,
    cause: 'The audio could not be decoded.',
    app: 'Shows an error. The recording is unchanged.',
  },

  // Transcription, as responses to task/create.
  notEnoughMinutes: {
    code: 44001,
    cause: 'The balance, minus reserved minutes, does not cover the recording.',
    app: 'Offers to buy transcription time.',
  },
  languageUnavailable: {
    code: 44002,
    cause: 'No configured speech engine supports the language. Nothing is charged.',
    app: 'Shows msg, which lists the languages that the server can transcribe.',
  },
  notTranscribed: {
    code: 44004,
    cause: 'The recording to summarize has no transcript yet.',
    app: 'Offers to transcribe it first.',
  },
  membersOnly: {
    code: 44005,
    cause:
      'The requested feature requires a membership: live text, share links, or a summary structure other than `general`.',
    app: 'Explains that a membership is required, and offers it.',
  },
  summaryUnavailable: {
    code: 44006,
    cause:
      'The configured summary engine does not support the requested language or a custom template.',
    app: 'Shows msg, which names the missing configuration.',
  },
  notUploaded: {
    code: 44003,
    cause: 'The recording has no audio on the server.',
    app: 'Asks the user to upload the file to the server first, and offers to do so.',
  },

  // Transcription, as `task.error` of a failed task. Except for `transcriptionCanceled`, failed tasks are free of
  // charge.
  audioTooShort: {
    code: 44010,
    cause: 'The audio is shorter than limits.transcription.minSeconds, as measured by the server.',
    app: 'Explains that the audio is too short to transcribe.',
  },
  audioUnreadable: {
    code: 44011,
    cause: 'The file is not audio of a supported format, or is damaged.',
    app: 'Shows an error. The audio remains.',
  },
  audioEmpty: {
    code: 44012,
    cause: 'The file contains no audio.',
    app: 'Shows an error.',
  },
  noSpeech: {
    code: 44013,
    cause: 'The engine recognized no words in the recording.',
    app: 'Shows an error, and offers another language.',
  },
  engineFailed: {
    code: 44014,
    cause: 'The speech engine failed, crashed, or exceeded its limits in every attempt.',
    app: 'Shows an error, and offers a retry.',
  },
  engineQuota: {
    code: 44016,
    cause: 'The speech service rejects requests because its quota is exhausted.',
    app: 'Shows an error, and suggests retrying later.',
  },
  engineMisconfigured: {
    code: 44017,
    cause:
      'The speech engine is misconfigured: its program or model is missing or damaged, or its service rejects the key.',
    app: "Explains that the server's administrator has to fix it.",
  },
  transcriptionRunning: {
    code: 44021,
    cause: 'Another transcription of the recording is queued or running.',
    app: 'Explains that the other transcription must finish first.',
  },
  transcriptionCanceled: {
    code: 44018,
    cause:
      'The user canceled the transcription, or moved the recording to the recycle bin. Minutes are charged for the part that the engine had processed.',
    app: 'Shows the recording as not transcribed.',
  },
  summaryFailed: {
    code: 44015,
    cause: 'The summary engine failed in every attempt. The transcript is available.',
    app: 'Shows an error, and offers to summarize again.',
  },
  summaryQuota: {
    code: 44019,
    cause: 'The language model service rejects requests because its quota is exhausted.',
    app: 'Shows an error, and offers to summarize again later.',
  },
  summaryMisconfigured: {
    code: 44020,
    cause:
      'The language model is misconfigured: its service rejects the key or lacks the model, or the local model or its engine is missing or damaged.',
    app: "Explains that the server's administrator has to fix it.",
  },

  recordingFull: {
    code: 43010,
    cause: 'The recording has the maximum number of tags, markers, notes, speaker names or ticks.',
    app: 'Rejects the edit. If the server rejects an edit that the app had accepted, lists it so that the user can copy it.',
  },

  // Orders.
  nothingForSale: {
    code: 45001,
    cause: 'Billing is off (BILLING=off): all features are free.',
    app: 'Explains that all features are free.',
  },
  alreadySubscribed: {
    code: 45002,
    cause: 'The account already has a membership that renews automatically.',
    app: 'Shows the membership and its renewal date.',
  },
  nothingToCancel: {
    code: 45003,
    cause:
      'The account has no membership that renews automatically, or its renewal is already canceled.',
    app: 'Reloads the membership.',
  },
  paymentFailed: {
    code: 45004,
    cause: 'The payment service rejected the order.',
    app: 'Shows an error, and offers a retry. Nothing was charged.',
  },

  // Settings.
  noStorageLocation: {
    code: 46001,
    cause: 'The change would deselect all storage locations: local, app and cloud.',
    app: 'Explains that at least one is required, and resets the switch.',
  },
} as const satisfies Record<string, CodeEntry>;

export type CodeName = keyof typeof catalog;
/** All codes by name: `codes.wrongCode === 40003`. */
export type Codes = { readonly [Name in CodeName]: (typeof catalog)[Name]['code'] };
export type Code = Codes[CodeName];

export const codes = Object.fromEntries(
  Object.entries(catalog).map(([name, entry]) => [name, entry.code]),
) as unknown as Codes;

const names = new Map<number, CodeName>(
  Object.entries(catalog).map(([name, entry]) => [entry.code, name as CodeName]),
);

/** Returns a code's name, or undefined if this version doesn't know it. */
export function codeName(code: number): CodeName | undefined {
  return names.get(code);
}
