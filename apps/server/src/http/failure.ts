import type { CodeName } from '@linnet/contract/codes';

/**
 * Default messages: the problem and the remedy. The app has its own translations of the codes it knows; these are
 * shown by other clients.
 */
export const messages: Record<CodeName, string> = {
  ok: 'ok',
  wrongCode: 'Wrong verification code. Ask for a new one if it has been a while.',
  wrongCredentials: 'Wrong account or password.',
  wrongOldPassword: 'Wrong old password.',
  deviceNotRegistered: 'Device not registered. Send its serial number to customer service.',
  deviceBoundElsewhere: 'Device already bound to someone else; unbind it there first.',
  proofRefused: 'The recorder could not prove which one it is. Bind it again.',
  tokenInvalid: 'Please sign in again.',
  tokenExpired: 'The access token has expired; refresh it.',
  badRequest: 'The request is not what this call takes.',
  notFound: 'There is no such thing here.',
  unknownCall: 'There is no such call; app and server may differ in version.',
  tooLarge: 'The request is too large.',
  tooManyRequests: 'Too many attempts; wait a few minutes.',
  internal: 'The server failed. Nothing was lost; try again.',
  unavailable: 'The server is not ready; try again in a moment.',
  emailTaken: 'This e-mail address is already registered; sign in, or reset the password.',
  weakPassword: 'Choose a password of 8 to 128 characters that is not a common one.',
  passwordsDiffer: 'The password and its confirmation do not match.',
  unknownAccount: 'There is no account with this e-mail address; register first.',
  passwordNeeded: 'Enter your password to close the account.',
  wrongPassword: 'Wrong password.',
  deviceNotYours: 'This device is not bound to your account.',
  keyNotIssued: 'This upload address was not issued to you; ask for a new one.',
  objectMissing: 'The file has not arrived; upload it again.',
  objectDiffers: 'The file that arrived is not the one announced; upload it again.',
  typeNotAccepted: 'This type of file is not accepted.',
  recordingFull: 'The recording holds no more of these.',
  notEnoughMinutes: 'Not enough transcription time; buy some first.',
  languageUnavailable: 'No speech engine here knows this language.',
  membersOnly: 'This belongs to membership.',
  summaryUnavailable: 'The engine that summarises here cannot do that.',
  notUploaded: 'Please upload the file to the server first.',
  audioTooShort: 'The audio is too short to transcribe.',
  audioUnreadable: 'The file is not audio that can be read.',
  audioEmpty: 'The file holds no audio.',
  noSpeech: 'No words were heard in the recording.',
  engineFailed: 'The speech engine failed; try again.',
  engineQuota: 'The speech service of this server has used up its quota; try again later.',
  engineMisconfigured: 'The speech engine of this server is not set up right; tell its operator.',
  transcriptionCanceled: 'The transcription was canceled.',
  summaryFailed: 'The summary could not be made; try again.',
  notTranscribed: 'There is no transcript yet; transcribe the recording first.',
  quotaExceeded: 'Your storage on this server is full; delete recordings to make room.',
  serverFull: "The server's disk is nearly full; tell its administrator, and try again later.",
  recordingDeleted: 'This recording was deleted for good.',
  addressNotOurs: 'This address is not in your part of the store; ask for a new one.',
  conversionFailed: 'The audio could not be converted.',
  nothingForSale: 'There is nothing to buy here: everything is open.',
  alreadySubscribed: 'Your membership renews itself already.',
  nothingToCancel: 'No membership renews itself.',
  paymentFailed: 'The payment did not go through; nothing was charged. Try again.',
  noStorageLocation: 'At least one place to keep recordings must be chosen.',
};

/** An API error with a code of the catalogue. Any other error thrown is an internal error. */
export class CallError extends Error {
  override readonly name = 'CallError';
  readonly reason: CodeName;
  constructor(reason: CodeName, msg: string = messages[reason]) {
    super(msg);
    this.reason = reason;
  }
}
