import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SpeechFailure } from './port.ts';

/** A named pipe through which a running engine process receives requests, one per line. */
export interface RequestPipe {
  readonly path: string;
  /** @throws {SpeechFailure} `scratch-failed` */
  send(line: string): Promise<void>;
  /** Closes the pipe, after which the engine reaches the end of its requests and exits. */
  close(): Promise<void>;
}

/**
 * Creates a named pipe in a temporary folder.
 * @throws {SpeechFailure} `scratch-failed`
 */
export async function openRequestPipe(folder: string): Promise<RequestPipe> {
  const path = join(folder, 'requests');
  let file: FileHandle;
  try {
    await promisify(execFile)('mkfifo', ['-m', '600', path]);
    // Opening for reading too doesn't wait for the engine, and keeps the pipe open between requests.
    file = await open(path, constants.O_RDWR);
  } catch (cause) {
    throw new SpeechFailure('scratch-failed', 'request pipe', cause);
  }
  return {
    path,
    async send(line) {
      try {
        await file.write(`${line}\n`);
      } catch (cause) {
        throw new SpeechFailure('scratch-failed', 'request pipe', cause);
      }
    },
    close: () => file.close(),
  };
}
