import type { CodeName } from '@linnet/contract/codes';

/** The consequence of a failed call for the queue. */
export type Verdict =
  /** The server or the connection failed: all work is retried later. */
  | 'wait'
  /** The tokens are invalid: all work waits until the account has handled that. */
  | 'stop'
  /** The stored object or its upload grant is invalid: the upload restarts. */
  | 'again'
  /** The server refuses this recording: the user has to decide. */
  | 'refused';

/** The verdict on each code. Unknown codes count as refused. */
export const verdicts: Readonly<Record<CodeName, Verdict>> = {
  keyNotIssued: 'again',
  objectMissing: 'again',
  objectDiffers: 'again',
  tooManyRequests: 'wait',
  internal: 'wait',
  unavailable: 'wait',
  serverFull: 'wait',
  tokenInvalid: 'stop',
  tokenExpired: 'stop',
  ok: 'refused',
  wrongCode: 'refused',
  wrongCredentials: 'refused',
  wrongOldPassword: 'refused',
  deviceNotRegistered: 'refused',
  deviceBoundElsewhere: 'refused',
  badRequest: 'refused',
  notFound: 'refused',
  unknownCall: 'refused',
  tooLarge: 'refused',
  emailTaken: 'refused',
  weakPassword: 'refused',
  passwordsDiffer: 'refused',
  unknownAccount: 'refused',
  passwordNeeded: 'refused',
  wrongPassword: 'refused',
  deviceNotYours: 'refused',
  proofRefused: 'refused',
  typeNotAccepted: 'refused',
  quotaExceeded: 'refused',
  recordingDeleted: 'refused',
  addressNotOurs: 'refused',
  conversionFailed: 'refused',
  notEnoughMinutes: 'refused',
  languageUnavailable: 'refused',
  notTranscribed: 'refused',
  membersOnly: 'refused',
  summaryUnavailable: 'refused',
  notUploaded: 'refused',
  audioTooShort: 'refused',
  audioUnreadable: 'refused',
  audioEmpty: 'refused',
  noSpeech: 'refused',
  engineFailed: 'refused',
  engineQuota: 'refused',
  engineMisconfigured: 'refused',
  transcriptionCanceled: 'refused',
  summaryFailed: 'refused',
  recordingFull: 'refused',
  nothingForSale: 'refused',
  alreadySubscribed: 'refused',
  nothingToCancel: 'refused',
  paymentFailed: 'refused',
  noStorageLocation: 'refused',
};
