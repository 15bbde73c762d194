import type { CodeName } from '@linnet/contract/codes';

/**
 * Default messages, with the problem and the remedy. The app translates the codes that it knows; other clients show
 * these messages.
 */
export const defaultMessages: Record<CodeName, string> = {
  ok: 'ok',
  wrongCode: 'The verification code is incorrect or expired. Request a new code.',
  wrongCredentials: 'Incorrect email or password.',
  wrongOldPassword: 'The current password is incorrect.',
  deviceNotRegistered: 'Device not registered. Send its serial number to customer service.',
  deviceBoundElsewhere: 'Device is bound to another account. Unbind it there first.',
  proofRefused: "The recorder couldn't prove its identity. Bind it again.",
  tokenInvalid: 'Please sign in again.',
  tokenExpired: 'The access token has expired. Refresh it.',
  keyNotAllowed: 'This API key is not allowed to make this call.',
  badRequest: 'Invalid request.',
  notFound: 'Not found.',
  unknownCall: 'Unknown endpoint. The app and the server may have different versions.',
  tooLarge: 'The request is too large.',
  tooManyRequests: 'Too many attempts. Wait a few minutes.',
  internal: 'Something went wrong on the server. Try again.',
  unavailable: 'The server is temporarily unavailable. Try again in a moment.',
  emailTaken: 'This email address is already registered. Sign in or reset the password.',
  weakPassword: 'Choose an uncommon password of 8 to 128 characters.',
  passwordsDiffer: "The passwords don't match.",
  unknownAccount: "There's no account with this email address. Register first.",
  passwordNeeded: 'Enter your password to delete the account.',
  wrongPassword: 'Incorrect password.',
  deviceNotYours: "This device isn't bound to your account.",
  keyNotIssued: "This upload URL wasn't issued to your account. Request a new URL.",
  objectMissing: "The file wasn't received. Upload it again.",
  objectDiffers: "The uploaded file doesn't match. Upload it again.",
  typeNotAccepted: "This file type isn't accepted.",
  limitReached: "You've reached the limit. Remove an item first.",
  recordingFull: 'The recording has reached its limit for these items.',
  notEnoughMinutes: 'Not enough transcription minutes. Buy more first.',
  languageUnavailable: "Transcription isn't available in this language.",
  membersOnly: 'This is a VIP feature.',
  summaryUnavailable: "This kind of summary isn't available on this server.",
  notUploaded: 'Upload the file to the server first.',
  audioTooShort: 'The audio is too short to transcribe.',
  audioUnreadable: "The audio file can't be read.",
  audioEmpty: 'The file contains no audio.',
  noSpeech: 'No speech was recognized in the recording.',
  engineFailed: 'Speech recognition failed. Try again.',
  engineQuota: 'The speech service has reached its quota. Try again later.',
  engineMisconfigured:
    'Speech recognition is misconfigured on this server. Contact its administrator.',
  transcriptionCanceled: 'The transcription was canceled.',
  summaryFailed: "The summary couldn't be created. Try again.",
  summaryQuota: 'The language model has reached its quota. Try again later.',
  summaryMisconfigured:
    'The language model is misconfigured on this server. Contact its administrator.',
  transcriptionRunning:
    'This recording is being transcribed. Try again when the transcription is complete.',
  notTranscribed: "There's no transcript yet. Transcribe the recording first.",
  quotaExceeded: 'Your storage on this server is full. Delete recordings to free space.',
  serverFull: "The server's disk is nearly full. Contact its administrator.",
  recordingDeleted: 'This recording was permanently deleted.',
  addressNotOurs: "This upload address doesn't belong to your account. Request a new address.",
  conversionFailed: "The audio couldn't be converted.",
  nothingForSale: 'Everything is free on this server. There is nothing to buy.',
  alreadySubscribed: 'Your membership already renews automatically.',
  nothingToCancel: "There's no renewal to cancel.",
  paymentFailed: 'The payment failed. You were not charged. Try again.',
  noStorageLocation: 'Select at least one storage location.',
};

/** An API error with a code from the catalog. Any other thrown error is an internal error. */
export class CallError extends Error {
  override readonly name = 'CallError';
  readonly reason: CodeName;
  constructor(reason: CodeName, msg: string = defaultMessages[reason]) {
    super(msg);
    this.reason = reason;
  }
}
