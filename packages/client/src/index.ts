/** A client for the API of a Linnet server. Has no dependencies and runs in browsers, Node.js and Deno. */
export type * from './generated/calls.ts';
export { codes } from './generated/codes.ts';
export { createLinnet, type Linnet, LinnetError, type LinnetOptions } from './linnet.ts';
export type { CallFailure, CallOptions, CallResult } from './transport.ts';
export { type FileToUpload, uploadFile } from './upload-file.ts';
