/**
 * Every `code` of a server response, with its cause and the app's reaction. The user's wording is in the app's
 * translations, keyed by these names; `msg` is the fallback.
 * The app loads this file at start: it imports nothing.
 */
interface CodeEntry {
  readonly code: number;
  /** Why the server returns this code. */
  readonly cause: string;
  /** How the app reacts. */
  readonly app: string;
}

export const catalogue = {
  ok: { code: 0, cause: 'The call succeeded.', app: 'Reads data.' },

  // The specification's catalogue.
  wrongCode: {
    code: 40003,
    cause: 'The verification code is wrong, used or expired.',
    app: 'Marks the code field and offers to send a new code.',
  },
  wrongCredentials: {
    code: 41001,
    cause: 'No account has this e-mail and password; the two are not told apart.',
    app: 'Says so beside the sign-in button; keeps the e-mail.',
  },
  wrongOldPassword: {
    code: 41003,
    cause: 'The old password given to change it is not the current one.',
    app: 'Marks the old-password field.',
  },
  deviceNotRegistered: {
    code: 3100001,
    cause: 'The serial number is not among the registered recorders.',
    app: 'Copies the serial to the clipboard and says where to send it.',
  },
  deviceBoundElsewhere: {
    code: 4200008,
    cause: 'The recorder is bound to another account.',
    app: 'Says that its owner has to unbind it first.',
  },
  tokenInvalid: {
    code: 4200002,
    cause: 'The token is missing, malformed, revoked, or of the wrong kind.',
    app: 'Clears both tokens and returns to sign-in; nothing on the phone is lost.',
  },

  // Ours: tokens and transport.
  tokenExpired: {
    code: 4200001,
    cause: 'The access token was good and has expired.',
    app: 'Refreshes and retries the call once.',
  },
  badRequest: {
    code: 40000,
    cause: 'The body is not JSON, lacks a field, or a field has the wrong type or shape.',
    app: 'Shows msg; a form marks the field it named.',
  },
  notFound: {
    code: 40004,
    cause: "There is no such object, or it is another account's; the two are not told apart.",
    app: 'Drops the object from the screen and reloads the list.',
  },
  unknownCall: {
    code: 40005,
    cause: 'No call has this path and method: app and server differ in version.',
    app: 'Asks to update the app or the server.',
  },
  tooLarge: {
    code: 40013,
    cause: 'The request is larger than the call accepts.',
    app: 'Shows msg.',
  },
  tooManyRequests: {
    code: 40029,
    cause: 'This address or e-mail asked too often.',
    app: 'Shows msg, which says when to try again.',
  },
  internal: {
    code: 50000,
    cause: 'The server failed in a way it did not foresee; its log has the details.',
    app: 'Says that the server failed and that nothing was lost; offers to try again.',
  },
  unavailable: {
    code: 50003,
    cause: 'A part the call needs (database, store, mail) does not answer, or the server is full.',
    app: 'Retries later by itself where it can; else says so.',
  },

  serverFull: {
    code: 50007,
    cause: "The store has less free disk than the operator's reserve (DISK_RESERVE).",
    app: 'Says so and keeps the recording on the phone; tries again later.',
  },

  // Ours: accounts.
  emailTaken: {
    code: 40010,
    cause: 'An account with this e-mail exists. Told only to whoever holds a right code.',
    app: 'Offers to sign in or to reset the password.',
  },
  weakPassword: {
    code: 40011,
    cause: 'The password is too short, too long, blank, among the commonest, or equals the e-mail.',
    app: 'Marks the password field with the rule.',
  },
  passwordsDiffer: {
    code: 40012,
    cause: 'Password and confirmation differ.',
    app: 'Marks the confirmation field.',
  },
  unknownAccount: {
    code: 40014,
    cause: 'A right code came for an e-mail without an account (forgotten password).',
    app: 'Offers to register.',
  },

  passwordNeeded: {
    code: 40015,
    cause: 'The account can be closed only with its password, which was not entered recently.',
    app: 'Asks for the password and calls again with it.',
  },
  wrongPassword: {
    code: 40016,
    cause: "The password given to confirm a call is not the account's.",
    app: 'Marks the password field.',
  },

  // Ours: recorders.
  deviceNotYours: {
    code: 3100003,
    cause: 'Unbinding was asked for a recorder that is not bound to this account.',
    app: 'Reloads the list of recorders.',
  },

  proofRefused: {
    code: 3100004,
    cause:
      "The recorder's signature does not hold for its registered key, or was asked for too long ago.",
    app: 'Says that the recorder could not prove which one it is; offers to try again.',
  },

  // Ours: uploads.
  keyNotIssued: {
    code: 43001,
    cause: 'The object address was not issued to this account by oss/config.',
    app: 'Asks oss/config again and uploads again.',
  },
  objectMissing: {
    code: 43002,
    cause: 'The object was never stored, or is gone.',
    app: 'Uploads again.',
  },
  objectDiffers: {
    code: 43003,
    cause: 'The stored size is not the size that was announced.',
    app: 'Uploads again.',
  },
  typeNotAccepted: {
    code: 43004,
    cause: 'The file type is not one this kind of upload takes.',
    app: 'Says which types are taken.',
  },

  quotaExceeded: {
    code: 43008,
    cause: "The account's recordings fill the storage that this server gives each account.",
    app: 'Says so and keeps the recording on the phone.',
  },
  recordingDeleted: {
    code: 43005,
    cause: 'The recording with this client_flag was deleted for good, on this phone or another.',
    app: 'Removes its copy as the deletion asked for; a session on a recorder is not read again.',
  },
  addressNotOurs: {
    code: 43006,
    cause: "An address given to convert is not one of this account's in this server's own store.",
    app: 'Asks for fresh addresses and converts again.',
  },
  conversionFailed: {
    code: 43007,
    cause: 'The audio could not be converted: it cannot be decoded.',
    app: 'Says so; the recording stays as it is.',
  },

  // Ours: transcription, as responses of task/create.
  notEnoughMinutes: {
    code: 44001,
    cause: 'The balance does not cover the recording, reserved minutes counted.',
    app: 'Offers to buy transcription time.',
  },
  languageUnavailable: {
    code: 44002,
    cause: 'No configured speech engine knows the language. Nothing is charged.',
    app: 'Shows msg, which names what the operator has to configure.',
  },
  notTranscribed: {
    code: 44004,
    cause: 'A summary was asked for of a recording that has no transcript yet.',
    app: 'Offers to transcribe it first.',
  },
  membersOnly: {
    code: 44005,
    cause:
      'What was asked for belongs to membership: a structure of the summary beyond the general one.',
    app: 'Says so and shows the membership.',
  },
  summaryUnavailable: {
    code: 44006,
    cause: 'The engine that summarises here cannot do that: another language, or an own template.',
    app: 'Shows msg, which names what the operator has to configure.',
  },
  notUploaded: {
    code: 44003,
    cause: 'The recording has no audio on the server.',
    app: 'Says: please upload the file to the server first; offers it.',
  },

  // Ours: transcription, as task.error of a failed task. Only a canceled task may cost minutes.
  audioTooShort: {
    code: 44010,
    cause: 'The audio lasts less than limits.transcription.minSeconds, as the server measures it.',
    app: 'Says that it is too short to transcribe.',
  },
  audioUnreadable: {
    code: 44011,
    cause: 'The file is not audio of a known kind, or is damaged.',
    app: 'Says so; the audio stays.',
  },
  audioEmpty: {
    code: 44012,
    cause: 'The file holds no audio at all.',
    app: 'Says so.',
  },
  noSpeech: {
    code: 44013,
    cause: 'The engine heard no words in the recording.',
    app: 'Says so; offers another language.',
  },
  engineFailed: {
    code: 44014,
    cause: 'The speech engine failed, crashed, or ran out of its limits on every try.',
    app: 'Says so and offers to try again.',
  },
  engineQuota: {
    code: 44016,
    cause: 'The speech service that the server uses refuses until its operator pays or waits.',
    app: 'Says so and offers to try again later.',
  },
  engineMisconfigured: {
    code: 44017,
    cause:
      'The speech engine cannot work as it is set up: its program or model is missing or damaged, or its service does not accept the key.',
    app: 'Says that whoever runs the server has to see to it.',
  },
  transcriptionCanceled: {
    code: 44018,
    cause:
      'Its owner canceled the transcription, or moved the recording to the bin. Minutes are charged for the part that the engine had been through.',
    app: 'Shows the recording as not transcribed.',
  },
  summaryFailed: {
    code: 44015,
    cause: 'The engine that summarises failed on every try; the transcript is there.',
    app: 'Says so and offers to summarise again.',
  },

  recordingFull: {
    code: 43010,
    cause: 'The recording holds as many tags, markers, names of speakers or ticks as limits allow.',
    app: 'Does not accept the edit; an edit that another phone made first is shown, to be copied.',
  },

  // Ours: orders.
  nothingForSale: {
    code: 45001,
    cause: 'The operator set BILLING=off: everything is open to everyone.',
    app: 'Says that there is nothing to buy here.',
  },
  alreadySubscribed: {
    code: 45002,
    cause: 'A membership that renews itself is running.',
    app: 'Shows it, and when it renews.',
  },
  nothingToCancel: {
    code: 45003,
    cause: 'No membership renews itself, or it was cancelled already.',
    app: 'Reloads the membership.',
  },
  paymentFailed: {
    code: 45004,
    cause: 'The payment service refused the order.',
    app: 'Says so and offers to try again; nothing was charged.',
  },

  // Ours: settings.
  noStorageLocation: {
    code: 46001,
    cause: 'The change would leave no place to keep recordings: local, app and cloud all 0.',
    app: 'Says: at least one must be chosen; puts the switch back.',
  },
} as const satisfies Record<string, CodeEntry>;

export type CodeName = keyof typeof catalogue;
/** Codes by name: `codes.wrongCode === 40003`. */
export type Codes = { readonly [Name in CodeName]: (typeof catalogue)[Name]['code'] };
export type Code = Codes[CodeName];

export const codes = Object.fromEntries(
  Object.entries(catalogue).map(([name, entry]) => [name, entry.code]),
) as unknown as Codes;

const names = new Map<number, CodeName>(
  Object.entries(catalogue).map(([name, entry]) => [entry.code, name as CodeName]),
);

/** Returns the name of a code, or undefined for a code that this version does not know. */
export function codeName(code: number): CodeName | undefined {
  return names.get(code);
}
