import type { CodeName } from '@linnet/contract/codes';

/** How the recording queue proceeds after a failed call. */
export type Verdict =
  /** The server or the connection failed. All work is retried later. */
  | 'wait'
  /** The tokens are invalid. All work waits until the user has signed in again. */
  | 'stop'
  /** The stored object or its upload grant is invalid. The upload restarts. */
  | 'restart'
  /** The server refuses this recording. The user has to decide what to do. */
  | 'refused';

/** The verdict for each server code. Unknown codes count as refused. */
export const verdicts: Readonly<Record<CodeName, Verdict>> = {
  keyNotIssued: 'restart',
  objectMissing: 'restart',
  objectDiffers: 'restart',
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
  keyNotAllowed: 'refused',
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
  transcriptionRunning: 'refused',
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
  summaryQuota: 'refused',
  summaryMisconfigured: 'refused',
  recordingFull: 'refused',
  limitReached: 'refused',
  nothingForSale: 'refused',
  alreadySubscribed: 'refused',
  nothingToCancel: 'refused',
  paymentFailed: 'refused',
  noStorageLocation: 'refused',
};
